/** The slices of a block as steps: one can be chosen, and the view then shows the block as it was after it. */
import { hrefOf, query, route } from '../../navigation.ts'
import { Count } from '../../parts/amounts.tsx'
import type { SliceAnswer } from './block.ts'

export function Slices({
  slices,
  chosen,
  isOpen,
  gasLimit,
}: {
  slices: readonly SliceAnswer[]
  chosen: number | undefined
  isOpen: boolean
  gasLimit: string
}) {
  if (slices.length === 0) return null
  const slice = slices.find(({ index }) => Number(index) === chosen)
  return (
    <section class="block-slices" aria-label="slices">
      <ol>
        {slices.map((each) => {
          const index = Number(each.index)
          return (
            <li key={index}>
              <a
                href={to(index)}
                aria-current={index === chosen ? 'step' : undefined}
                title={`after slice ${index}: ${each.transactions.length} transactions more, ${Number(each.gasUsed)} gas`}
              >
                <span class="slice-name">slice {index}</span>
                <span class="slice-count">+{each.transactions.length}</span>
                <meter
                  min={0}
                  max={Number(gasLimit)}
                  value={Number(each.block.gasUsed)}
                  aria-label={`gas used after slice ${index}`}
                />
              </a>
            </li>
          )
        })}
        <li>
          <a href={to(undefined)} aria-current={slice === undefined ? 'step' : undefined}>
            <span class="slice-name">{isOpen ? 'now' : 'sealed'}</span>
          </a>
        </li>
      </ol>
      {slice !== undefined && (
        <p class="quiet">
          This is the block after slice {chosen}, which added {slice.transactions.length} transactions and{' '}
          <Count value={slice.gasUsed} /> gas.
        </p>
      )}
      {chosen !== undefined && slice === undefined && (
        <p class="quiet">It has no slice {chosen}: this is all of it.</p>
      )}
    </section>
  )
}

function to(index: number | undefined): string {
  const search = new URLSearchParams(query.value)
  if (index === undefined) search.delete('slice')
  else search.set('slice', String(index))
  return hrefOf(route.value, search)
}
