/** Starts the recording of a devnet. */
import { version } from '../model/version.ts'
import type { RpcContext } from '../rpc/context.ts'
import { machineMs } from '../sequencer/clock.ts'
import { headText } from './readRecording.ts'
import { Recorder, type Write } from './recorder.ts'

/** A recording in progress. */
export interface Recording {
  /** The text so far; empty if `write` receives it. */
  readonly text: string
  /** Ends the recording. Closing the devnet does the same. */
  end(): void
}

/**
 * Starts a recording as soon as no command is running. `options` create a devnet into which the state file can be
 * loaded. Rejects with an `Error` if the devnet is already being recorded.
 */
export async function record(
  context: RpcContext,
  options: Readonly<Record<string, unknown>>,
  write?: Write,
): Promise<Recording> {
  const { sequencer } = context
  const texts: string[] = []
  const keep: Write = write ?? ((text) => texts.push(text))
  while (!(await sequencer.idle())) {}
  if (context.observer !== undefined) throw new Error('record: this devnet is being recorded already')
  const startMs = machineMs()
  const recorder = new Recorder(context, startMs, keep)
  const node = context.network?.name
  keep(headText({ by: version, options, startMs, clock: sequencer.clock.state, node }))
  keep(recorder.stateText(sequencer.marks.now))
  return {
    get text() {
      return texts.join('')
    },
    end: () => recorder.end(),
  }
}
