/** The values that an access list names. */
import type { MissingValue } from '../state/remoteState.ts'
import { parseAddress, parseSlot } from '../wire/hex.ts'

/**
 * Returns the accounts and slots in the result of eth_createAccessList. An access list only saves requests: a wrong one
 * names nothing.
 */
export function parseAccessList(result: unknown): readonly MissingValue[] {
  try {
    const { accessList } = result as {
      accessList: readonly { address: unknown; storageKeys: readonly unknown[] }[]
    }
    return accessList.flatMap(({ address: given, storageKeys }): MissingValue[] => {
      const address = parseAddress(given, 'address')
      const slots = storageKeys.map((key) => ({
        kind: 'slot' as const,
        address,
        slot: parseSlot(key, 'key'),
      }))
      return [{ kind: 'account', address }, ...slots]
    })
  } catch {
    return []
  }
}
