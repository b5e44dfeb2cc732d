/** RIPEMD-160 in WebAssembly, held against Node's. */
import { createHash } from 'node:crypto'
import { bytesToHex } from '@noble/hashes/utils.js'
import { expect, it } from 'vitest'
import { compiledAssembly } from '../../support/compilers/compiledAssembly.ts'
import { withRandom } from '../../support/random/random.ts'

const { memory, exports } = await compiledAssembly('ripemd160')
const bytes = new Uint8Array(memory.buffer)
const INPUT = 0x200000
const RESULT = 0x300000

function hashed(input: Uint8Array, result = RESULT): string {
  bytes.set(input, INPUT)
  exports.ripemd160!(INPUT, input.length, result)
  return bytesToHex(bytes.subarray(result, result + 32))
}

const expected = (input: Uint8Array) => '0'.repeat(24) + createHash('ripemd160').update(input).digest('hex')

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

it(
  'writes the result over its input',
  withRandom((random) => {
    for (const length of [32, 55, 56, 64, 200]) {
      const input = random.bytes(length)
      expect(hashed(input, INPUT)).toBe(expected(input))
    }
  }),
)
