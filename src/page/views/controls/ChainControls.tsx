/** Controls of the rhythm, the snapshots and the waiting transactions. */
import { useSignal } from '@preact/signals'
import { grouped, numberOf } from '../../format.ts'
import { changesAt } from '../../live/changes.ts'
import { useLiveLoad, useLoad } from '../../live/load.ts'
import { waitingOf } from '../../live/transactions.ts'
import { LATEST, PENDING } from '../../moment.ts'
import { Answer, Nothing, Problem } from '../../parts/Answer.tsx'
import { announce, focusHeading } from '../../parts/accessibility.tsx'
import { TransactionLink } from '../../parts/links.tsx'
import { request, source } from '../../source/source.ts'
import { Action } from './Action.tsx'
import { hash, wholeNumber } from './values.ts'

/** Members of the response of `preseal_getRhythm`. */
interface Rhythm {
  readonly rhythm: 'interval' | 'manual' | 'instant'
  readonly tickMs: number
  readonly ticksPerBlock: number
  readonly blockMs: number
  readonly openBlock: { readonly blockNumber: string; readonly slice: string } | null
}

const RHYTHMS = [
  ['interval', 'interval: by time'],
  ['manual', 'manual: by commands only'],
  ['instant', 'instant: with each transaction'],
] as const

export function RhythmControls() {
  const asks = useSignal(0)
  const rhythm = useLoad(() => request<Rhythm>('preseal_getRhythm'), [asks.value, changesAt(PENDING)])
  return (
    <>
      <Action
        title="Tick"
        hint="pre-confirms the waiting transactions as the next slice of the open block, visible at pending"
        button="tick"
        run={async () => {
          const open = await request<Rhythm['openBlock']>('preseal_tick')
          return open === null
            ? 'no block is open'
            : `block ${Number(open.blockNumber)} has slice ${Number(open.slice)}`
        }}
      />
      <Action
        title="Seal"
        hint="seals the open block, which becomes latest, and opens the next one"
        button="seal"
        run={async () => {
          const { blockNumber } = await request<{ blockNumber: string }>('preseal_seal')
          return `block ${Number(blockNumber)} is sealed`
        }}
      />
      <Answer asked={rhythm.value}>
        {(now) => (
          <Action
            title="Rhythm"
            hint={`when slices and blocks are made; now ${inWords(now)}`}
            fields={[
              { name: 'rhythm', label: 'rhythm', initial: now.rhythm, choices: RHYTHMS, isLong: true },
              {
                name: 'blockMs',
                label: 'milliseconds of a block',
                initial: String(now.blockMs),
                isLong: true,
              },
            ]}
            button="change"
            run={async ({ rhythm: name, blockMs = '' }) => {
              const ms = Number(wholeNumber(blockMs, 'the time of a block'))
              const change = { rhythm: name, ...(ms !== now.blockMs && { blockMs: ms }) }
              const next = await request<Rhythm>('preseal_setRhythm', [change])
              asks.value++
              return inWords(next)
            }}
          />
        )}
      </Answer>
    </>
  )
}

function inWords({ rhythm, tickMs, ticksPerBlock, blockMs }: Rhythm): string {
  if (rhythm !== 'interval') return rhythm
  const ticks = ticksPerBlock === 0 ? 'no slices' : `a slice each ${tickMs} ms`
  return `interval: a block each ${blockMs} ms, ${ticks}`
}

/** Snapshots of `anvil_metadata` by id, with the newest block at that time. */
interface Metadata {
  readonly snapshots: Readonly<Record<string, readonly [block: number, hash: string]>>
}

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
