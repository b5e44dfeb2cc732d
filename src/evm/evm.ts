/**
 * The machine: EthereumJS's VM over our state.
 *
 * A VM runs one thing at a time and its runs are asynchronous, so questions that come at the same time each get a VM of
 * their own; those that are free are kept for the next. Making one takes about a millisecond, taking a free one nothing.
 * All forks of a devnet share the same machine.
 *
 * A run pauses where it takes long (`model/work/work.ts`): between its instructions and calls, never within one.
 */
import type { Block } from '@ethereumjs/block'
import type { EVMResult, Message as EvmMessage, InterpreterStep } from '@ethereumjs/evm'
import type { TypedTransaction } from '@ethereumjs/tx'
import type { Address as AddressObject } from '@ethereumjs/util'
import { runTx, type VM } from '@ethereumjs/vm'
import { type Address, fromHex } from '../model/bytes/hex.ts'
import type { ConsoleCalls } from '../model/execution/consoleCall.ts'
import type { Rules } from '../model/hardfork/hardfork.ts'
import { URGENT, type Work } from '../model/work/work.ts'
import type { Draft } from '../state/draft.ts'
import { addressObject } from './addressObject.ts'
import type { BlockContext } from './blockContext.ts'
import type { Message } from './message.ts'
import { type Ending, runDeposit } from './runDeposit.ts'
import { type MovedPrecompiles, type Runner, Runners, running } from './runners.ts'

const SYSTEM_ADDRESS: Address = '0xfffffffffffffffffffffffffffffffffffffffe'
const SYSTEM_CALL_GAS = 30_000_000n

/** What a run can be asked to tell while it goes. A listener to `step` makes it several times slower. */
export interface EvmListener {
  step?(step: InterpreterStep): void
  beforeMessage(message: EvmMessage): void
  afterMessage(result: EVMResult): void
}

/** What came of a run, and what its code said meanwhile. */
export interface Ran {
  readonly result: Ending
  readonly console: ConsoleCalls | undefined
  /** Gas that had to be there for the code, beside what it used; `undefined`: with other gas it may end otherwise. */
  readonly gasNeed: bigint | undefined
}

/** Runs messages under the rules of one chain, as a part of some work. */
export class Evm {
  readonly rules: Rules
  /** Of what its runs are a part; by default of what the writer does. */
  readonly work: Work
  readonly #runners: Runners

  constructor(rules: Rules, work: Work = URGENT, runners: Runners = new Runners(rules)) {
    this.rules = rules
    this.work = work
    this.#runners = runners
  }

  /** Returns the same machine, whose runs are a part of `work`: they pause with it, and end with it. */
  for(work: Work): Evm {
    return new Evm(this.rules, work, this.#runners)
  }

  /**
   * Runs `message` on `draft`, in the block that `context` describes. The message must have passed the checks of its
   * caller (nonce, balance, intrinsic gas): what EthereumJS throws from here is a defect of ours. The machine asks before
   * each instruction whether anybody listens, so runs without a `listener` are as fast as if there were none.
   */
  async run(
    draft: Draft,
    context: BlockContext,
    message: Message,
    moved?: MovedPrecompiles,
    listener?: EvmListener,
  ): Promise<Ran> {
    const work = async ({ vm, adapter, console, gasNeed }: Runner): Promise<Ran> => {
      if (message.isDeposit) {
        const result = await heard(vm, listener, () => runDeposit(vm, this.rules, dressed(context), message))
        return { result, console: console.take(), gasNeed: gasNeed.take() }
      }
      if (message.mayComeFromContract) adapter.disguiseOnce(message.sender)
      const result = await heard(vm, listener, () =>
        runTx(vm, {
          tx: message as unknown as TypedTransaction,
          block: dressed(context),
          blockGasUsed: 0n,
          skipNonce: message.isSimulated,
          skipHardForkValidation: true,
          skipBlockGasLimitValidation: true,
        }),
      )
      return { result, console: console.take(), gasNeed: gasNeed.take() }
    }
    return this.#runners.lend(this.work, (runner) => running(runner, draft, context, this.work, work), moved)
  }

  /**
   * Runs the code at `to` as the system (EIP-4788): 30 million gas that nobody pays. Returns what the code returned;
   * `undefined` where it reverted or halted, which leaves the draft as it was.
   */
  async runSystemCall(
    draft: Draft,
    context: BlockContext,
    to: Address,
    data: Uint8Array,
  ): Promise<Uint8Array | undefined> {
    const work = async ({ vm, console, gasNeed }: Runner) => {
      const { execResult } = await vm.evm.runCall({
        block: dressed(context),
        caller: addressObject(SYSTEM_ADDRESS),
        to: addressObject(to),
        data,
        gasLimit: SYSTEM_CALL_GAS,
        skipNonceIncrement: true,
      })
      await vm.evm.journal.cleanup()
      // The system has nobody to tell.
      console.take()
      gasNeed.take()
      return execResult.exceptionError === undefined ? execResult.returnValue : undefined
    }
    return this.#runners.lend(this.work, (runner) => running(runner, draft, context, this.work, work))
  }

  /** Whether a precompile answers at `address`. */
  isPrecompile(address: Address): Promise<boolean> {
    return this.#runners.lend(this.work, async ({ vm }) => vm.evm.precompiles.has(address.slice(2)))
  }

  /** Where all precompiles answer. */
  precompiles(): Promise<ReadonlySet<Address>> {
    return this.#runners.lend(
      this.work,
      async ({ vm }) => new Set([...vm.evm.precompiles.keys()].map((digits): Address => `0x${digits}`)),
    )
  }
}

/** Does `work` while `listener` hears what happens. */
async function heard<T>({ evm }: VM, listener: EvmListener | undefined, work: () => Promise<T>): Promise<T> {
  if (listener === undefined) return work()
  const { events } = evm
  if (events === undefined) throw new Error('the EVM tells nothing')
  if (listener.step !== undefined) events.on('step', listener.step)
  events.on('beforeMessage', listener.beforeMessage)
  events.on('afterMessage', listener.afterMessage)
  const result = await work()
  if (listener.step !== undefined) events.off('step', listener.step)
  events.off('beforeMessage', listener.beforeMessage)
  events.off('afterMessage', listener.afterMessage)
  return result
}

/** The context as the part of a block that EthereumJS reads; making a real one would cost more than many calls. */
function dressed(context: BlockContext): Block {
  return { header: new DressedHeader(context) } as unknown as Block
}

class DressedHeader {
  readonly number: bigint
  readonly timestamp: bigint
  readonly coinbase: AddressObject
  readonly gasLimit: bigint
  readonly gasUsed = 0n
  readonly difficulty: bigint
  readonly prevRandao: Uint8Array
  readonly #context: BlockContext

  constructor(context: BlockContext) {
    this.number = context.number
    this.timestamp = context.timestamp
    this.coinbase = addressObject(context.coinbase)
    this.gasLimit = context.gasLimit
    this.difficulty = context.difficulty
    this.prevRandao = fromHex(context.prevRandao)
    this.#context = context
  }

  // Read when they are asked for: what is paid and what code reads may differ (`simulateTransaction`).
  get baseFeePerGas(): bigint | undefined {
    return this.#context.baseFeePerGas
  }

  getBlobGasPrice(): bigint {
    return this.#context.blobBaseFee ?? 0n
  }
}
