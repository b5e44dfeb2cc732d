/**
 * EthereumJS as an engine, as it is published: no prototype is changed, and what is attached to an instance calls the
 * original (`gasNeed.ts`, `pauses.ts`). It is the reference that other engines are compared with.
 *
 * A VM runs one thing at a time and its runs are asynchronous, so concurrent requests each get a VM of their own; free
 * ones are reused.
 */
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { URGENT, type Work } from '../../model/work/work.ts'
import type { StateView } from '../../state/view.ts'
import type { BlockContext } from '../blockContext.ts'
import type { Engine, Execution, Message, MovedPrecompiles, Watcher } from '../engine.ts'
import { commonOf } from './common.ts'
import { Machine } from './machine.ts'

/**
 * The limit of concurrent runs: each VM takes a megabyte, and more of them are not faster. Urgent work does not wait
 * for others.
 */
const AT_A_TIME = 16

/** Runs messages with EthereumJS. */
export class EthereumjsEngine implements Engine {
  readonly rules: Rules
  #common: ReturnType<typeof commonOf> | undefined
  readonly #idle: Machine[] = []
  #lent = 0
  readonly #waiting: (() => void)[] = []

  constructor(rules: Rules) {
    this.rules = rules
  }

  async transact(
    state: StateView,
    context: BlockContext,
    message: Message,
    work: Work,
    watcher?: Watcher,
  ): Promise<Execution> {
    if (this.#lent >= AT_A_TIME && work !== URGENT) await this.#untilFree(work)
    this.#lent++
    try {
      const { movedPrecompiles } = message
      const machine = await this.#machine(movedPrecompiles)
      // If it throws, the machine is dropped.
      const execution = await machine.run(state, context, message, work, watcher)
      if (movedPrecompiles === undefined && this.#idle.length < AT_A_TIME) this.#idle.push(machine)
      return execution
    } finally {
      this.#lent--
      this.#waiting.shift()?.()
    }
  }

  /** Returns a free machine; with `moved`, a new one. */
  async #machine(moved: MovedPrecompiles | undefined): Promise<Machine> {
    const free = moved === undefined ? this.#idle.pop() : undefined
    if (free !== undefined) return free
    this.#common ??= commonOf(this.rules)
    return Machine.create(this.rules, this.#common, moved)
  }

  /** Waits until a machine is free. */
  async #untilFree(work: Work): Promise<void> {
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
