/** The node of a network while a recording is played: it answers what the recorded one did, once it did. */

import { exchangeOf, type Lack, offlineUpstream } from './cachedUpstream.ts'
import { keyOf, memoryStore } from './cacheFile.ts'
import { UNANSWERED } from './connectUpstream.ts'
import type { NodeNews } from './forkNode.ts'
import type { Upstream, UpstreamAnswer, UpstreamRequest } from './upstream.ts'
import type { UpstreamFailed } from './upstreamFailed.ts'

const LACK: Lack = {
  came: 'the recording does not have it, and no network is asked',
  right:
    'record a session that asks for it; if this one did, replay it with the version of preseal that recorded it',
}

/** Requests that wait for their answers. */
interface Waiting {
  readonly requests: readonly UpstreamRequest[]
  settle(answers: readonly UpstreamAnswer[] | UpstreamFailed): void
}

export class PlayedNode implements Upstream {
  readonly name: string
  /** Answers that never change. */
  readonly #known = new Map<string, UpstreamAnswer>()
  /** Answers and failures that were those of one time, by request. */
  readonly #once = new Map<string, (UpstreamAnswer | UpstreamFailed)[]>()
  readonly #waiting = new Set<Waiting>()
  #hasEnded = false

  constructor(name: string) {
    this.name = name
  }

  send(requests: readonly UpstreamRequest[]): Promise<readonly UpstreamAnswer[]> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        requests,
        settle: (answers) => (answers instanceof Error ? reject(answers) : resolve(answers)),
      }
      if (this.#settles(waiting)) return
      if (this.#hasEnded) this.#lacks(requests).then(resolve, reject)
      else this.#waiting.add(waiting)
    })
  }

  /** Gives what came from the recorded node to those who wait for it. */
  deliver(news: NodeNews): void {
    if (news.kind === 'failed') {
      for (const { method, params } of news.requests) this.#keepOnce(keyOf(method, params), news.error)
    } else {
      for (const { request, answer } of news.answered) {
        const key = keyOf(request.method, request.params)
        const isKept = exchangeOf({ ...request, isImmutable: true }, answer).length > 0
        if (isKept) this.#known.set(key, answer)
        else this.#keepOnce(key, answer)
      }
    }
    for (const waiting of this.#waiting) if (this.#settles(waiting)) this.#waiting.delete(waiting)
  }

  /** Ends the recording: who waits still gets an error that names what is missing. */
  close(): void {
    this.#hasEnded = true
    for (const { requests, settle } of this.#waiting) void this.#lacks(requests).then(settle, settle)
    this.#waiting.clear()
  }

  #keepOnce(key: string, answer: UpstreamAnswer | UpstreamFailed): void {
    const earlier = this.#once.get(key)
    if (earlier === undefined) this.#once.set(key, [answer])
    else earlier.push(answer)
  }

  /** Answers requests if that can be done by now. Requests that are optional are not waited for. */
  #settles({ requests, settle }: Waiting): boolean {
    const keys = requests.map(({ method, params }) => keyOf(method, params))
    const firsts = keys.map((key) => this.#known.get(key) ?? this.#once.get(key)?.[0])
    const failure = firsts.find((first) => first instanceof Error)
    if (failure === undefined && firsts.some((first, i) => first === undefined && !requests[i]!.isOptional)) {
      return false
    }
    for (const [index, key] of keys.entries()) {
      const first = firsts[index]
      const isSpent = failure === undefined ? !this.#known.has(key) : first === failure
      if (isSpent) this.#once.get(key)?.shift()
    }
    settle(
      (failure as UpstreamFailed | undefined) ?? firsts.map((first) => (first as UpstreamAnswer) ?? NONE),
    )
    return true
  }

  #lacks(requests: readonly UpstreamRequest[]): Promise<readonly UpstreamAnswer[]> {
    return offlineUpstream(this.name, memoryStore(), LACK).send(requests)
  }
}

/** The answer to an optional request that was not recorded. */
const NONE: UpstreamAnswer = { error: { code: UNANSWERED, message: 'not recorded' } }
