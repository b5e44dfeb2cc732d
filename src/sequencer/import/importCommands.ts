/** The commands that add blocks of other nodes. */
import type { ByteSource } from '../../model/block/blockStream.ts'
import type { Header } from '../../model/block/header.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import type { CommandContext } from '../context.ts'
import type { ImportRules } from './flawInHeader.ts'
import { type ImportOutcome, type ImportProgress, type ImportSink, importBlocks } from './importBlocks.ts'

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
