/** The deposits of users: events of the portal on L1, which become transactions on L2 (specs.optimism.io `protocol/deposits.html`). */
import { type Address, type Hash, toQuantity } from '../bytes/hex.ts'
import { type Block, logsOf } from '../model/block/block.ts'
import { sourceHashOf, toTransaction } from '../model/l2/deposit.ts'
import type { Log } from '../model/receipt/log.ts'
import type { Transaction } from '../model/transaction/transaction.ts'

/** The topic of `TransactionDeposited(address indexed from, address indexed to, uint256 indexed version, bytes opaqueData)`. */
const TRANSACTION_DEPOSITED = '0xb3813568d9991fc951961fcb4c784893574240a28925604d09fc577c55bb7c32'
const VERSION_0 = `0x${'00'.repeat(32)}`

/** Returns the deposits that the contract `portal` has accepted in an L1 block. */
export function userDeposits(block: Block, portal: Address): readonly Transaction[] {
  const deposits: Transaction[] = []
  for (const { log, logIndex } of logsOf(block)) {
    const [event, , , version] = log.topics
    if (log.address !== portal || event !== TRANSACTION_DEPOSITED || version !== VERSION_0) continue
    deposits.push(depositOf(log, sourceHashOf('user', block.hash, BigInt(logIndex))))
  }
  return deposits
}

/** The ABI of `opaqueData`: its offset and length, and then mint and value (32 bytes each), gas limit (8), `isCreation` (1), data. */
const AT = { length: 32, mint: 64, value: 96, gasLimit: 128, isCreation: 136, data: 137 } as const

function depositOf({ topics: [, from, to], data }: Log, sourceHash: Hash): Transaction {
  const quantity = (start: number, end: number) => toQuantity(data.subarray(start, end))
  const end = AT.mint + Number(quantity(AT.length, AT.mint))
  return toTransaction({
    sourceHash,
    from: addressIn(from!),
    to: data[AT.isCreation] === 1 ? undefined : addressIn(to!),
    mint: quantity(AT.mint, AT.value),
    value: quantity(AT.value, AT.gasLimit),
    gasLimit: quantity(AT.gasLimit, AT.isCreation),
    data: data.slice(AT.data, end),
  })
}

function addressIn(topic: Hash): Address {
  return `0x${topic.slice(-40)}`
}
