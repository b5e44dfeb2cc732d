/**
 * Imports blocks one after the other: each is read, checked, run and published before the next.
 *
 * A header is verified only by the block that follows it (nothing else covers its extra data, or the proof of work of
 * a mined block), so a block is published once its successor has been read. The memory holds three blocks of the
 * file, and the chain.
 */

import type { Hash } from '../../bytes/hex.ts'
import type { Chain } from '../../chain/chain.ts'
import type { Moment } from '../../chain/moment.ts'
import type { Evms } from '../../engine/evm.ts'
import { BrokenStream, type ByteSource, itemsIn } from '../../model/block/blockStream.ts'
import { decodeBlock, MalformedBlock, type UncheckedBlock } from '../../model/block/decodeBlock.ts'
import type { MaybePromise } from '../../work/maybePromise.ts'
import { breathe } from '../clock.ts'
import {
  type BlockFlaw,
  differs,
  flawInHeader,
  flawInMerge,
  flawInOmmers,
  flawInSize,
  type ImportRules,
  invalid,
} from './flawInHeader.ts'
import { runBlock } from './runBlock.ts'

export interface ImportProgress {
  /** Number of blocks of the input that are on the chain now, including those that were there before. */
  readonly blocks: number
  /** The number of the last of them. */
  readonly number: bigint
  readonly bytes: number
}

/** The reason why an import ended early; the blocks before it stay. */
export type ImportProblem =
  /** The devnet was closed. */
  | { readonly kind: 'closed' }
  /** The input is truncated, or is not a list of blocks. */
  | { readonly kind: 'brokenStream'; readonly detail: string }
  | {
      readonly kind: 'malformedBlock'
      readonly offset: number
      readonly field: string
      readonly reason: string
    }
  | { readonly kind: 'flawedBlock'; readonly number: bigint; readonly hash: Hash; readonly flaw: BlockFlaw }

export interface ImportOutcome {
  /** Number of blocks added to the chain. */
  readonly imported: number
  /** Number of blocks that were on it before. */
  readonly known: number
  readonly problem: ImportProblem | undefined
}

interface ReadBlock {
  readonly kind: 'block'
  readonly block: UncheckedBlock
  /** Size of its RLP in bytes. */
  readonly size: number
  /** Its end in the input, as an offset in bytes. */
  readonly end: number
}

/** An error of the source, rethrown once the blocks before it have been imported. */
interface FailedRead {
  readonly kind: 'failed'
  readonly error: unknown
}

/** The next item of the input: a block, or the reason why there is none. `undefined` at its end. */
type Read = ReadBlock | FailedRead | ImportProblem | undefined

export interface ImportSink {
  /** Returns the result of `run`: see `CommandQueue.prepare`. */
  prepare<T>(run: () => Promise<T>): MaybePromise<T>
  publish(moment: Moment): void | Promise<void>
  onProgress(progress: ImportProgress): void
  /** Ends the import after the current block, or at once if it waits for input. */
  readonly closed: AbortSignal
}

/** Imports the blocks of `source`, which must keep `rules`, into `chain`, one by one, through `sink`. */
export async function importBlocks(
  evms: Evms,
  chain: Chain,
  source: ByteSource,
  rules: ImportRules,
  sink: ImportSink,
): Promise<ImportOutcome> {
  const reads = readBlocks(source)
  try {
    return await importRead(evms, chain, rules, () => nextUnless(sink.closed, reads), sink)
  } finally {
    // Closes a source that was not read to its end: a file, a socket. A source that hangs is not awaited.
    const ended = reads.return(undefined)
    if (!sink.closed.aborted) await ended
  }
}

/** Returns the next read; `closed` if that comes first. */
function nextUnless(closed: AbortSignal, reads: AsyncIterator<Read>): Promise<Read> {
  return new Promise((resolve, reject) => {
    const close = () => resolve({ kind: 'closed' })
    closed.addEventListener('abort', close)
    reads
      .next()
      .then(({ value }) => resolve(value), reject)
      .finally(() => closed.removeEventListener('abort', close))
  })
}

