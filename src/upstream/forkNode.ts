import { type CachedExchange, type ExchangeStore, exchangeOf, keyOf } from './cacheFile.ts'
import {
  sendChecked,
  tellTraffic,
  type Upstream,
  type UpstreamAnswer,
  UpstreamFailed,
  type UpstreamRequest,
} from './upstream.ts'

export interface CachedUpstream extends Upstream {
  readonly counts: { readonly asked: number; readonly cached: number }
}

export function cachedUpstream(upstream: Upstream, store: ExchangeStore): CachedUpstream {
  const { name } = upstream
  const counts = { asked: 0, cached: 0 }
  return {
    name,
    counts,
    async send(requests, check) {
      const { known, missing, merge } = split(requests, ({ method, params }) => store.find(method, params))
      const cached = requests.length - missing.length
      counts.cached += cached
      counts.asked += missing.length
      if (cached > 0) tellTraffic({ node: name, kind: 'cached', requests: cached })
      if (missing.length === 0) return known as UpstreamAnswer[]
      const fetched = await upstream.send(missing)
      const answers = merge(fetched)
      check?.(answers)
      const kept = missing.flatMap((request, index) => exchangeOf(request, fetched[index]!))
      store.keep(kept)
      tellTraffic({ node: name, kind: 'kept', requests: kept.length, isOnDisk: store.isOnDisk })
      return answers
    },
    close: () => upstream.close(),
  }
}

/** Returns the cached answers, the other requests, and a function that adds fetched answers to the cached answers. */
function split(
  requests: readonly UpstreamRequest[],
  find: (request: UpstreamRequest) => CachedExchange | undefined,
) {
  const known = requests.map((request): UpstreamAnswer | undefined => {
    const found = request.isImmutable === true ? find(request) : undefined
    return found && { result: found.result }
  })
  const missing = requests.filter((_, index) => known[index] === undefined)
  const merge = (fetched: readonly UpstreamAnswer[]) => {
    let at = 0
    return known.map((answer) => answer ?? fetched[at++]!)
  }
  return { known, missing, merge }
}

interface Answered {
  readonly request: UpstreamRequest
  readonly answer: UpstreamAnswer
}

export type NodeEvent =
  | { readonly kind: 'answered'; readonly answered: readonly Answered[] }
  | { readonly kind: 'failed'; readonly requests: readonly UpstreamRequest[]; readonly error: UpstreamFailed }

/** The node of a forked network, which can be replaced. Keeps immutable answers that chains used, for state files. */
export class ForkNode implements Upstream {
  #node: Upstream
  readonly #used = new Map<string, CachedExchange>()
  readonly #listeners = new Set<(news: NodeEvent) => void>()

  constructor(node: Upstream) {
    this.#node = node
  }

  get name(): string {
    return this.#node.name
  }

  get used(): readonly CachedExchange[] {
    const sorted = [...this.#used].sort(([one], [other]) => (one < other ? -1 : 1))
    return sorted.map(([, exchange]) => exchange)
  }

  use(exchanges: readonly CachedExchange[]): void {
    const fresh = exchanges.filter((exchange) => this.#note(exchange))
    if (fresh.length === 0 || this.#listeners.size === 0) return
    const answered = fresh.map(({ method, params, result }) => {
      return { request: { method, params }, answer: { result } }
    })
    this.#tell({ kind: 'answered', answered })
  }

  async send(
    requests: readonly UpstreamRequest[],
    check: (answers: readonly UpstreamAnswer[]) => void = () => {},
  ): Promise<readonly UpstreamAnswer[]> {
    const { known, missing, merge } = split(requests, ({ method, params }) =>
      this.#used.get(keyOf(method, params)),
    )
    if (missing.length === 0) return known as UpstreamAnswer[]
    const fetched = await this.#ask(missing, (answers) => {
      check(merge(answers))
      return answers
    })
    const answered = missing
      .map((request, index): Answered => ({ request, answer: fetched[index]! }))
      .filter((one) => this.#isNews(one))
    if (answered.length > 0) this.#tell({ kind: 'answered', answered })
    return merge(fetched)
  }

  /** Replaces the node with another node of the same network. Requests already sent to the old node continue. */
  replaceNode(node: Upstream): void {
    this.#node = node
  }

  listen(listener: (news: NodeEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  close(): void {
    this.#node.close()
  }

  async #ask(
    requests: readonly UpstreamRequest[],
    read: (answers: readonly UpstreamAnswer[]) => readonly UpstreamAnswer[],
  ): Promise<readonly UpstreamAnswer[]> {
    try {
      return await sendChecked(this.#node, requests, read)
    } catch (error) {
      if (error instanceof UpstreamFailed) this.#tell({ kind: 'failed', requests, error })
      throw error
    }
  }

  /** Stores an immutable answer. Returns `false` for optional requests, and for answers that were stored before. */
  #isNews({ request, answer }: Answered): boolean {
    if (request.isOptional === true) return false
    const [exchange] = exchangeOf(request, answer)
    return exchange === undefined || this.#note(exchange)
  }

  #note(exchange: CachedExchange): boolean {
    const key = keyOf(exchange.method, exchange.params)
    if (this.#used.has(key)) return false
    this.#used.set(key, exchange)
    return true
  }

  #tell(news: NodeEvent): void {
    for (const listener of this.#listeners) listener(news)
  }
}
