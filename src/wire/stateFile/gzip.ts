/** Packing and unpacking with what the web has for it, which Node has as well. */

/** Bytes that begin as gzip's (RFC 1952) and do not go on so. */
export class BrokenGzip extends Error {}

/** Whether bytes that begin so are packed. */
export function isGzipped(beginning: Uint8Array): boolean {
  return beginning[0] === 0x1f && beginning[1] === 0x8b
}

/** All pieces, packed. */
export async function gzipped(pieces: Iterable<Uint8Array>): Promise<Uint8Array[]> {
  const packed: Uint8Array[] = []
  for await (const piece of through(new CompressionStream('gzip'), pieces)) packed.push(piece)
  return packed
}

/** The pieces that were packed, as they come. Throws `BrokenGzip`. */
export async function* gunzipped(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const failure: { error?: unknown } = {}
  const noted = noting(packed, failure)
  try {
    yield* through(new DecompressionStream('gzip'), noted)
  } catch (error) {
    // Whoever gave the bytes gets its own errors back.
    if ('error' in failure) throw failure.error
    throw new BrokenGzip('the packed bytes are broken', { cause: error })
  }
}

async function* noting(source: AsyncIterable<Uint8Array>, failure: { error?: unknown }) {
  try {
    yield* source
  } catch (error) {
    failure.error = error
    throw error
  }
}

async function* through(
  { readable, writable }: CompressionStream | DecompressionStream,
  source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const writing = writeAll(writable.getWriter(), source)
  // Whatever breaks the writing breaks the reading: it is told there.
  writing.catch(() => {})
  const reader = readable.getReader()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
    await writing
  } finally {
    // Where nobody wants the rest: neither side waits for the other.
    await reader.cancel().catch(() => {})
  }
}

async function writeAll(
  writer: WritableStreamDefaultWriter<Uint8Array>,
  source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> {
  try {
    for await (const piece of source) await writer.write(piece)
    await writer.close()
  } catch (error) {
    await writer.abort(error).catch(() => {})
    throw error
  }
}
