import { byHash, LATEST, type Selector, TAGS, type Tag } from '../model/block/selector.ts'
import { parseHash, parseUint64 } from './hex.ts'
import { boolean, InvalidValue, optional, type Parser, recordOf, withDefault } from './parser.ts'

const EXPECTED = `a block: a number in hex without leading zeros, a 32-byte hash, or one of ${TAGS.join(', ')}`
const BY_TAG = new Map<unknown, Selector>(TAGS.map((tag: Tag) => [tag, { kind: 'tag', tag }]))
BY_TAG.set('latest', LATEST)

/** Parses a block parameter: a number, a tag, a hash, or an object with `blockHash` or `blockNumber` (EIP-1898). */
export const parseSelector: Parser<Selector> = (value, path) => {
  const tag = BY_TAG.get(value)
  if (tag !== undefined) return tag
  if (typeof value === 'string') return parseText(value, path)
  return parseObject(value, path)
}

export const parseSelectorOrLatest: Parser<Selector> = withDefault(parseSelector, LATEST)

/** Parses a number or a tag, for parameters that accept no hash, such as the ends of a block range. */
export const parseNumberOrTag: Parser<Selector> = (value, path) => {
  const tag = BY_TAG.get(value)
  if (tag !== undefined) return tag
  try {
    return { kind: 'number', number: parseUint64(value, path) }
  } catch {
    throw new InvalidValue(
      path,
      `a block number in hex without leading zeros, or one of ${TAGS.join(', ')}`,
      value,
    )
  }
}

function parseText(value: string, path: string): Selector {
  try {
    if (value.length === 66) return byHash(parseHash(value, path))
    return { kind: 'number', number: parseUint64(value, path) }
  } catch {
    throw new InvalidValue(path, EXPECTED, value)
  }
}

function parseObject(value: unknown, path: string): Selector {
  const { blockHash, blockNumber, requireCanonical, slice } = recordOf(value, path, EXPECTED)
  const hash = optional(parseHash)(blockHash, `${path}.blockHash`)
  const number = optional(parseNumberOrTag)(blockNumber, `${path}.blockNumber`)
  if ((hash === undefined) === (number === undefined)) {
    throw new InvalidValue(path, 'either blockHash or blockNumber (EIP-1898)', value)
  }
  if (number !== undefined) return atSlice(number, slice, path)
  const canonical = withDefault(boolean, false)(requireCanonical, `${path}.requireCanonical`)
  return { kind: 'hash', hash: hash!, requireCanonical: canonical }
}

/** Parses `slice` of `{blockNumber, slice}`, which selects the block after this slice. Returns `block` if absent. */
function atSlice(block: Selector, given: unknown, path: string): Selector {
  const slice = optional(parseUint64)(given, `${path}.slice`)
  if (slice === undefined) return block
  if (block.kind === 'number') return { kind: 'slice', number: block.number, slice: Number(slice) }
  throw new InvalidValue(`${path}.blockNumber`, 'a number in hex where a slice is given', block)
}
