/** Ids that a chain gives to what it keeps for whoever asked: those of the recording, and those that are given when it is played. */

type Kind = 'snapshot' | 'filter' | 'subscription' | 'fault'

/** Methods that answer one. */
const GIVING: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['evm_snapshot', 'snapshot'],
  ['anvil_snapshot', 'snapshot'],
  ['eth_newFilter', 'filter'],
  ['eth_newBlockFilter', 'filter'],
  ['eth_newPendingTransactionFilter', 'filter'],
  ['eth_subscribe', 'subscription'],
  ['preseal_addFault', 'fault'],
])

/** Methods whose first parameter is one. */
const TAKING: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['evm_revert', 'snapshot'],
  ['anvil_revert', 'snapshot'],
  ['eth_getFilterChanges', 'filter'],
  ['eth_getFilterLogs', 'filter'],
  ['eth_uninstallFilter', 'filter'],
  ['eth_unsubscribe', 'subscription'],
  ['preseal_removeFault', 'fault'],
])

export class GivenIds {
  /** By kind and recorded id. */
  readonly #given = new Map<string, unknown>()

  /** Whether the answer to `method` is an id, which may be any. */
  isGiving(method: string): boolean {
    return GIVING.has(method)
  }

  /** Learns which id was given in the place of that of the recording. */
  learn(method: string, recorded: unknown, given: unknown): void {
    const kind = GIVING.get(method)
    if (kind !== undefined) this.#given.set(keyOf(kind, recorded), given)
  }

  /** The parameters with the ids that were given here. */
  translated(method: string, params: readonly unknown[]): readonly unknown[] {
    const kind = TAKING.get(method)
    const given = kind && this.#given.get(keyOf(kind, params[0]))
    return given === undefined ? params : [given, ...params.slice(1)]
  }
}

/** The same id may be written in more than one way. */
function keyOf(kind: Kind, id: unknown): string {
  const isNumber =
    typeof id === 'number' ? Number.isSafeInteger(id) : /^(0x[0-9a-f]+|[0-9]+)$/i.test(String(id))
  return `${kind} ${isNumber ? BigInt(id as number | string) : JSON.stringify(id)}`
}
