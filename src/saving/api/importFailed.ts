/** `ImportFailed`: the reason why an import ended early. */
import type { Hash } from '../../bytes/hex.ts'
import { rejectionText } from '../../rpc/errors/refusals.ts'
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
    super(`import: ${problemText(problem)}; ${stays}`)
    this.name = 'ImportFailed'
    this.reason = reasonOf(problem)
    this.field = fieldOf(problem)
    this.blockNumber = problem.kind === 'flawedBlock' ? problem.number : undefined
    const difference =
      problem.kind === 'flawedBlock' && problem.flaw.kind === 'differs' ? problem.flaw : undefined
    this.stated = difference?.stated
    this.computed = difference?.computed
    this.imported = imported
    this.head = head
  }
}

function problemText(problem: ImportProblem): string {
  switch (problem.kind) {
    case 'closed':
      return 'the devnet was closed meanwhile'
    case 'brokenStream':
      return problem.detail
    case 'malformedBlock':
      return `the block at byte ${problem.offset} is malformed: ${problem.field}: ${problem.reason}`
    case 'flawedBlock':
      return `block ${problem.number} (${problem.hash}): ${flawText(problem.flaw)}`
  }
}

function flawText(flaw: BlockFlaw): string {
  switch (flaw.kind) {
    case 'differs':
      return differenceText(flaw)
    case 'invalid':
      return `${flaw.field}: ${flaw.reason}`
    case 'transaction':
      return `transactions[${flaw.index}] (${flaw.hash}): ${rejectionText(flaw.rejection)}`
  }
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

function fieldOf(problem: ImportProblem): string | undefined {
  switch (problem.kind) {
    case 'closed':
    case 'brokenStream':
      return undefined
    case 'malformedBlock':
      return problem.field
    case 'flawedBlock':
      return problem.flaw.kind === 'transaction' ? `transactions[${problem.flaw.index}]` : problem.flaw.field
  }
}

function reasonOf(problem: ImportProblem): ImportFailure {
  if (problem.kind !== 'flawedBlock') return problem.kind
  const { flaw } = problem
  switch (flaw.kind) {
    case 'differs':
      return 'differs'
    case 'invalid':
      return flaw.rule
    case 'transaction':
      return flaw.rejection.kind
  }
}
