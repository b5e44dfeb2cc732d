/** How an import reads: in chunks of any size, three blocks ahead at most, and what becomes of a source that fails. */
import { describe, expect, it, vi } from 'vitest'
import { ZERO_HASH } from '../../../src/bytes/hex.ts'
import { Chain } from '../../../src/chain/chain.ts'
import { Evms } from '../../../src/engine/evm.ts'
import type { ByteSource } from '../../../src/model/block/blockStream.ts'
import { momentOf } from '../../../src/sequencer/genesis.ts'
import {
  type ImportProgress,
  type ImportSink,
  importBlocks,
} from '../../../src/sequencer/import/importBlocks.ts'
import { parseGenesis } from '../../../src/wire/genesis.ts'
import { flipped, withField } from '../../support/chains/alteredBlocks.ts'
import { blocks, hash, chain as mined } from '../../support/chains/imports.ts'
import { GENESIS } from '../../support/chains/minedChain.ts'
import { createEngine } from '../../support/engines/engineOfRun.ts'

const TEN = blocks(1, 10)
const FILE = Buffer.concat(TEN)

/** A chain at block 0, and all that an import reports. */
function begun({ historyBlocks, ...sink }: Partial<ImportSink> & { historyBlocks?: number } = {}) {
  const genesis = parseGenesis(GENESIS, 'genesis')
  const chain = Chain.of(momentOf(genesis), {
    safeDistance: 0,
    finalizedDistance: 0,
    historyBlocks,
    sliceBlocks: 0,
    randaoSeed: ZERO_HASH,
  })
  const evms = new Evms(genesis.schedule, createEngine)
  const progress: ImportProgress[] = []
  const own: ImportSink = {
    prepare: (run) => run(),
    publish: (moment) => chain.seal(moment),
    onProgress: (now) => progress.push(now),
    closed: new AbortController().signal,
    ...sink,
  }
  return {
    chain,
    progress,
    run: (source: ByteSource) => importBlocks(evms, chain, source, 'ethereum', own),
  }
}

function chunksOf(size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(FILE.length / size) }, (_, i) =>
    FILE.subarray(i * size, (i + 1) * size),
  )
}

async function* later(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) {
    await Promise.resolve()
    yield chunk
  }
}

describe('an import', () => {
  it.each<[string, () => ByteSource]>([
    ['all bytes at once', () => FILE],
    ['a list of blocks', () => TEN],
    ['chunks of one byte', () => chunksOf(1)],
    ['chunks of seven bytes, later', () => later(chunksOf(7))],
    ['chunks of 4,096 bytes, later', () => later(chunksOf(4_096))],
    ['a web stream', () => new Blob([FILE]).stream()],
  ])('is the same from %s', async (_, source) => {
    const { chain, run } = begun()
    expect(await run(source())).toEqual({ imported: 10, known: 0, problem: undefined })
    expect(chain.latest.block.hash).toBe(hash(10))
  })

  it('reports each block, with the bytes up to its end', async () => {
    const { progress, run } = begun()
    await run(later(chunksOf(4_096)))
    let bytes = 0
    expect(progress).toEqual(
      TEN.map(({ length }, i) => {
        bytes += length
        return { blocks: i + 1, number: BigInt(i + 1), bytes }
      }),
    )
    expect(bytes).toBe(FILE.length)
  })

  it('counts blocks that are known already as progress', async () => {
    const { progress, run } = begun()
    await run(Buffer.concat(blocks(1, 4)))
    progress.length = 0
    expect(await run(FILE)).toEqual({ imported: 6, known: 4, problem: undefined })
    expect(progress.map(({ blocks, number }) => [blocks, number])).toEqual(
      TEN.map((_, i) => [i + 1, BigInt(i + 1)]),
    )
  })

  it('publishes a block when two more have been read, and holds no more of them', async () => {
    let taken = 0
    const ahead: number[] = []
    const { chain, run } = begun({ onProgress: ({ blocks }) => ahead.push(taken - blocks) })
    async function* source() {
      for (const encoded of mined.encoded.slice(0, 20)) {
        taken++
        // What is still to come has not been published.
        expect(chain.latest.block.header.number).toBeLessThan(taken)
        yield encoded
      }
    }
    await run(source())
    expect(ahead).toEqual([...Array(18).fill(2), 1, 0])
  })

  it('keeps nothing of the bytes that it was given', async () => {
    const { chain, run } = begun()
    const file = Buffer.from(FILE)
    await run(file)
    file.fill(0)
    const transactions = TEN.flatMap((_, i) => chain.state.history.block(i + 1)!.transactions)
    const theirs = mined.blocks.slice(0, 10).flatMap(({ block }) => block.transactions)
    expect(transactions.map(({ raw }) => Buffer.from(raw))).toEqual(
      theirs.map((tx) => Buffer.from(tx.serialize())),
    )
  })

  it('reads from one buffer that is filled again and again', async () => {
    const { chain, run } = begun()
    function* source() {
      const buffer = Buffer.alloc(700)
      for (const chunk of chunksOf(700)) {
        buffer.set(chunk)
        yield buffer.subarray(0, chunk.length)
      }
    }
    expect(await run(source())).toMatchObject({ imported: 10 })
    expect(chain.latest.block.hash).toBe(hash(10))
  })

  it('lets other things happen between blocks', async () => {
    const { chain, run } = begun()
    const seen = new Set<bigint>()
    let isDone = false
    const look = () => {
      seen.add(chain.latest.block.header.number)
      if (!isDone) setImmediate(look)
    }
    look()
    await run(FILE)
    isDone = true
    expect(seen.size).toBeGreaterThan(5)
  })

  it('ends where it is told that nobody wants more', async () => {
    const closing = new AbortController()
    const onProgress = ({ blocks }: ImportProgress) => blocks === 4 && closing.abort()
    const { chain, run } = begun({ onProgress, closed: closing.signal })
    expect(await run(FILE)).toEqual({ imported: 4, known: 0, problem: { kind: 'closed' } })
    expect(chain.latest.block.hash).toBe(hash(4))
  })

  it('ends so, too, while it waits for a source that hangs', async () => {
    const closing = new AbortController()
    async function* hanging(): AsyncGenerator<Uint8Array> {
      yield* TEN.slice(0, 3)
      queueMicrotask(() => closing.abort())
      await new Promise(() => {})
    }
    const { run } = begun({ closed: closing.signal })
    expect((await run(hanging())).problem).toEqual({ kind: 'closed' })
  })

  it('takes ommers whose relatives were pruned', async () => {
    const { chain, run } = begun({ historyBlocks: 1 })
    expect(await run(FILE)).toEqual({ imported: 10, known: 0, problem: undefined })
    expect(chain.latest.block.ommers).toHaveLength(1)
  })
})

