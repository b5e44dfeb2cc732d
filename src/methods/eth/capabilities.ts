/** `eth_capabilities`: the available data of the chain (execution-apis). */
import { hasBlock, isMoment } from '../../chain/chain.ts'
import type { RpcContext } from '../../rpc/context.ts'
import { method, params } from '../../rpc/method.ts'
import { encodeQuantity } from '../../wire/hex.ts'

/**
 * Returns the head, and the oldest block with each kind of data; with the option `history.blocks` also the number of
 * kept blocks. States may begin later than blocks: a loaded file need not have those of old blocks.
 */
export const eth_capabilities = method(params(), (context) => {
  const { header, hash } = context.chain.latest.block
  const blocks = resource(context, (number) => hasBlock(context.chain.at({ kind: 'number', number })))
  const states = resource(context, (number) => isMoment(context.chain.at({ kind: 'number', number })))
  return {
    head: { number: encodeQuantity(header.number), hash },
    state: states,
    tx: blocks,
    logs: blocks,
    receipts: blocks,
    blocks,
    stateproofs: states,
  }
})

function resource({ chain }: RpcContext, isKept: (number: bigint) => boolean): object {
  const { historyBlocks } = chain.options
  const oldest = firstKept(BigInt(chain.state.history.oldest), chain.latest.block.header.number, isKept)
  return {
    disabled: false,
    oldestBlock: encodeQuantity(oldest),
    ...(historyBlocks === undefined
      ? {}
      : { deleteStrategy: { type: 'window', retentionBlocks: encodeQuantity(historyBlocks) } }),
  }
}

/** Returns the first number from `low` to `high` for which `isKept` holds, as it does for all after it. */
function firstKept(low: bigint, high: bigint, isKept: (number: bigint) => boolean): bigint {
  if (isKept(low)) return low
  while (low < high) {
    const middle = (low + high) / 2n
    if (isKept(middle)) high = middle
    else low = middle + 1n
  }
  return high
}
