/** Blocks and slices at which a view can show the state: the query `?at=` of its address. */
import { quantity } from './format.ts'

export type BlockParameter = string | { readonly blockNumber: string; readonly slice: string }

export interface Moment {
  /** The form in the address: `pending`, `12`, or `12.3` for block 12 after its slice 3. */
  readonly text: string
  readonly block: BlockParameter
  /** The block number; `undefined` for a tag. */
  readonly number: number | undefined
  /** `undefined`: the end of the block. */
  readonly slice: number | undefined
}

export const TAGS = ['pending', 'latest', 'safe', 'finalized', 'earliest'] as const

export function isTag(text: string): boolean {
  return (TAGS as readonly string[]).includes(text)
}

/** The default: the pre-confirmed state. */
export const PENDING: Moment = { text: 'pending', block: 'pending', number: undefined, slice: undefined }

export const LATEST: Moment = { ...PENDING, text: 'latest', block: 'latest' }

/** Any sealed block: its state stays the same until a reorg. */
export const PAST: Moment = { text: '0', block: '0x0', number: 0, slice: undefined }

/** Parses a tag, `BLOCK` or `BLOCK.SLICE`; returns `undefined` for other text. */
export function momentOf(text: string): Moment | undefined {
  if (isTag(text)) return { ...PENDING, text, block: text }
  const [, block, after] = /^(\d{1,15})(?:\.(\d{1,9}))?$/.exec(text) ?? []
  if (block === undefined) return undefined
  const number = Number(block)
  if (after === undefined) return { text: String(number), block: quantity(number), number, slice: undefined }
  const slice = Number(after)
  return {
    text: `${number}.${slice}`,
    block: { blockNumber: quantity(number), slice: quantity(slice) },
    number,
    slice,
  }
}

/** Returns the moment as text: `block 12 after slice 3`. */
export function wordsOf({ text, number, slice }: Moment): string {
  if (number === undefined) return text
  return slice === undefined ? `block ${number}` : `block ${number} after slice ${slice}`
}

/**
 * Explains why there is no such moment; `undefined` if it exists, or that is not known. `latest` is the number of the newest sealed block,
 * `slices` are the slices of the block that are kept.
 */
export function absenceOf(
  { number, slice }: Moment,
  latest: number | undefined,
  slices: readonly number[] | undefined,
): string | undefined {
  if (number === undefined || latest === undefined) return undefined
  // The open block has slices but no end.
  if (number > latest + (slice === undefined ? 0 : 1)) {
    return `There is no block ${number} at present: the newest is ${latest}.`
  }
  if (slice === undefined || slices === undefined || slices.includes(slice)) return undefined
  const kept = slices.length === 0 ? 'none are kept' : `it has slices ${slices[0]} to ${slices.at(-1)}`
  return `Block ${number} has no slice ${slice}: ${kept}.`
}
