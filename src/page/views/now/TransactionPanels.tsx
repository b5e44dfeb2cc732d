/** Panels of the view *Now* that list the newest transactions of a state, as the view *Transactions* does. */
import type { Signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { unlocked } from '../../accounts/names.ts'
import { codecsFor, useContracts } from '../../decode/contracts.ts'
import { isReadOnly } from '../../environment.ts'
import { changesAt } from '../../live/changes.ts'
import { loaded, useLiveLoad } from '../../live/load.ts'
import type { LiveState } from '../../live/transactions.ts'
import { PENDING } from '../../moment.ts'
import { hrefOf } from '../../navigation.ts'
import { Nothing } from '../../parts/Answer.tsx'
import { Time } from '../../parts/amounts.tsx'
import { AddressLink, BlockLink, TransactionLink } from '../../parts/links.tsx'
import { Method } from '../../parts/Method.tsx'
import { STATE_WORDS } from '../../parts/StateBadge.tsx'
import { Table, type TableColumn } from '../../parts/Table.tsx'
import { partiesOf } from '../../parts/transactionCells.tsx'
import { Text } from '../../parts/Value.tsx'
import { findTransactions } from '../../source/requests.ts'
import { totals } from './BlockPanels.tsx'
import { Age, Panel, StateShape, useUnpaused } from './Panel.tsx'

const ROWS = 10

/** Columns of lists of transactions in blocks (`IN_BLOCKS`) and in no block (`LOOSE`). */
const IN_BLOCKS: readonly TableColumn[] = [
  { name: 'transaction' },
  { name: 'call', class: 'called' },
  { name: 'from', class: 'wide' },
  { name: 'block' },
  { name: 'time', class: 'end' },
]
const LOOSE: readonly TableColumn[] = [
  { name: 'transaction' },
  { name: 'why', class: 'called' },
  { name: 'since', class: 'end' },
]

export function TransactionsPanel({ state, isPaused }: { state: LiveState; isPaused: Signal<boolean> }) {
  const asked = useLiveLoad(
    () => findTransactions({ state, deposits: 'omitted', limit: ROWS }),
    [state],
    useUnpaused(isPaused, () => changesAt(PENDING)),
  )
  const { total = 0, transactions = [] } = loaded(asked.value) ?? {}
  useEffect(() => {
    totals.value = { ...totals.peek(), [state]: total }
  }, [total])
  const known = useContracts(partiesOf(transactions))
  // A tick or a seal empties such a list. The list keeps its height, so that the panels below do not move.
  const isEmptied = state === 'preconfirmed' || state === 'waiting'
  const most = useRef(0)
  most.current = Math.max(most.current, transactions.length)
  if (state === 'reorged' && total === 0) return null
  const isLoose = state !== 'preconfirmed' && state !== 'sealed'
  const failed = transactions.filter((one) => one.state === 'failed').length
  return (
    <Panel
      title={
        <>
          <StateShape state={state} /> {state === 'waiting' ? 'Waiting' : `Newest ${STATE_WORDS[state]}`}
        </>
      }
      all={hrefOf({ view: 'transactions' }, new URLSearchParams({ state }))}
      rows={isEmptied && most.current > 0 ? most.current : undefined}
      count={
        failed > 0 && (
          <>
            <StateShape state="failed" /> {failed} failed
          </>
        )
      }
    >
      {transactions.length === 0 ? (
        <None state={state} isLoaded={asked.value.state === 'here'} />
      ) : (
        <div class="scrolled">
          <Table
            columns={isLoose ? LOOSE : IN_BLOCKS}
            rows={transactions.map((one) => [
              <>
                <TransactionLink hash={one.hash} />
                {one.state === 'failed' && <Failed />}
              </>,
              ...(isLoose
                ? [<Text limit={300}>{one.reason ?? ''}</Text>]
                : [
                    <Method to={one.to} input={one.input} codecs={codecsFor(one.to, known.value)} />,
                    <AddressLink address={one.from} />,
                    one.blockNumber !== null && <BlockLink id={one.blockNumber} />,
                  ]),
              <>
                {one.timestamp !== null && <Time seconds={one.timestamp} />}
                {one.since !== null && <Age ms={one.since} />}
              </>,
            ])}
          />
        </div>
      )}
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

function None({ state, isLoaded }: { state: LiveState; isLoaded: boolean }) {
  const isFirst = state === 'sealed' && isLoaded && !isReadOnly
  const text = state === 'waiting' || state === 'preconfirmed' ? 'none at present' : 'none on this chain'
  return (
    <>
      <Nothing>{isFirst ? 'none yet; to send one,' : text}</Nothing>
      {isFirst && <FirstSteps />}
    </>
  )
}

function FirstSteps() {
  const first = unlocked.value[0]?.address
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
