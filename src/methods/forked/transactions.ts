/** Transactions of the network that a chain was forked from: what became of them. */
import type { Hash } from '../../bytes/hex.ts'
import type { ForkedNetwork } from '../../upstream/forkedNetwork.ts'
import { parseUint64 } from '../../wire/hex.ts'
import type { JsonObject } from '../../wire/parser.ts'
import { soundly } from './soundly.ts'

/** Returns a transaction of the network that is in a block up to the fork block; `undefined` if there is none. */
export async function transactionThere(network: ForkedNetwork, hash: Hash): Promise<JsonObject | undefined> {
  const transaction = await network.ask({ method: 'eth_getTransactionByHash', params: [hash] })
  return isUpTo(network, transaction, 'blockNumber') ? (transaction as JsonObject) : undefined
}

/** Returns whether what the node knows is not newer than the fork block: what it has later does not exist here. */
export function isUpTo({ block }: ForkedNetwork, found: unknown, name: string): boolean {
  if (typeof found !== 'object' || found === null) return false
  const number = (found as Record<string, unknown>)[name]
  return typeof number === 'string' && soundly(() => parseUint64(number, ''))! <= block.number
}

/** Answers of methods of the devnet about transactions of the network, whose node does not have these methods. */
export const ABOUT_TRANSACTIONS: ReadonlyMap<
  string,
  (network: ForkedNetwork, transaction: JsonObject) => unknown
> = new Map<string, (network: ForkedNetwork, transaction: JsonObject) => unknown>([
  [
    'preseal_getTimeline',
    (_, { blockNumber, blockHash, transactionIndex }) => [
      { step: 'sealed', blockNumber, blockHash, transactionIndex },
    ],
  ],
  ['preseal_explain', explained],
])

async function explained(
  network: ForkedNetwork,
  { hash, blockNumber, transactionIndex }: JsonObject,
): Promise<unknown> {
  const receipt = await network.ask({ method: 'eth_getTransactionReceipt', params: [hash] })
  const end = (receipt as JsonObject | null)?.status === '0x0' ? ', and failed' : ''
  const where = `block ${Number(blockNumber)}, transaction ${Number(transactionIndex)}`
  const reason = `it is sealed in ${where} of the network that the chain was forked from${end}`
  return { status: 'sealed', reason }
}
