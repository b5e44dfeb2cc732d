import { RLP } from '@ethereumjs/rlp'
import { describe, expect, it } from 'vitest'
import { toHex } from '../../../src/bytes/hex.ts'
import { BrokenStream, type ByteSource, itemsIn } from '../../../src/model/block/blockStream.ts'
import { type Random, withRandom } from '../../support/random/random.ts'

const MiB = 1024 * 1024

/** The items of `source` as hex, with where each begins; then why it ended, if it broke. */
async function read(source: ByteSource): Promise<{ items: [string, number][]; broken?: string }> {
  const items: [string, number][] = []
  try {
    for await (const { bytes, offset } of itemsIn(source)) items.push([toHex(bytes), offset])
  } catch (error) {
    if (!(error instanceof BrokenStream)) throw error
    return { items, broken: error.message }
  }
  return { items }
}

/** Lists of all sizes at which the head grows, as @ethereumjs/rlp writes them. */
function randomLists(random: Random): Uint8Array[] {
  const sizes = [0, 1, 20, 53, 54, 55, 56, 253, 254, 255, 256, 300, 5_000]
  return random.list(random.below(8), () =>
    RLP.encode(random.list(random.below(3), () => random.bytes(random.pick(sizes)))),
  )
}

function expectedOf(lists: readonly Uint8Array[]): [string, number][] {
  let offset = 0
  return lists.map((list) => {
    offset += list.length
    return [toHex(list), offset - list.length]
  })
}

/** `bytes` in random pieces, empty ones among them. */
function pieces(random: Random, bytes: Uint8Array): Uint8Array[] {
  const chunks: Uint8Array[] = []
  for (let at = 0; at < bytes.length; ) {
    const size = random.pick([0, 1, 2, 3, 50, 300, 4_000])
    chunks.push(bytes.subarray(at, at + size))
    at += size
  }
  return chunks
}

async function* later(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) {
    await Promise.resolve()
    yield chunk
  }
}

describe('a stream of blocks', () => {
  it(
    'is cut into the same lists wherever its chunks end',
    withRandom(async (random) => {
      for (let i = 0; i < 50; i++) {
        const lists = randomLists(random)
        const whole = Buffer.concat(lists)
        const expected = { items: expectedOf(lists) }
        expect(await read(whole)).toEqual(expected)
        expect(await read(pieces(random, whole))).toEqual(expected)
        expect(await read(later(pieces(random, whole)))).toEqual(expected)
      }
    }),
  )

  it('leaves its items as they are when the buffer that they came in is filled again', async () => {
    const lists = [RLP.encode([new Uint8Array(3).fill(1)]), RLP.encode([new Uint8Array(3).fill(2)])]
    const whole = Buffer.concat(lists)
    function* reusing(size: number): Generator<Uint8Array> {
      const buffer = new Uint8Array(size)
      for (let at = 0; at < whole.length; at += size) {
        const piece = whole.subarray(at, at + size)
        buffer.set(piece)
        yield buffer.subarray(0, piece.length)
        buffer.fill(0xee)
      }
    }
    for (const size of [1, 2, 4, 5, 7, whole.length]) {
      const items: Uint8Array[] = []
      for await (const { bytes } of itemsIn(reusing(size))) items.push(bytes)
      expect(items.map((bytes) => toHex(bytes))).toEqual(lists.map((list) => toHex(list)))
    }
    // One whole piece, as a caller has it who goes on to use it.
    const own = new Uint8Array(whole)
    const items: Uint8Array[] = []
    for await (const { bytes } of itemsIn(own)) items.push(bytes)
    own.fill(0xee)
    expect(items.map((bytes) => toHex(bytes))).toEqual(lists.map((list) => toHex(list)))
  })

  it('is over where nothing came', async () => {
    expect(await read(new Uint8Array())).toEqual({ items: [] })
    expect(await read([])).toEqual({ items: [] })
    expect(await read(later([new Uint8Array()]))).toEqual({ items: [] })
  })

  it('gives a list as soon as its last byte is there', async () => {
    const lists = [RLP.encode(['0x01']), RLP.encode(['0x02'])]
    let taken = 0
    async function* source() {
      for (const list of lists) {
        taken++
        yield list
      }
    }
    const items = itemsIn(source())
    expect((await items.next()).value?.offset).toBe(0)
    expect(taken).toBe(1)
    await items.return(undefined)
  })

  it('closes its source when nobody reads on', async () => {
    let closed = false
    async function* source() {
      try {
        yield Uint8Array.of(0xc0)
        yield Uint8Array.of(0xc0)
      } finally {
        closed = true
      }
    }
    const items = itemsIn(source())
    await items.next()
    expect(closed).toBe(false)
    await items.return(undefined)
    expect(closed).toBe(true)
  })

  it(
    'that ends within a list gives those before it, and says where that list begins',
    withRandom(async (random) => {
      for (let i = 0; i < 50; i++) {
        const before = randomLists(random)
        const last = RLP.encode(random.list(2, () => random.bytes(random.pick([1, 40, 300]))))
        const kept = random.between(1, last.length - 1)
        const whole = Buffer.concat([...before, last.subarray(0, kept)])
        const start = whole.length - kept
        const isHead = kept < 1 + Math.max(0, last[0]! - 0xf7)
        const wanted = isHead ? 'the length of a block' : `a block of ${last.length} bytes`
        expect(await read(pieces(random, whole))).toEqual({
          items: expectedOf(before),
          broken: `the input ends at byte ${whole.length}, within ${wanted} that begins at byte ${start}`,
        })
      }
    }),
  )

  it.each([
    [0x00, '0x00'],
    [0x7f, '0x7f'],
    [0x80, '0x80'],
    [0xbf, '0xbf'],
    [0x0a, '0x0a'], // a line feed at the end of a file
  ])('with the byte %i where a list should begin gives the lists before it', async (byte, shown) => {
    const broken = `at byte 4 an RLP list should begin (0xc0 to 0xff), got ${shown}`
    const list = RLP.encode([Uint8Array.of(0x81, 0x82)])
    expect(await read([list, Uint8Array.of(byte, 0xc0)])).toEqual({ items: [[toHex(list), 0]], broken })
  })

  it.each([
    [256 * MiB + 1, 'fb10000001'],
    [2 ** 32, 'fc0100000000'],
    [2 ** 64, 'ffffffffffffffffff'],
  ])('does not wait for a list of %i bytes', async (length, digits) => {
    async function* source() {
      yield Uint8Array.of(0xc0)
      yield Buffer.from(digits, 'hex')
      throw new Error('nobody should ask for more')
    }
    expect(await read(source())).toEqual({
      items: [['0xc0', 0]],
      broken: `at byte 1 a block of ${length} bytes begins, at most ${256 * MiB} are read`,
    })
  })

  it('does wait for a list of 256 MiB', async () => {
    expect(await read(Buffer.from('fb10000000', 'hex'))).toEqual({
      items: [],
      broken: `the input ends at byte 5, within a block of ${256 * MiB + 5} bytes that begins at byte 0`,
    })
  })

  it('passes on what its source throws', async () => {
    async function* source() {
      yield Uint8Array.of(0xc0)
      throw new RangeError('the disk is gone')
    }
    await expect(read(source())).rejects.toThrow(RangeError)
  })
})
