/**
 * The history of one account: the slices and blocks in which it changed. States share what did not change, so of a block that
 * left the account alone one record is looked up, and nothing compared.
 */
import { areEqual } from '../bytes/bytes.ts'
import type { Address } from '../bytes/hex.ts'
import type { AccountRecord, State } from '../state/state.ts'
import type { Chain } from './chain.ts'
import { firstOf, hasState, type Moment, type SliceMoment, slicesOf } from './moment.ts'

/** A change of an account by a slice, or at the seal of a block. */
export interface AccountStep {
  /** The block as it was then. */
  readonly moment: Moment
  /** The state before it; `undefined`: there was none, it is the first block. */
  readonly earlier: State | undefined
  readonly before: AccountRecord | undefined
  readonly after: AccountRecord | undefined
  /** The index of the slice; `undefined`: the seal, or the slices of the block are not kept. */
  readonly slice: number | undefined
  /** The index of the first transaction that may have changed it. */
  readonly first: number
  readonly isSealed: boolean
}

/** Part of a history, the newest first. */
export interface AccountHistory {
  readonly steps: readonly AccountStep[]
  /** The number of the block before which the history continues; `undefined`: this was all. */
  readonly next: bigint | undefined
}

/** Blocks that one request looks at. */
const MOST_BLOCKS = 20_000

/**
 * Returns the changes of the account at `address` in the newest `limit` blocks that changed it, of those before `end` or of all. It
 * ends at blocks whose states are not kept, and after 20,000 blocks with a place to continue. `pause` is awaited between blocks.
 */
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
    if (blocks >= limit || seen === MOST_BLOCKS) return { steps, next: BigInt(number) + 1n }
    const sealed = history.held(number)
    if (sealed === undefined || !hasState(sealed)) break
    const earlier = number === history.first ? undefined : history.held(number - 1)
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

/** Returns the changes from moment to moment, the oldest first. */
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
      first: 'slices' in moment ? firstOf(moment) : first,
      isSealed,
    }
    earlier = moment.state
    first = moment.block.transactions.length
    return isSame(was, is) ? [] : [step]
  })
}

/** Returns whether nothing differs. Accounts of a forked network are other objects at each read. */
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
