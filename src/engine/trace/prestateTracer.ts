/**
 * geth's prestateTracer (eth/tracers/native/prestate.go): the accounts and slots that a transaction accesses, with
 * their values before the transaction, and in diff mode with changed values. The values are read after the run.
 */

import { type Address, EMPTY_BYTES, toHex } from '../../bytes/hex.ts'
import { contractAddress, delegateOf } from '../../model/account/account.ts'
import type { PrestateAccount, PrestateOptions } from '../../model/execution/trace.ts'
import type { AccountRecord, State } from '../../state/state.ts'
import { accountOf, createdBy, slotOf } from './operands.ts'
import type { TraceBudget, Tracer } from './tracer.ts'

/** Approximate memory of a collected address or slot, in bytes. */
const NAME_BYTES = 150

interface StepAccess {
  readonly called: Address | undefined
  readonly created: Address | undefined
  readonly slot: bigint | undefined
  readonly at: Address
}

export function prestateTracer(options: PrestateOptions, budget: TraceBudget): Tracer {
  const accessed = new Map<Address, Set<bigint>>()
  let before: State
  let delegations: ReadonlyMap<Address, Address>
  let last: StepAccess | undefined

  const access = (address: Address | undefined): void => {
    if (address === undefined || accessed.has(address)) return
    const code = options.code ? before.code(address).length : 0
    budget.take(NAME_BYTES + code)
    accessed.set(address, new Set())
  }

  const accessCalled = (address: Address | undefined): void => {
    access(address)
    if (address !== undefined) access(delegations.get(address) ?? delegateOf(before.code(address)))
  }

  /** Records the accounts and slots that the last step accessed. Called when that step is known to have succeeded. */
  const settle = (): void => {
    if (last === undefined) return
    const { called, created, slot, at } = last
    last = undefined
    accessCalled(called)
    access(created)
    if (slot === undefined || !options.storage) return
    const slots = accessed.get(at)
    if (slots === undefined || slots.has(slot)) return
    budget.take(NAME_BYTES)
    slots.add(slot)
  }

  return {
    begin(start) {
      before = start.state
      delegations = start.delegations
      access(start.from)
      accessCalled(start.to ?? contractAddress(start.from, start.nonce))
      access(start.block.coinbase)
      for (const authority of delegations.keys()) access(authority)
    },

    step(step) {
      settle()
      last = { called: accountOf(step), created: createdBy(step), slot: slotOf(step), at: step.address }
    },

    enter: settle,

    fault() {
      last = undefined
    },

    exit: settle,

    finish: ({ state: after }) =>
      options.diffMode
        ? { kind: 'stateDiff', ...difference(before, after, accessed, options) }
        : { kind: 'prestate', accounts: accountsBefore(before, accessed, options) },
  }
}

function accountsBefore(
  before: State,
  accessed: ReadonlyMap<Address, ReadonlySet<bigint>>,
  options: PrestateOptions,
): Map<Address, PrestateAccount> {
  const accounts = new Map<Address, PrestateAccount>()
  for (const [address, slots] of accessed) {
    const record = before.record(address)
    if (isEmpty(record) && !options.includeEmpty) continue
    const storage = new Map([...slots].map((slot) => [slot, before.storage(address, slot)]))
    accounts.set(address, accountOfRecord(record, storage, options))
  }
  return accounts
}

function difference(
  before: State,
  after: State,
  accessed: ReadonlyMap<Address, ReadonlySet<bigint>>,
  options: PrestateOptions,
): { pre: Map<Address, PrestateAccount>; post: Map<Address, PrestateAccount> } {
  const pre = new Map<Address, PrestateAccount>()
  const post = new Map<Address, PrestateAccount>()
  for (const [address, slots] of accessed) {
    const old = before.record(address)
    const now = after.record(address)
    const isGone = old !== undefined && now === undefined
    const oldSlots = new Map<bigint, bigint>()
    const newSlots = new Map<bigint, bigint>()
    for (const slot of slots) {
      const was = before.storage(address, slot)
      const is = after.storage(address, slot)
      // Of a deleted account, all accessed slots are reported.
      if (isGone) oldSlots.set(slot, was)
      if (was === is) continue
      if (was !== 0n) oldSlots.set(slot, was)
      if (is !== 0n) newSlots.set(slot, is)
    }
    const changed: PrestateAccount = {
      balance: differing(old?.balance ?? 0n, now?.balance ?? 0n),
      nonce: differing(old?.nonce ?? 0n, now?.nonce ?? 0n),
      ...(isSameCode(old, now) ? NO_CODE : codeOf(now, options)),
      storage: newSlots,
    }
    const hasChanged =
      isGone ||
      changed.balance !== undefined ||
      changed.nonce !== undefined ||
      changed.codeHash !== undefined ||
      (slots.size > 0 && (oldSlots.size > 0 || newSlots.size > 0))
    if (!hasChanged) continue
    if (!isEmpty(old) || options.includeEmpty) pre.set(address, accountOfRecord(old, oldSlots, options))
    if (!isGone) post.set(address, changed)
  }
  return { pre, post }
}

function accountOfRecord(
  record: AccountRecord | undefined,
  storage: ReadonlyMap<bigint, bigint>,
  options: PrestateOptions,
): PrestateAccount {
  return {
    balance: record?.balance ?? 0n,
    nonce: record?.nonce ?? 0n,
    ...(record !== undefined && record.code.length > 0 ? codeOf(record, options) : NO_CODE),
    storage,
  }
}

const NO_CODE = { code: undefined, codeHash: undefined }

function codeOf(
  record: AccountRecord | undefined,
  options: PrestateOptions,
): Pick<PrestateAccount, 'code' | 'codeHash'> {
  return {
    code: options.code ? (record?.code ?? EMPTY_BYTES) : undefined,
    codeHash: record === undefined ? undefined : toHex(record.codeHash),
  }
}

function isSameCode(a: AccountRecord | undefined, b: AccountRecord | undefined): boolean {
  return toHex(a?.code ?? EMPTY_BYTES) === toHex(b?.code ?? EMPTY_BYTES)
}

function differing(old: bigint, now: bigint): bigint | undefined {
  return old === now ? undefined : now
}

function isEmpty(record: AccountRecord | undefined): boolean {
  return record === undefined || (record.balance === 0n && record.nonce === 0n && record.code.length === 0)
}
