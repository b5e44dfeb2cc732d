import { useEffect, useRef } from 'preact/hooks'
import { counted } from '../../../model/api/text.ts'
import { hrefOf, query, route } from '../../navigation.ts'
import { Bar, Count } from '../../parts/amounts.tsx'
import type { ShownBlock } from './block.ts'

/** Maximum number of slices shown. With a manual clock, a block may have thousands. */
const MOST_SHOWN = 100

/** Lists the slices of block `whole`. Each links to the block as of that slice. `chosen` is the shown slice's index. */
export function Slices({
  whole: { slices, transactionCount, block },
  chosen,
  isOpen,
}: {
  whole: ShownBlock
  chosen: number | undefined
  isOpen: boolean
}) {
  const { gasUsed } = block
  const list = useRef<HTMLOListElement>(null)
  // On a narrow screen, this effect scrolls to the chosen slice. `scrollIntoView` would also scroll the page.
  useEffect(() => {
    const element = list.current
    if (element === null) return
    const observer = new ResizeObserver(() => {
      const step = element.querySelector<HTMLElement>('[aria-current]')
      if (step) element.scrollLeft = step.offsetLeft - (element.clientWidth - step.offsetWidth) / 2
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [chosen, slices.length])
  if (slices.length === 0) return null
  const at = slices.findIndex(({ index }) => Number(index) === chosen)
  const slice = slices[at]
  const middle = at === -1 ? slices.length : at + MOST_SHOWN / 2
  const hidden = Math.max(0, Math.min(middle, slices.length) - MOST_SHOWN)
  const step = (index: number | undefined, name: string, count: string, gasThen: string) => (
    <li key={name}>
      <a
        href={to(index)}
        aria-current={(index === undefined ? slice === undefined : index === chosen) ? 'step' : undefined}
      >
        <span>{name}</span>
        <span class="slice-count">{count}</span>
        <Bar
          share={Number(gasThen) / Math.max(1, Number(gasUsed))}
          state={index === undefined && !isOpen ? 'sealed' : 'preconfirmed'}
        />
      </a>
    </li>
  )
  return (
    <section class="block-slices" aria-label="slices">
      <ol ref={list}>
        {hidden > 0 && (
          <li>
            <a href={to(Number(slices[hidden - 1]!.index))} title="show earlier slices">
              <span>{hidden} earlier</span>
            </a>
          </li>
        )}
        {slices
          .slice(hidden, hidden + MOST_SHOWN)
          .map(({ index, transactionCount, block }) =>
            step(Number(index), `slice ${Number(index)}`, `+${Number(transactionCount)} tx`, block.gasUsed),
          )}
        {step(undefined, isOpen ? 'now' : 'sealed', `${transactionCount} tx`, gasUsed)}
      </ol>
      <p class="quiet">
        {slice !== undefined ? (
          <>
            This is the block after slice {chosen}, which added{' '}
            {counted(Number(slice.transactionCount), 'transaction')} and <Count value={slice.gasUsed} /> gas.
          </>
        ) : chosen !== undefined ? (
          `The block has no slice ${chosen}; this is the whole block.`
        ) : (
          `It ${isOpen ? 'grows' : 'grew'} slice by slice, each pre-confirmed at a tick. Choose one to see the block as it was then.`
        )}
      </p>
    </section>
  )
}

function to(index: number | undefined): string {
  const search = new URLSearchParams(query.value)
  if (index === undefined) search.delete('slice')
  else search.set('slice', String(index))
  return hrefOf(route.value, search)
}
