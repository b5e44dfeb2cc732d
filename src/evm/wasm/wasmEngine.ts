/**
 * The engine in WebAssembly. Its module is compiled once for a process, when something first runs. An instance runs one
 * message at a time; runs are synchronous unless they pause, so that nearly always one instance is enough.
 */
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { URGENT, type Work } from '../../model/work/work.ts'
import type { StateView } from '../../state/view.ts'
import type { BlockContext } from '../blockContext.ts'
import type { Engine, Execution, Message, Watcher } from '../engine.ts'
import { Instance } from './instance.ts'
import { transact } from './transact.ts'

/** The limit of runs that have paused: each keeps an instance. Urgent work does not wait for others. */
const AT_A_TIME = 16

/** The memory in bytes with which an instance is kept. */
const MOST_MEMORY = 256 * 1024 * 1024

/** The instances of this process. */
class Instances {
  readonly #idle: Instance[] = []
  #lent = 0
  readonly #waiting: (() => void)[] = []

  /** Calls `use` with a free instance. Other work than the sequencer's waits if too many runs have paused. */
  lend<T>(work: Work, use: (instance: Instance) => T | Promise<T>): T | Promise<T> {
    if (this.#lent >= AT_A_TIME && work !== URGENT) return this.#free(work).then(() => this.#lend(use))
    return this.#lend(use)
  }

  #lend<T>(use: (instance: Instance) => T | Promise<T>): T | Promise<T> {
    const instance = this.#idle.pop() ?? new Instance()
    this.#lent++
    let result: T | Promise<T>
    try {
      result = use(instance)
    } catch (error) {
      this.#takeBackAfter(error, instance)
      throw error
    }
    if (result instanceof Promise) {
      result.then(
        () => this.#takeBack(instance),
        (error) => this.#takeBackAfter(error, instance),
      )
      return result
    }
    this.#takeBack(instance)
    return result
  }

  /** Takes an instance back, to lend it again unless its memory has grown: a memory never gets smaller. */
  #takeBack(instance: Instance): void {
    instance.drop()
    if (instance.memoryBytes <= MOST_MEMORY) this.#idle.push(instance)
    this.#returned()
  }

  /** The same after a run that threw. An instance that ran out of memory may be in any state. */
  #takeBackAfter(error: unknown, instance: Instance): void {
    if (error instanceof WebAssembly.RuntimeError) this.#returned()
    else this.#takeBack(instance)
  }

  #returned(): void {
    this.#lent--
    this.#waiting.shift()?.()
  }

  /** Waits until an instance is free. */
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
}

const instances = new Instances()

/** Runs messages in WebAssembly. */
export class WasmEngine implements Engine {
  readonly rules: Rules

  constructor(rules: Rules) {
    this.rules = rules
  }

  transact(
    state: StateView,
    context: BlockContext,
    message: Message,
    work: Work,
    watcher?: Watcher,
  ): Execution | Promise<Execution> {
    return instances.lend(work, (instance) => {
      instance.begin({
        rules: this.rules,
        state,
        context,
        origin: message.from,
        gasPrice: message.gasPrice,
        blobVersionedHashes: message.blobVersionedHashes,
        moved: message.movedPrecompiles,
        watcher,
      })
      return transact(instance, this.rules, context, message, work)
    })
  }
}

/** The shortest module. */
const EMPTY_MODULE = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)

/** Returns whether WebAssembly may be compiled here. A page's content security policy may forbid it. */
export function isWasmAllowed(): boolean {
  try {
    return new WebAssembly.Module(EMPTY_MODULE) instanceof WebAssembly.Module
  } catch {
    return false
  }
}
