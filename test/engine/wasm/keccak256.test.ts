/** Keccak-256 in WebAssembly, compared with noble's. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { expect, it } from 'vitest'
import { compiledAssembly } from '../../support/compilers/compiledAssembly.ts'
import { withRandom } from '../../support/random/random.ts'

const { memory, exports } = await compiledAssembly('keccak256')
const bytes = new Uint8Array(memory.buffer)
const INPUT = 0x200000
const RESULT = 0x300000

function hashed(name: 'keccak256' | 'keccak256Word', input: Uint8Array, result = RESULT): string {
  bytes.set(input, INPUT)
  exports[name]!(INPUT, input.length, result)
  const hash = bytes.slice(result, result + 32)
  // A word has its lowest byte first.
  return bytesToHex(name === 'keccak256' ? hash : hash.reverse())
}

it(
  'hashes inputs of 0 to 600 bytes: all lengths of the last block, up to five blocks',
  withRandom((random) => {
    for (let length = 0; length <= 600; length++) {
      const input = random.bytes(length)
      const expected = bytesToHex(keccak_256(input))
      expect(hashed('keccak256', input), `${length} bytes`).toBe(expected)
      expect(hashed('keccak256Word', input), `${length} bytes, as a word`).toBe(expected)
    }
  }),
)

it(
  'hashes the two words of a mapping, again and again, and others in between',
  withRandom((random) => {
    const inputs = random.list(50, () => random.bytes(64))
    const expected = inputs.map((input) => bytesToHex(keccak_256(input)))
    for (let i = 0; i < 3_000; i++) {
      const index = random.below(inputs.length)
      expect(hashed('keccak256Word', inputs[index]!)).toBe(expected[index])
      // One bit makes it another input.
      const other = inputs[index]!.slice()
      other[random.below(64)]! ^= 1 << random.below(8)
      if (random.chance(0.2)) expect(hashed('keccak256Word', other)).toBe(bytesToHex(keccak_256(other)))
    }
  }),
)

it(
  'writes the result over its input',
  withRandom((random) => {
    for (const length of [32, 64, 135, 136, 137]) {
      const input = random.bytes(length)
      expect(hashed('keccak256', input, INPUT)).toBe(bytesToHex(keccak_256(input)))
      expect(hashed('keccak256Word', input, INPUT)).toBe(bytesToHex(keccak_256(input)))
    }
  }),
)

it(
  'hashes a megabyte, and bytes that end with the memory',
  withRandom((random) => {
    const large = random.bytes(1_000_000)
    expect(hashed('keccak256', large)).toBe(bytesToHex(keccak_256(large)))
    for (const length of [1, 31, 64, 100]) {
      const input = random.bytes(length)
      const at = bytes.length - length
      bytes.set(input, at)
      exports.keccak256!(at, length, RESULT)
      expect(bytesToHex(bytes.slice(RESULT, RESULT + 32))).toBe(bytesToHex(keccak_256(input)))
    }
  }),
)

it(
  'hashes two words by a way of their own',
  withRandom((random) => {
    for (let i = 0; i < 200; i++) {
      const input = i === 0 ? new Uint8Array(64) : random.bytes(64)
      bytes.set(input, INPUT)
      exports.keccakOfPair!(INPUT, RESULT)
      expect(bytesToHex(bytes.slice(RESULT, RESULT + 32).reverse())).toBe(bytesToHex(keccak_256(input)))
    }
  }),
)
