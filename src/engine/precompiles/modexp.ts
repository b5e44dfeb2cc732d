/** MODEXP (EIP-198; prices of EIP-2565 and EIP-7883, limits of EIP-7823). */
import { EMPTY_BYTES, fromHex, toQuantity } from '../../bytes/hex.ts'
import type { Parts } from '../../crypto/curves/pairingCurve.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { inParts, padded } from './precompile.ts'

/** The bytes of the three lengths at the beginning of the input. */
export const MODEXP_HEAD = 96
/** The limit of each length in bytes (EIP-7823). */
const LONGEST = 1_024n
/** The work between two pauses, in products of 64 bits: some 10 milliseconds. */
const WORK_OF_A_PART = 4_000_000

/** Returns base to the power of exponent, modulo modulus; in as many bytes as the modulus. */
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
  const start = BigInt(MODEXP_HEAD) + base
  const head = start < BigInt(input.length) ? toQuantity(padded(input, Number(start), headLength)) : 0n
  const bits = head === 0n ? 0n : BigInt(head.toString(2).length - 1)
  const rest = exponent > 32n ? (exponent - 32n) * perByte : 0n
  return max(1n, rest + bits)
}

/** The lengths of base, exponent and modulus in bytes. */
export interface OperandLengths {
  readonly base: number
  readonly exponent: number
  readonly modulus: number
}

/**
 * Returns the lengths of the operands of a call whose gas can be paid; `undefined` if one is longer than EIP-7823 allows,
 * and the call fails.
 */
export function operandLengths(input: Uint8Array, rules: Rules): OperandLengths | undefined {
  const lengths = lengthsOf(input)
  if (rules.has(7823) && max(max(lengths.base, lengths.exponent), lengths.modulus) > LONGEST) return undefined
  // Longer ones than these have no price that anyone can pay, but for a modulus without bytes.
  return {
    base: Number(lengths.base),
    exponent: Number(lengths.exponent),
    modulus: Number(lengths.modulus),
  }
}

function* run(input: Uint8Array, rules: Rules): Parts<Uint8Array> {
  const lengths = operandLengths(input, rules)
  if (lengths === undefined) return undefined
  const { base, exponent, modulus } = lengths
  if (modulus === 0) return EMPTY_BYTES
  const divisor = toQuantity(padded(input, MODEXP_HEAD + base + exponent, modulus))
  const output = new Uint8Array(modulus)
  if (divisor <= 1n) return output
  const power = yield* powerModulo(
    toQuantity(padded(input, MODEXP_HEAD, base)) % divisor,
    padded(input, MODEXP_HEAD + base, exponent),
    divisor,
    (modulus / 8) ** 2,
  )
  const digits = power!.toString(16)
  const bytes = fromHex(`0x${digits.length % 2 === 1 ? '0' : ''}${digits}`)
  output.set(bytes, modulus - bytes.length)
  return output
}

/** Returns `base` to the power of `exponent`, four bits of it at a time. `work` is that of one multiplication. */
function* powerModulo(base: bigint, exponent: Uint8Array, modulus: bigint, work: number): Parts<bigint> {
  const powers = [1n, base]
  /** Returns the power of 0 to 15, which is computed when it is needed. */
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
    done += 10 * work + 100
    if (done < WORK_OF_A_PART) continue
    done = 0
    yield
  }
  return power
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
