/** Blocks. */
import { isMoment } from '../../chain/chain.ts'
import type { Missing, Moment } from '../../chain/moment.ts'
import { ZERO_HASH } from '../../model/hex.ts'
import { rootedHeader } from '../../state/roots.ts'
import { encodeBlock } from '../../wire/encode.ts'
import { encodeQuantity, parseHash } from '../../wire/hex.ts'
import { boolean, withDefault } from '../../wire/parser.ts'
import { parseNumberOrTag } from '../../wire/selector.ts'
import { method, params } from '../method.ts'
import { Problem } from '../problem.ts'

export const eth_blockNumber = method(params(), ({ chain }) =>
  encodeQuantity(chain.latest.block.header.number),
)

export const eth_getBlockByNumber = method(
  params(parseNumberOrTag, withDefault(boolean, false)),
  ({ chain }, at, full) => lookedUp(chain.at(at), full),
)

export const eth_getBlockByHash = method(
  params(parseHash, withDefault(boolean, false)),
  ({ chain }, hash, full) => lookedUp(chain.at({ kind: 'hash', hash, requireCanonical: false }), full),
)

/** A look-up answers `null` for what never was, and says so where it was pruned. */
function lookedUp(found: Moment | Missing, full: boolean): unknown {
  if (!isMoment(found)) {
    if (found.kind === 'prunedHistory') throw new Problem(found)
    return null
  }
  const { block } = found
  // Before it is sealed a block has no roots; whoever asks for it gets those of what is in it so far.
  const isSealed = block.hash !== ZERO_HASH
  return encodeBlock(isSealed ? block : { ...block, header: rootedHeader(block) }, full ? 'full' : 'hashes')
}
