import type { Upstream, UpstreamAnswer, UpstreamRequest } from './upstream.ts'

/** The maximum number of slots in one request. The proof of each slot takes some kilobytes. */
const MOST_SLOTS = 64

/**
 * Returns an upstream that joins the eth_getProof requests at the block `tag` by account. Each request that comes in
 * has at most one slot, so that a cache above stores each proof on its own.
 */
export function joinProofs(upstream: Upstream, tag: string): Upstream {
  return {
    name: upstream.name,
    async send(requests) {
      const groups = [...grouped(requests, tag)]
      const answers = await upstream.send(groups.map(joined))
      const parts: UpstreamAnswer[] = []
      for (const [index, group] of groups.entries()) {
        for (const [at, part] of split(group, answers[index]!).entries()) parts[group.indexes[at]!] = part
      }
      return parts
    },
    close: () => upstream.close(),
  }
}

interface Group {
  readonly isProof: boolean
  readonly requests: UpstreamRequest[]
  readonly indexes: number[]
  slots: number
}

function grouped(requests: readonly UpstreamRequest[], tag: string): readonly Group[] {
  const groups: Group[] = []
  const open = new Map<unknown, Group>()
  for (const [index, request] of requests.entries()) {
    const { method, params } = request
    const isProof = method === 'eth_getProof' && params[2] === tag
    let group = isProof ? open.get(params[0]) : undefined
    if (group === undefined || group.slots === MOST_SLOTS) {
      group = { isProof, requests: [], indexes: [], slots: 0 }
      groups.push(group)
      if (isProof) open.set(params[0], group)
    }
    group.requests.push(request)
    group.indexes.push(index)
    group.slots += keysOf(request).length
  }
  return groups
}

function keysOf({ params }: UpstreamRequest): readonly unknown[] {
  return Array.isArray(params[1]) ? params[1] : []
}

function joined({ isProof, requests }: Group): UpstreamRequest {
  const first = requests[0]!
  if (!isProof) return first
  const [address, , tag] = first.params
  return { ...first, params: [address, requests.flatMap(keysOf), tag] }
}

function split({ isProof, requests }: Group, answer: UpstreamAnswer): UpstreamAnswer[] {
  if (!isProof || 'error' in answer) return requests.map(() => answer)
  const { storageProof, address, storageHash } = Object(answer.result) as Record<string, unknown>
  if (!Array.isArray(storageProof)) return requests.map(() => answer)
  let at = 0
  return requests.map((request) => {
    const count = keysOf(request).length
    const own = storageProof.slice(at, at + count)
    at += count
    return count === 0
      ? { result: { ...(answer.result as object), storageProof: own } }
      : { result: { address, storageHash, storageProof: own } }
  })
}
