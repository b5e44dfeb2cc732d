/**
 * MODEXP (EIP-198; prices of EIP-2565 and EIP-7883, limits of EIP-7823), in BigInts: Montgomery multiplication in
 * WebAssembly is a quarter faster for 256 bits, equal for 512 to 2,048, and slower for more.
 */
import { EMPTY_BYTES, fromHex, toQuantity } from '../../bytes/hex.ts'
import type { Parts } from '../../crypto/curves/pairingCurve.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { inParts, padded } from './precompile.ts'

/** The bytes of the three lengths at the beginning of the input. */
const HEAD = 96
/** The limit of each length in bytes (EIP-7823). */
const LONGEST = 1_024n
/** The work between two pauses, in multiplications of 64-bit limbs: about 5 milliseconds. */
const WORK_OF_A_PART = 1_000_000
/** The work per byte of the exponent, apart from multiplications. */
const WORK_OF_A_BYTE = 500

/** Returns base to the power of exponent, modulo modulus; the output is as long as the modulus. */
export const modexp = inParts(gas, run)

interface Lengths {
  readonly base: bigint
  readonly exponent: bigint
  readonly modulus: bigint
}

function lengthsOf(input: Uint8Array): Lengths {
  const [base, exponent, modulus] = [0, 32, 64].map((at) => toQuantity(padded(input, at, 32)))
  return { base: base!, exponent: exponent!, modulus: modulus! }
}

function gas(rules: Rules, input: Uint8Array): bigint {
  const lengths = lengthsOf(input)
  const longest = max(lengths.base, lengths.modulus)
  if (rules.has(7883)) return max(500n, complexityOfOsaka(longest) * iterations(input, lengths, 16n))
  const rounds = iterations(input, lengths, 8n)
  if (!rules.has(2565)) return (complexityOfByzantium(longest) * rounds) / 20n
  return max(200n, (((longest + 7n) / 8n) ** 2n * rounds) / 3n)
}

/** EIP-198. */
function complexityOfByzantium(bytes: bigint): bigint {
  if (bytes <= 64n) return bytes * bytes
  if (bytes <= 1_024n) return (bytes * bytes) / 4n + 96n * bytes - 3_072n
  return (bytes * bytes) / 16n + 480n * bytes - 199_680n
}

/** EIP-7883. */
function complexityOfOsaka(bytes: bigint): bigint {
  return bytes <= 32n ? 16n : 2n * ((bytes + 7n) / 8n) ** 2n
}

/** Returns the number of iterations: about one for each bit of the exponent, at least one. */
function iterations(input: Uint8Array, { base, exponent }: Lengths, perByte: bigint): bigint {
  const headLength = exponent < 32n ? Number(exponent) : 32
  const start = BigInt(HEAD) + base
  const head = start < BigInt(input.length) ? toQuantity(padded(input, Number(start), headLength)) : 0n
  const bits = head === 0n ? 0n : BigInt(head.toString(2).length - 1)
  const rest = exponent > 32n ? (exponent - 32n) * perByte : 0n
  return max(1n, rest + bits)
}

function* run(input: Uint8Array, rules: Rules): Parts<Uint8Array> {
  const lengths = lengthsOf(input)
  if (rules.has(7823) && max(max(lengths.base, lengths.exponent), lengths.modulus) > LONGEST) return undefined
  // Lengths beyond 2^53 cost more gas than exists, unless the modulus is empty.
  const [base, exponent, modulus] = [lengths.base, lengths.exponent, lengths.modulus].map(Number) as Three
  if (modulus === 0) return EMPTY_BYTES
  const divisor = toQuantity(padded(input, HEAD + base + exponent, modulus))
  const output = new Uint8Array(modulus)
  if (divisor <= 1n) return output
  const power = yield* powerModulo(
    toQuantity(padded(input, HEAD, base)) % divisor,
    padded(input, HEAD + base, exponent),
    divisor,
    (modulus / 8) ** 2,
  )
  const digits = power!.toString(16)
  const bytes = fromHex(`0x${digits.length % 2 === 1 ? '0' : ''}${digits}`)
  output.set(bytes, modulus - bytes.length)
  return output
}

type Three = [number, number, number]

/** Returns `base` to the power of `exponent`, read four bits at a time. `work` is the cost of one multiplication. */
function* powerModulo(base: bigint, exponent: Uint8Array, modulus: bigint, work: number): Parts<bigint> {
  const powers = [1n, base]
  /** Returns `base` to the power of `digit`, from 0 to 15. Each power is computed on first use. */
  const small = (digit: number): bigint => {
    for (let i = powers.length; i <= digit; i++) powers.push((powers[i - 1]! * base) % modulus)
    return powers[digit]!
  }
  let power = 1n
  let done = 0
  let isLeading = true
  for (const byte of exponent) {
    for (const digit of [byte >> 4, byte & 15]) {
      if (!isLeading) {
        power = (power * power) % modulus
        power = (power * power) % modulus
        power = (power * power) % modulus
        power = (power * power) % modulus
      }
      if (digit !== 0) {
        power = isLeading ? small(digit) : (power * small(digit)) % modulus
        isLeading = false
      }
    }
    done += 10 * work + WORK_OF_A_BYTE
    if (done < WORK_OF_A_PART) continue
    done = 0
    yield
  }
  return power
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
