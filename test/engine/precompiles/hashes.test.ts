/** The precompiles SHA256 and RIPEMD160, compared with Node's hashes. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { toHex } from '../../../src/bytes/hex.ts'
import { precompilesUnder } from '../../../src/engine/precompiles/precompiles.ts'
import { createRules } from '../../../src/model/hardfork/hardfork.ts'
import { withRandom } from '../../support/random/random.ts'

const rules = createRules('frontier', 1n)

describe.each([
  ['sha256', '0x0000000000000000000000000000000000000002'],
  ['ripemd160', '0x0000000000000000000000000000000000000003'],
] as const)('%s', (name, address) => {
  const hashed = (input: Uint8Array) => toHex(precompilesUnder(rules).get(address)!.run(input, rules)!)
  const expected = (input: Uint8Array) =>
    `0x${createHash(name).update(input).digest('hex').padStart(64, '0')}`

  it(
    'hashes inputs of 0 to 300 bytes: all lengths of the last block',
    withRandom((random) => {
      for (let length = 0; length <= 300; length++) {
        const input = random.bytes(length)
        expect(hashed(input), `${length} bytes`).toBe(expected(input))
      }
    }),
  )

  it(
    'hashes a megabyte',
    withRandom((random) => {
      const input = random.bytes(1_000_000)
      expect(hashed(input)).toBe(expected(input))
    }),
  )
})