async function importRead(
  evms: Evms,
  chain: Chain,
  rules: ImportRules,
  next: () => Promise<Read>,
  sink: ImportSink,
): Promise<ImportOutcome> {
  let imported = 0
  let known = 0
  let current = await next()
  let successor = await next()
  while (current?.kind === 'block') {
    if (sink.closed.aborted) return { imported, known, problem: { kind: 'closed' } }
    const { block, size, end }: ReadBlock = current
    const afterwards = successor?.kind === 'block' ? await next() : undefined
    if (isKnown(chain, block)) known++
    else {
      const made = await follow(evms, chain, rules, block, size, sink)
      if ('kind' in made) return { imported, known, problem: flawed(block, made) }
      const other = otherHash(block, successor, afterwards)
      if (other !== undefined) {
        return { imported, known, problem: flawed(block, differs('hash', block.hash, other)) }
      }
      await sink.publish(made)
      imported++
    }
    sink.onProgress({ blocks: imported + known, number: block.header.number, bytes: end })
    current = successor
    successor = afterwards
    // Requests are served meanwhile, even if the whole input is in memory.
    await breathe()
  }
  if (current?.kind === 'failed') throw current.error
  return { imported, known, problem: current }
}

/** Returns the hash that the next block has for `block`, if it differs and `block` is the changed one of the two. */
function otherHash({ header, hash }: UncheckedBlock, successor: Read, afterwards: Read): Hash | undefined {
  if (successor?.kind !== 'block' || successor.block.header.number !== header.number + 1n) return undefined
  const { parentHash } = successor.block.header
  if (parentHash === hash) return undefined
  // One of the two was changed. It is the second if a third one does not build on it; if that is unknown, neither is
  // imported.
  const isSecond = afterwards?.kind === 'block' && afterwards.block.header.parentHash !== successor.block.hash
  return isSecond ? undefined : parentHash
}

async function* readBlocks(source: ByteSource): AsyncGenerator<Exclude<Read, undefined>, undefined> {
  try {
    for await (const { bytes, offset } of itemsIn(source)) {
      try {
        const size = bytes.length
        yield { kind: 'block', block: decodeBlock(bytes), size, end: offset + size }
      } catch (error) {
        if (!(error instanceof MalformedBlock)) throw error
        yield { kind: 'malformedBlock', offset, field: error.field, reason: error.reason }
      }
    }
  } catch (error) {
    yield error instanceof BrokenStream
      ? { kind: 'brokenStream', detail: error.message }
      : { kind: 'failed', error }
  }
}

function isKnown(chain: Chain, { header, hash }: UncheckedBlock): boolean {
  return chain.blockHash(header.number) === hash
}

/** Returns the moment of `block` after the newest one. */
async function follow(
  evms: Evms,
  chain: Chain,
  rules: ImportRules,
  block: UncheckedBlock,
  size: number,
  sink: ImportSink,
): Promise<Moment | BlockFlaw> {
  const { header } = block
  const parent = chain.latest
  const { number } = parent.block.header
  if (
    header.number <= number &&
    header.number >= chain.state.history.first &&
    header.parentHash !== parent.block.hash
  ) {
    const reason = `this chain has another block ${header.number}, ${chain.blockHash(header.number)}`
    return invalid('number', 'otherBlock', reason)
  }
  if (header.number !== number + 1n) return differs('number', header.number, number + 1n)
  if (header.parentHash !== parent.block.hash) {
    return differs('parentHash', header.parentHash, parent.block.hash)
  }
  const evm = evms.at(header)
  const { history } = chain.state
  return (
    flawInSize(evm.rules, size) ??
    flawInHeader(evm.rules, rules, parent.block.header, block) ??
    flawInMerge(evms.schedule, rules, history, header) ??
    flawInOmmers(evms.schedule, parent.block.header, block.ommers, history) ??
    (await sink.prepare(() => runBlock(evm, rules, parent.state, block, chain.blockHash)))
  )
}

function flawed({ header, hash }: UncheckedBlock, flaw: BlockFlaw): ImportProblem {
  return { kind: 'flawedBlock', number: header.number, hash, flaw }
}
