import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { absolute, quantity } from '../../format.ts'
import type { ListedBlock } from '../../live/blockList.ts'
import { change, rhythm } from '../../live/chain.ts'
import { changesAt } from '../../live/changes.ts'
import { BlockPages, BlockRows } from '../../live/pages.ts'
import type { LiveBlock } from '../../live/rhythm.ts'
import { PAST } from '../../moment.ts'
import { hrefOf } from '../../navigation.ts'
import { Nothing, Problem } from '../../parts/Answer.tsx'
import { Count, GasBar, Time, Wei } from '../../parts/amounts.tsx'
import { BlockLink, RemovedBlockLink } from '../../parts/links.tsx'
import { ForkNote } from '../../parts/Moment.tsx'
import { StateBadge } from '../../parts/StateBadge.tsx'
import { type Column, VirtualRows } from '../../parts/VirtualRows.tsx'
import { source } from '../../source/source.ts'
import './blocks.css'

const COLUMNS: readonly Column[] = [
  { name: 'block', width: 'var(--number-width)' },
  { name: 'time', width: 'var(--time-width)' },
  { name: 'transactions', class: 'end', width: 'var(--count-width)' },
  { name: 'slices', class: 'end wide', width: '6rem' },
  { name: 'gas', width: 'var(--gas-width)' },
  { name: 'base fee', class: 'end wide', width: 'var(--fee-width)' },
]

const BLANK = COLUMNS.map(() => '')

export function BlocksView() {
  const come = useSignal(0)
  const problem = useSignal<Error | undefined>(undefined)
  const pages = useMemo(
    () =>
      new BlockPages(source(), (error) => {
        problem.value = error
        come.value++
      }),
    [],
  )
  const added = useRef<LiveBlock>(undefined)
  const seen = useRef({ low: 0, high: 0 })
  useEffect(() => {
    added.current = rhythm.blocks.at(-1)
    void pages.renew()
  }, [changesAt(PAST)])
  // Reading these signals makes the component render again when blocks are sealed or pages load.
  change.value
  come.value
  takeSealed(pages, added)
  const { latest, first } = pages
  useEffect(() => {
    // New blocks may have moved other pages into view. After an error, pages are loaded again only on scrolling.
    if (latest !== undefined && problem.value === undefined)
      void pages.ask(seen.current.low, seen.current.high)
  }, [latest, come.value])
  if (latest === undefined)
    return (
      <>
        <h1>Blocks</h1>
        {problem.value === undefined ? <Nothing>loading …</Nothing> : <Problem error={problem.value} />}
      </>
    )
  const rows = new BlockRows(latest, first, rhythm.removed)
  // The open block is the first row, and keeps this row when it is sealed.
  const open = rhythm.open !== undefined && rhythm.open.number > latest ? rhythm.open : undefined
  const above = open === undefined ? 0 : 1
  const rowAt = (index: number): ReturnType<typeof rows.at> =>
    index < above ? { number: open!.number } : rows.at(index - above)
  return (
    <>
      <h1>Blocks</h1>
      <ForkNote>
        {(block) => (
          <>
            The chain was forked from a network at block <BlockLink id={String(block)} />. To see earlier
            blocks, search for their numbers.
          </>
        )}
      </ForkNote>
      {problem.value !== undefined && <Problem error={problem.value} />}
      <div class="blocks">
        <VirtualRows
          label="blocks"
          columns={COLUMNS}
          count={above + rows.count}
          grows="above"
          keyOf={(index) => {
            const { number, removed } = rowAt(index)
            return removed === undefined ? number : `removed ${removed.hash}`
          }}
          rowClass={(index) => (rowAt(index).removed === undefined ? undefined : 'removed')}
          row={(index) => {
            if (index < above) return cells({ ...open!, slices: open!.slices.length }, 'preconfirmed')
            const { number, removed } = rowAt(index)
            if (removed !== undefined) return removedCells(removed)
            const block = pages.at(number)
            return block === undefined ? absentCells(number, pages) : cells(block, 'sealed')
          }}
          onShown={(from, end) => {
            const top = Math.max(from, above)
            const numbers = [rowAt(top).number, rowAt(Math.max(top, end - 1)).number]
            seen.current = { low: Math.min(...numbers, latest), high: Math.min(latest, Math.max(...numbers)) }
            void pages.ask(seen.current.low, seen.current.high)
          }}
        />
      </div>
    </>
  )
}

/** Adds the blocks sealed after `added.current` to `pages`, and sets `added.current` to the last of them. */
function takeSealed(pages: BlockPages, added: { current: LiveBlock | undefined }): void {
  const { blocks } = rhythm
  const start = added.current === undefined ? 0 : blocks.lastIndexOf(added.current) + 1
  for (const block of blocks.slice(start)) {
    added.current = block
    if (block.removedMs !== undefined) continue
    pages.add({ ...block, hash: block.hash!, slices: block.slices.at(-1)?.index })
  }
}

function cells(block: Omit<ListedBlock, 'hash'>, state: 'sealed' | 'preconfirmed') {
  const { number, timestamp, transactions, slices, gasUsed, gasLimit, baseFeePerGas } = block
  const isOpen = state === 'preconfirmed'
  return [
    <a class="number" href={hrefOf({ view: 'block', id: isOpen ? 'pending' : String(number) })}>
      {number}
    </a>,
    isOpen ? (
      <StateBadge state={state} />
    ) : (
      <>
        <Time seconds={quantity(timestamp)} /> <span class="quiet wide">{absolute(timestamp * 1_000)}</span>
      </>
    ),
    transactions === undefined ? <span class="nothing">–</span> : <Count value={transactions} />,
    slices === undefined ? <span class="nothing">–</span> : <Count value={slices} />,
    <GasBar used={gasUsed} limit={gasLimit} state={state} isShort />,
    baseFeePerGas === undefined ? <span class="nothing">none</span> : <Wei amount={baseFeePerGas} />,
  ]
}

function absentCells(number: number, pages: BlockPages) {
  return [
    <span class="number">{number}</span>,
    <span class="nothing">{pages.isHere(number) ? 'no longer kept' : '…'}</span>,
    ...BLANK.slice(2),
  ]
}

function removedCells({ number, hash, transactions }: LiveBlock) {
  return [
    <RemovedBlockLink number={number} hash={hash} />,
    <StateBadge state="reorged" />,
    <Count value={transactions} />,
    ...BLANK.slice(3),
  ]
}
