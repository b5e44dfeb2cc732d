/** Reads a state file, with or without gzip: a file of preseal record by record, a file of anvil as a whole. */

import { concatenate } from '../../bytes/bytes.ts'
import { jsonIn } from '../../model/api/text.ts'
import { type ByteSource, chunksOf } from '../../model/block/blockStream.ts'
import { InvalidValue, shown } from '../../wire/parser.ts'
import { BrokenGzip, gunzipped, isGzipped } from './gzip.ts'
import { LoadFailed, lineAt } from './loadFailed.ts'
import { isAnvilState } from './parseAnvilState.ts'
import { HEAD, parseRecord, type SavedHead, type SavedRecord } from './records.ts'
import { linesIn, type Progress } from './stateLines.ts'

export interface PlacedRecord {
  readonly line: number
  readonly record: SavedRecord
}

export type StatePart =
  | { readonly kind: 'head'; readonly head: SavedHead }
  | { readonly kind: 'records'; readonly records: readonly PlacedRecord[] }
  /** The end of a file whose checksum is correct. */
  | { readonly kind: 'end'; readonly line: number }
  /** A file of anvil, as text and as parsed JSON. */
  | { readonly kind: 'anvil'; readonly value: unknown; readonly text: string }

const BEGINNING = '{"preseal":'
const EXPECTED = `a state file of preseal (which begins ${BEGINNING}) or anvil's state.json`

/** Maximum length of a string in V8. */
const MOST_CHARACTERS = 2 ** 29 - 25

/**
 * Yields the parts of `source`, which may have at most `limit` bytes after decompression. Verifies the checksum only
 * at the end. Throws `LoadFailed`.
 */
export async function* readStateFile(
  source: ByteSource,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<StatePart> {
  const progress: Progress = { line: 1 }
  const pieces = limited(unpacked(chunksOf(source)), limit, progress)
  try {
    const { beginning, all } = await peeked(pieces, BEGINNING.length)
    const text = new TextDecoder().decode(beginning)
    if (text.startsWith(BEGINNING)) yield* presealParts(all, progress)
    else if (/^\s*(\{|$)/.test(text) && text !== '') yield anvilPart(await wholeText(all))
    else throw new LoadFailed(1, EXPECTED, text === '' ? 'an empty file' : shown(text))
  } catch (error) {
    if (!(error instanceof BrokenGzip)) throw error
    throw new LoadFailed(progress.line, 'valid gzip data', 'invalid bytes, or the end of the file')
  } finally {
    await pieces.return(undefined)
  }
}

async function* presealParts(
  pieces: AsyncIterable<Uint8Array>,
  progress: Progress,
): AsyncGenerator<StatePart> {
  let isFirst = true
  for await (const { first, texts } of linesIn(pieces, progress)) {
    if (isFirst) yield { kind: 'head', head: parsedLine(texts[0]!, first, HEAD.parse) }
    yield { kind: 'records', records: recordsIn(first, texts, isFirst ? 1 : 0) }
    isFirst = false
  }
  yield { kind: 'end', line: progress.line }
}

function recordsIn(first: number, texts: readonly string[], start: number): PlacedRecord[] {
  const records: PlacedRecord[] = []
  for (let i = start; i < texts.length; i++) {
    const line = first + i
    records.push({ line, record: parsedLine(texts[i]!, line, parseRecord) })
  }
  return records
}

function parsedLine<T>(text: string, line: number, parse: (value: unknown, path: string) => T): T {
  const value = jsonIn(text)
  if (value === undefined) {
    throw new LoadFailed(line, 'a JSON object', text === '' ? 'an empty line' : shown(text))
  }
  try {
    return parse(value, '')
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error
    throw new LoadFailed(line, error.expected, shown(error.value), error.path)
  }
}

function anvilPart(text: string): StatePart {
  const value = jsonIn(text)
  if (value === undefined) {
    const { line, rest } = lineAt(text)
    throw new LoadFailed(
      line,
      EXPECTED,
      rest === '' ? 'the end of the file, in the middle of JSON' : shown(rest),
    )
  }
  if (isAnvilState(value)) return { kind: 'anvil', value, text }
  const names = typeof value === 'object' && value !== null ? Object.keys(value).slice(0, 5).join(', ') : ''
  throw new LoadFailed(1, EXPECTED, names === '' ? shown(value) : `an object with ${names}`)
}

async function* unpacked(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { beginning, all } = await peeked(source, 2)
  yield* isGzipped(beginning) ? gunzipped(all) : all
}

async function* limited(
  source: AsyncIterable<Uint8Array>,
  limit: number,
  progress: Progress,
): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const piece of source) {
    size += piece.length
    if (size > limit) {
      throw new LoadFailed(progress.line, `at most ${limit} bytes in all (option stateLimit)`, 'more')
    }
    yield piece
  }
}

/** Resolves to the first `count` bytes of a stream (fewer if it is shorter), and a stream of all bytes. */
async function peeked(
  source: AsyncIterable<Uint8Array>,
  count: number,
): Promise<{ beginning: Uint8Array; all: AsyncIterable<Uint8Array> }> {
  const iterator = source[Symbol.asyncIterator]()
  const taken: Uint8Array[] = []
  let size = 0
  while (size < count) {
    const { value, done } = await iterator.next()
    if (done) break
    taken.push(value)
    size += value.length
  }
  return { beginning: concatenate(taken).subarray(0, count), all: resumed(taken, iterator) }
}

async function* resumed(
  taken: readonly Uint8Array[],
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* taken
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
  } finally {
    await iterator.return?.()
  }
}

async function wholeText(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  const texts: string[] = []
  let length = 0
  for await (const piece of pieces) {
    length += piece.length
    if (length > MOST_CHARACTERS) throw new LoadFailed(1, `at most ${MOST_CHARACTERS} bytes of JSON`, 'more')
    texts.push(decoder.decode(piece, { stream: true }))
  }
  return texts.join('') + decoder.decode()
}
