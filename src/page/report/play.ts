/** Plays the session of a report on a devnet in the page, which is asked from then on. */
import { signal } from '@preact/signals'
import { type Replay, replayWatched } from '../../replay.ts'
import type { DevnetSource } from './devnetSource.ts'
import { sessionHere } from './session.ts'

export type Playing =
  | { readonly state: 'playing'; readonly percent: number }
  | { readonly state: 'played'; readonly replay: Replay }
  | { readonly state: 'failed'; readonly message: string }

/** How far the session is played, and how that ended. */
export const playing = signal<Playing>({ state: 'playing', percent: 0 })

/** Plays the session of this document for `source`. */
export async function playFor(source: DevnetSource): Promise<void> {
  const { bytes, chunks } = sessionHere()
  try {
    const options = {
      // The results are the same in both engines, and the report has this one.
      options: { engine: 'wasm' },
      look(_: unknown, played: Replay) {
        playing.value = { state: 'played', replay: played }
        source.open()
        // The devnet stays open as long as the document.
        return new Promise(() => {})
      },
    } as const
    await replayWatched(counted(chunks, bytes), options, (devnet) => source.watch(devnet))
  } catch (error) {
    playing.value = { state: 'failed', message: error instanceof Error ? error.message : String(error) }
    source.giveUp()
  }
}

async function* counted(chunks: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let read = 0
  for await (const chunk of chunks) {
    yield chunk
    read += chunk.length
    playing.value = { state: 'playing', percent: Math.min(99, Math.floor((read * 100) / bytes)) }
  }
}
