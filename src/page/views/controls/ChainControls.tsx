import { useSignal } from '@preact/signals'
import { fromHex, type Hex } from '../../../bytes/hex.ts'
import { base, hasManyChains } from '../../environment.ts'
import { grouped } from '../../format.ts'
import type { Pace } from '../../live/clock.ts'
import { changesAt, useLiveLoad, useLoad } from '../../live/load.ts'
import { LATEST, PENDING } from '../../moment.ts'
import { Answer, Nothing } from '../../parts/Answer.tsx'
import { TransactionLink } from '../../parts/chain.tsx'
import { findTransactions, request } from '../../source/source.ts'
import { Action, ActionItems } from './Action.tsx'
import { choiceField, hash, long, textField, wholeNumber } from './fields.ts'

const RHYTHMS = [
  ['interval', 'interval: by time'],
  ['manual', 'manual: by commands only'],
  ['instant', 'instant: with each transaction'],
] as const

export function RhythmControls() {
  const asks = useSignal(0)
  const rhythm = useLoad(() => request<Pace>('preseal_getRhythm'), [asks.value, changesAt(PENDING)])
  return (
    <>
      <Action
        title="Tick"
        hint="pre-confirms the waiting transactions as the next slice of the open block, visible at pending"
        button="tick"
        run={async () => {
          const open = await request<{ blockNumber: string; slice: string } | null>('preseal_tick')
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
              long({ ...choiceField('rhythm', 'rhythm', RHYTHMS), initial: now.rhythm }),
              long(textField('blockMs', 'milliseconds of a block', String(now.blockMs))),
            ]}
            button="change"
            run={async ({ rhythm: name, blockMs = '' }) => {
              const ms = Number(wholeNumber(blockMs, 'the time of a block'))
              const change = { rhythm: name, ...(ms !== now.blockMs && { blockMs: ms }) }
              const next = await request<Pace>('preseal_setRhythm', [change])
              asks.value++
              return inWords(next)
            }}
          />
        )}
      </Answer>
    </>
  )
}

function inWords({ rhythm, tickMs, ticksPerBlock, blockMs }: Pace): string {
  if (rhythm !== 'interval') return rhythm
  const ticks = ticksPerBlock === 0 ? 'no slices' : `a slice each ${tickMs} ms`
  return `interval: a block each ${blockMs} ms, ${ticks}`
}

interface Metadata {
  /** Number and hash of the block that was the latest when a snapshot was taken, keyed by snapshot id. */
  readonly snapshots: Readonly<Record<string, readonly [block: number, hash: string]>>
}

export function SnapshotControls() {
  const asks = useSignal(0)
  const metadata = useLiveLoad(() => request<Metadata>('anvil_metadata'), [], asks.value + changesAt(LATEST))
  async function restore(id: string): Promise<string> {
    const isRestored = await request<boolean>('evm_revert', [id])
    asks.value++
    if (!isRestored) throw new Error(`snapshot ${Number(id)} no longer exists`)
    return `snapshot ${Number(id)} is restored`
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
        {({ snapshots }) => (
          <ActionItems
            items={Object.entries(snapshots).map(([id, [block]]) => ({
              key: id,
              content: `snapshot ${Number(id)}, block ${block}`,
              button: 'restore',
              label: `restore snapshot ${Number(id)}`,
              run: () => restore(id),
            }))}
          />
        )}
      </Answer>
    </Action>
  )
}

export function ExportControls() {
  return (
    <>
      <Action
        title="Save the chain"
        hint="downloads the whole chain as a state file, for preseal --load-state and anvil_loadState"
        button="download the state"
        run={async () => {
          const [state, newest] = await Promise.all([
            request<Hex>('anvil_dumpState'),
            request<Hex>('eth_blockNumber'),
          ])
          download(`preseal-block-${Number(newest)}.json.gz`, new Blob([fromHex(state).slice()]))
          return `the chain up to block ${Number(newest)} is saved`
        }}
      />
      <Action
        title="Report"
        hint={`downloads ${hasManyChains ? 'the session of this chain' : 'the chain'} as an HTML file, which shows this page without a server`}
        button="download the report"
        run={async () => {
          const answer = await fetch(`${base}/report.html`)
          if (!answer.ok) throw new Error(await answer.text())
          const newest = await request<Hex>('eth_blockNumber')
          const name = hasManyChains ? base.split('/').at(-1) : `preseal-block-${Number(newest)}`
          download(`${name}.html`, await answer.blob())
          return 'the report is saved'
        }}
      />
    </>
  )
}

function download(name: string, content: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

const LISTED = 5

export function WaitingControls() {
  const asks = useSignal(0)
  const waiting = useLiveLoad(
    () => findTransactions({ state: 'waiting', limit: LISTED }),
    [],
    asks.value + changesAt(PENDING),
  )
  async function drop(of: string): Promise<string> {
    const isDropped = await request<boolean>('anvil_dropTransaction', [of])
    asks.value++
    if (!isDropped) throw new Error('no waiting transaction has this hash')
    return 'transaction dropped'
  }
  async function dropAll(): Promise<string> {
    await request('anvil_dropAllTransactions')
    asks.value++
    return 'all waiting transactions dropped'
  }
  return (
    <Action
      title="Drop a waiting transaction"
      hint="removes it from the pool, as a node under load does; to drop a pre-confirmed one, plan a fault"
      fields={[long(textField('hash', 'hash', '', '0x…'))]}
      button="drop"
      run={async (values) => {
        await drop(hash(values.hash!))
        return 'dropped'
      }}
    >
      <Answer asked={waiting.value}>
        {({ total, transactions }) =>
          transactions.length === 0 ? (
            <Nothing>no waiting transactions</Nothing>
          ) : (
            <ActionItems
              items={[
                ...transactions.map(({ hash }) => ({
                  key: hash,
                  content: <TransactionLink hash={hash} />,
                  button: 'drop',
                  label: `drop ${hash}`,
                  run: () => drop(hash),
                })),
                {
                  key: 'all',
                  content: <span class="quiet">{grouped(total)} in total</span>,
                  button: 'drop all',
                  run: dropAll,
                },
              ]}
            />
          )
        }
      </Answer>
    </Action>
  )
}
