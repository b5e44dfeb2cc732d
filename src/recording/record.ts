import { version } from '../model/api/text.ts'
import type { Settings } from '../options/options.ts'
import { recordedOptions } from '../options/parseOptions.ts'
import type { RpcContext } from '../rpc/context.ts'
import { dumpMark } from '../saving/stateFile.ts'
import { machineMs } from '../sequencer/clock.ts'
import { headText } from './readRecording.ts'
import { type FailedRequest, joinedText, type OnGiveWay, Recorder, type Write } from './recorder.ts'

/** A recording in progress. */
export interface Recording {
  /** The text recorded up to now; empty if `write` receives the text. */
  readonly text: string
  /** @internal The text including the last line that `end` would write. */
  readonly textToNow: string
  /** @internal The last requests whose code failed, oldest first. */
  readonly failed: readonly FailedRequest[]
  /** Ends the recording. Closing the devnet does the same. */
  end(): void
}

export interface RecordingOptions {
  /** Receives the recording as pieces of text. By default, the property `text` of the recording collects the pieces. */
  readonly write?: Write | undefined
  /** Called when another recording or a replay replaces this recording. Without `onGiveWay`, none can replace it. */
  readonly onGiveWay?: OnGiveWay | undefined
  /** Whether ABIs of `devnet.abis` are recorded, so that reports can name contracts. */
  readonly hasAbis?: boolean | undefined
}

export interface RecordedDevnet {
  readonly settings: Settings
  readonly wires: { readonly context: RpcContext }
}

/** Resolves to the text of a recording that begins and ends now: it contains the chain, but no requests. */
export async function recordingOfNow({ settings, wires: { context } }: RecordedDevnet): Promise<string> {
  await untilIdle(context)
  const { sequencer } = context
  // A recording has no L1, because a replay makes one chain.
  const state = joinedText(dumpMark({ sequencer, l1: undefined }, sequencer.marks.now))
  return `${headOf(settings, context, machineMs())}${state}{"end":0}\n`
}

/** Starts a recording once no command is running. Rejects with an `Error` if the devnet is already being recorded. */
export async function record(
  { settings, wires: { context } }: RecordedDevnet,
  { write, onGiveWay, hasAbis }: RecordingOptions = {},
): Promise<Recording> {
  const { sequencer } = context
  if (context.pair !== undefined) throw new Error('record: an L1 and its L2 cannot be recorded')
  // Without a command to wait for, the recording begins at once, so that it has the caller's next request.
  if (!sequencer.queue.isIdle) await untilIdle(context)
  if (context.observer?.endForSuccessor('recording') === false) {
    throw new Error('record: this devnet is already being recorded')
  }
  const startMs = machineMs()
  const texts: string[] = []
  const recorder = new Recorder(context, startMs, write ?? ((text) => texts.push(text)), {
    onGiveWay,
    hasAbis,
  })
  const head = headOf(settings, context, startMs)
  // The state is immutable, so it may be encoded later: when the text is read for the first time.
  const state = dumpMark(context, sequencer.marks.now)
  let beginning = ''
  if (write !== undefined) {
    write(head)
    write(joinedText(state))
  }
  const text = () => {
    if (write !== undefined) return ''
    beginning ||= head + joinedText(state)
    return beginning + texts.join('')
  }
  return {
    get text() {
      return text()
    },
    get textToNow() {
      // `ending` is read before the text, because the getter `ending` completes the text's last line.
      const { ending } = recorder
      return text() + ending
    },
    failed: recorder.failed,
    end: () => recorder.end(),
  }
}

async function untilIdle({ sequencer }: RpcContext): Promise<void> {
  while (!(await sequencer.queue.idle())) {}
}

function headOf(settings: Settings, { sequencer, network }: RpcContext, startMs: number): string {
  return headText({
    by: version,
    options: recordedOptions(settings),
    startMs,
    clock: sequencer.clock.state,
    node: network?.name,
  })
}
