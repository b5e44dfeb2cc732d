/** Connects to another node, and sends requests to it until they are answered: batches, limits, retries, one clear error. */
import { described } from './answerErrors.ts'
import { type Fetch, httpTransport } from './httpTransport.ts'
import { matchAnswers, type Outcome } from './matchAnswers.ts'
import { backoffMs, LONGEST_WAIT_MS, Pacing, Waits } from './pacing.ts'
import { providerTransport, type UpstreamProvider } from './providerTransport.ts'
import { parsedUrl } from './secrets.ts'
import { REAL_TIME, type UpstreamTime } from './time.ts'
import { tellTraffic } from './traffic.ts'
import type { Problem, RpcCall, Transport } from './transport.ts'
import type { Upstream, UpstreamAnswer, UpstreamRequest } from './upstream.ts'
import { UpstreamFailed, type UpstreamFailureKind } from './upstreamFailed.ts'
import { webSocketTransport } from './webSocketTransport.ts'

/** Settings of the requests to another node. */
export interface UpstreamSettings {
  /** Headers of requests over HTTP, and of the opening of a WebSocket. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * The limit of one attempt, in milliseconds; 45,000 by default, as in anvil: less than the 60 seconds after which
   * most test runners and load balancers give up, and more than slow calls of archive nodes take.
   */
  readonly timeoutMs?: number
  /** The number of attempts after the first; 5 by default, as in anvil. */
  readonly retries?: number
  /** The wait before the second attempt, in milliseconds; 250 by default. It doubles with each further attempt. */
  readonly retryBackoffMs?: number
  /** The most requests in a second, each member of a batch counted; no limit by default. */
  readonly requestsPerSecond?: number
  /** The most requests in one batch; 100 by default, which is what most providers take. 1: no batches. */
  readonly batchSize?: number
  /** The limit of one answer, in bytes; 256 MiB by default. */
  readonly maxResponseBytes?: number
  /** Time and chance; those of the machine by default. */
  readonly time?: UpstreamTime
  /** `fetch` for requests over HTTP; the platform's by default. */
  readonly fetch?: Fetch
  /** Called before and after each exchange. */
  readonly observe?: (exchange: UpstreamExchange) => void
}

/** Requests that go together, as `observe` is told of them. */
export interface UpstreamExchange {
  readonly kind: 'asked' | 'answered' | 'failed'
  /** The number of requests. */
  readonly requests: number
  /** The kind of the problem, if it failed. */
  readonly problem?: UpstreamFailureKind
}

/** Another node: by its URL, or an EIP-1193 provider. */
export type UpstreamTarget =
  | { readonly url: string; readonly provider?: undefined }
  | { readonly provider: UpstreamProvider; readonly url?: undefined }

type Defaults = Required<Omit<UpstreamSettings, 'fetch' | 'observe'>>

const DEFAULTS: Defaults = {
  headers: {},
  timeoutMs: 45_000,
  retries: 5,
  retryBackoffMs: 250,
  requestsPerSecond: Number.POSITIVE_INFINITY,
  batchSize: 100,
  maxResponseBytes: 256 * 1024 * 1024,
  time: REAL_TIME,
}

/**
 * Returns another node, to which a connection is made with the first request. Throws a `TypeError` for a URL that is
 * none.
 */
export function connectUpstream(settings: UpstreamTarget & UpstreamSettings): Upstream {
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
  return new Connection({ ...DEFAULTS, ...given } as AllSettings)
}

type AllSettings = UpstreamTarget & Pick<UpstreamSettings, 'fetch' | 'observe'> & Defaults

function transportOf(settings: AllSettings): Transport {
  if (settings.provider !== undefined) return providerTransport(settings.provider)
  const isWeb = parsedUrl(settings.url).protocol.startsWith('http')
  return isWeb ? httpTransport(settings) : webSocketTransport(settings)
}

/** The code of the answer to an optional request that got none: that of internal errors. */
export const UNANSWERED = -32603

/** A request that waits for its answer. */
interface Task {
  readonly request: UpstreamRequest
  outcome: Outcome | undefined
  failures: number
  /** Whether it goes by itself, because a batch with it was answered wrongly. */
  isAlone: boolean
  /** Whether it went in a batch in the last attempt. */
  wasInBatch: boolean
}

class Connection implements Upstream {
  readonly #settings: AllSettings
  readonly #transport: Transport
  readonly #waits: Waits
  readonly #pacing: Pacing
  readonly #running = new Set<AbortController>()
  #batchSize: number
  #isClosed = false
  #ids = 0

  constructor(settings: AllSettings) {
    this.#settings = settings
    this.#transport = transportOf(settings)
    this.#waits = new Waits(settings.time)
    this.#pacing = new Pacing(settings.time, this.#waits, settings.requestsPerSecond)
    this.#batchSize = this.#transport.takesBatches ? Math.min(settings.batchSize, this.#pacing.burst) : 1
  }

  get name(): string {
    return this.#transport.name
  }

  async send(requests: readonly UpstreamRequest[]): Promise<readonly UpstreamAnswer[]> {
    const traffic = { node: this.name, requests: requests.length }
    tellTraffic({ ...traffic, kind: 'begun' })
    try {
      return await this.#answered(requests)
    } finally {
      tellTraffic({ ...traffic, kind: 'ended' })
    }
  }

