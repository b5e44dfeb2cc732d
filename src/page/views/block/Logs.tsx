/** The logs of a block: as many as are shown are asked for. */
import { useSignal } from '@preact/signals'
import { changesAt } from '../../live/changes.ts'
import { useFollowed } from '../../live/followed.ts'
import { PAST } from '../../moment.ts'
import { Answer } from '../../parts/Answer.tsx'
import { EventList, FIRST_EVENTS } from '../../parts/EventList.tsx'
import type { ShownBlock } from './block.ts'

export function Logs({ shown: { block, at, content, logCount } }: { shown: ShownBlock }) {
  const shown = useSignal(FIRST_EVENTS)
  const end = Math.min(shown.value, logCount)
  const asked = useFollowed(() => content.logs(0, end), [block.number, at, end], changesAt(PAST))
  return (
    <Answer asked={asked.value}>
      {(logs) => (
        <EventList
          // After a slice there are fewer.
          logs={logs.slice(0, logCount)}
          count={logCount}
          shown={shown}
          at={at}
          withTransaction
        />
      )}
    </Answer>
  )
}
