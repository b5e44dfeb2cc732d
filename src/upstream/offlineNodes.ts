import { described } from './answers.ts'
import { type ExchangeStore, exchangeOf, keyOf, memoryStore } from './cacheFile.ts'
import type { CachedUpstream, NodeEvent } from './forkNode.ts'
import {
  tellTraffic,
  UNANSWERED,
  type Upstream,
  type UpstreamAnswer,
  UpstreamFailed,
  type UpstreamRequest,
} from './upstream.ts'

/** The reason why an answer is missing, and how to obtain it, for the error message. */
interface MissingAnswerTexts {
  readonly came: string
  readonly right: string
}

/** Answers only from `store`. For a missing answer, `send` rejects with `UpstreamFailed` of the kind `offline`. */
export function offlineUpstream(
  name: string,
  store: ExchangeStore,
  lack: MissingAnswerTexts,
): CachedUpstream {
  const counts = { asked: 0, cached: 0 }
  return {
    name,
    counts,
    async send(requests) {
      const known = requests.map(({ method, params, isOptional }): UpstreamAnswer | undefined => {
        const found = store.find(method, params)
        if (found !== undefined) return { result: found.result }
        return isOptional === true ? unrecorded('offline, and not recorded') : undefined
      })
      const missing = requests.filter((_, index) => known[index] === undefined)
      if (missing.length > 0) throw notRecorded(name, missing, lack)
      counts.cached += requests.length
      tellTraffic({ node: name, kind: 'cached', requests: requests.length })
      return known as UpstreamAnswer[]
    },
    close() {},
  }
}

function unrecorded(message: string): UpstreamAnswer {
  return { error: { code: UNANSWERED, message } }
}

const MOST_NAMED = 5

function notRecorded(
  name: string,
  missing: readonly UpstreamRequest[],
  lack: MissingAnswerTexts,
): UpstreamFailed {
  const named = missing.slice(0, MOST_NAMED).map(described).join(', ')
  const more = missing.length > MOST_NAMED ? ` and ${missing.length - MOST_NAMED} more` : ''
  return new UpstreamFailed({
    kind: 'offline',
    upstream: name,
    wrong: `not recorded: ${named}${more}`,
    ...lack,
  })
}

const NOT_IN_RECORDING: MissingAnswerTexts = {
  came: 'the recording does not contain the answer, and no request is sent',
  right:
    'record a session that sends this request; if this session did, replay it with the version of preseal that recorded it',
}

interface Waiting {
  readonly requests: readonly UpstreamRequest[]
  settle(answers: readonly UpstreamAnswer[] | UpstreamFailed): void
}

/** The node of a recording that is replayed. Returns the answers in the order in which they were recorded. */
export class PlayedNode implements Upstream {
  readonly name: string
  readonly #known = new Map<string, UpstreamAnswer>()
  /** Answers that may change, and failures, keyed by request. Each is returned only once. */
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

  deliver(news: NodeEvent): void {
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

  /** Answers a waiting `send` if all its required answers have been delivered. Otherwise returns false. */
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
    const answers = firsts.map((first) => (first as UpstreamAnswer) ?? unrecorded('not recorded'))
    settle((failure as UpstreamFailed | undefined) ?? answers)
    return true
  }

  #lacks(requests: readonly UpstreamRequest[]): Promise<readonly UpstreamAnswer[]> {
    return offlineUpstream(this.name, memoryStore(), NOT_IN_RECORDING).send(requests)
  }
}
