/** What of the chain can be asked for (execution-apis `eth_capabilities`). */
import { hasBlock, isMoment } from '../../chain/chain.ts'
import { encodeQuantity } from '../../wire/hex.ts'
import type { RpcContext } from '../context.ts'
import { method, params } from '../method.ts'

/**
 * Returns the head, and of which block on each kind of data is kept; with the option `history.blocks` also for how many
 * blocks. States may begin later than blocks: a file that was loaded need not have those of old blocks.
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

/** The first of the numbers from `low` to `high` for which `isKept` holds, as it does for all after it. */
function firstKept(low: bigint, high: bigint, isKept: (number: bigint) => boolean): bigint {
  if (isKept(low)) return low
  while (low < high) {
    const middle = (low + high) / 2n
    if (isKept(middle)) high = middle
    else low = middle + 1n
  }
  return high
}
