/** Reading a state file in any pieces and within its limit, and the errors for other files. */
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { createDevnet } from '../../src/index.ts'
import { LoadFailed } from '../../src/saving/format/loadFailed.ts'
import { readStateFile, type StatePart } from '../../src/saving/format/readStateFile.ts'
import { dumped } from '../support/chains/stateFiles.ts'

let file: Buffer

beforeAll(async () => {
  await using devnet = await createDevnet({ rhythm: 'manual' })
  file = dumped(devnet)
})

/** A minimal file of anvil, with a letter of two bytes. */
const ANVIL = '{"block": {}, "accounts": {}, "best_block_number": 0, "note": "ü"}'

async function read(...source: Parameters<typeof readStateFile>): Promise<StatePart[]> {
  const parts: StatePart[] = []
  for await (const part of readStateFile(...source)) parts.push(part)
  return parts
}

async function refusal(...source: Parameters<typeof readStateFile>): Promise<LoadFailed> {
  const error = await read(...source).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(LoadFailed)
  return error as LoadFailed
}

const inBytes = (bytes: Uint8Array) => Array.from(bytes, (byte) => Uint8Array.of(byte))

/** Pieces of a few bytes, which end anywhere. */
const inPieces = (bytes: Uint8Array) =>
  Array.from({ length: Math.ceil(bytes.length / 97) }, (_, i) => bytes.subarray(97 * i, 97 * (i + 1)))

/** The records of all parts. */
const recordsOf = (parts: readonly StatePart[]) =>
  parts.flatMap((part) => (part.kind === 'records' ? part.records : []))

describe('a state file', () => {
  it('is the same in one piece, in small ones, and packed', async () => {
    const whole = await read(file)
    expect(whole[0]).toMatchObject({ kind: 'head' })
    const lines = recordsOf(whole).map(({ line }) => line)
    expect(lines).toEqual(lines.map((_, i) => i + 2))
    expect(whole.at(-1)).toEqual({ kind: 'end', line: lines.length + 2 })
    for (const source of [
      inPieces(file),
      gzipSync(file),
      inBytes(gzipSync(file)),
      [new Uint8Array(), file],
    ]) {
      const parts = await read(source)
      expect(parts[0]).toMatchObject({ kind: 'head' })
      expect(recordsOf(parts)).toEqual(recordsOf(whole))
      expect(parts.at(-1)).toEqual(whole.at(-1))
    }
  })

  it('of anvil is whole wherever its pieces end, within a letter too, and after spaces', async () => {
    for (const text of [ANVIL, ` \n\t${ANVIL}`]) {
      const [whole] = await read(Buffer.from(text))
      expect(whole).toEqual({ kind: 'anvil', value: JSON.parse(ANVIL), text })
      expect(await read(inBytes(Buffer.from(text)))).toEqual([whole])
    }
  })

  it('may have as many bytes as its limit, packed or not, and no more', async () => {
    for (const source of [file, inPieces(file), gzipSync(file)]) {
      expect((await read(source, file.length)).at(-1)).toMatchObject({ kind: 'end' })
      expect((await refusal(source, file.length - 1)).message).toContain(
        `expected at most ${file.length - 1} bytes in all (option stateLimit), got more`,
      )
    }
  })

  it.each([
    ['that is refused', 'hello', true],
    ['that is whole', undefined, false],
    ['that is packed and refused', 'packed', true],
  ])('%s is let go of: what it comes from can be closed', async (_, text, isRefused) => {
    let isClosed = false
    const bytes = text === undefined ? file : text === 'packed' ? gzipSync('{"a": 1}') : Buffer.from(text)
    async function* source(): AsyncGenerator<Uint8Array> {
      try {
        for (const piece of inPieces(bytes)) yield piece
        for (let i = 0; i < (isRefused && text !== 'packed' ? 100 : 0); i++) yield Uint8Array.of(0x20)
      } finally {
        isClosed = true
      }
    }
    if (isRefused) await refusal(source())
    else await read(source())
    expect(isClosed).toBe(true)
  })
})

describe('another file', () => {
  const SORTS = `expected a state file of preseal (which begins {"preseal":) or anvil's state.json`
  it.each([
    ['', `line 1: ${SORTS}, got an empty file`],
    ['hello', `line 1: ${SORTS}, got "hello"`],
    ['{"name":"x","version":"1"}', `line 1: ${SORTS}, got an object with name, version`],
    ['{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1}', `line 1: ${SORTS}, got an object with a, b, c, d, e`],
    ['{}', `line 1: ${SORTS}, got an object`],
    ['{"a":\n[1, ', `line 2: ${SORTS}, got the end of the file, in the middle of JSON`],
  ])('is named: %j', async (text, message) => {
    expect((await refusal(Buffer.from(text))).message).toBe(message)
  })
})
