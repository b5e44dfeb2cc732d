/** The newest blocks: the timeline as text. */

import { isReport, sinceWhen } from '../../environment.ts'
import type { LiveBlock } from '../../live/rhythm.ts'
import { hrefOf } from '../../navigation.ts'
import { Nothing } from '../../parts/Answer.tsx'
import { percent } from '../../parts/amounts.tsx'
import { RemovedBlockLink } from '../../parts/links.tsx'
import { StateBadge } from '../../parts/StateBadge.tsx'
import { Panel } from './Panel.tsx'

export function BlocksPanel({ blocks, nowMs }: { blocks: readonly LiveBlock[]; nowMs: number | undefined }) {
  if (blocks.length === 0)
    return (
      <Panel title="Newest blocks">
        <Nothing>
          {isReport ? `none ${sinceWhen}` : 'none yet'}; <a href={hrefOf({ view: 'blocks' })}>all blocks</a>
        </Nothing>
      </Panel>
    )
  return (
    <Panel title="Newest blocks">
      <div class="scrolled">
        <table>
          <thead>
            <tr>
              <th scope="col">block</th>
              <th scope="col">state</th>
              <th scope="col" class="end">
                tx
              </th>
              <th scope="col" class="end wide">
                slices
              </th>
              <th scope="col" class="end wide">
                gas
              </th>
              <th scope="col" class="end">
                ago
              </th>
            </tr>
          </thead>
          <tbody>
            {blocks.map(
              ({
                number,
                hash,
                removedMs,
                transactions,
                slices,
                sliceCount,
                gasUsed,
                gasLimit,
                sealedMs,
              }) => (
                <tr key={hash} class={removedMs === undefined ? undefined : 'removed'}>
                  <td>
                    {removedMs === undefined ? (
                      <a class="number" href={hrefOf({ view: 'block', id: String(number) })}>
                        {number}
                      </a>
                    ) : (
                      <RemovedBlockLink number={number} hash={hash} />
                    )}
                  </td>
                  <td>
                    <StateBadge state={removedMs === undefined ? 'sealed' : 'reorged'} />
                  </td>
                  <td class="end number">{transactions}</td>
                  <td class="end number wide">
                    {sliceCount === undefined ? slices.length : (sliceCount ?? '–')}
                  </td>
                  <td class="end number wide" title={`${gasUsed} of ${gasLimit} gas`}>
                    {percent(gasUsed, gasLimit)}
                  </td>
                  <td class="end">
                    {/* Blocks from before the page was opened only have timestamps. */}
                    {sliceCount !== undefined && (
                      <span class="quiet" title="accurate to a second: sealed before the page was opened">
                        ≈{' '}
                      </span>
                    )}
                    <Age ms={sealedMs ?? 0} nowMs={nowMs} />
                  </td>
                </tr>
              ),
            )}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}

/** The time since an event on the timeline. */
export function Age({ ms, nowMs }: { ms: number; nowMs: number | undefined }) {
  const seconds = Math.max(0, ((nowMs ?? ms) - ms) / 1_000)
  const text =
    seconds < 100
      ? `${seconds.toFixed(1)} s`
      : seconds < 6_000
        ? `${Math.floor(seconds / 60)} min`
        : `${Math.floor(seconds / 3_600)} h`
  return <span class="number">{text}</span>
}
