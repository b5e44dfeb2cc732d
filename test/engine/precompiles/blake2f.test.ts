/** BLAKE2F, compared with the vectors of EIP-152, Node's BLAKE2b, and RFC 7693 in bigints. */
import { createHash } from 'node:crypto'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { expect, it } from 'vitest'
import { precompilesUnder } from '../../../src/engine/precompiles/precompiles.ts'
import { createRules } from '../../../src/model/hardfork/hardfork.ts'
import { compiledAssembly } from '../../support/compilers/compiledAssembly.ts'
import { type Random, withRandom } from '../../support/random/random.ts'

const rules = createRules('istanbul', 1n)
const precompile = precompilesUnder(rules).get('0x0000000000000000000000000000000000000009')!

const compressed = (input: Uint8Array) => bytesToHex(precompile.run(input, rules)!)

/** The hash of "abc" before its only block, that block, and 3 bytes so far: EIP-152's vectors differ in rounds and in the last byte. */
const START =
  '48c9bdf267e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5d182e6ad7f520e511f6c3e2b8c68059b6bbd41fbabd9831f79217e1319cde05b'
const ABC = `${START}616263${'00'.repeat(125)}0300000000000000${'00'.repeat(8)}`

it.each([
  [
    '4',
    '00000000',
    '01',
    '08c9bcf367e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5d282e6ad7f520e511f6c3e2b8c68059b9442be0454267ce079217e1319cde05b',
  ],
  [
    '5',
    '0000000c',
    '01',
    'ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923',
  ],
  [
    '6',
    '0000000c',
    '00',
    '75ab69d3190a562c51aef8d88f1c2775876944407270c42c9844252c26d2875298743e7f6d5ea2f2d3e8d226039cd31b4e426ac4f2d3d666a610c2116fde4735',
  ],
  [
    '7',
    '00000001',
    '01',
    'b63a380cb2897d521994a85234ee2c181b5f844d2c624c002677e9703449d2fba551b3a8333bcdf5f2f7e08993d53923de3d64fcc68c034e717b9293fed7a421',
  ],
])('gives what vector %s of EIP-152 expects', (_, rounds, last, expected) => {
  expect(compressed(hexToBytes(`${rounds}${ABC}${last}`))).toBe(expected)
})

it(
  'gives BLAKE2b-512 of several blocks, one after the other',
  withRandom((random) => {
    for (const length of [0, 1, 128, 129, 256, 1000]) {
      const message = random.bytes(length)
      const blocks = Math.max(1, Math.ceil(length / 128))
      const input = new Uint8Array(213)
      new DataView(input.buffer).setUint32(0, 12)
      input.set(hexToBytes(START), 4)
      for (let block = 0; block < blocks; block++) {
        input.fill(0, 68, 196)
        input.set(message.subarray(128 * block, 128 * block + 128), 68)
        new DataView(input.buffer).setUint32(196, Math.min(length, 128 * block + 128), true)
        input[212] = block === blocks - 1 ? 1 : 0
        input.set(hexToBytes(compressed(input)), 4)
      }
      expect(bytesToHex(input.subarray(4, 68))).toBe(createHash('blake2b512').update(message).digest('hex'))
    }
  }),
)

const anyInput = (random: Random, rounds: number) => {
  const input = random.bytes(213)
  new DataView(input.buffer).setUint32(0, rounds)
  input[212] = random.below(2)
  return input
}

it(
  'does each number of rounds as RFC 7693 says',
  withRandom((random) => {
    for (let rounds = 0; rounds <= 45; rounds++) {
      const input = anyInput(random, rounds)
      expect(compressed(input), `${rounds} rounds`).toBe(bytesToHex(inBigints(input)))
    }
  }),
)

const { memory, exports } = await compiledAssembly('blake2f')
const { start, mix, finish } = exports
const placeOf = (name: string) => (exports[name] as unknown as { readonly value: number }).value
const [INPUT, RESULT] = [placeOf('INPUT'), placeOf('RESULT')]
const bytes = new Uint8Array(memory.buffer)
const result = () => bytesToHex(bytes.slice(RESULT, RESULT + 64))

