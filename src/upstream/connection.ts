import { described } from './answers.ts'
import { type Fetch, httpTransport } from './httpTransport.ts'
import { backoffMs, LONGEST_WAIT_MS, Pacing, REAL_TIME, type UpstreamTime } from './pacing.ts'
import { providerTransport, type UpstreamProvider } from './providerTransport.ts'
import { parsedUrl } from './secrets.ts'
import type { Problem, RpcCall, Transport } from './transport.ts'
import { matchAnswers, type Outcome } from './transport.ts'
import {
  tellTraffic,
  UNANSWERED,
  type Upstream,
  type UpstreamAnswer,
  UpstreamFailed,
  type UpstreamRequest,
} from './upstream.ts'
import { webSocketTransport } from './webSocketTransport.ts'

export interface UpstreamSettings {
  readonly headers?: Readonly<Record<string, string>>
  /** The timeout of one attempt in milliseconds. Default: 45,000, as in anvil. */
  readonly timeoutMs?: number
  /** The maximum number of retries. The default is 5, as in anvil. */
  readonly retries?: number
  /** The wait before the first retry, in milliseconds. The default is 250. The wait doubles with each further retry. */
  readonly retryBackoffMs?: number
  /** The maximum number of requests per second. Each request of a batch counts. Unlimited by default. */
  readonly requestsPerSecond?: number
  /** The maximum number of requests in a batch. Default: 100, which most providers accept. 1 turns batches off. */
  readonly batchSize?: number
  /** The maximum size of one response in bytes. The default is 256 MiB. */
  readonly maxResponseBytes?: number
  /** The clock and the source of randomness. By default, those of the system. */
  readonly time?: UpstreamTime
  /** The function `fetch` for HTTP requests. By default, the `fetch` of the platform. */
  readonly fetch?: Fetch
}

export type UpstreamTarget =
  | { readonly url: string; readonly provider?: undefined }
  | { readonly provider: UpstreamProvider; readonly url?: undefined }

type Defaults = Required<Omit<UpstreamSettings, 'fetch'>>

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

export function connectUpstream(settings: UpstreamTarget & UpstreamSettings): Upstream {
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
  return new Connection({ ...DEFAULTS, ...given } as AllSettings)
}

type AllSettings = UpstreamTarget & Pick<UpstreamSettings, 'fetch'> & Defaults

function transportOf(settings: AllSettings): Transport {
  if (settings.provider !== undefined) return providerTransport(settings.provider)
  const isWeb = parsedUrl(settings.url).protocol.startsWith('http')
  return isWeb ? httpTransport(settings) : webSocketTransport(settings)
}

interface Task {
  readonly request: UpstreamRequest
  outcome: Outcome | undefined
  failures: number
  /** Whether to send the request outside of batches, because it got an invalid answer in a batch. */
  isAlone: boolean
  wasInBatch: boolean
}

class Connection implements Upstream {
  readonly #settings: AllSettings
  readonly #transport: Transport
  readonly #pacing: Pacing
  readonly #running = new Set<AbortController>()
  #batchSize: number
  #isClosed = false
  #ids = 0

  constructor(settings: AllSettings) {
    this.#settings = settings
    this.#transport = transportOf(settings)
    this.#pacing = new Pacing(settings.time, settings.requestsPerSecond)
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
      await this.#pacing.wait(waitMs)
    }
  }

  close(): void {
    this.#isClosed = true
    this.#pacing.close()
    for (const controller of this.#running) controller.abort()
    this.#transport.close()
  }

  #groups(tasks: readonly Task[]): Task[][] {
    const alone = tasks.filter(({ isAlone }) => isAlone || this.#batchSize === 1)
    const together = tasks.filter((task) => !alone.includes(task))
    const groups = alone.map((task) => [task])
    for (let at = 0; at < together.length; at += this.#batchSize) {
      groups.push(together.slice(at, at + this.#batchSize))
    }
    return groups
  }

  async #ask(group: readonly Task[]): Promise<void> {
    const { time, timeoutMs } = this.#settings
    const sent = group.map(({ request }) => ({ request, call: this.#callOf(request) }))
    const isBatch = group.length > 1
    const payload = isBatch ? sent.map(({ call }) => call) : sent[0]!.call
    const { outcomes, isLate } = await this.#pacing.run(group.length, async () => {
      this.#requireOpen(group[0]!)
      const controller = new AbortController()
      this.#running.add(controller)
      let isLate = false
      const cancel = time.after(timeoutMs, () => {
        isLate = true
        controller.abort()
      })
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
    if (isBatch) this.#learnFrom(group)
  }

  /** Lowers the batch size if the node rejected a batch. Marks requests with invalid answers to be sent alone. */
  #learnFrom(group: readonly Task[]): void {
    for (const task of group) {
      const problem = problemOf(task)
      if (problem?.batch === 'refused') this.#batchSize = 1
      if (problem?.batch === 'tooLarge') {
        this.#batchSize = Math.max(1, Math.min(this.#batchSize, Math.floor(group.length / 2)))
      }
      // Outside of a batch, the request may get a valid answer.
      if (problem?.kind === 'wrongAnswer') task.isAlone = true
    }
  }

  /** Returns the wait before the next attempt, in milliseconds. Throws `UpstreamFailed` if no attempt may follow. */
  #judge(task: Task): number {
    this.#requireOpen(task)
    const { outcome } = task
    const problem = problemOf(task)
    if (outcome === undefined || problem === undefined) return 0
    const { retries, retryBackoffMs, time } = this.#settings
    // The request is sent again without a wait, in a smaller batch or alone.
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

  #failure({ request, failures }: Task, { kind, came, waitMs }: Pick<Problem, 'kind' | 'came' | 'waitMs'>) {
    const times = failures <= 1 ? '' : ` (${failures} attempts)`
    const asks = (waitMs ?? 0) > LONGEST_WAIT_MS ? `, and to wait ${Math.ceil(waitMs! / 1000)} seconds` : ''
    const wrong = `no answer to ${this.#transport.scrub(described(request))}`
    return new UpstreamFailed({ kind, upstream: this.name, wrong, came: `${came}${asks}${times}` })
  }

  #requireOpen(task: Task): void {
    if (!this.#isClosed) return
    throw this.#failure({ ...task, failures: 0 }, { kind: 'closed', came: 'the connection was closed' })
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
