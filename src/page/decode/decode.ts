/** Decodes calldata, return data, reverts and logs with ABIs. */
import { fromHex, type Hex } from '../../bytes/hex.ts'
import { revertReason } from '../../model/execution/revertReason.ts'
import { type Codec, eventValues, type Item, signatureOf, valuesOf } from '../../solidity/abi/codec.ts'
import type { Parameter } from '../../solidity/abi/decoded.ts'

export interface Typed {
  readonly parameter: Parameter
  /** As decoded by viem: integers of at most 48 bits are numbers, tuples are objects if all components have names. */
  readonly value: unknown
}

export interface DecodedItem {
  readonly name: string
  /** For example `transfer(address,uint256)`. */
  readonly signature: string
  readonly args: readonly Typed[]
  /** The mutability, such as `view` or `payable`. `undefined` for errors and events. */
  readonly stateMutability: string | undefined
}

export type DecodedError =
  | { readonly kind: 'empty' }
  /** The text of `Error(string)` or `Panic(uint256)`. */
  | { readonly kind: 'reason'; readonly text: string }
  | { readonly kind: 'custom'; readonly error: DecodedItem }
  | { readonly kind: 'unknown'; readonly data: Hex }

/** Number of characters of `0x` and a selector. */
const SELECTOR = 10

/** Decodes the call in `input` with the first of `codecs` that has the function and can decode its arguments. */
export function decodeCall(input: Hex, codecs: readonly Codec[]): DecodedItem | undefined {
  return byBeginning('function', input, codecs)
}

export function functionOf(
  selector: Hex,
  codecs: readonly Codec[],
): Pick<DecodedItem, 'name' | 'signature'> | undefined {
  const [item] = itemsOf('function', selector, codecs)
  return item && decodedItem(item, [])
}

/** Decodes the return data `output` of the function that `input` calls. Returns `undefined` if no codec decodes it. */
export function decodeResult(
  input: Hex,
  output: Hex,
  codecs: readonly Codec[],
): readonly Typed[] | undefined {
  for (const { outputs } of itemsOf('function', input.slice(0, SELECTOR), codecs)) {
    const values = valuesOf(outputs, output)
    if (values !== undefined) return typed(outputs, values)
  }
  return undefined
}

export function decodeEvent(
  { topics: [hash = '0x', ...topics], data }: { readonly topics: readonly Hex[]; readonly data: Hex },
  codecs: readonly Codec[],
): DecodedItem | undefined {
  for (const item of itemsOf('event', hash, codecs)) {
    const values = eventValues(item.inputs ?? [], topics, data)
    if (values !== undefined) return decodedItem(item, values)
  }
  return undefined
}

export function decodeError(data: Hex, codecs: readonly Codec[]): DecodedError {
  if (data.length <= 2) return { kind: 'empty' }
  const reason = revertReason(fromHex(data))
  if (reason !== undefined) return { kind: 'reason', text: reason }
  const error = byBeginning('error', data, codecs)
  return error === undefined ? { kind: 'unknown', data } : { kind: 'custom', error }
}

type ItemType = Parameters<Codec['find']>[0]

/** Returns the functions, errors or events with the given selector or topic, in the order of the codecs. */
function itemsOf(type: ItemType, beginning: string, codecs: readonly Codec[]): readonly Item[] {
  return codecs.flatMap((codec) => codec.find(type, beginning))
}

function byBeginning(type: ItemType, bytes: Hex, codecs: readonly Codec[]): DecodedItem | undefined {
  for (const item of itemsOf(type, bytes.slice(0, SELECTOR), codecs)) {
    const values = valuesOf(item.inputs, `0x${bytes.slice(SELECTOR)}`)
    if (values !== undefined) return decodedItem(item, values)
  }
  return undefined
}

function decodedItem(item: Item, values: readonly unknown[]): DecodedItem {
  const { name = '', inputs, stateMutability } = item
  return { name, signature: signatureOf(item), args: typed(inputs, values), stateMutability }
}

export function typed(parameters: readonly Parameter[] = [], values: readonly unknown[]): Typed[] {
  return parameters.map((parameter, i) => ({ parameter, value: values[i] }))
}

const MOST_BYTES = 4_096

/** Decodes bytes as UTF-8 text. Returns `undefined` if they are invalid, or contain control characters. */
export function textIn(bytes: Hex): string | undefined {
  if (bytes.length <= 2 || bytes.length > 2 + 2 * MOST_BYTES) return undefined
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(fromHex(bytes))
    return /[^\P{Cc}\n\r\t]/u.test(text) ? undefined : text
  } catch {
    return undefined
  }
}
