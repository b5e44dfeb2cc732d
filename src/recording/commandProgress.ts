/** Counts the commands of a devnet and their steps. The counts identify the place of an input in a recording. */

import { type TimeSource, yieldToEventLoop } from '../sequencer/clock.ts'
import { EVENTS, type Events } from '../sequencer/events.ts'
import type { Watcher } from '../sequencer/queue.ts'
import type { Sequencer } from '../sequencer/sequencer.ts'
import type { CommandPosition } from './recordedEvent.ts'

/** Events that count as steps: all except `progress`, which depends on the machine's time. */
const STEPS = [...EVENTS].filter((event) => event !== 'progress') as readonly (keyof Events)[]

export interface ProgressEvents {
  onDue(): void
  /** Called when the position has changed. */
  onStep(): void
  /** Called before each command, which awaits the returned promise. */
  pause(): Promise<void> | undefined
}

/** Counts the commands and steps of a devnet. Must be created while no command is running. */
export class CommandProgress implements Watcher {
  readonly #sequencer: Sequencer
  readonly #events: ProgressEvents
  readonly #firstTick: number
  readonly #ends: readonly (() => void)[]
  #commands = 0
  #waiting = 0
  #steps = 0

  constructor(sequencer: Sequencer, timeSource: TimeSource, events: ProgressEvents) {
    this.#sequencer = sequencer
    this.#events = events
    this.#firstTick = sequencer.blocks.ticks
    sequencer.observe(this, timeSource)
    this.#ends = STEPS.map((event) => sequencer.listeners.on(event, () => this.onStep()))
  }

  get position(): CommandPosition {
    return { commands: this.#commands, waiting: this.#waiting, steps: this.#steps }
  }

  get ticks(): number {
    return this.#sequencer.blocks.ticks - this.#firstTick
  }

  get isRunning(): boolean {
    return this.#steps > 0
  }

  get isIdle(): boolean {
    return this.#waiting === 0
  }

  hasReached({ commands, waiting, steps }: CommandPosition): boolean {
    if (this.#commands !== commands) return this.#commands > commands
    return this.#waiting >= waiting && this.#steps >= steps
  }

  /** Returns whether commands must run further before they reach `position`. Ignores `position.waiting`. */
  isBefore({ commands, steps }: CommandPosition): boolean {
    return this.#commands < commands || (this.#commands === commands && this.#steps < steps)
  }

  onDue(): void {
    this.#events.onDue()
  }

  onAdded(): void {
    this.#waiting++
    this.#events.onStep()
  }

  /** Waits for a turn of the event loop, in which callers of the previous command can send their next requests. */
  async pause(): Promise<void> {
    await yieldToEventLoop()
    await this.#events.pause()
  }

  onBegun(): void {
    this.onStep()
  }

  onStep(): void {
    this.#steps++
    this.#events.onStep()
  }

  onDone(): void {
    this.#waiting--
    this.#commands++
    this.#steps = 0
    this.#events.onStep()
  }

  end(): void {
    this.#sequencer.observe(undefined)
    for (const end of this.#ends) end()
  }
}
