/** Faults that happened, and what became of the chain: as the line marks them. */
import type { Mark } from '../../live/rhythm.ts'
import { Nothing } from '../../parts/Answer.tsx'
import { Text } from '../../parts/Text.tsx'
import { sinceWhen } from '../../served.ts'
import { Age } from './Age.tsx'
import { Panel } from './Panel.tsx'

export function MarksPanel({ marks, nowMs }: { marks: readonly Mark[]; nowMs: number | undefined }) {
  return (
    <Panel title="Faults and reorganisations">
      {marks.length === 0 ? (
        <Nothing>none {sinceWhen}</Nothing>
      ) : (
        <ul class="marks">
          {marks.map(({ kind, atMs, text }) => (
            <li key={`${kind} ${atMs} ${text}`}>
              <Text>{text}</Text>{' '}
              <span class="quiet">
                <Age ms={atMs} nowMs={nowMs} /> ago
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
