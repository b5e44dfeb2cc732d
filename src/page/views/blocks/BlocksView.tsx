/** The view *Blocks*: all blocks, the newest first. */
import { useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { absolute, quantity } from '../../format.ts'
import type { ListedBlock } from '../../live/blockList.ts'
import { change, replaced, rhythm } from '../../live/chain.ts'
import { BlockPages, BlockRows } from '../../live/pages.ts'
import type { LiveBlock } from '../../live/rhythm.ts'
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
  useSignalEffect(() => {
    replaced.value
    added.current = rhythm.blocks.at(-1)
    void pages.renew()
  })
  // Subscribes to new blocks and loaded pages.
  change.value
  come.value
  takeSealed(pages, added)
  const { latest, first } = pages
  useEffect(() => {
    // The rows in sight may belong to another page now. After an error, only scrolling retries.
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
  // The open block is the first row, and keeps it when it is sealed.
  const open = rhythm.open !== undefined && rhythm.open.number > latest ? rhythm.open : undefined
  const above = open === undefined ? 0 : 1
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
            if (index < above) return open!.number
            const row = rows.at(index - above)
            return row.kind === 'block' ? row.number : `removed ${row.block.hash}`
          }}
          rowClass={(index) =>
            index >= above && rows.at(index - above).kind === 'removed' ? 'removed' : undefined
          }
          row={(index) => {
            if (index < above) return openCells(open!)
            const row = rows.at(index - above)
            if (row.kind === 'removed') return removedCells(row.block)
            const block = pages.at(row.number)
            return block === undefined ? absentCells(row.number, pages) : cells(block)
          }}
          onShown={(from, end) => {
            const [top, bottom] = [Math.max(from, above), Math.max(from, above, end - 1)]
            const numbers = [rows.at(top - above), rows.at(bottom - above)].map((row) =>
              row.kind === 'block' ? row.number : row.block.number,
            )
            seen.current = { low: Math.min(...numbers, latest), high: Math.min(latest, Math.max(...numbers)) }
            void pages.ask(seen.current.low, seen.current.high)
          }}
        />
      </div>
    </>
  )
}

/** Adds the blocks sealed since the last call. */
function takeSealed(pages: BlockPages, added: { current: LiveBlock | undefined }): void {
  const { blocks } = rhythm
  const start = added.current === undefined ? 0 : blocks.lastIndexOf(added.current) + 1
  for (const block of blocks.slice(start)) {
    added.current = block
    if (block.removedMs !== undefined) continue
    pages.add({ ...block, hash: block.hash!, slices: block.slices.at(-1)?.index })
  }
}

function cells(block: ListedBlock) {
  const { number, timestamp, transactions, slices, gasUsed, gasLimit, baseFeePerGas } = block
  return [
    <a class="number" href={hrefOf({ view: 'block', id: String(number) })}>
      {number}
    </a>,
    <>
      <Time seconds={quantity(timestamp)} /> <span class="quiet wide">{absolute(timestamp * 1_000)}</span>
    </>,
    transactions === undefined ? <span class="nothing">–</span> : <Count value={transactions} />,
    slices === undefined ? <span class="nothing">–</span> : <Count value={slices} />,
    <GasBar used={gasUsed} limit={gasLimit} state="sealed" isShort />,
    baseFeePerGas === undefined ? <span class="nothing">none</span> : <Wei amount={baseFeePerGas} />,
  ]
}

function openCells({ number, transactions, slices, gasUsed, gasLimit, baseFeePerGas }: LiveBlock) {
  return [
    <a class="number" href={hrefOf({ view: 'block', id: 'pending' })}>
      {number}
    </a>,
    <StateBadge state="preconfirmed" />,
    <Count value={transactions} />,
    <Count value={slices.length} />,
    <GasBar used={gasUsed} limit={gasLimit} state="preconfirmed" isShort />,
    baseFeePerGas === undefined ? <span class="nothing">none</span> : <Wei amount={baseFeePerGas} />,
  ]
}

/** The cells of a block that is loading, or no longer kept. */
function absentCells(number: number, pages: BlockPages) {
  return [
    <span class="number">{number}</span>,
    <span class="nothing">{pages.isHere(number) ? 'no longer kept' : '…'}</span>,
    '',
    '',
    '',
    '',
  ]
}

function removedCells({ number, hash, transactions }: LiveBlock) {
  return [
    <RemovedBlockLink number={number} hash={hash} />,
    <StateBadge state="reorged" />,
    <Count value={transactions} />,
    '',
    '',
    '',
  ]
}
