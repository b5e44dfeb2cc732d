/** Tasks of an exploration, and the players that take them: this thread, and worker threads. */

/** Plays a task, and returns its result. */
export type Play<Task = unknown, Result = unknown> = (task: Task) => Promise<Result>

/** A worker thread, as the main thread sees it. */
export interface Thread {
  /** Resolves when the thread can play, or has failed: `play` then rejects. */
  readonly ready: Promise<void>
  readonly play: Play
}

/** Gives each task to a player that is idle, in the order of the tasks. */
export class Pool<Task, Result> {
  #players = 0
  readonly #idle: Play<Task, Result>[] = []
  readonly #waiting: { readonly task: Task; begin(play: Play<Task, Result>): void }[] = []

  /** The number of players. */
  get size(): number {
    return this.#players
  }

  add(play: Play<Task, Result>): void {
    this.#players++
    this.#next(play)
  }

  run(task: Task): Promise<Result> {
    return new Promise((resolve, reject) => {
      const begin = (play: Play<Task, Result>) => {
        const playing = play(task)
        playing.then(resolve, reject)
        const end = () => this.#next(play)
        playing.then(end, end)
      }
      const play = this.#idle.shift()
      if (play === undefined) this.#waiting.push({ task, begin })
      else begin(play)
    })
  }

  #next(play: Play<Task, Result>): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#idle.push(play)
    else next.begin(play)
  }
}
