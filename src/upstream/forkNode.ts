/** The node of a forked network, and what it has answered so far. */

import { exchangeOf } from './cachedUpstream.ts'
import { type CachedExchange, keyOf } from './cacheFile.ts'
import { sendChecked } from './sendChecked.ts'
import type { Upstream, UpstreamAnswer, UpstreamRequest } from './upstream.ts'
import { UpstreamFailed } from './upstreamFailed.ts'

/** A request with its answer. */
export interface Answered {
  readonly request: UpstreamRequest
  readonly answer: UpstreamAnswer
}

/** What came from a node: answers, or why there are none. */
export type NodeNews =
  | { readonly kind: 'answered'; readonly answered: readonly Answered[] }
  | { readonly kind: 'failed'; readonly requests: readonly UpstreamRequest[]; readonly error: UpstreamFailed }

/**
 * The node of a forked network. It keeps what chains on this network have used of its answers that never change: a state
 * file has that, so that nothing has to be asked where it is loaded. Another node may take its place (`turnTo`).
 */
export class ForkNode implements Upstream {
  #node: Upstream
  readonly #used = new Map<string, CachedExchange>()
  readonly #listeners = new Set<(news: NodeNews) => void>()

  constructor(node: Upstream) {
    this.#node = node
  }

  get name(): string {
    return this.#node.name
  }

  /** What was used, in an order that depends on nothing else. */
  get used(): readonly CachedExchange[] {
    const sorted = [...this.#used].sort(([one], [other]) => (one < other ? -1 : 1))
    return sorted.map(([, exchange]) => exchange)
  }

  /** Notes exchanges that are used, or known from a file: they are not asked for again. */
  use(exchanges: readonly CachedExchange[]): void {
    const fresh = exchanges.filter((exchange) => this.#note(exchange))
    if (fresh.length === 0 || this.#listeners.size === 0) return
    this.#tell({
      kind: 'answered',
      answered: fresh.map(({ method, params, result }) => ({
        request: { method, params },
        answer: { result },
      })),
    })
  }

  async send(
    requests: readonly UpstreamRequest[],
    check: (answers: readonly UpstreamAnswer[]) => void = () => {},
  ): Promise<readonly UpstreamAnswer[]> {
    const known = requests.map((request) => this.#known(request))
    const missing = requests.filter((_, index) => known[index] === undefined)
    if (missing.length === 0) return known as UpstreamAnswer[]
    const together = (fetched: readonly UpstreamAnswer[]) => {
      let at = 0
      return known.map((answer) => answer ?? fetched[at++]!)
    }
    const fetched = await this.#ask(missing, (answers) => {
      check(together(answers))
      return answers
    })
    const answers = together(fetched)
    const isNews = missing.map((request, index) => this.#isNews(request, fetched[index]!))
    if (this.#listeners.size > 0 && isNews.includes(true)) {
      const answered = missing.map((request, index) => ({ request, answer: fetched[index]! }))
      this.#tell({ kind: 'answered', answered: answered.filter((_, index) => isNews[index]) })
    }
    return answers
  }

  /** Puts another node of the same network in the place of this one. Running requests are not ended. */
  turnTo(node: Upstream): void {
    this.#node = node
  }

  /** Calls `listener` with what comes from the node from now on. Returns a function that removes it. */
  listen(listener: (news: NodeNews) => void): () => void {
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

  #known({ method, params, isImmutable }: UpstreamRequest): UpstreamAnswer | undefined {
    const found = isImmutable === true ? this.#used.get(keyOf(method, params)) : undefined
    return found && { result: found.result }
  }

  /** Keeps the answer if it never changes. Returns whether it was not known, and is no one that runs do without. */
  #isNews(request: UpstreamRequest, answer: UpstreamAnswer): boolean {
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

  #tell(news: NodeNews): void {
    for (const listener of this.#listeners) listener(news)
  }
}
