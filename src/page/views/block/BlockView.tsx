import { useSignal } from '@preact/signals'
import { counted } from '../../../model/api/text.ts'
import type { RpcBlockSummary } from '../../../wire/blockContent.ts'
import { isReport } from '../../environment.ts'
import { absolute, quantity } from '../../format.ts'
import { head } from '../../live/head.ts'
import { changesAt, loaded, useLoad, useRenewed } from '../../live/load.ts'
import { momentOf, PAST, PENDING } from '../../moment.ts'
import { go, hrefOf, query, route } from '../../navigation.ts'
import { Answer, Field, Fields, Nothing } from '../../parts/Answer.tsx'
import { useKeys, useScrolledTo } from '../../parts/accessibility.tsx'
import { AddressLink, Bar, BlockLink, Count, GasBar, StateBadge, Time, Wei } from '../../parts/chain.tsx'
import { Copy, Hint } from '../../parts/controls.tsx'
import { ForkNote } from '../../parts/Moment.tsx'
import { Tabs } from '../../parts/Tabs.tsx'
import { Text } from '../../parts/Value.tsx'
import { absentBlock } from '../../routes.ts'
import { request } from '../../source/source.ts'
import { isUnsealed, tabsOf } from './BlockTabs.tsx'
import { atSlice, type BlockFees, parsedFees, type ShownBlock, shownBlock } from './block.ts'
import './block.css'

/** Shows a block. With `?slice=3`, shows it as of its slice 3. `id` is a decimal number, a hash or a tag. */
export function BlockView({ id }: { id: string }) {
  // Only a reorg changes a sealed block. A block given by its number may also be open, or not exist yet.
  const isSealed = useSignal(id.length === 66)
  const moment = momentOf(id)?.number === undefined ? momentOf(id) : undefined
  const changes = changesAt(moment ?? (isSealed.value ? PAST : PENDING))
  // This number changes with each reorg, which makes loaded slices invalid.
  const replaced = changesAt(PAST)
  const asked = useRenewed<ShownBlock | null>(
    async (before) => {
      const shown = await shownBlock(id, request, before ?? undefined)
      isSealed.value = shown !== null && Number(shown.block.number) <= shown.latest
      return shown
    },
    [id, replaced],
    changes,
  )
  return (
    <Answer asked={asked.value}>
      {(shown) =>
        shown === null ? (
          <>
            <h1>
              Block <Text>{id.length > 20 ? `${id.slice(0, 10)}…` : id}</Text>
            </h1>
            <Nothing>
              <Text limit={400}>
                {absentBlock(id, head.value && Number(head.value.number), isReport ? 'is over' : 'goes on')}
              </Text>
            </Nothing>
          </>
        ) : (
          <Block whole={shown} id={id} />
        )
      }
    </Answer>
  )
}