describe('the source of an import', () => {
  /** Blocks, after which `end` is called; and whether the source was closed. */
  function closable(encoded: Iterable<Uint8Array>, end = () => {}) {
    const closed = vi.fn()
    async function* source() {
      try {
        yield* encoded
        end()
      } finally {
        closed()
      }
    }
    return { source: source(), closed }
  }

  it('is closed where a block is refused', async () => {
    const { run } = begun()
    const { source, closed } = closable([TEN[0]!, withField(TEN[1]!, 'stateRoot', flipped), ...TEN.slice(2)])
    expect(await run(source)).toMatchObject({ imported: 1, problem: { flaw: { field: 'stateRoot' } } })
    expect(closed).toHaveBeenCalledOnce()
  })

  it('is closed where the bytes are no blocks', async () => {
    const { run } = begun()
    const { source, closed } = closable([TEN[0]!, Uint8Array.of(0), ...TEN.slice(1)])
    expect(await run(source)).toMatchObject({ imported: 1, problem: { kind: 'brokenStream' } })
    expect(closed).toHaveBeenCalledOnce()
  })

  it('is closed where whoever hears of progress throws, whose error it is', async () => {
    const error = new Error('enough')
    const { chain, run } = begun({
      onProgress: ({ blocks }) => {
        if (blocks === 3) throw error
      },
    })
    const { source, closed } = closable(TEN)
    await expect(run(source)).rejects.toBe(error)
    expect(closed).toHaveBeenCalledOnce()
    expect(chain.latest.block.hash).toBe(hash(3))
  })

  it.each([
    ['between two blocks', 5, 0],
    ['within a block', 5, 100],
    ['before the first', 0, 0],
  ])('that fails %s leaves the blocks before it, and its error passes through', async (_, whole, rest) => {
    const { chain, run } = begun()
    const error = new Error('the disk is gone')
    const { source } = closable([...TEN.slice(0, whole), TEN[whole]!.subarray(0, rest)], () => {
      throw error
    })
    await expect(run(source)).rejects.toBe(error)
    expect(chain.latest.block.header.number).toBe(BigInt(whole))
    expect(await run(FILE)).toEqual({ imported: 10 - whole, known: whole, problem: undefined })
  })

  it.each<[string, unknown, string]>([
    ['the name of a file', 'chain.rlp', 'expected bytes (Uint8Array) or a stream of them, got string'],
    [
      'an ArrayBuffer',
      new ArrayBuffer(8),
      'expected bytes (Uint8Array) or a stream of them, got [object ArrayBuffer]',
    ],
    ['nothing', undefined, 'expected bytes (Uint8Array) or a stream of them, got undefined'],
    ['pieces of text', ['f90200'], 'expected bytes (Uint8Array), got string'],
    ['numbers', [0xf9, 0x02], 'expected bytes (Uint8Array), got number'],
  ])('is not %s', async (_, source, complaint) => {
    await expect(begun().run(source as ByteSource)).rejects.toThrow(new TypeError(complaint))
  })
})
