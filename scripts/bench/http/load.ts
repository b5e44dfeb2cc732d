/** Questions as the bytes of HTTP bodies, and the one client that asks them of all servers alike. */
import type { ChildProcess } from 'node:child_process'
import type { Contender } from '../measure.ts'
import { start, told } from '../processes.ts'
import type { Done, Failed, Load } from './protocol.ts'

export interface Question {
  readonly method: string
  readonly params?: readonly unknown[]
}

/** The client, in a process of its own: it takes as much of a processor as a server. */
export class Client {
  readonly #child: ChildProcess = start('./http/client.ts')

  /** Asks until the load is done. One load at a time. */
  async run(load: Load): Promise<Done> {
    this.#child.send(load)
    const done = await told<Done | Failed>(this.#child)
    if ('failed' in done) throw new Error(`${load.url}: ${done.failed}`)
    return done
  }

  /** Questions answered a second, where each body has `questions` of them. */
  rate(load: Load, questions = 1): Contender {
    return async () => {
      const { answered, ms } = await this.run(load)
      return (answered * questions * 1000) / ms
    }
  }

  /** Microseconds for a request; with several connections, those in which one is answered by any of them. */
  time(load: Load): Contender {
    return async () => {
      const { answered, ms } = await this.run(load)
      return (ms * 1000) / answered
    }
  }

  /** Microseconds for all bodies of the load, one after the other. */
  timeOfAll(load: Load): Contender {
    const time = this.time(load)
    return async () => (await time()) * load.bodies.length
  }

  close(): void {
    this.#child.kill()
  }
}

/** A question alone. */
export function single({ method, params = [] }: Question): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
}

/** Many of them in one body. */
export function batch(questions: readonly Question[]): string {
  const calls = questions.map(({ method, params = [] }, id) => ({ jsonrpc: '2.0', id, method, params }))
  return JSON.stringify(calls)
}
