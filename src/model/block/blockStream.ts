/** Splits a stream of bytes, such as a file of blocks, into RLP lists. */
import { concatenate } from '../../bytes/bytes.ts'

export type ByteSource = Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/** Thrown for a stream that ends within an RLP list or has other data between lists. */
export class BrokenStream extends Error {}

/** The maximum length of an RLP list: more than any block needs, too little for a broken file to fill the memory. */
const MAX_ITEM_BYTES = 256 * 1024 * 1024

/** Yields a copy of each RLP list, and its position. Holds one list and one chunk in memory. Throws `BrokenStream`. */
export async function* itemsIn(source: ByteSource): AsyncGenerator<{ bytes: Uint8Array; offset: number }> {
  let held: Uint8Array = new Uint8Array(0)
  let offset = 0
  for await (const chunk of chunksOf(source)) {
    held = held.length === 0 ? chunk : concatenate([held, chunk])
    for (let size = 0; ; offset += size) {
      size = sizeOf(held, offset) ?? Number.POSITIVE_INFINITY
      if (size > held.length) break
      yield { bytes: copied(held.subarray(0, size)), offset }
      held = held.subarray(size)
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

/** Yields the chunks of `source`. Throws a `TypeError` for a value that is not a source of bytes. */
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

/** Returns a copy of `bytes`. The method `slice` of Node's `Buffer` returns a view, not a copy. */
function copied(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes)
}

/** Returns the length of the RLP list at the beginning of `bytes`; `undefined` if its prefix is incomplete. */
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
