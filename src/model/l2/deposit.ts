/**
 * Deposits: transactions of type 0x7e that L1 sends to an L2 (specs.optimism.io `protocol/deposits.html`). Deposits
 * have no signature, no nonce and no fees on L2. The receipt of a deposit contains the nonce of the sender.
 */
import { concatenate } from '../../bytes/bytes.ts'
import { EMPTY_BYTES, fromHex, type Hash, toMinimalBytes, toWord } from '../../bytes/hex.ts'
import { encodeRlp, withType } from '../../bytes/rlp.ts'
import { keccak256, keccakHash } from '../../crypto/keccak.ts'
import { DEPOSIT_TYPE, type DepositFields, type Transaction } from '../transaction/transaction.ts'
import { Fields, listOf, MalformedTransaction } from '../transaction/transactionFields.ts'

/** The fields of a deposit before it is encoded as a transaction. */
export type Deposit = DepositFields & Pick<Transaction, 'from' | 'to' | 'value' | 'gasLimit' | 'data'>

/** The domain of a source hash, by the kind of deposit. */
const DOMAINS = { user: 0n, l1Attributes: 1n } as const

/**
 * Returns the source hash, which makes a deposit unique. `index`: for a user deposit its log index on L1, for the L1
 * attributes deposit the sequence number of the L2 block in its epoch.
 */
export function sourceHashOf(domain: keyof typeof DOMAINS, l1BlockHash: Hash, index: bigint): Hash {
  const origin = keccak256(concatenate([fromHex(l1BlockHash), toWord(index)]))
  return keccakHash(concatenate([toWord(DOMAINS[domain]), origin]))
}

export function toTransaction(deposit: Deposit): Transaction {
  const { from, to, value, gasLimit, data, sourceHash, mint } = deposit
  const raw = withType(
    DEPOSIT_TYPE,
    encodeRlp([
      fromHex(sourceHash),
      fromHex(from),
      to === undefined ? EMPTY_BYTES : fromHex(to),
      toMinimalBytes(mint),
      toMinimalBytes(value),
      toMinimalBytes(gasLimit),
      NOT_A_SYSTEM_TX,
      data,
    ]),
  )
  return depositOf(deposit, raw)
}

/** The field `isSystemTx`: always false since Regolith. */
const NOT_A_SYSTEM_TX = EMPTY_BYTES

/** Decodes a deposit. Throws `MalformedTransaction` for bytes that are not a deposit. */
export function decodeDeposit(raw: Uint8Array): Transaction {
  if (raw[0] !== DEPOSIT_TYPE) throw new MalformedTransaction(`a deposit is of type 126, got ${raw[0]}`)
  const fields = listOf(raw.subarray(1))
  if (fields.length !== 8) throw new MalformedTransaction(`a deposit has 8 fields, got ${fields.length}`)
  const at = new Fields(fields)
  if (at.quantity(6) !== 0n) throw new MalformedTransaction('isSystemTx is false since Regolith')
  const deposit: Deposit = {
    sourceHash: at.hash(0),
    from: at.address(1),
    to: at.destination(2),
    mint: at.quantity(3),
    value: at.quantity(4),
    gasLimit: at.uint64(5),
    data: at.bytes(7),
  }
  return depositOf(deposit, raw)
}

function depositOf(deposit: Deposit, raw: Uint8Array): Transaction {
  const { from, to, value, gasLimit, data, sourceHash, mint } = deposit
  return {
    type: DEPOSIT_TYPE,
    chainId: undefined,
    nonce: 0n,
    gasLimit,
    to,
    value,
    data,
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
    accessList: [],
    authorizationList: [],
    hash: keccakHash(raw),
    from,
    signature: { r: 0n, s: 0n, yParity: 0 },
    raw,
    deposit: { sourceHash, mint },
  }
}
