/** Finds out that a block was reorganised away, before values of another block are taken for its own. */
import type { Hash } from '../bytes/hex.ts'
import { encodeQuantity } from '../wire/hex.ts'
import type { Upstream, UpstreamRequest } from './upstream.ts'
import { UpstreamFailed } from './upstreamFailed.ts'

/**
 * Returns an upstream that asks, with each batch that has requests about blocks (`isImmutable`), for the hash of
 * `block` as well: state is asked for by the number of a block, and the node may have another one with that number by
 * now. Rejects with `UpstreamFailed` of the kind `reorganised`, or `behind` if the node has no such block. To be put
 * below a cache, and not needed for final blocks.
 */
export function guardBlock(upstream: Upstream, { number, hash }: { number: bigint; hash: Hash }): Upstream {
  const check: UpstreamRequest = {
    method: 'eth_getBlockByNumber',
    params: [encodeQuantity(number), false],
    isImmutable: true,
  }
  return {
    name: upstream.name,
    async send(requests) {
      if (!requests.some(({ isImmutable }) => isImmutable)) return upstream.send(requests)
      const answers = await upstream.send([...requests, check])
      const last = answers.at(-1)!
      const found = 'result' in last ? (last.result as { hash?: unknown } | null)?.hash : undefined
      if (found === hash) return answers.slice(0, -1)
      const shown = found === undefined ? 'no such block' : `a block with the hash ${String(found)}`
      throw new UpstreamFailed({
        kind: found === undefined ? 'behind' : 'reorganised',
        upstream: upstream.name,
        wrong: `block ${number} no longer has the hash ${hash}`,
        came: shown,
      })
    },
    close: () => upstream.close(),
  }
}
