/** Splits a stream of bytes into the RLP items that it contains one after the other, such as a file of blocks. */

import { joined } from '../../bytes/bytes.ts'

/** A source of blocks: all bytes at once, or chunks of them. */
export type ByteSource = Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/** One RLP item of a stream. */
export interface StreamedItem {
  readonly bytes: Uint8Array
  /** The position of its first byte in the stream. */
  readonly offset: number
}

/** Thrown for a stream that ends within an item, or that has no RLP list where an item should begin. */
export class BrokenStream extends Error {}

/**
 * A limit far above the size of any block. A greater length means a broken file, and waiting for that many bytes would
 * hold them all in memory.
 */
const MAX_ITEM_BYTES = 256 * 1024 * 1024

/**
 * Yields each RLP list of `source` in order, as a copy: the caller may reuse a chunk's memory as soon as the next chunk
 * is requested. Holds no more than one list and one chunk in memory. Throws `BrokenStream`.
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

/** Yields the chunks of `source` as they arrive. Throws a `TypeError` for a value that is not a source of bytes. */
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

/** Returns a copy. `slice` does not copy: for Node's `Buffer` it returns a view of the same bytes. */
function copied(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes)
}

/**
 * Returns how many bytes the list at the beginning of `bytes` takes; `undefined` if its length is not known from these
 * bytes yet.
 */
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
