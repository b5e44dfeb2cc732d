/** The rhythm of the chain, and buttons for a tick and a seal. */
import { useSignal } from '@preact/signals'
import { changesAt } from '../../live/changes.ts'
import { useLoad } from '../../live/load.ts'
import { momentOf } from '../../moment.ts'
import { Answer } from '../../parts/Answer.tsx'
import { request } from '../../source/source.ts'
import { Action } from './Action.tsx'
import { wholeNumber } from './values.ts'

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

const PENDING = momentOf('pending')!

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
