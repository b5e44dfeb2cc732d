/** Hints of `preseal_explain` about a pair: what would be right where the portal refused, and why transactions wait. */
import { concatenate } from '../bytes/bytes.ts'
import { type Address, toDigits, toQuantity, toWord } from '../bytes/hex.ts'
import { isMoment } from '../chain/chain.ts'
import type { Inclusion } from '../chain/moment.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { counted } from '../model/api/text.ts'
import type { Block } from '../model/block/block.ts'
import { panicCode, revertReason } from '../model/execution/revertReason.ts'
import type { Transaction } from '../model/transaction/transaction.ts'
import type { ReadContext } from '../rpc/readContext.ts'
import type { StateView } from '../state/view.ts'
import { l1Of } from './l1.ts'
import { addressAt, wordAt as wordOf } from './messageContent.ts'
import { PROOF_MATURITY_SECONDS } from './messages.ts'

interface Refused {
  readonly transaction: Transaction
  readonly header: Block['header']
  readonly state: StateView
  readonly factory: Address
}

/** Returns a hint about a transaction on L1 that the portal refused; `undefined` for any other failure. */
export function refusalHint(context: ReadContext, { block, index }: Inclusion): string | undefined {
  const { pair } = context
  const { failure } = block.receipts[index]!
  const { header, hash, transactions } = block
  const at = context.chain.at({ kind: 'hash', hash, requireCanonical: false })
  if (pair === undefined || failure?.kind !== 'revert' || !isMoment(at)) return undefined
  const { optimismPortal2: portal, disputeGameFactory: factory } = l1Of(pair).bridge
  const transaction = transactions[index]!
  if (transaction.to !== portal) return undefined
  return HINTS[nameOf(failure.data)]?.({ transaction, header, state: at.state, factory })
}

/** Returns why transactions of an L2 or of its L1 wait, if a fault stops the L1 or the batcher. */
export function delayHint({ pair, chain }: ReadContext): string | undefined {
  if (pair === undefined) return undefined
  const l1 = l1Of(pair)
  const slots = chain === l1.chain ? l1.missedSlots : 0
  if (slots > 0) return `a fault keeps the L1 from making blocks in its next ${counted(slots, 'slot')}`
  return chain === pair.l2.chain && l1.allowsDepositsOnly(chain.tip)
    ? 'blocks have deposits only: the L1 has stopped for 1800 seconds, or a sequencing window has ended without batches'
    : undefined
}

/** Returns the name of a custom error, or the text of an error string without its prefix. */
function nameOf(data: Uint8Array): string {
  if (panicCode(data) === 0x32n) return 'no game'
  const text = revertReason(data) ?? ERRORS[toDigits(data)] ?? ''
  return text.startsWith('MerkleTrie: ') ? INCLUSION : text.replace('OptimismPortal: ', '')
}

/** The custom errors of the portal, by selector. */
const ERRORS: Readonly<Record<string, string>> = {
  f480973e: 'CallPaused',
  '4929b808': 'SmallGasLimit',
  '73052b0f': 'LargeCalldata',
  '13496fda': 'BadTarget',
}

const INCLUSION = 'invalid withdrawal inclusion proof'

const HINTS: Readonly<Record<string, (refused: Refused) => string>> = {
  'no game': ({ transaction, state, factory }) => {
    const games = state.storage(factory, GAMES_SLOT)
    const has = games === 1n ? 'is 1 game' : `are ${games} games`
    return `the proof names the game ${wordAt(transaction, 1)}, but there ${has}, numbered from 0: prove the withdrawal after the L1 block with the game of its L2 block`
  },
  'invalid output root proof': ({ transaction }) =>
    `the proof has another output root than the game ${wordAt(transaction, 1)}: take state root, storage root and hash of the L2 block of this game`,
  [INCLUSION]: ({ transaction }) =>
    `the L2 block of the game ${wordAt(transaction, 1)} does not have this withdrawal: take the game of its L2 block or of a later one`,
  'cannot prove against invalid dispute games': () =>
    'the claim of the game was refuted: take another game of this or of a later L2 block',
  'withdrawal has not been proven by proof submitter address yet': ({ transaction }) =>
    `${submitterOf(transaction)} has not proven this withdrawal: prove it first, from the account that finalizes it`,
  'withdrawal timestamp less than dispute game creation timestamp': () =>
    'it was proven in the block of its game: prove it again in a later block',
  'proven withdrawal has not matured yet'({ transaction, header, state }) {
    const proven = provenAt(transaction, state)
    const matures = proven + PROOF_MATURITY_SECONDS
    return `it was proven at ${dateOf(proven)} and matures at ${dateOf(matures)}, and the L1 block is of ${dateOf(header.timestamp)}: advance the L2 by ${matures - header.timestamp + 1n} seconds`
  },
  'output proposal has not been validated': () =>
    'its game is still in progress: finalize the withdrawal when the game is resolved',
  'output proposal in air-gap': () => 'its game was resolved less than 3.5 days ago: wait until then',
  'dispute game has been blacklisted': () =>
    'the guardian has blacklisted its game: prove it with another game',
  'withdrawal has already been finalized': () => 'each withdrawal pays once, and this one has',
  CallPaused: () => 'the guardian has paused the bridge: it works again after unpause of SuperchainConfig',
  SmallGasLimit: () =>
    'a deposit needs a gas limit on L2 of at least 21000 and 16 for each byte of its data (minimumGasLimit)',
  LargeCalldata: () => 'a deposit has at most 120000 bytes of data',
  BadTarget: () => 'a deposit that creates a contract has the zero address as its recipient',
}

/** Places in the storage of DisputeGameFactory (`_disputeGameList`) and of OptimismPortal2 (`provenWithdrawals`). */
const [GAMES_SLOT, PROVEN_SLOT] = [104n, 57n]
/** The selector of finalizeWithdrawalTransactionExternalProof, whose second parameter is the proof's submitter. */
const EXTERNAL_PROOF = '43ca1c50'

/** Returns the time at which a withdrawal was proven that the transaction finalizes. The withdrawal is its last parameter. */
function provenAt(transaction: Transaction, state: StateView): bigint {
  const { to, data } = transaction
  const withdrawal = keccak256(data.subarray(4 + Number(wordAt(transaction, 0))))
  const submitters = keccak256(concatenate([withdrawal, toWord(PROVEN_SLOT)]))
  const slot = keccak256(concatenate([toWord(BigInt(submitterOf(transaction))), submitters]))
  return state.storage(to!, toQuantity(slot)) >> 160n
}

function submitterOf(transaction: Transaction): Address {
  const isExternal = toDigits(transaction.data.subarray(0, 4)) === EXTERNAL_PROOF
  return isExternal ? addressAt(transaction.data.subarray(4), 1) : transaction.from
}

function wordAt({ data }: Transaction, place: number): bigint {
  return wordOf(data.subarray(4), place)
}

function dateOf(seconds: bigint): string {
  return new Date(Number(seconds) * 1_000).toISOString().replace('.000Z', 'Z')
}
