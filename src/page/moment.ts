/** The moments of a chain that a view can show, as the query `?at=` of its address has them. */

/** What JSON-RPC methods take as their block. */
export type BlockParameter = string | { readonly blockNumber: string; readonly slice: string }

export interface Moment {
  /** As it is written in the address: `pending`, `12`, `12.3` for block 12 after its slice 3. */
  readonly text: string
  readonly block: BlockParameter
  /** The number of the block; `undefined` of a tag. */
  readonly number: number | undefined
  /** The slice after which it is; `undefined`: at the end of the block. */
  readonly slice: number | undefined
}

/** The tags that may be chosen. */
export const TAGS = ['pending', 'latest', 'safe', 'finalized', 'earliest'] as const

/** What views show where nothing is chosen: what was pre-confirmed. */
export const PENDING: Moment = { text: 'pending', block: 'pending', number: undefined, slice: undefined }

/** A moment of the past, of which views show the same until blocks are replaced. */
export const PAST: Moment = { text: '0', block: '0x0', number: 0, slice: undefined }

/** Returns the moment that `text` names: a tag, the number of a block, or a number, a point and a slice; `undefined` for other text. */
export function momentOf(text: string): Moment | undefined {
  if (TAGS.some((tag) => tag === text)) return { ...PENDING, text, block: text }
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

/** Returns the moment in words: `block 12 after slice 3`. */
export function wordsOf({ text, number, slice }: Moment): string {
  if (number === undefined) return text
  return slice === undefined ? `block ${number}` : `block ${number} after slice ${slice}`
}

/**
 * Returns why there is no such moment; `undefined` where there is one, or that cannot be said. `latest` is the number of the newest
 * sealed block, `slices` are those of the moment's block that are kept.
 */
export function absenceOf(
  { number, slice }: Moment,
  latest: number | undefined,
  slices: readonly number[] | undefined,
): string | undefined {
  if (number === undefined || latest === undefined) return undefined
  // The block after the newest may have slices, and no end.
  if (number > latest + (slice === undefined ? 0 : 1)) {
    return `There is no block ${number} at present: the newest is ${latest}.`
  }
  if (slice === undefined || slices === undefined || slices.includes(slice)) return undefined
  const kept = slices.length === 0 ? 'none are kept' : `it has slices ${slices[0]} to ${slices.at(-1)}`
  return `Block ${number} has no slice ${slice}: ${kept}.`
}

function quantity(number: number): string {
  return `0x${number.toString(16)}`
}
