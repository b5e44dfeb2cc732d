/** How far the commands of a devnet are: by it a recording says where something came, and what plays it finds the place. */

import type { TimeSource } from '../sequencer/clock.ts'
import type { Events } from '../sequencer/events.ts'
import type { Watcher } from '../sequencer/queue.ts'
import type { Sequencer } from '../sequencer/sequencer.ts'
import type { CommandPosition } from './recordedEvent.ts'

/** Each of them is a step of the command that runs: readers may see something else after it. */
const STEPS: Readonly<Record<keyof Events, true>> = {
  accepted: true,
  preconfirmed: true,
  revealed: true,
  sealed: true,
  reorged: true,
  fault: true,
  bent: true,
  dropped: true,
  progress: true,
}

/** More turns of the microtasks than lie between the end of a command and the last that is done with what it answers. */
const MICROTASKS = 10

export interface ProgressEvents {
  /** Time makes a tick. */
  onDue(): void
  /** The place is another. */
  onStep(): void
  /** A command is about to begin. */
  pause(): Promise<void> | undefined
}

/** Counts from now on; no command may be under way. */
export class Progress implements Watcher {
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
    this.#firstTick = sequencer.ticks
    sequencer.observe(this, timeSource)
    this.#ends = Object.keys(STEPS).map((event) =>
      sequencer.listeners.on(event as keyof Events, () => this.onStep()),
    )
  }

  get position(): CommandPosition {
    return { commands: this.#commands, waiting: this.#waiting, steps: this.#steps }
  }

  get ticks(): number {
    return this.#sequencer.ticks - this.#firstTick
  }

  /** Whether a command has begun and is not done. */
  get isRunning(): boolean {
    return this.#steps > 0
  }

  /** Whether all that was asked for is done. */
  get isIdle(): boolean {
    return this.#waiting === 0
  }

  /** Whether it is as far as `place`. */
  hasReached({ commands, waiting, steps }: CommandPosition): boolean {
    if (this.#commands !== commands) return this.#commands > commands
    return this.#waiting >= waiting && this.#steps >= steps
  }

  /** Whether a command has to go on until it is as far. */
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

  /** Whoever waited for the command before has their turn first: which of the two comes first would be chance. */
  async pause(): Promise<void> {
    for (let i = 0; i < MICROTASKS; i++) await undefined
    await this.#events.pause()
  }

  onBegun(): void {
    this.onStep()
  }

  /** The command that runs has done a step. */
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
