/** State files: writes a whole chain, and loads it into a devnet in place of its own. */
import { remoteOf } from '../chain/chain.ts'
import type { Block } from '../model/block/block.ts'
import type { ByteSource } from '../model/block/blockStream.ts'
import { breathe } from '../sequencer/clock.ts'
import type { Mark } from '../sequencer/marks.ts'
import type { Sequencer } from '../sequencer/sequencer.ts'
import { NotFetched } from '../state/remoteState.ts'
import { textOf } from '../state/whenFetched.ts'
import type { CachedExchange } from '../upstream/cacheFile.ts'
import { type ForkedNetwork, networkAt } from '../upstream/forkedNetwork.ts'
import type { RecordMismatch } from './chainRebuilder.ts'
import { LoadFailed } from './format/loadFailed.ts'
import { type PlacedRecord, readStateFile } from './format/readStateFile.ts'
import { encodeHead, encodeRecord, type Saved, type SavedHead } from './format/records.ts'
import { writeStateFile } from './format/stateLines.ts'
import { MarkRebuilder, markRecords } from './markRecords.ts'
import type { Home } from './savedNetwork.ts'
import { requireRules } from './stateOptions.ts'

export function networkOf({ chain }: Mark): ForkedNetwork | undefined {
  const remote = remoteOf(chain)
  return remote && networkAt(remote)
}

/** Returns the state file of `mark`, in pieces that are encoded on demand. */
export function dumpMark({ schedule, blockSettings }: Sequencer, mark: Mark): Generator<Uint8Array> {
  const { coinbase, randaoSeed } = blockSettings
  const first = BigInt(mark.chain.history.first)
  const network = networkOf(mark)
  const fork = network && { chainId: network.chainId, ...network.block, hasProofs: network.hasProofs }
  const head: SavedHead = { schedule, first, coinbase, randaoSeed, fork }
  return writeStateFile(jsonOf(head, network?.node.used ?? [], mark))
}

function* jsonOf(head: SavedHead, used: readonly CachedExchange[], mark: Mark): Generator<unknown> {
  yield encodeHead(head)
  for (const exchange of used) yield encodeRecord({ kind: 'fetched', ...exchange })
  for (const record of markRecords(mark)) yield encodeRecord(record)
}

/** Reads a state file of preseal or anvil, then replaces the chain. Returns the newest block. Throws `LoadFailed` without any change. */
export async function loadState(home: Home, source: ByteSource, limit?: number): Promise<Block> {
  const { sequencer } = home
  return sequencer.clock.prepare(
    () => readMark(home, source, limit),
    async (mark) => {
      await sequencer.marks.load(mark)
      return mark.chain.history.latest.block
    },
  )
}

/** Returns the mark in a state file of preseal or anvil. Throws `LoadFailed`. */
export async function readMark(home: Home, source: ByteSource, limit?: number): Promise<Mark> {
  const { schedule } = home.sequencer
  const keep = home.chain.options
  let head: SavedHead | undefined
  const fetched: CachedExchange[] = []
  let rebuilder: MarkRebuilder | undefined
  for await (const part of readStateFile(source, limit)) {
    switch (part.kind) {
      case 'anvil':
        return (await import('./anvilChain.ts')).anvilMark(home, part)
      case 'head':
        head = part.head
        requireRules(head.schedule, schedule)
        break
      case 'records': {
        let { records } = part
        if (rebuilder === undefined) {
          const begin =
            head!.fork === undefined ? 0 : records.findIndex(({ record: { kind } }) => kind !== 'fetched')
          fetched.push(...records.slice(0, begin === -1 ? undefined : begin).map(exchangeIn))
          if (begin === -1) break
          records = records.slice(begin)
          const { networkOfFile } = await import('./savedNetwork.ts')
          const network = head!.fork && (await networkOfFile(home, head!.fork, fetched, records[0]!.line))
          rebuilder = new MarkRebuilder(keep, head!.first, network?.state)
        }
        addAll(rebuilder, records)
        // Lets requests in between.
        await breathe()
        break
      }
      case 'end': {
        const mark = rebuilder?.finish() ?? { expected: 'a block', received: 'none' }
        if ('chain' in mark) return mark
        throw new LoadFailed(part.line, mark.expected, mark.received)
      }
    }
  }
  throw new Error('a state file without an end was not refused')
}

function exchangeIn({ record }: PlacedRecord): CachedExchange {
  const { method, params, result } = record as Saved<'fetched'>
  return { method, params, result }
}

function addAll(rebuilder: MarkRebuilder, records: readonly PlacedRecord[]): void {
  for (const { line, record } of records) {
    const misfit = added(rebuilder, record)
    if (misfit !== undefined) throw new LoadFailed(line, misfit.expected, misfit.received)
  }
}

function added(rebuilder: MarkRebuilder, record: PlacedRecord['record']): RecordMismatch | undefined {
  try {
    return rebuilder.add(record)
  } catch (error) {
    if (!(error instanceof NotFetched)) throw error
    return {
      expected: `what was fetched of ${textOf(error.values[0]!)}, in a line above`,
      received: 'nothing',
    }
  }
}
