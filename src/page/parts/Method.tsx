/** Calls, errors and values in one line. */
import type { Hex } from '../../bytes/hex.ts'
import type { Codec } from '../../solidity/abi/codec.ts'
import { type DecodedError, decodeCall, functionOf } from '../decode/decode.ts'
import { Text } from './Value.tsx'

/** The method of a transaction: function, selector, transfer or creation. */
export function Method({ to, input, codecs }: { to: string | null; input: Hex; codecs: readonly Codec[] }) {
  if (to === null) return <span class="method">creation</span>
  if (input === '0x') return <span class="method">transfer</span>
  const call = decodeCall(input, codecs) ?? functionOf(input, codecs)
  return call === undefined ? (
    <span class="id" title="no known ABI has this selector">
      {input.slice(0, 10)}
    </span>
  ) : (
    <span class="method" title={call.signature}>
      <Text limit={40}>{call.name}</Text>
    </span>
  )
}

/** Returns an error in one line. */
export function errorText(error: DecodedError): string {
  switch (error.kind) {
    case 'empty':
      return 'reverted without a reason'
    case 'reason':
      return error.text
    case 'custom':
      return `${error.error.name}(${error.error.args.map(({ value }) => lineOf(value)).join(', ')})`
    case 'unknown':
      return error.data.length > 74 ? `${error.data.slice(0, 74)}…` : error.data
  }
}

/** Returns a value in one line, cut off at `limit`. */
export function lineOf(value: unknown, limit = 66): string {
  const text = plain(value)
  return text.length > limit ? `${text.slice(0, limit)}…` : text
}

function plain(value: unknown): string {
  if (Array.isArray(value))
    return `[${value.slice(0, 10).map(plain).join(', ')}${value.length > 10 ? ', …' : ''}]`
  if (typeof value === 'object' && value !== null) {
    return `(${Object.values(value).map(plain).join(', ')})`
  }
  return String(value)
}
