import { BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS } from '../model/bytecode/predeploys.ts'
import type { MissingValue, RemoteCall } from '../state/remoteState.ts'
import { encodeBytes, encodeQuantity, parseAddress, parseSlot } from '../wire/hex.ts'
import type { UpstreamRequest } from './upstream.ts'

export function accessListRequest({ from, to, value, data }: RemoteCall, number: bigint): UpstreamRequest {
  const call = {
    from,
    ...(to === undefined ? {} : { to }),
    value: encodeQuantity(value),
    data: encodeBytes(data),
    // With a gas price of zero the sender needs no ether.
    gasPrice: '0x0',
  }
  const params = [call, encodeQuantity(number)]
  return { method: 'eth_createAccessList', params, isImmutable: true, isOptional: true }
}

/** Returns the accounts and slots in the result of eth_createAccessList; an empty list for a malformed result. */
export function parseAccessList(result: unknown): readonly MissingValue[] {
  try {
    const { accessList } = result as {
      accessList: readonly { address: unknown; storageKeys: readonly unknown[] }[]
    }
    return accessList.flatMap(({ address: given, storageKeys }): MissingValue[] => {
      const address = parseAddress(given, 'address')
      const slots = storageKeys.map((key) => {
        return { kind: 'slot' as const, address, slot: parseSlot(key, 'key') }
      })
      return [{ kind: 'account', address }, ...slots]
    })
  } catch {
    return []
  }
}

/** Ring buffers of system contracts: each block writes the next slots without reading them (EIP-2935, EIP-4788). */
const RINGS: readonly string[] = [HISTORY_STORAGE_ADDRESS, BEACON_ROOTS_ADDRESS]
/** The largest step between consecutive slots. EIP-4788 indexes slots by timestamp, which grows by the block time. */
const MOST_APART = 15n
const MOST_AHEAD = 32

/**
 * Returns the slots that the following blocks will write if the step between slots stays the same: as many as `known`,
 * so that fetches become rarer with time.
 */
export function slotsAhead(
  values: readonly MissingValue[],
  has: (value: MissingValue) => boolean,
): readonly MissingValue[] {
  return values.flatMap((value) => {
    if (value.kind !== 'slot' || !RINGS.includes(value.address)) return []
    const { address, slot } = value
    const at = (place: bigint): MissingValue => ({ kind: 'slot', address, slot: place })
    let step = 1n
    while (step <= MOST_APART && !(slot >= step && has(at(slot - step)))) step++
    let before = 0
    while (
      before < MOST_AHEAD &&
      slot >= step * BigInt(before + 1) &&
      has(at(slot - step * BigInt(before + 1)))
    ) {
      before++
    }
    return Array.from({ length: before }, (_, index) => at(slot + step * BigInt(index + 1)))
  })
}