function Block({ whole, id }: { whole: ShownBlock; id: string }) {
  const wanted = query.value.get('slice')
  const slice = wanted !== null && /^\d{1,9}$/.test(wanted) ? Number(wanted) : undefined
  const past = slice === undefined ? undefined : atSlice(whole, slice)
  const feesThen = useFeesAfter(whole, past === undefined ? undefined : slice)
  const shown = past === undefined ? whole : { ...past, fees: feesThen }
  const { block, fees } = shown
  const number = Number(block.number)
  const isOpen = number > whole.latest
  return (
    <>
      <header class="block-head">
        <h1>
          Block {number}
          {id !== String(number) && id.length < 20 && <span class="quiet"> {id}</span>}
        </h1>
        <StateBadge state={block.removed ? 'reorged' : isOpen ? 'preconfirmed' : 'sealed'} />
        <Neighbours number={number} latest={whole.latest} />
      </header>
      {block.removed && (
        <p>
          A reorg removed this block from the chain and replaced it by block <BlockLink id={block.number} />.
        </p>
      )}
      <ForkNote>
        {(forkBlock) =>
          number > forkBlock ? null : (
            <>
              A block of the forked network
              {number < forkBlock && (
                <>
                  , before the fork at block <BlockLink id={String(forkBlock)} />
                </>
              )}
              . It has no slices.
            </>
          )
        }
      </ForkNote>
      <Slices whole={whole} chosen={slice} isOpen={isOpen} />
      <Fields>
        <Field name="time" hint="of the chain">
          {absolute(Number(block.timestamp) * 1_000)}{' '}
          <span class="quiet">
            <Time seconds={block.timestamp} />
          </span>
        </Field>
        <Field name="gas used" hint="of the gas limit of the block">
          <GasBar
            used={Number(block.gasUsed)}
            limit={Number(block.gasLimit)}
            state={isOpen ? 'preconfirmed' : 'sealed'}
          />
        </Field>
        <Field
          name="base fee"
          hint="burnt for each unit of gas (EIP-1559)"
          value={block.baseFeePerGas && <Wei amount={block.baseFeePerGas} />}
        />
        {fees !== undefined && (
          <Field name="fees" hint="paid for gas by the senders of its transactions">
            <Wei amount={fees.burnt + fees.tips} />
            <span class="fee-parts">
              <span>
                <Hint text="base fee for each unit of gas">burnt</Hint> <Wei amount={fees.burnt} />
              </span>
              <span>
                <Hint text="paid to the fee recipient">tips</Hint> <Wei amount={fees.tips} />
              </span>
            </span>
          </Field>
        )}
        <Field name="fee recipient" hint="the account that tips are paid to (coinbase)">
          <AddressLink address={block.miner} whole />
        </Field>
        <Field name="hash" hint="keccak-256 of the header">
          {isUnsealed(block) ? (
            <span class="quiet">none until the block is sealed</span>
          ) : (
            <>
              <span class="id">{block.hash}</span> <Copy text={block.hash!} what="the hash" />
            </>
          )}
        </Field>
      </Fields>
      <Tabs tabs={tabsOf(shown)} label="parts of the block" />
    </>
  )
}

/** Returns the fees of the block as of `slice`. Returns `undefined` while loading, and for unknown fees. */
function useFeesAfter({ block, at }: ShownBlock, slice: number | undefined): BlockFees | undefined {
  const asked = useLoad(async () => {
    // If the block was removed, another block may have its number.
    if (slice === undefined || block.removed) return undefined
    const moment = { blockNumber: block.number, slice: quantity(slice) }
    const then = await request<RpcBlockSummary | null>('preseal_getBlockSummary', [moment])
    return then?.fees ? { ...parsedFees(then.fees), slice } : undefined
  }, [block.number, at, slice])
  const here = loaded(asked.value)
  return here?.slice === slice ? here : undefined
}

/** Links to the previous and the next block. The keys `[` and `]` follow these links. */
function Neighbours({ number, latest }: { number: number; latest: number }) {
  const before = number > 0 ? hrefOf({ view: 'block', id: String(number - 1) }) : undefined
  const after = number <= latest ? hrefOf({ view: 'block', id: String(number + 1) }) : undefined
  useKeys(({ key }) => {
    const to = key === '[' ? before : key === ']' ? after : undefined
    if (to !== undefined) go(to)
  })
  return (
    <nav class="neighbours" aria-label="blocks beside it">
      {before && (
        <a href={before} title="key [">
          ← {number - 1}
        </a>
      )}
      {after && (
        <a href={after} title="key ]">
          {number + 1} →
        </a>
      )}
    </nav>
  )
}

/** Maximum number of slices shown. With a manual clock, a block may have thousands. */
const MOST_SHOWN = 100

/** Lists the slices of block `whole`. Each links to the block as of that slice. `chosen` is the shown slice's index. */
function Slices({
  whole,
  chosen,
  isOpen,
}: {
  whole: ShownBlock
  chosen: number | undefined
  isOpen: boolean
}) {
  const { slices, transactionCount, block } = whole
  const { gasUsed } = block
  const list = useScrolledTo<HTMLOListElement>('[aria-current]', [chosen, slices.length])
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
