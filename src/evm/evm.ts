/**
 * The machine: EthereumJS's VM over our state.
 *
 * A VM runs one thing at a time and its runs are asynchronous, so questions that come at the same time each get a VM of
 * their own; those that are free are kept for the next. Making one takes about a millisecond, taking a free one nothing.
 * All forks of a devnet share the same machine.
 */
import type { Block } from '@ethereumjs/block'
import {
  createEVM,
  type EVMMockBlockchainInterface,
  type EVMResult,
  type Message as EvmMessage,
  type InterpreterStep,
} from '@ethereumjs/evm'
import type { TypedTransaction } from '@ethereumjs/tx'
import type { Address as AddressObject } from '@ethereumjs/util'
import { createVM, runTx, type VM } from '@ethereumjs/vm'
import { type Address, EMPTY_BYTES, fromHex, ZERO_HASH } from '../model/bytes/hex.ts'
import type { ConsoleCalls } from '../model/execution/consoleCall.ts'
import type { Rules } from '../model/hardfork/hardfork.ts'
import type { Draft } from '../state/draft.ts'
import { Adapter } from './adapter.ts'
import { addressObject } from './addressObject.ts'
import type { BlockContext } from './blockContext.ts'
import { ConsoleListener } from './consoleListener.ts'
import { GasNeed } from './gasNeed.ts'
import { Journal } from './journal.ts'
import type { Message } from './message.ts'
import { quickenSteps } from './quickSteps.ts'
import { type Ending, runDeposit } from './runDeposit.ts'

/** Precompiles that answer at another address: where they were, and where they are now; `undefined`: nowhere. */
export type MovedPrecompiles = ReadonlyMap<Address, Address | undefined>

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

interface Runner {
  readonly vm: VM
  readonly adapter: Adapter
  readonly blockchain: Blockhashes
  readonly console: ConsoleListener
  readonly gasNeed: GasNeed
}

/** Runs messages under the rules of one chain. */
export class Evm {
  readonly rules: Rules
  readonly #idle: Runner[] = []

  constructor(rules: Rules) {
    this.rules = rules
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
    if (moved !== undefined) return attached(await this.#createMoved(moved), draft, context, work)
    return this.#lend((runner) => attached(runner, draft, context, work))
  }

  /** Runs the code at `to` as the system (EIP-4788): 30 million gas that nobody pays. Answers what it returned. */
  async runSystemCall(
    draft: Draft,
    context: BlockContext,
    to: Address,
    data: Uint8Array,
  ): Promise<Uint8Array> {
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
      return execResult.exceptionError === undefined ? execResult.returnValue : EMPTY_BYTES
    }
    return this.#lend((runner) => attached(runner, draft, context, work))
  }

  /** Whether a precompile answers at `address`. */
  isPrecompile(address: Address): Promise<boolean> {
    return this.#lend(async ({ vm }) => vm.evm.precompiles.has(address.slice(2)))
  }

  /** Where all precompiles answer. */
  precompiles(): Promise<ReadonlySet<Address>> {
    return this.#lend(
      async ({ vm }) => new Set([...vm.evm.precompiles.keys()].map((digits): Address => `0x${digits}`)),
    )
  }

  /** Lends a free runner. One whose work threw is not taken back: its journal may be in any state. */
  async #lend<T>(work: (runner: Runner) => Promise<T>): Promise<T> {
    const runner = this.#idle.pop() ?? (await this.#create())
    const result = await work(runner)
    this.#idle.push(runner)
    return result
  }

  async #createMoved(moved: MovedPrecompiles): Promise<Runner> {
    const runner = await this.#create()
    const { evm } = runner.vm
    Object.defineProperty(evm, 'precompiles', { value: placed(evm.precompiles, moved) })
    return runner
  }

  async #create(): Promise<Runner> {
    await quickenSteps()
    const { common } = this.rules
    const adapter = new Adapter()
    const blockchain = new Blockhashes()
    const evm = await createEVM({ common, stateManager: adapter, blockchain })
    const { precompiles } = evm
    const journal = new Journal(adapter, this.rules, precompiles)
    evm.journal = journal as unknown as typeof evm.journal
    // `runTx` goes through them only to warm one after the other.
    precompiles.entries = () => {
      journal.addPrecompiles()
      return [].values()
    }
    // The EVM listens to its Common for a change of hardfork, which never comes here: without this, each VM that
    // was ever made would be kept alive by it.
    common.events.removeAllListeners('hardforkChanged')
    const vm = await createVM({ common, stateManager: adapter, evm })
    hushed(evm)
    hushed(vm)
    const console = new ConsoleListener()
    evm.events.on('beforeMessage', console.hear)
    const gasNeed = new GasNeed()
    gasNeed.attach(evm, this.rules)
    evm.events.on('beforeMessage', gasNeed.hear)
    return { vm, adapter, blockchain, console, gasNeed }
  }
}

/** Lets a machine prepare nothing for an event to which nobody listens. */
function hushed(machine: VM | VM['evm']): void {
  const speaker = machine as unknown as Speaker
  const { events, _emit: emit } = speaker
  speaker._emit = (topic, data) => (events.listenerCount(topic) === 0 ? DONE : emit(topic, data))
}

interface Speaker {
  readonly events: { listenerCount(topic: string): number }
  _emit(topic: string, data: unknown): Promise<void>
}

const DONE = Promise.resolve()

/** Does `work` on a runner that sees `draft` in the block of `context`. */
async function attached<T>(
  runner: Runner,
  draft: Draft,
  context: BlockContext,
  work: (runner: Runner) => Promise<T>,
): Promise<T> {
  runner.adapter.attach(draft)
  runner.blockchain.attach(context)
  const result = await work(runner)
  runner.adapter.attach(undefined)
  runner.blockchain.attach(undefined)
  return result
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

/**
 * The precompiles where `moved` has put them. Warm from the beginning of a run (EIP-2929) stays what the rules say: where
 * they were, and not where they are.
 */
function placed(precompiles: VM['evm']['precompiles'], moved: MovedPrecompiles): VM['evm']['precompiles'] {
  const now = new Map(precompiles)
  for (const from of moved.keys()) now.delete(from.slice(2))
  for (const [from, to] of moved) {
    const run = precompiles.get(from.slice(2))
    if (run !== undefined && to !== undefined) now.set(to.slice(2), run)
  }
  now.entries = () => precompiles.entries()
  return now
}

/** Answers BLOCKHASH from the chain of the moment. */
class Blockhashes implements EVMMockBlockchainInterface {
  #context: BlockContext | undefined

  attach(context: BlockContext | undefined): void {
    this.#context = context
  }

  async getBlock(number: number): Promise<{ hash(): Uint8Array }> {
    const hash = fromHex(this.#context?.blockHash(BigInt(number)) ?? ZERO_HASH)
    return { hash: () => hash }
  }

  async putBlock(): Promise<void> {}

  shallowCopy(): this {
    return this
  }
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
