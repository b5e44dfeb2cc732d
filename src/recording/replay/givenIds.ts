/** Maps recorded ids of snapshots, filters, subscriptions and faults to those assigned during the replay. */

type Kind = 'snapshot' | 'filter' | 'subscription' | 'fault'

/** Methods that return an id. */
const RETURNING_ID: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['evm_snapshot', 'snapshot'],
  ['anvil_snapshot', 'snapshot'],
  ['eth_newFilter', 'filter'],
  ['eth_newBlockFilter', 'filter'],
  ['eth_newPendingTransactionFilter', 'filter'],
  ['eth_subscribe', 'subscription'],
  ['preseal_addFault', 'fault'],
])

/** Methods whose first parameter is an id. */
const TAKING_ID: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['evm_revert', 'snapshot'],
  ['anvil_revert', 'snapshot'],
  ['eth_getFilterChanges', 'filter'],
  ['eth_getFilterLogs', 'filter'],
  ['eth_uninstallFilter', 'filter'],
  ['eth_unsubscribe', 'subscription'],
  ['preseal_removeFault', 'fault'],
])

export class GivenIds {
  /** Assigned ids by kind and recorded id. */
  readonly #given = new Map<string, unknown>()

  /** Returns whether the result of `method` is an id, which may differ. */
  returnsId(method: string): boolean {
    return RETURNING_ID.has(method)
  }

  /** Registers the id that was assigned in place of the recorded one. */
  register(method: string, recorded: unknown, given: unknown): void {
    const kind = RETURNING_ID.get(method)
    if (kind !== undefined) this.#given.set(keyOf(kind, recorded), given)
  }

  /** Returns the parameters with the assigned ids. */
  translated(method: string, params: readonly unknown[]): readonly unknown[] {
    const kind = TAKING_ID.get(method)
    const given = kind && this.#given.get(keyOf(kind, params[0]))
    return given === undefined ? params : [given, ...params.slice(1)]
  }
}

/** Returns one key for all spellings of the same id. */
function keyOf(kind: Kind, id: unknown): string {
  const isNumber =
    typeof id === 'number' ? Number.isSafeInteger(id) : /^(0x[0-9a-f]+|[0-9]+)$/i.test(String(id))
  return `${kind} ${isNumber ? BigInt(id as number | string) : JSON.stringify(id)}`
}
