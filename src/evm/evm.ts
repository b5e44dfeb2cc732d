/**
 * The EVM: EthereumJS's VM over preseal's state.
 *
 * A VM runs one thing at a time and its runs are asynchronous, so concurrent requests each get a VM of their own; free
 * ones are reused. Making one takes about a millisecond. All forks of a devnet share the same EVM.
 *
 * A long run pauses (`model/work/work.ts`) between its instructions and calls, never within one.
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

/** Listeners to a run. A listener to `step` makes it several times slower. */
export interface EvmListener {
  step?(step: InterpreterStep): void
  beforeMessage(message: EvmMessage): void
  afterMessage(result: EVMResult): void
}

/** The result of a run, with its console calls. */
export interface Ran {
  readonly result: Ending
  readonly console: ConsoleCalls | undefined
  /** The gas that the code needed in addition to what it used; `undefined`: its outcome may differ with other gas. */
  readonly gasNeed: bigint | undefined
}

/** Runs messages under the rules of one chain, as a part of some work. */
export class Evm {
  readonly rules: Rules
  /** The work that runs are a part of; by default the sequencer's. */
  readonly work: Work
  readonly #runners: Runners

  constructor(rules: Rules, work: Work = URGENT, runners: Runners = new Runners(rules)) {
    this.rules = rules
    this.work = work
    this.#runners = runners
  }

  /** Returns the same EVM with runs that are a part of `work`: they pause and end with it. */
  for(work: Work): Evm {
    return new Evm(this.rules, work, this.#runners)
  }

  /**
   * Runs `message` on `draft`, in the block that `context` describes. The caller has checked the message (nonce,
   * balance, intrinsic gas): an error that EthereumJS throws here is a defect of preseal. A run without a `listener`
   * takes no extra time.
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
   * Runs the code at `to` as the system (EIP-4788), with 30 million gas that are not paid for. Returns the code's
   * return data; `undefined` if it reverted or halted, which leaves the draft unchanged.
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
      // Console calls of system calls are dropped.
      console.take()
      gasNeed.take()
      return execResult.exceptionError === undefined ? execResult.returnValue : undefined
    }
    return this.#runners.lend(this.work, (runner) => running(runner, draft, context, this.work, work))
  }

  /** Returns whether `address` is that of a precompile. */
  isPrecompile(address: Address): Promise<boolean> {
    return this.#runners.lend(this.work, async ({ vm }) => vm.evm.precompiles.has(address.slice(2)))
  }

  /** Returns the addresses of all precompiles. */
  precompiles(): Promise<ReadonlySet<Address>> {
    return this.#runners.lend(
      this.work,
      async ({ vm }) => new Set([...vm.evm.precompiles.keys()].map((digits): Address => `0x${digits}`)),
    )
  }
}

/** Calls `work` with `listener` attached. */
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

/**
 * Returns the context as the part of a block that EthereumJS reads. Making a real block would cost more than many
 * calls.
 */
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

  // Getters, because the price that is paid and the one that code reads may differ (`simulateTransaction`).
  get baseFeePerGas(): bigint | undefined {
    return this.#context.baseFeePerGas
  }

  getBlobGasPrice(): bigint {
    return this.#context.blobBaseFee ?? 0n
  }
}
