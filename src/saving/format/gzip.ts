/** Gzip, by the Compression Streams API of browsers and Node. */

/** Thrown for invalid gzip data (RFC 1952). */
export class BrokenGzip extends Error {}

export function isGzipped(beginning: Uint8Array): boolean {
  return beginning[0] === 0x1f && beginning[1] === 0x8b
}

export async function gzipped(pieces: Iterable<Uint8Array>): Promise<Uint8Array[]> {
  const packed: Uint8Array[] = []
  for await (const piece of through(new CompressionStream('gzip'), pieces)) packed.push(piece)
  return packed
}

/** Decompresses data as it arrives. Throws `BrokenGzip`. */
export async function* gunzipped(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const failure: { error?: unknown } = {}
  const noted = noting(packed, failure)
  try {
    yield* through(new DecompressionStream('gzip'), noted)
  } catch (error) {
    // Errors of the source are thrown unchanged.
    if ('error' in failure) throw failure.error
    throw new BrokenGzip('invalid gzip data', { cause: error })
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
  const writing = writeAll(writable.getWriter() as WritableStreamDefaultWriter<Uint8Array>, source)
  // The reader below fails as well, and reports the failure.
  writing.catch(() => {})
  const reader = readable.getReader()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
    await writing
  } finally {
    // Ends the writing side, if the caller stops early.
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
