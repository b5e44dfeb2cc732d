/** The view *Blocks*: sealed blocks and the open one, newest first. Consecutive empty blocks are one row. */
import { counted } from '../../../model/api/text.ts'
import { absolute, grouped, quantity } from '../../format.ts'
import { type BlockRange, type ListedBlock, listRows } from '../../live/blockList.ts'
import { change, rhythm } from '../../live/chain.ts'
import { useNewestFirst } from '../../live/load.ts'
import { LATEST } from '../../moment.ts'
import { hrefOf, query } from '../../navigation.ts'
import { Answer } from '../../parts/Answer.tsx'
import { BlockLink, Count, GasBar, StateBadge, Time, Wei } from '../../parts/chain.tsx'
import { ForkNote } from '../../parts/Moment.tsx'
import { type Column, VirtualRows } from '../../parts/tables.tsx'
import { source } from '../../source/source.ts'
import './blocks.css'

const BLOCK_COLUMNS: readonly Column[] = [
  { name: 'block', width: 'var(--number-width)' },
  { name: 'time', width: 'var(--time-width)' },
  { name: 'transactions', class: 'end', width: 'var(--count-width)' },
  { name: 'slices', class: 'end wide', width: '6rem' },
  { name: 'gas', width: 'var(--gas-width)' },
  { name: 'base fee', class: 'end wide', width: 'var(--fee-width)' },
]

/** Returns the range in the address bar. Without a range, the list joins consecutive empty blocks. */
function rangeOf(query: URLSearchParams): BlockRange | undefined {
  const [from, to] = ['from', 'to'].map((name) => /^\d{1,15}$/.exec(query.get(name) ?? '')?.[0])
  if (from === undefined && to === undefined) return undefined
  return { from: Number(from ?? 0), to: to === undefined ? undefined : Number(to) }
}

export function BlocksView() {
  const range = rangeOf(query.value)
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
      <p class="quiet">
        {range === undefined ? (
          <a href={hrefOf({ view: 'blocks' }, new URLSearchParams({ from: '0' }))}>list each empty block</a>
        ) : (
          <>
            {range.to !== undefined && `blocks ${range.from} to ${range.to}; `}
            <a href={hrefOf({ view: 'blocks' })}>all blocks, empty ones joined</a>
          </>
        )}
      </p>
      <BlockList key={query.value.toString()} range={range} />
    </>
  )
}

function BlockList({ range }: { range: BlockRange | undefined }) {
  const list = useNewestFirst((offset, limit) => listRows(source(), range, offset, limit), [], LATEST)
  // Reading the signal makes the component render again when the open block changes.
  change.value
  return (
    <Answer asked={list.asked}>
      {({ latest }) => {
        const last = rhythm.open ?? rhythm.blocks.at(-1)
        // While the newest block is open, or sealed but not in the list yet, the block is the first row.
        const open = range?.to === undefined && last !== undefined && last.number > latest ? last : undefined
        const above = open === undefined ? 0 : 1
        return (
          <div class="blocks">
            <VirtualRows
              label="blocks"
              columns={BLOCK_COLUMNS}
              count={above + list.total}
              grows="above"
              keyOf={(index) => list.keyOf(index - above)}
              onShown={(first, end) => list.onShown(Math.max(0, first - above), Math.max(1, end - above))}
              row={(index) => {
                if (index < above && open !== undefined)
                  return blockCells({
                    ...open,
                    hash: '',
                    slices: open.slices.length,
                    removed: [],
                    isOpen: open.sealedMs === undefined,
                  })
                const row = list.at(index - above)
                return row === undefined ? BLOCK_COLUMNS.map((_, i) => (i === 0 ? '…' : '')) : blockCells(row)
              }}
            />
          </div>
        )
      }}
    </Answer>
  )
}

export function blockCells({ isOpen = false, ...block }: ListedBlock & { readonly isOpen?: boolean }) {
  const { number, timestamp, transactions, slices, gasUsed, gasLimit, baseFeePerGas, emptyBlocks, removed } =
    block
  const state = isOpen ? 'preconfirmed' : 'sealed'
  return [
    <a class="number" href={hrefOf({ view: 'block', id: isOpen ? 'pending' : String(number) })}>
      {number}
    </a>,
    <>
      {isOpen ? <StateBadge state={state} /> : <Time seconds={quantity(timestamp)} />}{' '}
      {emptyBlocks !== undefined ? (
        <EmptyBlocks newest={number} count={emptyBlocks} />
      ) : (
        !isOpen && removed.length === 0 && <span class="quiet wide">{absolute(timestamp * 1_000)}</span>
      )}
      {removed.map((one) => (
        <span key={one.hash} class="removed">
          {' '}
          <RemovedBlockLink number={Number(one.number)} hash={one.hash} /> <StateBadge state="reorged" />
        </span>
      ))}
    </>,
    transactions === undefined ? <span class="nothing">–</span> : <Count value={transactions} />,
    slices === undefined ? <span class="nothing">–</span> : <Count value={slices} />,
    <GasBar used={gasUsed} limit={gasLimit} state={state} isShort />,
    baseFeePerGas === undefined ? <span class="nothing">none</span> : <Wei amount={baseFeePerGas} />,
  ]
}

/** A link to a block that a reorg removed. Links by hash, because another block has its number now. */
function RemovedBlockLink({ number, hash }: { number: number; hash: string }) {
  return (
    <del class="number">
      <a href={hrefOf({ view: 'block', id: hash })}>{number}</a>
    </del>
  )
}

/** A link to the list of `count` consecutive empty blocks, of which the newest has the number `newest`. */
function EmptyBlocks({ newest, count }: { newest: number; count: number }) {
  const range = new URLSearchParams({ from: String(newest - count + 1), to: String(newest) })
  return <a href={hrefOf({ view: 'blocks' }, range)}>{counted(count, 'empty block', grouped(count))}</a>
}
