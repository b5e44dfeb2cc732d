/** `ImportFailed`: the reason why an import ended early. */
import type { Hash } from '../../bytes/hex.ts'
import { type ByKind, byKind, rejectionText } from '../../rpc/errors/refusals.ts'
import type { BlockFlaw, BlockRule, InclusionRejection } from '../../sequencer/import/flawInHeader.ts'
import type { ImportOutcome, ImportProblem } from '../../sequencer/import/importBlocks.ts'

/** The last valid block, which is the newest block after a failed import. */
export interface Head {
  readonly number: bigint
  readonly hash: Hash
}

/** The value of `ImportFailed.reason`: the rule that a block breaks, or the reason why the input could not be read. */
export type ImportFailure =
  /** The devnet was closed during the import. */
  | 'closed'
  /** The input is truncated, or is not a list of blocks. */
  | 'brokenStream'
  /** The bytes of a block cannot be decoded. */
  | 'malformedBlock'
  /** A field differs from the value that the parent or the execution of the block gives. */
  | 'differs'
  | BlockRule
  /** The reason why a transaction cannot be included in the block. */
  | InclusionRejection['kind']

/** The error with which `devnet.import` rejects. The blocks before the bad block stay on the chain. */
export class ImportFailed extends Error {
  /** The reason as an identifier, such as `differs`, `timestampBeforeParent` or `insufficientFunds`. */
  readonly reason: ImportFailure
  /** The wrong field, such as `stateRoot` or `transactions[3]`; absent for truncated input. */
  readonly field: string | undefined
  /** The number of the block; absent if it could not be read. */
  readonly blockNumber: bigint | undefined
  /** The value in the block, as text; present only together with `computed`. */
  readonly stated: string | undefined
  /** The value that preseal computed, as text; present only together with `stated`. */
  readonly computed: string | undefined
  /** Number of blocks that were imported before the bad block. */
  readonly imported: number
  readonly head: Head

  constructor(problem: ImportProblem, { imported }: ImportOutcome, head: Head) {
    const stays = `${imported} new block${imported === 1 ? ' is' : 's are'} kept; the chain is at block ${head.number} (${head.hash})`
    const { text, reason, field } = byKind(CAUSES, problem)
    super(`import: ${text}; ${stays}`)
    this.name = 'ImportFailed'
    this.reason = reason
    this.field = field
    this.blockNumber = problem.kind === 'flawedBlock' ? problem.number : undefined
    const difference =
      problem.kind === 'flawedBlock' && problem.flaw.kind === 'differs' ? problem.flaw : undefined
    this.stated = difference?.stated
    this.computed = difference?.computed
    this.imported = imported
    this.head = head
  }
}

/** The properties of an import error that depend on the problem. `text` is its part of the message. */
interface Cause extends Pick<ImportFailed, 'reason'> {
  readonly field?: string
  readonly text: string
}

const CAUSES: ByKind<ImportProblem, [], Cause> = {
  closed: ({ kind }) => ({ reason: kind, text: 'the devnet was closed meanwhile' }),
  brokenStream: ({ kind, detail }) => ({ reason: kind, text: detail }),
  malformedBlock: ({ kind, offset, field, reason }) => ({
    reason: kind,
    field,
    text: `the block at byte ${offset} is malformed: ${field}: ${reason}`,
  }),
  flawedBlock({ number, hash, flaw }) {
    const cause = byKind(CAUSES_OF_FLAWS, flaw)
    return { ...cause, text: `block ${number} (${hash}): ${cause.text}` }
  },
}

const CAUSES_OF_FLAWS: ByKind<BlockFlaw, [], Cause> = {
  differs: (flaw) => ({ reason: flaw.kind, field: flaw.field, text: differenceText(flaw) }),
  invalid: ({ field, rule, reason }) => ({ reason: rule, field, text: `${field}: ${reason}` }),
  transaction({ index, hash, rejection }) {
    const field = `transactions[${index}]`
    return { reason: rejection.kind, field, text: `${field} (${hash}): ${rejectionText(rejection)}` }
  },
}

function differenceText({ field, stated, computed }: Extract<BlockFlaw, { kind: 'differs' }>): string {
  // A block does not contain its own hash: the `parentHash` of the next block states it.
  if (field === 'hash')
    return `hash: the hash of the header is ${stated}, but the next block names ${computed} as its parent`
  const [says, gives] = excerpts(stated, computed)
  return `${field}: the header says ${says}, ${SOURCES[field] ?? 'after its parent it must be'} ${gives}`
}

/** The source of the computed value of a header field, as text. The parent determines all other fields. */
const SOURCES: Record<string, string> = {
  number: 'the next block here is',
  parentHash: 'the newest block here is',
  transactionsRoot: 'the transactions give',
  ommersHash: 'the ommers give',
  withdrawalsRoot: 'the withdrawals give',
  gasUsed: 'running the block gives',
  blobGasUsed: 'the transactions give',
  stateRoot: 'running the block gives',
  receiptsRoot: 'running the block gives',
  logsBloom: 'running the block gives',
  requestsHash: 'running the block gives',
}

const LONGEST = 80

/** Shortens two long values, such as Bloom filters, to eight bytes from the first difference on. */
function excerpts(stated: string, computed: string): [string, string] {
  if (stated.length <= LONGEST) return [stated, computed]
  let at = 2
  while (stated[at] === computed[at]) at++
  at -= at % 2
  const from = (text: string) => `0x${at > 2 ? '…' : ''}${text.slice(at, at + 16)}…`
  return [from(stated), `${from(computed)} from byte ${(at - 2) / 2} on`]
}
