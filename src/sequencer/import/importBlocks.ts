/**
 * Imports blocks one after the other. Header fields such as the extra data are verified only by the parent hash in the
 * next block, so a block is published after its successor has been read. At most three blocks are in memory.
 */

import type { Hash } from '../../bytes/hex.ts'
import type { Chain } from '../../chain/chain.ts'
import type { Moment } from '../../chain/moment.ts'
import type { Evms } from '../../engine/evm.ts'
import { BrokenStream, type ByteSource, itemsIn } from '../../model/block/blockStream.ts'
import { decodeBlock, MalformedBlock, type UncheckedBlock } from '../../model/block/decodeBlock.ts'
import type { Header } from '../../model/block/header.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import type { MaybePromise } from '../../work/maybePromise.ts'
import { yieldToEventLoop } from '../clock.ts'
import type { CommandContext } from '../context.ts'
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
  /** Number of blocks of the input that are on the chain now, including those that were on it before the import. */
  readonly blocks: number
  /** The block number of the last block of the input that is on the chain now. */
  readonly number: bigint
  readonly bytes: number
}

/** The reason why an import ended early. The blocks imported until then stay on the chain. */
export type ImportProblem =
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
  /** Number of blocks that were already on the chain. */
  readonly known: number
  readonly problem: ImportProblem | undefined
}

interface ReadBlock {
  readonly kind: 'block'
  readonly block: UncheckedBlock
  /** Size of the block's RLP in bytes. */
  readonly size: number
  /** Offset in bytes at which the block ends in the input. */
  readonly end: number
}

/** An error that the source threw. The blocks before the error are imported, then the error is rethrown. */
interface FailedRead {
  readonly kind: 'failed'
  readonly error: unknown
}

/** The next block of the input, or the reason why it cannot be read. `undefined` at the end of the input. */
type Read = ReadBlock | FailedRead | ImportProblem | undefined

export interface ImportSink {
  /** Returns the result of `run`, as `CommandQueue.prepare` does. */
  prepare<T>(run: () => Promise<T>): MaybePromise<T>
  publish(moment: Moment): void | Promise<void>
  onProgress(progress: ImportProgress): void
  /** Ends the import after the current block, or immediately if the import waits for input. */
  readonly closed: AbortSignal
}

/** Imports the blocks of `source` into `chain` through `sink`. Ends at the first block that breaks `rules`. */
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
    // Closes a source (a file, a socket) that was not read to its end. After `closed`, a source may never answer.
    const ended = reads.return(undefined)
    if (!sink.closed.aborted) await ended
  }
}

/** Returns the next item of `reads`, or the problem `closed` if the signal aborts first. */
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
    if (chain.blockHash(block.header.number) === block.hash) known++
    else {
      const made = await runAndCheck(evms, chain, rules, block, size, sink)
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
    await yieldToEventLoop()
  }
  if (current?.kind === 'failed') throw current.error
  return { imported, known, problem: current }
}

/** Returns the parent hash in `successor` if it differs from the hash of the block and the block is at fault. */
function otherHash({ header, hash }: UncheckedBlock, successor: Read, afterwards: Read): Hash | undefined {
  if (successor?.kind !== 'block' || successor.block.header.number !== header.number + 1n) return undefined
  const { parentHash } = successor.block.header
  if (parentHash === hash) return undefined
  // `successor` is at fault if the block after `successor` has another parent hash. Otherwise this block is at fault.
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

/** Runs `block` after the newest block. Returns its moment or its flaw. */
async function runAndCheck(
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

/** The commands that add blocks of other nodes. */
export class ImportCommands {
  readonly #context: CommandContext
  /** Ends all imports. Created by the first import: `abort` is slow, and `stop` would call `abort` on every devnet. */
  #controller: AbortController | undefined
  #isStopped = false

  constructor(context: CommandContext) {
    this.#context = context
  }

  stop(): void {
    this.#isStopped = true
    this.#controller?.abort()
  }

  /** Imports blocks and publishes each valid block. The transactions of the open block return to the pool. */
  import(
    source: ByteSource,
    rules: ImportRules,
    onProgress: (progress: ImportProgress) => void,
  ): Promise<ImportOutcome> {
    const { queue, maker, clock, chain, upcoming } = this.#context
    this.#controller ??= new AbortController()
    if (this.#isStopped) this.#controller.abort()
    const sink: ImportSink = {
      prepare: (run) => queue.prepare(run),
      publish: (moment) => clock.step(() => maker.publishImported(moment)),
      onProgress,
      closed: this.#controller.signal,
    }
    return queue.add(() => importBlocks(upcoming.evms, chain, source, rules, sink))
  }

  repeat(header: Header, transactions: readonly Transaction[]): Promise<readonly Transaction[]> {
    const { queue, maker } = this.#context
    return queue.add(() => maker.repeat(header, transactions))
  }
}
