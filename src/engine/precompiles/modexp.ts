/**
 * MODEXP (EIP-198; prices of EIP-2565 and EIP-7883, limits of EIP-7823), with BigInts. Montgomery multiplication in
 * WebAssembly would be a quarter faster for 256 bits, equally fast for 512 to 2,048 bits, and slower for more.
 */
import { EMPTY_BYTES, fromHex, toQuantity } from '../../bytes/hex.ts'
import type { PausableSteps } from '../../crypto/curves/pairingCurve.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { inParts, padded } from './precompile.ts'

const HEAD = 96
/** The maximum length of base, exponent and modulus in bytes (EIP-7823). */
const LONGEST = 1_024n
/** Work between two pauses, in multiplications of 64-bit limbs: about 5 milliseconds. */
const WORK_OF_A_PART = 1_000_000
/** Work for each exponent byte in addition to the multiplications, in the unit of `WORK_OF_A_PART`. */
const WORK_OF_A_BYTE = 500

/** Computes base ** exponent % modulus. The output has as many bytes as the modulus. */
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

function complexityOfByzantium(bytes: bigint): bigint {
  if (bytes <= 64n) return bytes * bytes
  if (bytes <= 1_024n) return (bytes * bytes) / 4n + 96n * bytes - 3_072n
  return (bytes * bytes) / 16n + 480n * bytes - 199_680n
}

function complexityOfOsaka(bytes: bigint): bigint {
  return bytes <= 32n ? 16n : 2n * ((bytes + 7n) / 8n) ** 2n
}

/** Returns the iteration count that the EIPs define: about the number of exponent bits, at least 1. */
function iterations(input: Uint8Array, { base, exponent }: Lengths, perByte: bigint): bigint {
  const headLength = exponent < 32n ? Number(exponent) : 32
  const start = BigInt(HEAD) + base
  const head = start < BigInt(input.length) ? toQuantity(padded(input, Number(start), headLength)) : 0n
  const bits = head === 0n ? 0n : BigInt(head.toString(2).length - 1)
  const rest = exponent > 32n ? (exponent - 32n) * perByte : 0n
  return max(1n, rest + bits)
}

function* run(input: Uint8Array, rules: Rules): PausableSteps<Uint8Array> {
  const lengths = lengthsOf(input)
  if (rules.has(7823) && max(max(lengths.base, lengths.exponent), lengths.modulus) > LONGEST) return undefined
  // Numbers are exact here: lengths above 2^53 would cost more gas than exists, unless base and modulus are empty.
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

/** Returns `base` ** `exponent` % `modulus`, four exponent bits at a time. `work`: the work of one multiplication. */
function* powerModulo(
  base: bigint,
  exponent: Uint8Array,
  modulus: bigint,
  work: number,
): PausableSteps<bigint> {
  const powers = [1n, base]
  /** Returns `base` ** `digit` % `modulus` for a digit from 0 to 15, and caches the powers. */
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
