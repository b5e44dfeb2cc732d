import { type Block, encodedSize, transactionCount } from '../../model/block/block.ts'
import type { Header } from '../../model/block/header.ts'
import { byHash, isPending } from '../../model/block/selector.ts'
import { params, read } from '../../rpc/method.ts'
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

export const eth_getBlockTransactionCountByNumber = read(params(parseNumberOrTag), ({ chain }, at) =>
  lookedUp(chain.at(at), countOf),
)

export const eth_getBlockTransactionCountByHash = read(params(parseHash), ({ chain }, hash) =>
  lookedUp(chain.at(byHash(hash)), countOf),
)

export const eth_getBlockReceipts = read(params(parseSelector), ({ chain }, at) =>
  lookedUp(chain.at(at), (block) => block.receipts.map((_, index) => encodeReceipt(block, index))),
)

export const eth_getUncleCountByBlockNumber = read(params(parseNumberOrTag), ({ chain }, at) =>
  lookedUp(chain.at(at), uncleCount),
)

export const eth_getUncleCountByBlockHash = read(params(parseHash), ({ chain }, hash) =>
  lookedUp(chain.at(byHash(hash)), uncleCount),
)

export const eth_getUncleByBlockNumberAndIndex = read(
  params(parseNumberOrTag, parseUint64),
  ({ chain }, at, index) => lookedUp(chain.at(at), uncleAt(index)),
)

export const eth_getUncleByBlockHashAndIndex = read(
  params(parseHash, parseUint64),
  ({ chain }, hash, index) => lookedUp(chain.at(byHash(hash)), uncleAt(index)),
)

function shown(full: boolean): (block: Block) => unknown {
  return (block) => encodeBlock(withRoots(block), full ? 'full' : 'hashes')
}

function headerOf({ header, hash }: Block): unknown {
  return { hash, ...encodeHeader(header) }
}

function countOf(block: Block): string {
  return encodeQuantity(transactionCount(block))
}

function uncleCount({ ommers }: Block): string {
  return encodeQuantity(ommers.length)
}

function uncleAt(index: bigint): (block: Block) => unknown {
  return ({ ommers }) => {
    const ommer: Header | undefined = ommers[Number(index)]
    if (ommer === undefined) return null
    const body = { transactions: [], ommers: [], withdrawals: undefined }
    return encodeUncle(ommer, encodedSize({ header: ommer, ...body }))
  }
}