  async #answered(requests: readonly UpstreamRequest[]): Promise<readonly UpstreamAnswer[]> {
    const tasks = requests.map(
      (request): Task => ({ request, outcome: undefined, failures: 0, isAlone: false, wasInBatch: false }),
    )
    for (;;) {
      const open = tasks.filter(({ outcome }) => outcome?.kind !== 'answered')
      if (open.length === 0) return tasks.map(answerOf)
      await Promise.all(this.#groups(open).map((group) => this.#ask(group)))
      const waitMs = Math.max(0, ...open.map((task) => this.#judge(task)))
      await this.#waits.wait(waitMs)
    }
  }

  close(): void {
    this.#isClosed = true
    this.#waits.close()
    for (const controller of this.#running) controller.abort()
    this.#transport.close()
  }

  /** Returns the requests as they go: in batches, and those by themselves that must. */
  #groups(tasks: readonly Task[]): Task[][] {
    const alone = tasks.filter(({ isAlone }) => isAlone || this.#batchSize === 1)
    const together = tasks.filter((task) => !alone.includes(task))
    const groups = alone.map((task) => [task])
    for (let at = 0; at < together.length; at += this.#batchSize) {
      groups.push(together.slice(at, at + this.#batchSize))
    }
    return groups
  }

  /** Makes one attempt for a group, and sets the outcomes of its requests. */
  async #ask(group: readonly Task[]): Promise<void> {
    const { time, timeoutMs, observe } = this.#settings
    const sent = group.map(({ request }) => ({ request, call: this.#callOf(request) }))
    const isBatch = group.length > 1
    const payload = isBatch ? sent.map(({ call }) => call) : sent[0]!.call
    const { outcomes, isLate } = await this.#pacing.run(group.length, async () => {
      if (this.#isClosed) throw this.#closed(group[0]!)
      const controller = new AbortController()
      this.#running.add(controller)
      let isLate = false
      const cancel = time.after(timeoutMs, () => {
        isLate = true
        controller.abort()
      })
      observe?.({ kind: 'asked', requests: group.length })
      const reply = await this.#transport.exchange(payload, controller.signal)
      cancel()
      this.#running.delete(controller)
      return { outcomes: matchAnswers(reply, sent, isBatch, this.#transport.scrub), isLate }
    })
    const late: Problem = { kind: 'timeout', came: `no answer within ${timeoutMs} ms`, isTransient: true }
    for (const [index, task] of group.entries()) {
      task.wasInBatch = isBatch
      task.outcome = isLate ? { kind: 'failed', problem: late } : outcomes[index]!
    }
    const problem = group.map(problemOf).find((one) => one !== undefined)
    observe?.(
      problem === undefined
        ? { kind: 'answered', requests: group.length }
        : { kind: 'failed', requests: group.length, problem: problem.kind },
    )
    if (isBatch) this.#learnFrom(group)
  }

  /** Remembers that the node takes no batches, or only smaller ones. */
  #learnFrom(group: readonly Task[]): void {
    for (const task of group) {
      const problem = problemOf(task)
      if (problem?.batch === 'refused') this.#batchSize = 1
      if (problem?.batch === 'tooLarge') {
        this.#batchSize = Math.max(1, Math.min(this.#batchSize, Math.floor(group.length / 2)))
      }
      // Asked together, the answer was wrong: by itself it may be right.
      if (problem?.kind === 'wrongAnswer') task.isAlone = true
    }
  }

  /**
   * Decides what becomes of a request after an attempt. Returns the milliseconds to wait before the next one. Throws
   * `UpstreamFailed` if there will be none.
   */
  #judge(task: Task): number {
    if (this.#isClosed) throw this.#closed(task)
    const { outcome } = task
    const problem = problemOf(task)
    if (outcome === undefined || problem === undefined) return 0
    const { retries, retryBackoffMs, time } = this.#settings
    // The next attempt goes in smaller batches, at once.
    if (task.wasInBatch && problem.batch !== undefined) return 0
    task.failures++
    const waitMs = problem.waitMs ?? 0
    if (problem.kind === 'rateLimited' || problem.waitMs !== undefined) {
      this.#pacing.pause(Math.min(waitMs, LONGEST_WAIT_MS))
    }
    if (task.request.isOptional === true && (outcome as { answer?: unknown }).answer === undefined) {
      task.outcome = { kind: 'answered', answer: { error: { code: UNANSWERED, message: problem.came } } }
      return 0
    }
    if (problem.isTransient && task.failures <= retries && waitMs <= LONGEST_WAIT_MS) {
      tellTraffic({ node: this.name, kind: 'delayed', problem: problem.kind })
      return Math.max(waitMs, backoffMs(retryBackoffMs, task.failures, time.random()))
    }
    if (outcome.kind === 'failed' && outcome.answer !== undefined) {
      task.outcome = { kind: 'answered', answer: outcome.answer }
      return 0
    }
    throw this.#failure(task, problem)
  }

  #failure({ request, failures }: Task, { kind, came, waitMs }: Problem): UpstreamFailed {
    const times = failures === 1 ? '' : ` (${failures} attempts)`
    const asks = (waitMs ?? 0) > LONGEST_WAIT_MS ? `, and to wait ${Math.ceil(waitMs! / 1000)} seconds` : ''
    const wrong = `no answer to ${this.#transport.scrub(described(request))}`
    return new UpstreamFailed({ kind, upstream: this.name, wrong, came: `${came}${asks}${times}` })
  }

  #closed({ request }: Task): UpstreamFailed {
    const wrong = `no answer to ${this.#transport.scrub(described(request))}`
    return new UpstreamFailed({
      kind: 'closed',
      upstream: this.name,
      wrong,
      came: 'the connection was closed',
    })
  }

  #callOf({ method, params }: UpstreamRequest): RpcCall {
    return { jsonrpc: '2.0', id: ++this.#ids, method, params }
  }
}

function problemOf({ outcome }: Task): Problem | undefined {
  return outcome?.kind === 'failed' ? outcome.problem : undefined
}

function answerOf({ outcome }: Task): UpstreamAnswer {
  if (outcome?.kind !== 'answered') throw new Error('a request without an answer')
  return outcome.answer
}
