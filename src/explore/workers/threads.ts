/** Worker threads. Each imports the module of an exploration anew, and plays the tasks that the main thread gives. */
import { Worker } from 'node:worker_threads'
import type { Play, Thread } from '../pool.ts'
import type { Answer, Exported } from './thread.ts'

/** Runs `work` with threads, and ends them. */
export async function withThreads<T>(
  count: number,
  exported: Exported,
  work: (threads: readonly Thread[]) => Promise<T>,
): Promise<T> {
  if (count === 0) return work([])
  const { url } = await import('./thread.ts')
  const threads = Array.from({ length: count }, () => new StartedThread(url, exported))
  try {
    return await work(threads)
  } finally {
    await Promise.all(threads.map((thread) => thread.end()))
  }
}

/** Loads thread.ts in a thread: directly if it is compiled, otherwise through jiti. */
const BEGIN = `
const { parentPort, workerData } = require('node:worker_threads')
const { url } = workerData
const load = url.endsWith('.ts') ? require('jiti').createJiti(url).import(url) : import(url)
load.then(({ answerTasks }) => answerTasks(workerData.exported, parentPort))
`

class StartedThread implements Thread {
  readonly ready: Promise<void>
  readonly #worker: Worker
  #failure: unknown
  #answered: (answer: Answer) => void = () => {}

  constructor(url: string, exported: Exported) {
    this.#worker = new Worker(BEGIN, { eval: true, workerData: { url, exported } })
    this.ready = new Promise((resolve) => {
      this.#worker.once('message', () => {
        this.#worker.on('message', (answer) => this.#answered(answer))
        resolve()
      })
      const fail = (error: unknown) => {
        this.#failure ??= error
        this.#answered({ error })
        resolve()
      }
      this.#worker.on('error', fail)
      this.#worker.on('exit', (code) =>
        fail(new Error(`a worker thread of ${exported.name} ended with ${code}`)),
      )
    })
  }

  readonly play: Play = (task) =>
    new Promise((resolve, reject) => {
      if (this.#failure !== undefined) reject(this.#failure)
      this.#answered = (answer) => ('error' in answer ? reject(answer.error) : resolve(answer.result))
      this.#worker.postMessage(task)
    })

  async end(): Promise<void> {
    await this.#worker.terminate()
  }
}
