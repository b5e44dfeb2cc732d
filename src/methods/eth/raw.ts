import type { Hash } from '../../bytes/hex.ts'
import { encodeRlp } from '../../bytes/rlp.ts'
import { type Block, encodeBlock } from '../../model/block/block.ts'
import { headerFields } from '../../model/block/header.ts'
import { encodeReceipt } from '../../model/receipt/receipt.ts'
import { Problem } from '../../rpc/errors/problem.ts'
import { params, read } from '../../rpc/method.ts'
import type { ReadContext } from '../../rpc/readContext.ts'
import { lookedUp, withRoots } from '../../rpc/shownBlocks.ts'
import { encodeBytes, parseHash } from '../../wire/hex.ts'
import { parseSelector } from '../../wire/selector.ts'
import { ofPlace } from './blocks.ts'

export const debug_getRawBlock = read(params(parseSelector), (context, at) =>
  encodeBytes(encodeBlock(withRoots(context.blockAt(at)))),
)

export const debug_getRawHeader = read(params(parseSelector), (context, at) =>
  encodeBytes(encodeRlp(headerFields(withRoots(context.blockAt(at)).header))),
)

export const debug_getRawReceipts = read(params(parseSelector), (context, at) =>
  context.blockAt(at).receipts.map((receipt) => encodeBytes(encodeReceipt(receipt))),
)

/** Always fails with "resource not found": a devnet does not support Amsterdam, which adds access lists (EIP-7928). */
export const eth_getBlockAccessList = read(params(parseSelector), ({ chain }, at) =>
  lookedUp(chain.at(at), withoutAccessList),
)

export const debug_getRawBlockAccessList = read(params(parseSelector), (context, at) =>
  withoutAccessList(context.blockAt(at)),
)

function withoutAccessList({ header }: Block): never {
  throw new Problem({ kind: 'noAccessList', number: header.number })
}

/** Returns an empty list: the devnet receives no blocks from a network and stores no blocks that `import` refuses. */
export const debug_getBadBlocks = read(params(), () => [])

export const debug_getRawTransaction = read(params(parseHash), rawTransaction)

export const eth_getRawTransactionByHash = read(params(parseHash), rawTransaction)

export const [eth_getRawTransactionByBlockNumberAndIndex, eth_getRawTransactionByBlockHashAndIndex] = ofPlace(
  ({ transactions }, index, context) => {
    const found = transactions[index]
    return found === undefined ? nothing(context) : encodeBytes(found.raw)
  },
)

function rawTransaction(context: ReadContext, hash: Hash): unknown {
  const inclusion = context.chain.find(hash)
  const found =
    inclusion === undefined ? context.pool.get(hash) : inclusion.block.transactions[inclusion.index]
  return found === undefined ? nothing(context) : encodeBytes(found.raw)
}

/** Returns the result for an unknown transaction: empty bytes in the dialect `geth`, otherwise `null`, as in reth. */
function nothing({ options }: ReadContext): unknown {
  return options.dialect === 'base' ? null : '0x'
}
