/** Cuts a stream of bytes into the RLP items that stand in it one after the other: a file of blocks into blocks. */

import { joined } from '../bytes/bytes.ts'

/** What blocks are read from: all bytes at once, or as they come. */
export type ByteSource = Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/** One item of a stream. */
export interface StreamedItem {
  readonly bytes: Uint8Array
  /** Where it begins. */
  readonly offset: number
}

/** Bytes that end within an item, or that are no list where an item should begin. */
export class BrokenStream extends Error {}

/**
 * More than the largest block by far: a length above it is a broken file, which must not make us wait for, and hold, all
 * that follows.
 */
const MAX_ITEM_BYTES = 256 * 1024 * 1024

/**
 * Each RLP list that `source` has, in order, as bytes of its own: what was given may be used for other things afterwards,
 * a chunk as soon as the next is asked for. Holds no more than one list and a chunk. Throws `BrokenStream`.
 */
export async function* itemsIn(source: ByteSource): AsyncGenerator<StreamedItem> {
  let held: Uint8Array = new Uint8Array(0)
  let offset = 0
  for await (const chunk of chunksOf(source)) {
    held = held.length === 0 ? chunk : joined([held, chunk])
    for (
      let size = sizeOf(held, offset);
      size !== undefined && size <= held.length;
      size = sizeOf(held, offset)
    ) {
      yield { bytes: copied(held.subarray(0, size)), offset }
      held = held.subarray(size)
      offset += size
    }
    held = copied(held)
  }
  if (held.length > 0) {
    const size = sizeOf(held, offset)
    const wanted = size === undefined ? 'the length of a block' : `a block of ${size} bytes`
    throw new BrokenStream(
      `the input ends at byte ${offset + held.length}, within ${wanted} that begins at byte ${offset}`,
    )
  }
}

/** The pieces of `source`, as they come. Throws a `TypeError` for what is none. */
export async function* chunksOf(source: ByteSource): AsyncGenerator<Uint8Array> {
  for await (const chunk of iterable(source)) {
    if (!(chunk instanceof Uint8Array))
      throw new TypeError(`expected bytes (Uint8Array), got ${typeOf(chunk)}`)
    yield chunk
  }
}

function iterable(source: ByteSource): Iterable<Uint8Array> | AsyncIterable<Uint8Array> {
  if (source instanceof Uint8Array) return [source]
  const isStream =
    typeof source === 'object' &&
    source !== null &&
    (Symbol.iterator in source || Symbol.asyncIterator in source)
  if (!isStream) throw new TypeError(`expected bytes (Uint8Array) or a stream of them, got ${typeOf(source)}`)
  return source
}

function typeOf(value: unknown): string {
  return typeof value === 'object' ? Object.prototype.toString.call(value) : typeof value
}

/** Not `slice`, which for Node's `Buffer` is a view of the same bytes. */
function copied(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes)
}

/** How many bytes the list takes with which `bytes` begin; `undefined` where that is still to come. */
function sizeOf(bytes: Uint8Array, offset: number): number | undefined {
  const first = bytes[0]
  if (first === undefined) return undefined
  if (first < 0xc0) {
    const hex = `0x${first.toString(16).padStart(2, '0')}`
    throw new BrokenStream(`at byte ${offset} an RLP list should begin (0xc0 to 0xff), got ${hex}`)
  }
  if (first <= 0xf7) return 1 + first - 0xc0
  const lengthSize = first - 0xf7
  if (bytes.length < 1 + lengthSize) return undefined
  let length = 0
  for (let i = 1; i <= lengthSize; i++) length = length * 256 + bytes[i]!
  if (length > MAX_ITEM_BYTES) {
    throw new BrokenStream(
      `at byte ${offset} a block of ${length} bytes begins, at most ${MAX_ITEM_BYTES} are read`,
    )
  }
  return 1 + lengthSize + length
}
