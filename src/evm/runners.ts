/** EthereumJS's VMs: each runs one thing at a time, so those that are free are kept and lent. */
import { createEVM, type EVMMockBlockchainInterface, type InterpreterStep, paramsEVM } from '@ethereumjs/evm'
import { createVM, type VM } from '@ethereumjs/vm'
import { type Address, fromHex, ZERO_HASH } from '../model/bytes/hex.ts'
import type { Rules } from '../model/hardfork/hardfork.ts'
import { URGENT, type Work } from '../model/work/work.ts'
import type { Draft } from '../state/draft.ts'
import { Adapter } from './adapter.ts'
import type { BlockContext } from './blockContext.ts'
import { ConsoleListener } from './consoleListener.ts'
import { GasNeed } from './gasNeed.ts'
import { Journal } from './journal.ts'
import { quickenSteps, type WithWork } from './quickSteps.ts'

/** Precompiles that answer at another address: where they were, and where they are now; `undefined`: nowhere. */
export type MovedPrecompiles = ReadonlyMap<Address, Address | undefined>

/** A VM, and what it is connected with. */
export interface Runner {
  readonly vm: VM
  readonly adapter: Adapter
  readonly blockchain: Blockhashes
  readonly console: ConsoleListener
  readonly gasNeed: GasNeed
}

/** How many run at a time: each takes a megabyte, and more of them are no faster. Urgent work does not wait for others. */
const AT_A_TIME = 16

/** The runners of one machine. */
export class Runners {
  readonly #rules: Rules
  readonly #idle: Runner[] = []
  #lent = 0
  readonly #waiting: (() => void)[] = []

  constructor(rules: Rules) {
    this.#rules = rules
  }

  /**
   * Lends a free runner to `use`; with `moved` one of its own, which is not kept. One whose use threw is not taken back: its
   * journal may be in any state.
   */
  async lend<T>(work: Work, use: (runner: Runner) => Promise<T>, moved?: MovedPrecompiles): Promise<T> {
    if (this.#lent >= AT_A_TIME && work !== URGENT) await this.#free(work)
    this.#lent++
    try {
      if (moved !== undefined) return await use(await this.#createMoved(moved))
      const runner = this.#idle.pop() ?? (await this.#create())
      const result = await use(runner)
      if (this.#idle.length < AT_A_TIME) this.#idle.push(runner)
      return result
    } finally {
      this.#lent--
      this.#waiting.shift()?.()
    }
  }

  /** Waits until one of those that run has ended. */
  async #free(work: Work): Promise<void> {
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      const pause = work.pause()
      if (pause !== undefined) await pause
    } catch (error) {
      // Whose time is over makes room for the next.
      this.#waiting.shift()?.()
      throw error
    }
  }

  async #createMoved(moved: MovedPrecompiles): Promise<Runner> {
    const runner = await this.#create()
    const { evm } = runner.vm
    Object.defineProperty(evm, 'precompiles', { value: placed(evm.precompiles, moved) })
    return runner
  }

  async #create(): Promise<Runner> {
    await quickenSteps()
    const { common } = this.#rules
    const adapter = new Adapter()
    const blockchain = new Blockhashes()
    const evm = await createEVM({ common, stateManager: adapter, blockchain, params: paramsOf(this.#rules) })
    const { precompiles } = evm
    const journal = new Journal(adapter, this.#rules, precompiles)
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
    const workOf = () => (evm as unknown as WithWork).work ?? URGENT
    hushed(evm, workOf)
    hushed(vm, workOf)
    const console = new ConsoleListener()
    evm.events.on('beforeMessage', console.hear)
    const gasNeed = new GasNeed()
    gasNeed.attach(evm, this.#rules)
    evm.events.on('beforeMessage', gasNeed.hear)
    return { vm, adapter, blockchain, console, gasNeed }
  }
}

/**
 * Lets a machine prepare nothing for an event to which nobody listens. Where somebody listens to steps, the work pauses between
 * them: each copies the memory, and so takes time with its size.
 */
function hushed(machine: VM | VM['evm'], workOf: () => Work): void {
  const speaker = machine as unknown as Speaker
  const { events, _emit: emit } = speaker
  speaker._emit = (topic, data) => {
    if (events.listenerCount(topic) === 0) return DONE
    if (topic !== 'step') return emit(topic, data)
    const pause = workOf().pauseAfter(STEP_GAS + (data as InterpreterStep).memory.length)
    return pause === undefined ? emit(topic, data) : pause.then(() => emit(topic, data))
  }
}

/** An instruction that is told of takes as long as others of so much gas. */
const STEP_GAS = 100

interface Speaker {
  readonly events: { listenerCount(topic: string): number }
  _emit(topic: string, data: unknown): Promise<void>
}

const DONE = Promise.resolve()

/** Does `use` on a runner that sees `draft` in the block of `context`, as a part of `work`. */
export async function running<T>(
  runner: Runner,
  draft: Draft,
  context: BlockContext,
  work: Work,
  use: (runner: Runner) => Promise<T>,
): Promise<T> {
  const evm = runner.vm.evm as unknown as WithWork
  evm.work = work
  runner.adapter.attach(draft)
  runner.blockchain.attach(context)
  const result = await use(runner)
  runner.adapter.attach(undefined)
  runner.blockchain.attach(undefined)
  // Who keeps the runner keeps no request.
  evm.work = undefined
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

/** EthereumJS's parameters of the EVM, with the chain's own limit of code. */
function paramsOf({ codeSizeLimit }: Rules): typeof paramsEVM {
  if (codeSizeLimit === undefined) return paramsEVM
  return {
    ...paramsEVM,
    607: { ...paramsEVM[607], maxCodeSize: codeSizeLimit },
    3860: { ...paramsEVM[3860], maxInitCodeSize: 2 * codeSizeLimit },
  }
}
