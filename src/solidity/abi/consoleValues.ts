/**
 * Decodes calls of the console: every `console.log` of Hardhat's and forge-std's console.sol. The selectors are
 * computed from the combinations of types.
 */
// In JavaScript, for some hundred short texts at once: this file runs in the page too, whose policy allows no WebAssembly.
import { keccak_256 } from '@noble/hashes/sha3.js'
import { type Hex, toDigits, toHex, toQuantity } from '../../bytes/hex.ts'

/** A logged value with its type. */
export interface ConsoleValue {
  /** A Solidity type, such as `uint256`. */
  readonly type: string
  /** Numbers are bigints; addresses and bytes are hex. */
  readonly value: bigint | boolean | string
}

/**
 * Returns the values in `input`, the calldata of a call to the console; `undefined` if no `console.log` has this
 * selector.
 */
export function consoleValues(input: Uint8Array): ConsoleValue[] | undefined {
  signatures ??= allSignatures()
  const types = signatures.get(toDigits(input.subarray(0, 4)))
  if (types === undefined) return undefined
  const data = input.subarray(4)
  const values: ConsoleValue[] = []
  for (const [index, type] of types.entries()) {
    const value = read(type, data, index * WORD)
    if (value === undefined) return undefined
    values.push({ type, value })
  }
  return values
}

/** The types of the logged values by selector. Computed at the first log. */
let signatures: ReadonlyMap<string, readonly string[]> | undefined

/** The types that `console.log` takes in any combination of up to four. */
const COMBINED = ['uint256', 'string', 'bool', 'address'] as const
const MOST_COMBINED = 4

function allSignatures(): Map<string, readonly string[]> {
  const fixedBytes = Array.from({ length: WORD }, (_, i) => [`bytes${i + 1}`])
  const all: (readonly string[])[] = [
    ...combinations(),
    ['int256'],
    ['string', 'int256'],
    ['bytes'],
    ...fixedBytes,
  ]
  return new Map(
    all.flatMap((types) => {
      const signature = `log(${types.join(',')})`
      // Until 2022 console.sol used `uint`, which is not a canonical type, and so had other selectors.
      return [signature, signature.replaceAll('int256', 'int')].map(
        (text) => [selectorOf(text), types] as const,
      )
    }),
  )
}

/** Returns all combinations of up to four types, the empty one included. */
function combinations(): (readonly string[])[] {
  const all: (readonly string[])[] = [[]]
  for (let from = 0, length = 1; length <= MOST_COMBINED; length++) {
    const shorter = all.slice(from)
    from = all.length
    for (const types of shorter) for (const type of COMBINED) all.push([...types, type])
  }
  return all
}

function selectorOf(signature: string): string {
  return toDigits(keccak_256(new TextEncoder().encode(signature)).subarray(0, 4))
}

const WORD = 32

/**
 * Returns the value of `type` at `at`, following the offset of a dynamic type; `undefined` if it lies beyond the end.
 */
function read(type: string, data: Uint8Array, at: number): ConsoleValue['value'] | undefined {
  const word = data.subarray(at, at + WORD)
  if (word.length < WORD) return undefined
  switch (type) {
    case 'uint256':
      return toQuantity(word)
    case 'int256':
      return BigInt.asIntN(256, toQuantity(word))
    case 'bool':
      return toQuantity(word) !== 0n
    case 'address':
      return toHex(word.subarray(12))
    case 'string': {
      const bytes = pointedTo(word, data)
      return bytes && new TextDecoder().decode(bytes)
    }
    case 'bytes': {
      const bytes = pointedTo(word, data)
      return bytes && toHex(bytes)
    }
    default:
      return fixed(type, word)
  }
}

/** Returns the value of a type of fixed length, such as `bytes4`. */
function fixed(type: string, word: Uint8Array): Hex {
  return toHex(word.subarray(0, Number(type.slice('bytes'.length))))
}

function pointedTo(pointer: Uint8Array, data: Uint8Array): Uint8Array | undefined {
  const offset = toQuantity(pointer)
  if (offset + BigInt(WORD) > data.length) return undefined
  const start = Number(offset) + WORD
  const length = toQuantity(data.subarray(start - WORD, start))
  if (length > data.length - start) return undefined
  return data.subarray(start, start + Number(length))
}
