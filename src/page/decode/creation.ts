/** The arguments of a constructor, which stand behind the code that creates a contract. */
import { encodeValues, type Item, valuesOf } from '../../solidity/abi/codec.ts'
import type { Parameter } from '../../solidity/abi/decoded.ts'
import type { Hex } from '../source/answers.ts'
import { type Typed, typed } from './decode.ts'

/** The answer of `preseal_getCreation`. */
export interface CreationAnswer {
  readonly name: string
  readonly codeSize: Hex
  readonly constructor: Item | null
}

/** Returns the arguments in creation code whose artifact is known; `undefined` if they do not fit. */
export function constructorArguments(
  input: Hex,
  { codeSize, constructor: item }: CreationAnswer,
): readonly Typed[] | undefined {
  const inputs = item?.inputs ?? []
  if (inputs.length === 0) return []
  const values = valuesOf(inputs, `0x${input.slice(2 + 2 * Number(codeSize))}`)
  return values && typed(inputs, values)
}

/** Hex digits of a word. */
const WORD = 64

/**
 * Returns the arguments in creation code of which only the ABI is known: the end of it that is exactly the encoding of such values. `undefined`
 * where there is none, or more than one.
 */
export function argumentsAtEnd(input: Hex, inputs: readonly Parameter[]): readonly Typed[] | undefined {
  if (inputs.length === 0) return []
  const words = inputs.reduce((sum, one) => sum + headWords(one), 0)
  const firstDynamic = inputs.findIndex(isDynamic)
  if (firstDynamic === -1) return exactly(input, input.length - WORD * words, inputs)
  // The contents of the first that has any begin behind the heads of all.
  const before = inputs.slice(0, firstDynamic).reduce((sum, one) => sum + headWords(one), 0)
  const offset = (32 * words).toString(16).padStart(WORD, '0')
  let found: readonly Typed[] | undefined
  for (let at = input.length - WORD * words; at > 2; at -= WORD) {
    if (!input.startsWith(offset, at + WORD * before)) continue
    const values = exactly(input, at, inputs)
    if (values === undefined) continue
    if (found !== undefined) return undefined
    found = values
  }
  return found
}

/** Returns the values whose encoding is what begins at `at`. */
function exactly(input: Hex, at: number, inputs: readonly Parameter[]): readonly Typed[] | undefined {
  if (at < 2) return undefined
  const end: Hex = `0x${input.slice(at)}`
  const values = valuesOf(inputs, end)
  return values !== undefined && encodeValues(inputs, values) === end ? typed(inputs, values) : undefined
}

function isDynamic({ type, components = [] }: Parameter): boolean {
  if (/^(string|bytes)$|\[\]$/.test(type)) return true
  const item = /^(.*)\[\d+\]$/.exec(type)?.[1]
  return item === undefined ? components.some(isDynamic) : isDynamic({ type: item, components })
}

/** The words that a parameter takes before the contents of those that have any. */
function headWords(parameter: Parameter): number {
  const { type, components = [] } = parameter
  if (isDynamic(parameter)) return 1
  const [, item, length] = /^(.*)\[(\d+)\]$/.exec(type) ?? []
  if (item !== undefined) return Number(length) * headWords({ type: item, components })
  return type === 'tuple' ? components.reduce((sum, one) => sum + headWords(one), 0) : 1
}
