/** The logs of a run, in the form that the module writes (`assembly/dynamic.ts`). */
import { toHex } from '../../bytes/hex.ts'
import type { Log } from '../../model/receipt/log.ts'

const HEAD = 32

/** Returns the logs that are written in `bytes`. */
export function logsOf(bytes: Uint8Array): Log[] {
  const numbers = new DataView(bytes.buffer, bytes.byteOffset)
  const logs: Log[] = []
  for (let place = 0; place < bytes.length; ) {
    const topics = numbers.getUint32(place, true)
    const length = numbers.getUint32(place + 4, true)
    // Written as a word: the last byte first.
    const address = bytes.slice(place + 8, place + 28).reverse()
    const begin = place + HEAD
    const end = begin + 32 * topics
    logs.push({
      address: toHex(address),
      topics: Array.from({ length: topics }, (_, i) =>
        toHex(bytes.subarray(begin + 32 * i, begin + 32 * (i + 1))),
      ),
      data: bytes.slice(end, end + length),
    })
    place = end + ((length + 7) & ~7)
  }
  return logs
}
