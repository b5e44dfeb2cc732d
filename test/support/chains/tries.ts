/** Keys and values that make tries of every shape. */
import { toBinary } from '../../../src/bytes/bytes.ts'
import type { Random } from '../random/random.ts'

/** How keys look: each kind reaches other shapes of nodes. */
export const KEYS: Record<string, (random: Random) => string[]> = {
  'of 32 random bytes': (random) => random.list(120, () => toBinary(random.bytes(32))),
  // Extension nodes of every length, and branches right below each other.
  'with long common prefixes': (random) => {
    const stem = random.bytes(32)
    return random.list(60, () => {
      const key = stem.slice()
      for (let rest = random.between(1, 2); rest > 0; rest--) {
        const index = random.pick([0, 1, 15, 29, 30, 31])
        key[index]! ^= random.pick([0x01, 0x10, 0x11])
      }
      return toBinary(key)
    })
  },
  // Full branches, and nodes shorter than a hash, which stand in their parents themselves.
  'of 2 bytes': (random) => random.list(200, () => toBinary(random.bytes(2))),
  'of 1 byte': () => Array.from({ length: 256 }, (_, byte) => toBinary(Uint8Array.of(byte))),
}

/** Small values make nodes that stand in their parents, large ones make hashed nodes. Never empty: that is removal. */
export function randomValue(random: Random): Uint8Array {
  return random.bytes(random.pick([1, 1, 2, 5, 20, 28, 29, 30, 31, 32, 33, 60, 110]))
}
