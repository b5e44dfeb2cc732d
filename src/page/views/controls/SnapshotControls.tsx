/** The snapshots of the chain, by any client, with buttons to restore them; and the waiting transactions, to drop them. */
import { useSignal } from '@preact/signals'
import { grouped, numberOf } from '../../format.ts'
import { changesAt } from '../../live/changes.ts'
import { useLiveLoad } from '../../live/load.ts'
import { waitingOf } from '../../live/transactions.ts'
import { momentOf } from '../../moment.ts'
import { Answer, Nothing, Problem } from '../../parts/Answer.tsx'
import { announce, focusHeading } from '../../parts/accessibility.tsx'
import { TransactionLink } from '../../parts/links.tsx'
import { request, source } from '../../source/source.ts'
import { Action } from './Action.tsx'
import { hash } from './values.ts'

/** Snapshots of `anvil_metadata` by id, with the newest block at that time. */
interface Metadata {
  readonly snapshots: Readonly<Record<string, readonly [block: number, hash: string]>>
}

const LATEST = momentOf('latest')!

export function SnapshotControls() {
  const asks = useSignal(0)
  const problem = useSignal<Error | undefined>(undefined)
  const metadata = useLiveLoad(() => request<Metadata>('anvil_metadata'), [], asks.value + changesAt(LATEST))
  async function restore(id: string, button: Element): Promise<void> {
    problem.value = undefined
    try {
      if (!(await request<boolean>('evm_revert', [id]))) {
        throw new Error(`snapshot ${Number(id)} no longer exists`)
      }
      announce(`snapshot ${Number(id)} is restored`)
    } catch (error) {
      problem.value = error as Error
    }
    focusHeading(button)
    asks.value++
  }
  return (
    <Action
      title="Snapshots"
      hint="saves the state of the chain; restoring a snapshot removes it and all later ones"
      button="take a snapshot"
      run={async () => {
        const id = await request<string>('evm_snapshot')
        asks.value++
        return `snapshot ${Number(id)} is taken`
      }}
    >
      <Answer asked={metadata.value}>
        {({ snapshots }) =>
          Object.keys(snapshots).length > 0 && (
            <ul class="plain-list">
              {Object.entries(snapshots).map(([id, [block]]) => (
                <li key={id} class="action-item">
                  snapshot {Number(id)}, block {block}
                  <button
                    type="button"
                    aria-label={`restore snapshot ${Number(id)}`}
                    onClick={({ currentTarget }) => void restore(id, currentTarget)}
                  >
                    restore
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
      {problem.value !== undefined && <Problem error={problem.value} />}
    </Action>
  )
}

const LISTED = 5
const PENDING = momentOf('pending')!

export function WaitingControls() {
  const asks = useSignal(0)
  const waiting = useLiveLoad(() => waitingOf(source(), LISTED), [], asks.value + changesAt(PENDING))
  async function drop(button: Element, of?: string) {
    if (of === undefined) await request('anvil_dropAllTransactions')
    else await request('anvil_dropTransaction', [of])
    announce(of === undefined ? 'all waiting transactions dropped' : 'transaction dropped')
    focusHeading(button)
    asks.value++
  }
  return (
    <Action
      title="Drop a waiting transaction"
      hint="removes it from the pool, as a node under load does; to drop a pre-confirmed one, plan a fault"
      fields={[{ name: 'hash', label: 'hash', placeholder: '0x…', isLong: true }]}
      button="drop"
      run={async (values) => {
        if (!(await request<boolean>('anvil_dropTransaction', [hash(values.hash!)]))) {
          throw new Error('no waiting transaction has this hash')
        }
        asks.value++
        return 'dropped'
      }}
    >
      <Answer asked={waiting.value}>
        {({ total, transactions }) =>
          transactions.length === 0 ? (
            <Nothing>no waiting transactions</Nothing>
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
                <span class="quiet">{grouped(numberOf(total))} in total</span>
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
