/** The rhythm of the chain: what makes slices and blocks, and one of each at once. */
import { useSignal } from '@preact/signals'
import { useAsked } from '../../live/asked.ts'
import { changesAt } from '../../live/changes.ts'
import { momentOf } from '../../moment.ts'
import { Answer } from '../../parts/Answer.tsx'
import { source } from '../../source/index.ts'
import { Action } from './Action.tsx'
import { wholeNumber } from './values.ts'

/** The answer of `preseal_getRhythm`, as far as it is shown. */
interface Rhythm {
  readonly rhythm: 'interval' | 'manual' | 'instant'
  readonly tickMs: number
  readonly ticksPerBlock: number
  readonly blockMs: number
  readonly openBlock: { readonly blockNumber: string; readonly slice: string } | null
}

const PENDING = momentOf('pending')!

export function RhythmControls() {
  const asks = useSignal(0)
  const rhythm = useAsked(
    () => source().request<Rhythm>('preseal_getRhythm'),
    [asks.value, changesAt(PENDING)],
  )
  return (
    <>
      <Action
        title="Tick"
        hint="pre-confirms what waits as the next slice of the open block"
        button="tick"
        run={async () => {
          const open = await source().request<Rhythm['openBlock']>('preseal_tick')
          return open === null
            ? 'no block is open'
            : `block ${Number(open.blockNumber)} has slice ${Number(open.slice)}`
        }}
      />
      <Action
        title="Seal"
        hint="seals the open block now"
        button="seal"
        run={async () => {
          const { blockNumber } = await source().request<{ blockNumber: string }>('preseal_seal')
          return `block ${Number(blockNumber)} is sealed`
        }}
      />
      <Action
        title="Rhythm"
        hint="interval: blocks come by time; manual: by commands only; instant: at once for each transaction"
        fields={[
          { name: 'rhythm', label: 'rhythm', choices: ['interval', 'manual', 'instant'] },
          { name: 'blockMs', label: 'milliseconds of a block', placeholder: 'as it is' },
        ]}
        button="change"
        run={async ({ rhythm: name, blockMs = '' }) => {
          const ms = blockMs === '' ? {} : { blockMs: Number(wholeNumber(blockMs, 'the time of a block')) }
          const next = await source().request<Rhythm>('preseal_setRhythm', [{ rhythm: name, ...ms }])
          asks.value++
          return inWords(next)
        }}
      >
        <Answer asked={rhythm.value}>{(now) => <p role="status">now {inWords(now)}</p>}</Answer>
      </Action>
    </>
  )
}

function inWords({ rhythm, tickMs, ticksPerBlock, blockMs }: Rhythm): string {
  if (rhythm !== 'interval') return rhythm
  const ticks = ticksPerBlock === 0 ? 'no slices' : `a slice each ${tickMs} ms`
  return `interval: a block each ${blockMs} ms, ${ticks}`
}
