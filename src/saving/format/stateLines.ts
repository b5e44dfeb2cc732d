/** The lines of a state file. The last line has number and SHA-256 of all others (`head -n -1 FILE | sha256sum`). */
import { sha256 } from '@noble/hashes/sha2.js'
import { concatenate } from '../../bytes/bytes.ts'
import { toDigits } from '../../bytes/hex.ts'
import { shown } from '../../wire/parser.ts'
import { LoadFailed } from './loadFailed.ts'

/** Number of characters to write, or bytes to search, in one step. */
const PIECE = 65_536
const NEWLINE = 10
const END = '{"end":'

/** Yields the bytes of a state file. Records are encoded on demand. */
export function* writeStateFile(records: Iterable<unknown>): Generator<Uint8Array> {
  const encoder = new TextEncoder()
  const hash = createSha256()
  let lines = 0
  let text = ''
  for (const record of records) {
    text += `${JSON.stringify(record)}\n`
    lines++
    if (text.length < PIECE) continue
    const piece = encoder.encode(text)
    hash.update(piece)
    yield piece
    text = ''
  }
  hash.update(encoder.encode(text))
  const end = { end: lines, sha256: hash.end() }
  yield encoder.encode(`${text}${JSON.stringify(end)}\n`)
}

/** Several consecutive lines, without line breaks. */
export interface Lines {
  /** The number of the first line, counted from 1. */
  readonly first: number
  readonly texts: readonly string[]
}

export interface Progress {
  /** The line that is being read, counted from 1. */
  line: number
}

/** Yields all lines but the last, and verifies them against the last line at the end. Throws `LoadFailed`. */
export async function* linesIn(pieces: AsyncIterable<Uint8Array>, progress: Progress): AsyncGenerator<Lines> {
  const decoder = new TextDecoder()
  const hash = createSha256()
  let begun: Uint8Array[] = []
  let end: string | undefined
  for await (const piece of small(pieces)) {
    const newline = piece.lastIndexOf(NEWLINE)
    if (newline === -1 || end !== undefined) {
      begun.push(piece.slice())
      continue
    }
    const ending = piece.subarray(0, newline + 1)
    const whole = begun.length === 0 ? ending : concatenate([...begun, ending])
    begun = newline + 1 === piece.length ? [] : [piece.slice(newline + 1)]
    const texts = decoder.decode(whole.subarray(0, -1)).split('\n')
    const at = texts.findIndex((text) => text.startsWith(END))
    if (at !== -1 && at < texts.length - 1) throw tooMuch(progress.line + at + 1)
    if (at !== -1) end = texts.pop()
    hash.update(end === undefined ? whole : whole.subarray(0, whole.lastIndexOf(NEWLINE, -2) + 1))
    if (texts.length === 0) continue
    yield { first: progress.line, texts }
    progress.line += texts.length
  }
  const rest = decoder.decode(concatenate(begun))
  if (rest !== '' && end !== undefined) throw tooMuch(progress.line + 1)
  // The last line break may be missing.
  if (rest.startsWith(END)) end = rest
  else if (rest !== '') {
    throw new LoadFailed(
      progress.line,
      'a whole line, and more after it',
      'the end of the file within the line',
    )
  }
  if (end === undefined)
    throw new LoadFailed(progress.line, `the last line (${END} …})`, 'the end of the file')
  const wanted = JSON.stringify({ end: progress.line - 1, sha256: hash.end() })
  if (end !== wanted) {
    throw new LoadFailed(progress.line, `${wanted}, computed from the lines above`, shown(end))
  }
}

function tooMuch(line: number): LoadFailed {
  return new LoadFailed(line, 'nothing after the last line', 'more')
}

async function* small(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += PIECE) yield piece.subarray(at, at + PIECE)
  }
}

export interface Sha256 {
  update(bytes: Uint8Array): void
  /** Returns the digest as 64 hex digits, as `sha256sum` prints it. `update` must not be called afterwards. */
  end(): string
}

/** Incremental SHA-256. Uses Node's implementation if available, which is ten times as fast as JavaScript. */
export function createSha256(): Sha256 {
  // The module is looked up at run time, because browsers do not have it and bundlers must not resolve its name.
  const crypto = globalThis.process?.getBuiltinModule?.('node:crypto')
  const hash = crypto?.createHash('sha256') ?? sha256.create()
  return {
    update: (bytes) => void hash.update(bytes),
    end: () => toDigits(hash.digest()),
  }
}
