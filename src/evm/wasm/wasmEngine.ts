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
      this.#takeBack(instance)
      throw error
    }
    if (result instanceof Promise) return result.finally(() => this.#takeBack(instance))
    this.#takeBack(instance)
    return result
  }

  #takeBack(instance: Instance): void {
    instance.drop()
    this.#lent--
    this.#idle.push(instance)
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
