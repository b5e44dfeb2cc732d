/** What a report says above the page: what session it is, how far it is played, and where playing it ended early. */
import { counted, version } from '../../model/text.ts'
import type { Replay } from '../../recording/replay/replay.ts'
import { grouped } from '../format/quantity.ts'
import { Text } from '../parts/Value.tsx'
import { playing } from './session.ts'
import './session.css'

const MOST_CHARACTERS = 200

export function Session({ name }: { name: string }) {
  const now = playing.value
  return (
    <section class="session" aria-label="recorded session">
      {now.state === 'failed' ? (
        <p role="alert" class="problem">
          <Text>{name}</Text> cannot be played: <Text limit={2_000}>{now.message}</Text>
        </p>
      ) : (
        <p role="status">
          The recorded session <Text>{name}</Text>
          {now.state === 'playing' ? ` is being played: ${now.percent} %` : `: ${counts(now.replay)}`}
        </p>
      )}
      {now.state === 'played' && <Notes replay={now.replay} />}
    </section>
  )
}

function counts({ requests, ticks }: Replay): string {
  return `${counted(requests, 'request', grouped(requests))} and ${counted(ticks, 'tick', grouped(ticks))}, after which time stands`
}

/** Says what is not shown as it was recorded. */
function Notes({ replay: { recordedBy, ending, lastLine, difference } }: { replay: Replay }) {
  return (
    <>
      {recordedBy !== version && (
        <p>
          Recorded by preseal <Text>{recordedBy}</Text>, played by {version}.
        </p>
      )}
      {ending === 'cut' && (
        <p>The recording was cut off after line {lastLine}: all that is whole of it was played.</p>
      )}
      {difference !== undefined && (
        <p role="alert" class="problem">
          Line {difference.line} (request {difference.request}) was answered otherwise than recorded, and the
          chain is shown as it was then: <Text>{difference.method}</Text>, <Text>{difference.path}</Text>,
          recorded <Text limit={MOST_CHARACTERS}>{shown(difference.recorded)}</Text>, answered{' '}
          <Text limit={MOST_CHARACTERS}>{shown(difference.answered)}</Text>
        </p>
      )}
    </>
  )
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value)
}
