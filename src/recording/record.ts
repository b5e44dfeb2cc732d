/** Begins a recording of a devnet. */
import { version } from '../model/version.ts'
import type { RpcContext } from '../rpc/context.ts'
import { machineMs } from '../sequencer/clock.ts'
import { headText } from './readRecording.ts'
import { Recorder, type Write } from './recorder.ts'

/** A recording that is being made. */
export interface Recording {
  /** All of it so far; nothing where it is written elsewhere. */
  readonly text: string
  /** Ends it. So does closing the devnet. */
  end(): void
}

/**
 * Begins to write down what happens, as soon as no command is under way. `options` make a devnet that a state file can be
 * loaded into. Rejects with an `Error` where it is recorded already.
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
  keep(headText({ by: version, options, startMs, clock: sequencer.clock.standing }))
  keep(recorder.stateText(sequencer.mark))
  return {
    get text() {
      return texts.join('')
    },
    end: () => recorder.end(),
  }
}
