/** What lets a recording see all that comes to a devnet from outside. */

import type { Block } from '../../model/block/block.ts'
import { type ByteSource, chunksOf } from '../../model/block/blockStream.ts'
import { joined } from '../../model/bytes/bytes.ts'
import { toHex } from '../../model/bytes/hex.ts'
import type { ImportOutcome, ImportProgress } from '../../sequencer/import/importBlocks.ts'
import type { Mark } from '../../sequencer/sequencer.ts'
import type { RpcContext } from '../context.ts'
import type { Dispatch } from '../dispatch.ts'
import { readMark } from '../stateFile.ts'

/** `dispatch`, whose requests and answers are recorded where `context` has a recorder. */
export function recorded(context: RpcContext, dispatch: Dispatch, isCalm = false): Dispatch {
  return (request, subscriptions) => {
    const { recorder } = context
    if (recorder === undefined) return dispatch(request, subscriptions)
    return recorder.request(request, subscriptions, dispatch, isCalm)
  }
}

/** What is done to a devnet in process. Each is a command of the sequencer, of which a recording learns before. */
export class Commands {
  readonly #context: RpcContext

  constructor(context: RpcContext) {
    this.#context = context
  }

  tick(): Promise<void> {
    this.#context.recorder?.call('tick')
    return this.#context.sequencer.tick()
  }

  seal(): Promise<void> {
    this.#context.recorder?.call('seal')
    return this.#context.sequencer.seal()
  }

  async mine(): Promise<void> {
    this.#context.recorder?.call('mine')
    await this.#context.sequencer.mine()
  }

  advance(ms: number): Promise<void> {
    this.#context.recorder?.call('advance', ms)
    return this.#context.sequencer.advance(ms)
  }

  /** Where the devnet is, for somebody who does not come back to it. */
  get mark(): Mark {
    this.#context.recorder?.call('look')
    return this.#context.sequencer.mark
  }

  snapshot(): Mark {
    const { recorder, sequencer } = this.#context
    return recorder === undefined ? sequencer.mark : recorder.snapshot(() => sequencer.mark)
  }

  restore(mark: Mark): Promise<void> {
    this.#context.recorder?.restore(mark)
    return this.#context.sequencer.restore(mark)
  }

  /** Answers the newest block. */
  async load(source: ByteSource): Promise<Block> {
    const mark = await readMark(this.#context, source)
    const { recorder } = this.#context
    recorder?.call('load', recorder.stateText(mark))
    await this.#context.sequencer.load(mark)
    return mark.chain.history.latest.block
  }

  /** A recording has the file in one piece: it is read before the first block is run. */
  async import(source: ByteSource, onProgress: (progress: ImportProgress) => void): Promise<ImportOutcome> {
    if (this.#context.recorder === undefined) return this.#context.sequencer.import(source, onProgress)
    const blocks = await bytesOf(source)
    this.#context.recorder?.call('import', toHex(blocks))
    return this.#context.sequencer.import(blocks, onProgress)
  }
}

async function bytesOf(source: ByteSource): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of chunksOf(source)) chunks.push(new Uint8Array(chunk))
  return joined(chunks)
}
