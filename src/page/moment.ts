/** The block or slice whose state a view shows: the query parameter `?at=`. */
import { quantity } from './format.ts'

export type BlockParameter = string | { readonly blockNumber: string; readonly slice: string }

export interface Moment {
  /** The value of `?at=` in the address bar: a tag such as `pending`, `12`, or `12.3` (block 12 as of its slice 3). */
  readonly text: string
  readonly block: BlockParameter
  /** `undefined` if the moment is a tag. */
  readonly number: number | undefined
  /** `undefined` if the moment is a tag or the end of a block. */
  readonly slice: number | undefined
}

export const TAGS = ['pending', 'latest', 'safe', 'finalized', 'earliest'] as const

export function isTag(text: string): boolean {
  return (TAGS as readonly string[]).includes(text)
}

export const PENDING: Moment = { text: 'pending', block: 'pending', number: undefined, slice: undefined }

export const LATEST: Moment = { ...PENDING, text: 'latest', block: 'latest' }

/** Passed to `changesAt` for any sealed block, because only a reorg changes the state of sealed blocks. */
export const PAST: Moment = { text: '0', block: '0x0', number: 0, slice: undefined }

/** Parses a block tag, a block number, or `BLOCK.SLICE` (two decimal numbers). Returns `undefined` for other text. */
export function momentOf(text: string): Moment | undefined {
  if (isTag(text)) return { ...PENDING, text, block: text }
  const [, block, after] = /^(\d{1,15})(?:\.(\d{1,9}))?$/.exec(text) ?? []
  if (block === undefined) return undefined
  const number = Number(block)
  const blockNumber = quantity(number)
  if (after === undefined) return { text: String(number), block: blockNumber, number, slice: undefined }
  const slice = Number(after)
  return { text: `${number}.${slice}`, block: { blockNumber, slice: quantity(slice) }, number, slice }
}

/** Describes a moment, such as `block 12 after slice 3`. */
export function wordsOf({ text, number, slice }: Moment): string {
  if (number === undefined) return text
  return slice === undefined ? `block ${number}` : `block ${number} after slice ${slice}`
}

/**
 * Explains why a moment does not exist. Returns `undefined` if the moment exists or may exist. `latest` is the
 * number of the newest sealed block. `slices` are the slices of the moment's block that the devnet still stores.
 */
export function absenceOf(
  { number, slice }: Moment,
  latest: number | undefined,
  slices: readonly number[] | undefined,
): string | undefined {
  if (number === undefined || latest === undefined) return undefined
  // The open block has slices, but its end does not exist yet.
  if (number > latest + (slice === undefined ? 0 : 1)) {
    return `There is no block ${number} at present: the newest is ${latest}.`
  }
  if (slice === undefined || slices === undefined || slices.includes(slice)) return undefined
  const kept = slices.length === 0 ? 'none are kept' : `it has slices ${slices[0]} to ${slices.at(-1)}`
  return `Block ${number} has no slice ${slice}: ${kept}.`
}
