/** Panels of the view *Now* that list transactions by state. */
import { type Signal, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { isReadOnly } from '../../environment.ts'
import { numberOf } from '../../format.ts'
import { MOST_WAITING } from '../../live/chain.ts'
import { loaded, useLoad } from '../../live/load.ts'
import { type LiveState, waitingOf } from '../../live/transactions.ts'
import { hrefOf } from '../../navigation.ts'
import { Nothing } from '../../parts/Answer.tsx'
import { AddressLink, TransactionLink } from '../../parts/links.tsx'
import { STATE_WORDS } from '../../parts/StateBadge.tsx'
import { TableHead } from '../../parts/Table.tsx'
import { Text } from '../../parts/Value.tsx'
import { type Column, VirtualRows } from '../../parts/VirtualRows.tsx'
import { request, source } from '../../source/source.ts'
import { Age, hrefOfBlock, Panel, StateShape } from './Panel.tsx'
import type { ShownData } from './panelData.ts'

interface TransactionsProps extends ShownData {
  state: Exclude<LiveState, 'waiting'>
}

export function TransactionsPanel({ state, shown: { value: shown } }: TransactionsProps) {
  const listed = shown[state]
  const isOut = state === 'dropped' || state === 'reorged'
  // Each seal empties this list. Its height is fixed, so that the panels below do not move.
  const most = useRef(0)
  most.current = Math.max(most.current, listed.length)
  const rows = state === 'preconfirmed' && most.current > 0 ? most.current : undefined
  if (state === 'reorged' && listed.length === 0) return null
  const isAwaited = state === 'preconfirmed' && most.current + shown.sealed.length === 0 && !isReadOnly
  const title = (
    <>
      <StateShape state={state} /> Newest {STATE_WORDS[state]}{' '}
      <a class="quiet" href={hrefOf({ view: 'transactions' }, new URLSearchParams({ state }))}>
        all
        <span class="unseen"> {STATE_WORDS[state]} transactions</span>
      </a>
    </>
  )
  if (listed.length === 0)
    return (
      <Panel title={title} rows={rows}>
        <Nothing>
          {state !== 'preconfirmed'
            ? 'none on this chain'
            : isAwaited
              ? 'none yet; to send one,'
              : 'none at present'}
        </Nothing>
        {isAwaited && <FirstSteps />}
      </Panel>
    )
  const failed = isOut ? 0 : listed.filter(({ hasFailed }) => hasFailed).length
  return (
    <Panel
      title={title}
      rows={rows}
      count={
        failed === 0 ? undefined : (
          <>
            <StateShape state="failed" /> {failed} failed
          </>
        )
      }
    >
      <div class="scrolled">
        <table>
          <TableHead
            names={['transaction', ...(isOut ? ['why'] : ['from', 'block'])]}
            numbers={['ago']}
            wide={['from']}
          />
          <tbody>
            {listed.map(({ hash, sent, block, slice, hasFailed, reason, replacedBy, sinceMs }, index) => (
              // The key is the index, because changing text is cheaper than moving rows.
              <tr key={index}>
                <td>
                  <TransactionLink hash={hash} />
                  {!isOut && hasFailed && <Failed />}
                </td>
                {isOut ? (
                  <td class="why">
                    {replacedBy === undefined ? (
                      <Text>{reason ?? `it was in block ${block}`}</Text>
                    ) : (
                      <>
                        replaced by <TransactionLink hash={replacedBy} />
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
                    <td class="place">
                      <a class="number" href={hrefOfBlock(block!, state === 'preconfirmed')}>
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

function Failed() {
  return (
    <span class="row-mark" title="failed">
      <StateShape state="failed" />
      <span class="unseen">failed</span>
    </span>
  )
}

function FirstSteps() {
  const asked = useLoad(() => request<readonly string[]>('eth_accounts'), [])
  const first = loaded(asked.value)?.[0]
  return (
    <ul class="first-steps">
      <li>use this URL as the JSON-RPC endpoint of a wallet, a library or a test,</li>
      {first !== undefined && (
        <li>
          <a href={hrefOf({ view: 'account', address: first }, new URLSearchParams({ tab: 'transfer' }))}>
            send ether
          </a>{' '}
          from <AddressLink address={first} />, a development account, or
        </li>
      )}
      <li>
        call a function of one of the <a href={hrefOf({ view: 'contracts' })}>contracts</a>.
      </li>
    </ul>
  )
}

const ASKED_EACH_MS = 1_000
/** Maximum number of rows for which the emptied panel reserves space. */
const STEADY_ROWS = 2
const MOST_ASKED = 40

const COLUMNS: readonly Column[] = [
  { name: 'transaction, and reason' },
  { name: 'for', width: '5.5rem', class: 'end' },
]

const reasons = signal<ReadonlyMap<string, string>>(new Map())
/** Number of waiting transactions, of which the page may know only some. */
const total = signal(0)

export function WaitingPanel({ shown, isPaused }: ShownData & { isPaused: Signal<boolean> }) {
  const { waiting, nowMs } = shown.value
  const seen = useRef<readonly [first: number, end: number]>([0, MOST_ASKED])
  // Each slice empties this list. Its height is fixed, so that the panels below do not move.
  const most = useRef(0)
  most.current = Math.max(most.current, Math.min(waiting.length, STEADY_ROWS))
  useEffect(() => {
    let isAsking = false
    async function ask() {
      if (isAsking || isPaused.value || document.hidden) return
      isAsking = true
      const [first] = seen.current
      try {
        const page = await waitingOf(source(), MOST_ASKED, shown.peek().waiting[first - 1]?.hash)
        total.value = numberOf(page.total)
        reasons.value = new Map(page.transactions.map(({ hash, reason }) => [hash, reason]))
      } catch {
        // The timer repeats a failed request, and the header shows a lost connection.
      }
      isAsking = false
    }
    const timer = setInterval(() => void ask(), ASKED_EACH_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <Panel
      title={
        <>
          <StateShape state="waiting" /> Waiting
        </>
      }
      count={waiting.length < MOST_WAITING ? waiting.length : Math.max(total.value, waiting.length)}
      class="waiting"
      rows={most.current === 0 ? undefined : most.current}
      nothing={waiting.length === 0 && 'no waiting transactions'}
    >
      <VirtualRows
        label="waiting transactions"
        columns={COLUMNS}
        count={waiting.length}
        rowRem={4.5}
        keyOf={(index) => waiting[index]!.hash}
        onShown={(first, end) => {
          seen.current = [first, end]
        }}
        row={(index) => {
          const { hash, sent, sinceMs } = waiting[index]!
          return [
            <>
              <TransactionLink hash={hash} />{' '}
              {sent !== undefined && (
                <span class="quiet">
                  from <AddressLink address={sent.from} />
                </span>
              )}
              <span class="reason" title={reasons.value.get(hash)}>
                <Text>{reasons.value.get(hash) ?? '…'}</Text>
              </span>
            </>,
            <Age ms={sinceMs} nowMs={nowMs} />,
          ]
        }}
      />
    </Panel>
  )
}
