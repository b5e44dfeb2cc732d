/** The newest transactions of a state. */
import type { LiveState } from '../../live/transactions.ts'
import { hrefOf } from '../../navigation.ts'
import { Nothing } from '../../parts/Answer.tsx'
import { AddressLink, TransactionLink } from '../../parts/links.tsx'
import { STATE_WORDS } from '../../parts/StateBadge.tsx'
import { Text } from '../../parts/Text.tsx'
import { Age } from './Age.tsx'
import { StateShape } from './Legend.tsx'
import { Panel } from './Panel.tsx'
import type { Shown } from './shown.ts'

type Listed = Exclude<LiveState, 'waiting'>

export function TransactionsPanel({ state, shown }: { state: Listed; shown: Shown }) {
  const listed = shown[state]
  const isOut = state === 'dropped' || state === 'reorged'
  const title = (
    <>
      <StateShape state={state} /> Newest {STATE_WORDS[state]}
    </>
  )
  if (listed.length === 0)
    return (
      <Panel title={title} class={state === 'preconfirmed' ? 'steady' : ''}>
        <Nothing>none since the page was opened</Nothing>
      </Panel>
    )
  return (
    <Panel title={title} class={state === 'preconfirmed' ? 'steady' : ''}>
      <div class="scrolled">
        <table>
          <thead>
            <tr>
              <th scope="col">transaction</th>
              {isOut ? (
                <th scope="col">why</th>
              ) : (
                <th scope="col" class="wide">
                  from
                </th>
              )}
              {!isOut && <th scope="col">block</th>}
              <th scope="col" class="end">
                ago
              </th>
            </tr>
          </thead>
          <tbody>
            {listed.map(({ hash, sent, block, slice, reason, replacedBy, sinceMs }, index) => (
              // By place: rows whose text changes cost less than rows that come and go.
              <tr key={index}>
                <td>
                  <TransactionLink hash={hash} />
                </td>
                {isOut ? (
                  <td>
                    {reason === undefined ? `it was in block ${block}` : <Text>{reason}</Text>}
                    {replacedBy !== undefined && (
                      <>
                        {' '}
                        by <TransactionLink hash={replacedBy} />
                      </>
                    )}
                  </td>
                ) : (
                  <>
                    <td class="wide">
                      {sent === undefined ? (
                        <span class="nothing">the chain</span>
                      ) : (
                        <AddressLink address={sent.from} />
                      )}
                    </td>
                    <td>
                      <a
                        class="number"
                        href={hrefOf({
                          view: 'block',
                          id: state === 'preconfirmed' ? 'pending' : String(block),
                        })}
                      >
                        {block}
                      </a>
                      {state === 'preconfirmed' && slice !== undefined && (
                        <span class="quiet"> slice {slice}</span>
                      )}
                    </td>
                  </>
                )}
                <td class="end">
                  <Age ms={sinceMs} nowMs={shown.nowMs} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}
