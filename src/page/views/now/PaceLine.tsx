/** What makes slices and blocks, in a sentence that explains these words. */
import { useEffect } from 'preact/hooks'
import { askPace, pace } from '../../live/chain.ts'
import type { Pace } from '../../live/present.ts'
import { hrefOf } from '../../navigation.ts'
import { isReadOnly, isReport } from '../../served.ts'

export function PaceLine() {
  // It may have been changed in another view.
  useEffect(() => void askPace(), [])
  if (isReport)
    return (
      <p class="pace">
        The end of the recorded session: each <b>tick</b> took what waited into the <b>open block</b> as a{' '}
        <b>slice</b>, <b>pre-confirmed</b>, until the block was <b>sealed</b>.
      </p>
    )
  if (pace.value === undefined) return <p class="pace">&nbsp;</p>
  return (
    <p class="pace">
      <Sentence pace={pace.value} />{' '}
      {!isReadOnly && pace.value.rhythm === 'manual' && <a href={hrefOf({ view: 'controls' })}>Controls</a>}
    </p>
  )
}

function Sentence({ pace: { rhythm, tickMs, ticksPerBlock, blockMs } }: { pace: Pace }) {
  if (rhythm === 'instant') return <>Each transaction is sealed at once, in a block of its own.</>
  if (rhythm === 'manual')
    return (
      <>
        Time stands: a <b>tick</b>, made by command, takes what waits into the <b>open block</b> as a{' '}
        <b>slice</b>, and these transactions are <b>pre-confirmed</b>; a command also <b>seals</b> the block.
      </>
    )
  if (ticksPerBlock === 0)
    return (
      <>
        Every <Duration ms={blockMs} /> a <b>tick</b> takes what waits into a block and <b>seals</b> it.
      </>
    )
  return (
    <>
      Every <Duration ms={tickMs} /> a <b>tick</b> takes what waits into the <b>open block</b> as a{' '}
      <b>slice</b>: <b>pre-confirmed</b>.{' '}
      {ticksPerBlock === 1 ? (
        <>
          At the next tick the block is <b>sealed</b>.
        </>
      ) : (
        <>
          Every <Duration ms={blockMs} />, after <span class="number">{ticksPerBlock}</span> slices, the block
          is <b>sealed</b>.
        </>
      )}
    </>
  )
}

function Duration({ ms }: { ms: number }) {
  return <span class="number">{ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`}</span>
}
