/** A pool of EthereumJS VMs. Each VM runs one thing at a time; free ones are reused. */
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

/** Moved precompiles: their new address by the old one; `undefined`: removed. */
export type MovedPrecompiles = ReadonlyMap<Address, Address | undefined>

/** A VM with its adapter and listeners. */
export interface Runner {
  readonly vm: VM
  readonly adapter: Adapter
  readonly blockchain: Blockhashes
  readonly console: ConsoleListener
  readonly gasNeed: GasNeed
}

/**
 * The limit of concurrent runs: each VM takes a megabyte, and more of them are not faster. Urgent work does not wait
 * for others.
 */
const AT_A_TIME = 16

/** The runners of one EVM. */
export class Runners {
  readonly #rules: Rules
  readonly #idle: Runner[] = []
  #lent = 0
  readonly #waiting: (() => void)[] = []

  constructor(rules: Rules) {
    this.#rules = rules
  }

  /**
   * Calls `use` with a free runner; with `moved`, with a new one that is not kept. If `use` throws, the runner is
   * dropped, because its journal may be in any state.
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

  /** Waits until a runner is free. */
  async #free(work: Work): Promise<void> {
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      const pause = work.pause()
      if (pause !== undefined) await pause
    } catch (error) {
      // Work whose time is over lets the next one proceed.
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
    // `runTx` iterates them only to warm each of them.
    precompiles.entries = () => {
      journal.addPrecompiles()
      return [].values()
    }
    // The EVM listens to its Common for changes of the hardfork, which do not occur here. With this listener, Common
    // would keep each VM in memory.
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
 * Makes a VM prepare no data for events without listeners. With a listener to steps, the work pauses between them: each
 * copies the memory, which takes time in proportion to its size.
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

/** The gas of instructions that take about as long as reporting one step. */
const STEP_GAS = 100

interface Speaker {
  readonly events: { listenerCount(topic: string): number }
  _emit(topic: string, data: unknown): Promise<void>
}

const DONE = Promise.resolve()

/** Calls `use` with a runner that runs on `draft` in the block of `context`, as a part of `work`. */
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
  // A runner that is kept must not keep the request in memory.
  evm.work = undefined
  return result
}

/**
 * Returns the precompiles at their addresses after `moved`. The warm addresses at the beginning of a run (EIP-2929) do
 * not change: they are the precompiles' original addresses.
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

/** Returns block hashes for BLOCKHASH from the chain of the moment. */
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

/** Returns EthereumJS's parameters of the EVM, with the chain's own limit of code size. */
function paramsOf({ codeSizeLimit }: Rules): typeof paramsEVM {
  if (codeSizeLimit === undefined) return paramsEVM
  return {
    ...paramsEVM,
    607: { ...paramsEVM[607], maxCodeSize: codeSizeLimit },
    3860: { ...paramsEVM[3860], maxInitCodeSize: 2 * codeSizeLimit },
  }
}
