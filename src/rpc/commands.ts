/** The sequencer's commands for callers in the same process. A recording is informed before each command. */

import { concatenate } from '../bytes/bytes.ts'
import { type Hash, toHex } from '../bytes/hex.ts'
import type { Chain } from '../chain/chain.ts'
import { type ByteSource, chunksOf } from '../model/block/blockStream.ts'
import type { ImportRules } from '../sequencer/import/flawInHeader.ts'
import type { ImportOutcome, ImportProgress } from '../sequencer/import/importBlocks.ts'
import type { Mark } from '../sequencer/marks.ts'
import type { Sequencer } from '../sequencer/sequencer.ts'
import type { Observer } from './observer.ts'

export class Commands {
  readonly #sequencer: Sequencer
  readonly #chain: Chain
  readonly #observer: () => Observer | undefined

  constructor(
    { sequencer, chain }: { readonly sequencer: Sequencer; readonly chain: Chain },
    observer: () => Observer | undefined,
  ) {
    this.#sequencer = sequencer
    this.#chain = chain
    this.#observer = observer
  }

  tick(): Promise<void> {
    this.#observer()?.onCommand('tick')
    return this.#sequencer.blocks.tick()
  }

  /** Makes a tick, unless the transaction is already in a block or a slice when the command runs. */
  tickUnlessFound(hash: Hash): Promise<void> {
    this.#observer()?.onCommand('tickUnlessFound', hash)
    return this.#sequencer.blocks.tickIf(() => this.#chain.find(hash) === undefined)
  }

  seal(): Promise<void> {
    this.#observer()?.onCommand('seal')
    return this.#sequencer.blocks.seal()
  }

  async mine(): Promise<void> {
    this.#observer()?.onCommand('mine')
    await this.#sequencer.blocks.mine()
  }

  /** Mines a block, unless the transaction is already in a sealed block when the command runs. */
  mineUnlessSealed(hash: Hash): Promise<void> {
    this.#observer()?.onCommand('mineUnlessSealed', hash)
    return this.#sequencer.blocks.mineIf(() => this.#chain.state.history.find(hash) === undefined)
  }

  advance(ms: number): Promise<void> {
    this.#observer()?.onCommand('advance', ms)
    return this.#sequencer.blocks.advance(ms)
  }

  /** The current state, for a caller that only reads it. */
  get mark(): Mark {
    this.#observer()?.onCommand('look')
    return this.#sequencer.marks.now
  }

  snapshot(): Mark {
    const observer = this.#observer()
    return observer === undefined
      ? this.#sequencer.marks.now
      : observer.onSnapshot(() => this.#sequencer.marks.now)
  }

  restore(mark: Mark): Promise<void> {
    this.#observer()?.onRestore(mark)
    return this.#sequencer.marks.restore(mark)
  }

  load(mark: Mark): Promise<void> {
    this.#observer()?.onLoad(mark)
    return this.#sequencer.marks.load(mark)
  }

  /** Imports blocks. With an observer, reads the whole input first, because the observer gets it in one piece. */
  async import(
    source: ByteSource,
    rules: ImportRules,
    onProgress: (progress: ImportProgress) => void,
  ): Promise<ImportOutcome> {
    if (this.#observer() === undefined) return this.#sequencer.imports.import(source, rules, onProgress)
    const blocks = await bytesOf(source)
    this.#observer()?.onCommand('import', toHex(blocks), rules)
    return this.#sequencer.imports.import(blocks, rules, onProgress)
  }
}

async function bytesOf(source: ByteSource): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of chunksOf(source)) chunks.push(new Uint8Array(chunk))
  return concatenate(chunks)
}
