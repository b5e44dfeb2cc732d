/** Compares the state before and after a transaction (`prestateTracer`). The source trace names the variables. */
import type { Hex } from '../../../bytes/hex.ts'
import type { DebugRunAnswer } from '../../../wire/debugRun.ts'

interface PrestateAccount {
  readonly balance?: Hex
  readonly nonce?: number
  readonly code?: Hex
  readonly storage?: Readonly<Record<Hex, Hex>>
}

/** The result of `prestateTracer` with `diffMode`. */
export interface StateDiff {
  readonly pre: Readonly<Record<string, PrestateAccount>>
  readonly post: Readonly<Record<string, PrestateAccount>>
}

export interface Change<T> {
  readonly before: T
  readonly after: T
}

interface VariableChange extends Change<unknown> {
  readonly name: string
  readonly type: string | undefined
}

interface SlotChange extends Change<Hex> {
  readonly slot: Hex
  readonly variables: readonly VariableChange[]
}

export interface AccountChange {
  readonly address: string
  readonly kind: 'created' | 'changed' | 'destroyed'
  readonly balance: Change<bigint> | undefined
  readonly nonce: Change<number> | undefined
  readonly code: Change<Hex> | undefined
  readonly storage: readonly SlotChange[]
}

const NO_ACCOUNT = { balance: '0x0', nonce: 0, code: '0x' } as const satisfies PrestateAccount
const ZERO: Hex = `0x${'0'.repeat(64)}`

/** Returns the changed accounts. geth omits zero values, and in `post` also unchanged members. */
export function stateChanges({ pre, post }: StateDiff, run: DebugRunAnswer | undefined): AccountChange[] {
  const named = variablesBySlot(run)
  const changes: AccountChange[] = []
  for (const address of new Set([...Object.keys(pre), ...Object.keys(post)])) {
    const before = { ...NO_ACCOUNT, ...pre[address] }
    const after = post[address] === undefined ? NO_ACCOUNT : { ...before, ...post[address] }
    const kind = !(address in pre) ? 'created' : !(address in post) ? 'destroyed' : 'changed'
    const balance = changed(BigInt(before.balance), BigInt(after.balance))
    const nonce = changed(before.nonce, after.nonce)
    const code = changed(before.code, after.code)
    const storage = slotsOf(pre[address]?.storage ?? {}, post[address]?.storage ?? {}, address, named)
    if (kind !== 'changed' || balance || nonce || code || storage.length > 0)
      changes.push({ address, kind, balance, nonce, code, storage })
  }
  return changes
}

function changed<T>(before: T, after: T): Change<T> | undefined {
  return before === after ? undefined : { before, after }
}

function slotsOf(
  before: Readonly<Record<Hex, Hex>>,
  after: Readonly<Record<Hex, Hex>>,
  address: string,
  named: Named,
): SlotChange[] {
  const slots = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<Hex>
  return [...slots]
    .map((slot) => ({
      slot,
      before: before[slot] ?? ZERO,
      after: after[slot] ?? ZERO,
      variables: [...(named.get(`${address} ${slot}`)?.values() ?? [])].filter(
        (variable) => JSON.stringify(variable.before) !== JSON.stringify(variable.after),
      ),
    }))
    .filter((change) => change.before !== change.after)
}

type Named = ReadonlyMap<string, ReadonlyMap<string, VariableChange>>

function variablesBySlot(run: DebugRunAnswer | undefined): Named {
  const named = new Map<string, Map<string, VariableChange>>()
  for (const { storage } of run?.steps ?? []) {
    for (const { kind, isTransient, isReverted, address, slot, name, type, before, value } of storage) {
      if (kind !== 'write' || isTransient || isReverted || name === undefined) continue
      const key = `${address} ${slot}`
      const variables = named.get(key) ?? new Map<string, VariableChange>()
      named.set(key, variables)
      const first = variables.get(name)
      variables.set(name, { name, type, before: first === undefined ? before : first.before, after: value })
    }
  }
  return named
}