it(
  'does in pieces what it does at once',
  withRandom((random) => {
    for (let i = 0; i < 50; i++) {
      const rounds = random.between(1, 3_000)
      const input = anyInput(random, rounds)
      bytes.set(input, INPUT)
      start!()
      for (let done = 0; done < rounds; ) {
        const next = Math.min(rounds, done + random.between(1, 400))
        mix!(done, next)
        done = next
      }
      finish!()
      expect(result()).toBe(compressed(input))
    }
  }),
)

it(
  'has its own state in each of two calls that pause by turns',
  withRandom((random) => {
    const inputs = [1_150_000, 1_250_000].map((rounds) => anyInput(random, rounds))
    const calls = inputs.map((input) => precompile.runInParts!(input, rules))
    const outputs: (Uint8Array | undefined)[] = [undefined, undefined]
    for (let pauses = 0; outputs.includes(undefined); pauses++) {
      expect(pauses).toBeLessThan(100)
      for (const [i, call] of calls.entries()) {
        const step = call.next()
        if (step.done) outputs[i] ??= step.value
      }
    }
    expect(outputs.map((output) => bytesToHex(output!))).toEqual(inputs.map(compressed))
  }),
)

it(
  'does the last rounds of the most that can be asked for',
  withRandom((random) => {
    const input = anyInput(random, 0xffff_ffff)
    bytes.set(input, INPUT)
    // Rounds repeat their schedule after ten: 4,294,967,290 is round 0 again.
    start!()
    mix!(0xffff_fffa, 0xffff_ffff)
    finish!()
    new DataView(input.buffer).setUint32(0, 5)
    expect(result()).toBe(bytesToHex(inBigints(input)))
  }),
)

const SCHEDULE = [
  '0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15',
  '14 10 4 8 9 15 13 6 1 12 0 2 11 7 5 3',
  '11 8 12 0 5 2 15 13 10 14 3 6 7 1 9 4',
  '7 9 3 1 13 12 11 14 2 6 5 10 4 0 15 8',
  '9 0 5 7 2 4 10 15 14 1 11 12 6 8 3 13',
  '2 12 6 10 0 11 8 3 4 13 7 5 15 14 1 9',
  '12 5 1 15 14 13 4 10 0 7 6 3 9 2 8 11',
  '13 11 7 14 12 1 3 9 5 0 15 4 8 6 2 10',
  '6 15 14 9 11 3 0 8 12 2 13 7 1 4 10 5',
  '10 2 8 4 7 6 1 5 15 11 9 14 3 12 13 0',
].map((row) => row.split(' ').map(Number))
const IV = [
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
]

/** RFC 7693, section 3.2. */
function inBigints(input: Uint8Array): Uint8Array {
  const view = new DataView(input.buffer)
  const words = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => view.getBigUint64(from + 8 * index, true))
  const h = words(4, 8)
  const m = words(68, 16)
  const [t0, t1] = words(196, 2)
  const v = [...h, ...IV]
  v[12]! ^= t0!
  v[13]! ^= t1!
  if (input[212] === 1) v[14]! ^= 2n ** 64n - 1n
  const mod = (value: bigint) => BigInt.asUintN(64, value)
  const rotate = (value: bigint, by: bigint) => mod((value >> by) | (value << (64n - by)))
  const mix = (a: number, b: number, c: number, d: number, x: bigint, y: bigint) => {
    v[a] = mod(v[a]! + v[b]! + x)
    v[d] = rotate(v[d]! ^ v[a], 32n)
    v[c] = mod(v[c]! + v[d])
    v[b] = rotate(v[b]! ^ v[c], 24n)
    v[a] = mod(v[a] + v[b] + y)
    v[d] = rotate(v[d] ^ v[a], 16n)
    v[c] = mod(v[c] + v[d])
    v[b] = rotate(v[b] ^ v[c], 63n)
  }
  for (let round = 0; round < view.getUint32(0); round++) {
    const word = (place: number) => m[SCHEDULE[round % 10]![place]!]!
    for (let i = 0; i < 4; i++) mix(i, 4 + i, 8 + i, 12 + i, word(2 * i), word(2 * i + 1))
    for (let i = 0; i < 4; i++)
      mix(i, 4 + ((i + 1) % 4), 8 + ((i + 2) % 4), 12 + ((i + 3) % 4), word(8 + 2 * i), word(9 + 2 * i))
  }
  const result = new Uint8Array(64)
  for (let i = 0; i < 8; i++) new DataView(result.buffer).setBigUint64(8 * i, h[i]! ^ v[i]! ^ v[i + 8]!, true)
  return result
}
