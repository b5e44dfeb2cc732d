import { type Block, encodedSize, transactionCount } from '../../model/block/block.ts'
import type { Header } from '../../model/block/header.ts'
import { byHash, isPending, type Selector } from '../../model/block/selector.ts'
import { params, read } from '../../rpc/method.ts'
import type { ReadContext } from '../../rpc/readContext.ts'
import { lookedUp, withRoots } from '../../rpc/shownBlocks.ts'
import { encodeBlock, encodeReceipt } from '../../wire/encode.ts'
import { encodeHeader, encodeUncle } from '../../wire/header.ts'
import { encodeQuantity, parseHash, parseUint64 } from '../../wire/hex.ts'
import { boolean, withDefault } from '../../wire/parser.ts'
import { parseNumberOrTag, parseSelector } from '../../wire/selector.ts'

export const eth_blockNumber = read(params(), ({ chain }) => encodeQuantity(chain.latest.block.header.number))

export const eth_getBlockByNumber = read(
  params(parseNumberOrTag, withDefault(boolean, false)),
  ({ chain }, at, full) => lookedUp(chain.at(at), shown(full)),
)

export const eth_getBlockByHash = read(
  params(parseHash, withDefault(boolean, false)),
  ({ chain }, hash, full) => lookedUp(chain.at(byHash(hash)), shown(full)),
)

/** Returns `null` for an unsealed block: the specification has no header for it. */
export const eth_getHeaderByNumber = read(params(parseNumberOrTag), ({ chain }, at) =>
  isPending(at) ? null : lookedUp(chain.at(at), headerOf),
)

export const eth_getHeaderByHash = read(params(parseHash), ({ chain }, hash) =>
  lookedUp(chain.at(byHash(hash)), headerOf),
)

export const [eth_getBlockTransactionCountByNumber, eth_getBlockTransactionCountByHash] = ofBlock((block) =>
  encodeQuantity(transactionCount(block)),
)

export const eth_getBlockReceipts = read(params(parseSelector), ({ chain }, at) =>
  lookedUp(chain.at(at), (block) => block.receipts.map((_, index) => encodeReceipt(block, index))),
)

export const [eth_getUncleCountByBlockNumber, eth_getUncleCountByBlockHash] = ofBlock(({ ommers }) =>
  encodeQuantity(ommers.length),
)

export const [eth_getUncleByBlockNumberAndIndex, eth_getUncleByBlockHashAndIndex] = ofPlace(
  ({ ommers }, index) => {
    const ommer: Header | undefined = ommers[index]
    if (ommer === undefined) return null
    const body = { transactions: [], ommers: [], withdrawals: undefined }
    return encodeUncle(ommer, encodedSize({ header: ommer, ...body }))
  },
)

function ofBlock(answer: (block: Block) => unknown) {
  return [
    read(params(parseNumberOrTag), ({ chain }, at) => lookedUp(chain.at(at), answer)),
    read(params(parseHash), ({ chain }, hash) => lookedUp(chain.at(byHash(hash)), answer)),
  ] as const
}

export function ofPlace(answer: (block: Block, index: number, context: ReadContext) => unknown) {
  const at = (context: ReadContext, selector: Selector, index: bigint) =>
    lookedUp(context.chain.at(selector), (block) => answer(block, Number(index), context))
  return [
    read(params(parseNumberOrTag, parseUint64), at),
    read(params(parseHash, parseUint64), (context, hash, index) => at(context, byHash(hash), index)),
  ] as const
}

function shown(full: boolean): (block: Block) => unknown {
  return (block) => encodeBlock(withRoots(block), full ? 'full' : 'hashes')
}

function headerOf({ header, hash }: Block): unknown {
  return { hash, ...encodeHeader(header) }
}
