import type { Address, Hash } from '../bytes/hex.ts'
import { LATEST, type Selector } from '../model/block/selector.ts'
import type { FlatFrame } from '../model/execution/trace.ts'
import type { LogCriteria, LogFilter } from '../model/receipt/log.ts'
import type { Dialect } from './dialect.ts'
import { parseAddress, parseAddresses, parseHash } from './hex.ts'
import {
  arrayOf,
  InvalidValue,
  oneOf,
  optional,
  type Parser,
  parseCount,
  parsedMember,
  recordOf,
  withDefault,
} from './parser.ts'
import { parseNumberOrTag } from './selector.ts'

/** As in geth but not in `base`, a log needs a topic at each position of `topics`, even a wildcard, and `blockHash` excludes a range. */
export function parseFilter(dialect: Dialect): Parser<LogFilter> {
  return (value, path) => {
    const filter = recordOf(value, path, 'a filter object')
    const hash = parsedMember(filter.blockHash, 'blockHash', path, parseHash)
    const criteria = parseCriteria(filter, path, dialect)
    if (hash !== undefined) {
      if (dialect !== 'base' && (present(filter.fromBlock) || present(filter.toBlock))) {
        throw new InvalidValue(path, 'either blockHash or fromBlock and toBlock, not both', value)
      }
      return { criteria, range: { kind: 'block', hash } }
    }
    const from = parsedMember(filter.fromBlock, 'fromBlock', path, parseNumberOrTag)
    const to = parsedMember(filter.toBlock, 'toBlock', path, parseNumberOrTag)
    return { criteria, range: { kind: 'range', from, to } }
  }
}

function parseCriteria(filter: Record<string, unknown>, path: string, dialect: Dialect): LogCriteria {
  const addresses = parsedMember(filter.address, 'address', path, parseAddresses) ?? []
  const positions = parsedMember(filter.topics, 'topics', path, parseTopics) ?? []
  const topics = positions.slice(0, positions.findLastIndex((wanted) => wanted.length > 0) + 1)
  return { addresses, topics, minimumTopics: dialect !== 'base' ? positions.length : topics.length }
}

const parseTopics: Parser<Hash[][]> = (value, path) => {
  const positions = parsePositions(value, path)
  if (positions.length > 4) throw new InvalidValue(path, 'at most 4 topic positions', value)
  return positions
}

/** Parses one position of `topics`. `null`, `[]` and an array that contains `null` match any topic. */
const parseTopicPosition: Parser<Hash[]> = (value, path) => {
  if (value === null) return []
  if (!Array.isArray(value)) return [parseHash(value, path)]
  if (value.includes(null)) return []
  return value.map((item, i) => parseHash(item, `${path}[${i}]`))
}

const parsePositions = arrayOf(parseTopicPosition, 'an array of topic positions')

function present(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** The filter of `trace_filter`, as Parity defined it (alloy's `TraceFilter`, used by anvil and reth). */
export interface TraceFilter {
  readonly from: Selector
  readonly to: Selector
  readonly fromAddresses: ReadonlySet<Address>
  readonly toAddresses: ReadonlySet<Address>
  /** With `union`, sender or recipient must match. With `intersection`, both must match. */
  readonly mode: 'union' | 'intersection'
  readonly after: number
  readonly count: number | undefined
}

const EARLIEST: Selector = { kind: 'tag', tag: 'earliest' }

export const parseTraceFilter: Parser<TraceFilter> = (value, path) => {
  const record = recordOf(value, path, 'a trace filter {fromBlock, toBlock, fromAddress, toAddress, …}')
  const member = <T>(name: string, parse: Parser<T>): T => parse(record[name], `${path}.${name}`)
  const addresses = withDefault(arrayOf(parseAddress, 'an array of addresses'), [])
  return {
    from: member('fromBlock', withDefault(parseNumberOrTag, EARLIEST)),
    to: member('toBlock', withDefault(parseNumberOrTag, LATEST)),
    fromAddresses: new Set(member('fromAddress', addresses)),
    toAddresses: new Set(member('toAddress', addresses)),
    mode: member('mode', withDefault(oneOf(['union', 'intersection']), 'union')),
    after: member('after', withDefault(parseCount, 0)),
    count: member('count', optional(parseCount)),
  }
}

/** Returns whether a frame matches `filter`. An empty list of addresses matches any address. */
export function matchesTraceFilter(filter: TraceFilter, frame: FlatFrame): boolean {
  const { fromAddresses, toAddresses, mode } = filter
  const isFrom = fromAddresses.has(frame.from)
  const isTo = frame.to !== undefined && toAddresses.has(frame.to)
  if (fromAddresses.size === 0) return toAddresses.size === 0 || isTo
  if (toAddresses.size === 0) return isFrom
  return mode === 'union' ? isFrom || isTo : isFrom && isTo
}
