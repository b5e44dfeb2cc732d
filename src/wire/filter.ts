/** Log filters (seed 2.2). */

import type { Address, Hash } from '../bytes/hex.ts'
import type { LogCriteria, LogFilter } from '../model/receipt/log.ts'
import { parseAddress, parseHash } from './hex.ts'
import { arrayOf, InvalidValue, optional, type Parser, recordOf } from './parser.ts'
import { parseNumberOrTag } from './selector.ts'

/**
 * The dialect of filters. `geth` counts empty positions at the end of `topics` (a log needs as many topics) and refuses
 * a block hash together with a range; `base` does neither.
 */
export type FilterDialect = 'base' | 'geth'

/** Returns a parser of log filters in this dialect. */
export function parseFilter(dialect: FilterDialect): Parser<LogFilter> {
  return (value, path) => {
    const filter = recordOf(value, path, 'a filter object')
    const hash = optional(parseHash)(filter.blockHash, `${path}.blockHash`)
    const criteria = parseCriteria(filter, path, dialect)
    if (hash !== undefined) {
      if (dialect === 'geth' && (present(filter.fromBlock) || present(filter.toBlock))) {
        throw new InvalidValue(path, 'either blockHash or fromBlock and toBlock, not both', value)
      }
      return { criteria, range: { kind: 'block', hash } }
    }
    const from = optional(parseNumberOrTag)(filter.fromBlock, `${path}.fromBlock`)
    const to = optional(parseNumberOrTag)(filter.toBlock, `${path}.toBlock`)
    return { criteria, range: { kind: 'range', from, to } }
  }
}

function parseCriteria(filter: Record<string, unknown>, path: string, dialect: FilterDialect): LogCriteria {
  const addresses = optional(parseAddresses)(filter.address, `${path}.address`) ?? []
  const positions = optional(parseTopics)(filter.topics, `${path}.topics`) ?? []
  const topics = positions.slice(0, positions.findLastIndex((wanted) => wanted.length > 0) + 1)
  return { addresses, topics, minimumTopics: dialect === 'geth' ? positions.length : topics.length }
}

const parseAddresses: Parser<Address[]> = (value, path) =>
  Array.isArray(value)
    ? value.map((item, i) => parseAddress(item, `${path}[${i}]`))
    : [parseAddress(value, path)]

const parseTopics: Parser<Hash[][]> = (value, path) => {
  const positions = arrayOf(parseTopicPosition, 'an array of topic positions')(value, path)
  if (positions.length > 4) throw new InvalidValue(path, 'at most 4 topic positions', value)
  return positions
}

/** Parses a position of topics. `null` and `[]` match any topic; so does an array that contains `null`. */
const parseTopicPosition: Parser<Hash[]> = (value, path) => {
  if (value === null) return []
  if (!Array.isArray(value)) return [parseHash(value, path)]
  if (value.includes(null)) return []
  return value.map((item, i) => parseHash(item, `${path}[${i}]`))
}

function present(value: unknown): boolean {
  return value !== undefined && value !== null
}
