/** Transactions that wait, to be dropped: by a look at them, or by hash. */
import { useSignal } from '@preact/signals'
import { grouped, numberOf } from '../../format/quantity.ts'
import { changesAt } from '../../live/changes.ts'
import { useFollowed } from '../../live/followed.ts'
import { waitingOf } from '../../live/present.ts'
import { momentOf } from '../../moment.ts'
import { announce } from '../../parts/Announcer.tsx'
import { Answer, Nothing } from '../../parts/Answer.tsx'
import { focusHeading } from '../../parts/focus.ts'
import { TransactionLink } from '../../parts/links.tsx'
import { source } from '../../source/index.ts'
import { Action } from './Action.tsx'
import { hash } from './values.ts'

/** Of those that wait so many are listed. */
const LISTED = 5
const PENDING = momentOf('pending')!

export function WaitingControls() {
  const asks = useSignal(0)
  const waiting = useFollowed(() => waitingOf(source(), LISTED), [], asks.value + changesAt(PENDING))
  async function drop(button: Element, of?: string) {
    if (of === undefined) await source().request('anvil_dropAllTransactions')
    else await source().request('anvil_dropTransaction', [of])
    announce(of === undefined ? 'all that waited are dropped' : 'the transaction is dropped')
    focusHeading(button)
    asks.value++
  }
  return (
    <Action
      title="Drop a waiting transaction"
      hint="removes it from the pool, as a node under load does; one that is pre-confirmed is dropped by a fault"
      fields={[{ name: 'hash', label: 'hash', placeholder: '0x…', isLong: true }]}
      button="drop"
      run={async (values) => {
        if (!(await source().request<boolean>('anvil_dropTransaction', [hash(values.hash!)]))) {
          throw new Error('no transaction with this hash waits')
        }
        asks.value++
        return 'dropped'
      }}
    >
      <Answer asked={waiting.value}>
        {({ total, transactions }) =>
          transactions.length === 0 ? (
            <Nothing>nothing waits</Nothing>
          ) : (
            <ul class="plain-list">
              {transactions.map((one) => (
                <li key={one.hash} class="action-item">
                  <TransactionLink hash={one.hash} />
                  <button
                    type="button"
                    aria-label={`drop ${one.hash}`}
                    onClick={({ currentTarget }) => void drop(currentTarget, one.hash)}
                  >
                    drop
                  </button>
                </li>
              ))}
              <li class="action-item">
                <span class="quiet">{grouped(numberOf(total))} in all</span>
                <button type="button" onClick={({ currentTarget }) => void drop(currentTarget)}>
                  drop all
                </button>
              </li>
            </ul>
          )
        }
      </Answer>
    </Action>
  )
}
