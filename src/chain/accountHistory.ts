/** The history of one account. States share records, so a block that did not change the account costs one look-up. */
import { areEqual } from '../bytes/bytes.ts'
import type { Address } from '../bytes/hex.ts'
import type { AccountRecord, State } from '../state/state.ts'
import type { Chain } from './chain.ts'
import { firstTransactionIndex, hasState, type Moment, type SliceMoment, slicesOf } from './moment.ts'

export interface AccountStep {
  /** The block and state after the slice or seal that changed the account. */
  readonly moment: Moment
  /** The state before the change; `undefined` for a change in the first block. */
  readonly earlier: State | undefined
  readonly before: AccountRecord | undefined
  readonly after: AccountRecord | undefined
  /** The index of the slice; `undefined` for a change by the seal, or if the slices of the block are not kept. */
  readonly slice: number | undefined
  /** The index in the block of the first transaction that may have changed the account. */
  readonly first: number
  readonly isSealed: boolean
}

export interface AccountHistory {
  readonly steps: readonly AccountStep[]
  /** The value of `end` for the next page; `undefined` on the last page. */
  readonly next: bigint | undefined
}

const MAX_BLOCKS = 20_000

/** Returns an account's changes in at most `limit` blocks before `end`, newest first. Searches at most `MAX_BLOCKS`. */
export async function accountHistory(
  chain: Chain,
  address: Address,
  { limit, end }: { readonly limit: number; readonly end: bigint | undefined },
  pause: () => Promise<void> | undefined,
): Promise<AccountHistory> {
  const { history } = chain.state
  const { latest } = history
  const steps: AccountStep[] = []
  let blocks = 0
  const add = (changes: readonly AccountStep[]) => {
    steps.push(...changes.toReversed())
    if (changes.length > 0) blocks++
  }
  const open = chain.preconfirmed
  const next = latest.block.header.number + 1n
  if (open?.block.header.number === next && (end === undefined || end > next)) {
    add(changesIn(slicesOf(open), latest.state, address, false))
  }
  let number = Number(end === undefined || end > next ? next : end) - 1
  for (let seen = 0; number >= history.first; number--, seen++) {
    if (blocks >= limit || seen === MAX_BLOCKS) return { steps, next: BigInt(number) + 1n }
    const sealed = history.keptBlock(number)
    if (sealed === undefined || !hasState(sealed)) break
    const earlier = number === history.first ? undefined : history.keptBlock(number - 1)
    if (earlier !== undefined && hasState(earlier)) {
      if (!isSame(earlier.state.record(address), sealed.state.record(address))) {
        add(changesIn([...slicesOf(sealed.lastSlice), sealed], earlier.state, address, true))
      }
    } else if (number === history.first && sealed.state.remote === undefined) {
      add(changesIn([sealed], undefined, address, true))
    }
    await pause()
  }
  return { steps, next: undefined }
}

/** Returns the account's changes between consecutive moments, oldest first. `before` is the state before the first. */
function changesIn(
  moments: readonly (Moment | SliceMoment)[],
  before: State | undefined,
  address: Address,
  isSealed: boolean,
): readonly AccountStep[] {
  let earlier = before
  let first = 0
  return moments.flatMap((moment) => {
    const was = earlier?.record(address)
    const is = moment.state.record(address)
    const step = {
      moment,
      earlier,
      before: was,
      after: is,
      slice: 'slices' in moment ? moment.slices : undefined,
      first: 'slices' in moment ? firstTransactionIndex(moment) : first,
      isSealed,
    }
    earlier = moment.state
    first = moment.block.transactions.length
    return isSame(was, is) ? [] : [step]
  })
}

/** Compares the fields of records, because each read of a remote account returns a new object. */
function isSame(one: AccountRecord | undefined, other: AccountRecord | undefined): boolean {
  if (one === other) return true
  if (one === undefined || other === undefined) return false
  return (
    one.balance === other.balance &&
    one.nonce === other.nonce &&
    one.slots === other.slots &&
    areEqual(one.codeHash, other.codeHash)
  )
}
