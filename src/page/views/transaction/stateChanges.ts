/** State changes of a transaction by account: from `prestateTracer`, with names of variables from the debugged run. */
import type { Hex } from '../../../bytes/hex.ts'
import type { DebugRunAnswer } from '../../../wire/debugRun.ts'

interface PrestateAccount {
  readonly balance?: Hex
  readonly nonce?: number
  readonly code?: Hex
  readonly storage?: Readonly<Record<Hex, Hex>>
}

/** The answer of `prestateTracer` with `diffMode`. */
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

export interface SlotChange extends Change<Hex> {
  readonly slot: Hex
  /** Empty if the sources are unknown. */
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

const ZERO: Hex = `0x${'0'.repeat(64)}`

/** Returns the changed accounts. geth omits zeros, and unchanged members of the state afterwards. */
export function stateChanges({ pre, post }: StateDiff, run: DebugRunAnswer | undefined): AccountChange[] {
  const named = variablesBySlot(run)
  const changes: AccountChange[] = []
  for (const address of new Set([...Object.keys(pre), ...Object.keys(post)])) {
    const before = pre[address]
    const after = post[address]
    const change: AccountChange = {
      address,
      kind: before === undefined ? 'created' : after === undefined ? 'destroyed' : 'changed',
      balance: changed(
        BigInt(before?.balance ?? 0),
        after === undefined ? 0n : BigInt(after.balance ?? before?.balance ?? 0),
      ),
      nonce: changed(before?.nonce ?? 0, after === undefined ? 0 : (after.nonce ?? before?.nonce ?? 0)),
      code: changed(before?.code ?? '0x', after === undefined ? '0x' : (after.code ?? before?.code ?? '0x')),
      storage: slotsOf(before?.storage ?? {}, after?.storage ?? {}, address, named),
    }
    const isSame =
      change.kind === 'changed' &&
      change.balance === undefined &&
      change.nonce === undefined &&
      change.code === undefined &&
      change.storage.length === 0
    if (!isSame) changes.push(change)
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

/** Returns the variables with lasting writes, by account and slot. */
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
