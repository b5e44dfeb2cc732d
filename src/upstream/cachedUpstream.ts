/** Another node with a store of what it answered: what never changes is asked once. */

import { described } from './answerErrors.ts'
import type { CachedExchange, ExchangeStore } from './cacheFile.ts'
import { UNANSWERED } from './connectUpstream.ts'
import { tellTraffic } from './traffic.ts'
import type { Upstream, UpstreamAnswer, UpstreamRequest } from './upstream.ts'
import { UpstreamFailed } from './upstreamFailed.ts'

/** Another node with a store. */
export interface CachedUpstream extends Upstream {
  /** The number of requests that the node was asked, and of those that were answered from the store. */
  readonly counts: { readonly asked: number; readonly cached: number }
}

/** Returns `upstream` with a store: requests whose answers never change (`isImmutable`) are asked once. */
export function cachedUpstream(upstream: Upstream, store: ExchangeStore): CachedUpstream {
  const counts = { asked: 0, cached: 0 }
  return {
    name: upstream.name,
    counts,
    async send(requests, check) {
      const known = requests.map((request) => answerIn(store, request))
      const missing = requests.filter((_, index) => known[index] === undefined)
      const cached = requests.length - missing.length
      counts.cached += cached
      counts.asked += missing.length
      if (cached > 0) tellTraffic({ node: upstream.name, kind: 'cached', requests: cached })
      if (missing.length === 0) return known as UpstreamAnswer[]
      const fetched = await upstream.send(missing)
      let at = 0
      const answers = known.map((answer) => answer ?? fetched[at++]!)
      check?.(answers)
      const kept = missing.flatMap((request, index) => exchangeOf(request, fetched[index]!))
      store.keep(kept)
      tellTraffic({ node: upstream.name, kind: 'kept', requests: kept.length, isOnDisk: store.isOnDisk })
      return answers
    },
    close: () => upstream.close(),
  }
}

/** Why something is missing, and how to record it. */
export interface Lack {
  readonly came: string
  readonly right: string
}

/**
 * Returns an upstream that knows what is in the store, and asks no network. It rejects with `UpstreamFailed` of the
 * kind `offline`, which names what is missing, why it is, and how to record it.
 */
export function offlineUpstream(name: string, store: ExchangeStore, lack: Lack): CachedUpstream {
  const counts = { asked: 0, cached: 0 }
  return {
    name,
    counts,
    async send(requests) {
      const known = requests.map((request) => foundIn(store, request) ?? optional(request))
      const missing = requests.filter((_, index) => known[index] === undefined)
      if (missing.length > 0) throw notRecorded(name, missing, lack)
      counts.cached += requests.length
      tellTraffic({ node: name, kind: 'cached', requests: requests.length })
      return known as UpstreamAnswer[]
    },
    close() {},
  }
}

function answerIn(store: ExchangeStore, request: UpstreamRequest): UpstreamAnswer | undefined {
  return request.isImmutable === true ? foundIn(store, request) : undefined
}

function foundIn(store: ExchangeStore, { method, params }: UpstreamRequest): UpstreamAnswer | undefined {
  const found = store.find(method, params)
  return found === undefined ? undefined : { result: found.result }
}

/** Returns the answer to a request that the others can do without. */
function optional({ isOptional }: UpstreamRequest): UpstreamAnswer | undefined {
  return isOptional === true
    ? { error: { code: UNANSWERED, message: 'offline, and not recorded' } }
    : undefined
}

/**
 * Returns what to keep. Errors pass, null is the answer of a node that lacks something, and a wrong answer would be
 * wrong for ever.
 */
export function exchangeOf(request: UpstreamRequest, answer: UpstreamAnswer): CachedExchange[] {
  if (request.isImmutable !== true || 'error' in answer || answer.result === null) return []
  const { method, params } = request
  if (FORMS[method]?.(answer.result, params) === false) return []
  return [{ method, params, result: answer.result }]
}

const isHex = (result: unknown) => typeof result === 'string' && /^0x[0-9a-fA-F]*$/.test(result)
const hasMember = (name: string, expected: unknown) => (result: unknown) =>
  (result as Record<string, unknown>)[name] === expected

/** Whether a result may be that of the request, by method; those of other methods are kept as they come. */
const FORMS: Readonly<Record<string, (result: unknown, params: readonly unknown[]) => boolean>> = {
  eth_getBalance: isHex,
  eth_getTransactionCount: isHex,
  eth_getCode: isHex,
  eth_getStorageAt: isHex,
  eth_call: isHex,
  eth_getBlockByNumber: (result, [number]) => hasMember('number', number)(result),
  eth_getBlockByHash: (result, [hash]) => hasMember('hash', hash)(result),
  eth_getTransactionByHash: (result, [hash]) => hasMember('hash', hash)(result),
  eth_getTransactionReceipt: (result, [hash]) => hasMember('transactionHash', hash)(result),
  eth_getLogs: Array.isArray,
  eth_getBlockReceipts: Array.isArray,
}

/** The most requests that an error names. */
const MOST_NAMED = 5

function notRecorded(name: string, missing: readonly UpstreamRequest[], lack: Lack): UpstreamFailed {
  const named = missing.slice(0, MOST_NAMED).map(described).join(', ')
  const more = missing.length > MOST_NAMED ? ` and ${missing.length - MOST_NAMED} more` : ''
  return new UpstreamFailed({
    kind: 'offline',
    upstream: name,
    wrong: `not recorded: ${named}${more}`,
    ...lack,
  })
}
