/**
 * What a call of the console carries: all that `console.log` takes in Hardhat's and in forge-std's console.sol, worked out
 * and not listed.
 */
import { type Hex, toDigits, toHex, toQuantity } from '../model/bytes/hex.ts'
import { keccak256 } from '../model/crypto/keccak.ts'

export interface ConsoleValue {
  /** A type of Solidity, such as `uint256`. */
  readonly type: string
  /** Numbers are bigints; addresses and bytes are hex. */
  readonly value: bigint | boolean | string
}

/** The values in `input`, calldata of the console; `undefined` where no `console.log` is called like that. */
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

/** The types of what is logged, by the four bytes of the call. Made when something is logged first. */
let signatures: ReadonlyMap<string, readonly string[]> | undefined

/** What can be logged together, up to four of them. */
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
      // Until 2022 console.sol had `uint`, which is no type in a signature, and so other selectors.
      return [signature, signature.replaceAll('int256', 'int')].map(
        (text) => [selectorOf(text), types] as const,
      )
    }),
  )
}

/** Nothing, each alone, each with each … */
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
  return toDigits(keccak256(new TextEncoder().encode(signature)).subarray(0, 4))
}

const WORD = 32

/** The value of `type` that stands at `at`, or what is found where it points to; `undefined` beyond the end. */
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

/** Of a type such as `bytes4`. */
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
