/** The deposits of users: events of the portal on L1, which become transactions on L2 (specs.optimism.io `protocol/deposits.html`). */
import { type Address, type Hash, toQuantity, ZERO_HASH } from '../bytes/hex.ts'
import { type Block, logsOf, type PlacedLog } from '../model/block/block.ts'
import { sourceHashOf, toTransaction } from '../model/l2/deposit.ts'
import { type LogCriteria, matches } from '../model/receipt/log.ts'
import type { Transaction } from '../model/transaction/transaction.ts'

/** The topic of `TransactionDeposited(address indexed from, address indexed to, uint256 indexed version, bytes opaqueData)`. */
const TRANSACTION_DEPOSITED = '0xb3813568d9991fc951961fcb4c784893574240a28925604d09fc577c55bb7c32'

/** Returns the deposits that the contract `portal` has accepted in an L1 block. */
export function userDeposits(block: Block, portal: Address): readonly Transaction[] {
  const criteria = depositsOf(portal)
  const deposits: Transaction[] = []
  for (const placed of logsOf(block)) if (matches(placed.log, criteria)) deposits.push(depositOf(placed))
  return deposits
}

/** Returns the criteria of the events of all deposits that the contract `portal` accepts. */
export function depositsOf(portal: Address): LogCriteria {
  const topics = [[TRANSACTION_DEPOSITED], [], [], [ZERO_HASH]] as const
  return { addresses: [portal], topics, minimumTopics: topics.length }
}

/** The ABI of `opaqueData`: its offset and length, and then mint and value (32 bytes each), gas limit (8), `isCreation` (1), data. */
const AT = { length: 32, mint: 64, value: 96, gasLimit: 128, isCreation: 136, data: 137 } as const

/** Returns the transaction of the L2 for an event of the portal. */
export function depositOf({ log, logIndex, block }: PlacedLog): Transaction {
  const { data } = log
  const [, from, to] = log.topics
  const quantity = (start: number, end: number) => toQuantity(data.subarray(start, end))
  const end = AT.mint + Number(quantity(AT.length, AT.mint))
  return toTransaction({
    sourceHash: sourceHashOf('user', block.hash, BigInt(logIndex)),
    from: addressIn(from!),
    to: data[AT.isCreation] === 1 ? undefined : addressIn(to!),
    mint: quantity(AT.mint, AT.value),
    value: quantity(AT.value, AT.gasLimit),
    gasLimit: quantity(AT.gasLimit, AT.isCreation),
    data: data.slice(AT.data, end),
  })
}

export function addressIn(topic: Hash): Address {
  return `0x${topic.slice(-40)}`
}
