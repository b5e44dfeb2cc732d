/** The filter of `trace_filter`, in Parity's form (alloy's `TraceFilter`, which anvil and reth read). */
import type { Address } from '../bytes/hex.ts'
import type { Selector } from '../model/block/selector.ts'
import type { FlatFrame } from '../model/execution/trace.ts'
import { parseAddress } from './hex.ts'
import { arrayOf, InvalidValue, optional, type Parser, recordOf, withDefault } from './parser.ts'
import { parseNumberOrTag } from './selector.ts'

/** The parameter of `trace_filter`. */
export interface TraceFilter {
  readonly from: Selector
  readonly to: Selector
  readonly fromAddresses: ReadonlySet<Address>
  readonly toAddresses: ReadonlySet<Address>
  /** Whether a frame matches by either address, or must match both. */
  readonly mode: 'union' | 'intersection'
  /** The number of matching frames to skip. */
  readonly after: number
  /** The limit of returned frames; `undefined`: no limit. */
  readonly count: number | undefined
}

const EARLIEST: Selector = { kind: 'tag', tag: 'earliest' }
const LATEST: Selector = { kind: 'tag', tag: 'latest' }

export const parseTraceFilter: Parser<TraceFilter> = (value, path) => {
  const record = recordOf(value, path, 'a trace filter {fromBlock, toBlock, fromAddress, toAddress, …}')
  const member = <T>(name: string, parse: Parser<T>): T => parse(record[name], `${path}.${name}`)
  const addresses = withDefault(arrayOf(parseAddress, 'an array of addresses'), [])
  return {
    from: member('fromBlock', withDefault(parseNumberOrTag, EARLIEST)),
    to: member('toBlock', withDefault(parseNumberOrTag, LATEST)),
    fromAddresses: new Set(member('fromAddress', addresses)),
    toAddresses: new Set(member('toAddress', addresses)),
    mode: member('mode', withDefault(parseMode, 'union')),
    after: member('after', withDefault(parseCount, 0)),
    count: member('count', optional(parseCount)),
  }
}

const parseMode: Parser<TraceFilter['mode']> = (value, path) => {
  if (value !== 'union' && value !== 'intersection') {
    throw new InvalidValue(path, '"union" or "intersection"', value)
  }
  return value
}

const parseCount: Parser<number> = (value, path) => {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw new InvalidValue(path, 'a whole number from 0 on', value)
  }
  return value
}

/** Returns whether a frame matches `filter`. An empty list of addresses matches any. */
export function matchesTraceFilter(filter: TraceFilter, frame: FlatFrame): boolean {
  const { fromAddresses, toAddresses, mode } = filter
  const isFrom = fromAddresses.has(frame.from)
  const isTo = frame.to !== undefined && toAddresses.has(frame.to)
  if (fromAddresses.size === 0) return toAddresses.size === 0 || isTo
  if (toAddresses.size === 0) return isFrom
  return mode === 'union' ? isFrom || isTo : isFrom && isTo
}
