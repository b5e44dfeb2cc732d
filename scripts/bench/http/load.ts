/** Requests as the bytes of HTTP bodies, and the one client that sends them to all servers alike. */
import type { ChildProcess } from 'node:child_process'
import type { Contender } from '../measure.ts'
import { start, told } from '../processes.ts'

export interface Question {
  readonly method: string
  readonly params?: readonly unknown[]
}

export interface Load {
  readonly url: string
  /** Sent in turn. In the later ones `FIRST_RESULT` may stand for the result of the first. */
  readonly bodies: readonly string[]
  readonly connections?: number
  /** When to stop: after some time, or when each connection has sent all bodies this many times. */
  readonly until: { readonly ms: number } | { readonly times: number }
}

export interface Done {
  readonly answered: number
  readonly ms: number
}

/** A load that met an error, or a response other than a result. */
export interface Failed {
  readonly failed: string
}

/** A parameter that the client replaces by the result of the first request. */
export const FIRST_RESULT = '$firstResult'

/** The client, in a process of its own: it takes as much of a processor as a server. */
export class Client implements Disposable {
  readonly #child: ChildProcess = start('./http/client.ts')

  /** Sends requests until the load is done. One load at a time. */
  async run(load: Load): Promise<Done> {
    const done = await told<Done | Failed>(this.#child, load)
    if ('failed' in done) throw new Error(`${load.url}: ${done.failed}`)
    return done
  }

  /** Requests answered per second, where each body has `questions` of them. */
  rate(load: Load, questions = 1): Contender {
    return async () => {
      const { answered, ms } = await this.run(load)
      return (answered * questions * 1000) / ms
    }
  }

  /** Microseconds for a request; with several connections, those in which any of them gets an answer. */
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

  [Symbol.dispose](): void {
    this.#child.kill()
  }
}

export function single({ method, params = [] }: Question): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
}

export function batch(questions: readonly Question[]): string {
  const calls = questions.map(({ method, params = [] }, id) => ({ jsonrpc: '2.0', id, method, params }))
  return JSON.stringify(calls)
}
