import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { RpcBlockSummary } from '../../../wire/blockContent.ts'
import { isReport } from '../../environment.ts'
import { absolute, quantity } from '../../format.ts'
import { changesAt } from '../../live/changes.ts'
import { head } from '../../live/head.ts'
import { loaded, useLiveLoad, useLoad } from '../../live/load.ts'
import { momentOf, PAST, PENDING } from '../../moment.ts'
import { go, hrefOf, query } from '../../navigation.ts'
import { Answer, Nothing } from '../../parts/Answer.tsx'
import { GasBar, Time, Wei } from '../../parts/amounts.tsx'
import { Copy, Field, Fields } from '../../parts/Fields.tsx'
import { Hint } from '../../parts/Hint.tsx'
import { AddressLink, BlockLink } from '../../parts/links.tsx'
import { ForkNote } from '../../parts/Moment.tsx'
import { StateBadge } from '../../parts/StateBadge.tsx'
import { Tabs, tab } from '../../parts/Tabs.tsx'
import { Text } from '../../parts/Value.tsx'
import { absentBlock } from '../../routes.ts'
import { request } from '../../source/source.ts'
import { Blobs, BlockJson, Header, isUnsealed, type Withdrawal, Withdrawals } from './BlockTabs.tsx'
import { atSlice, type BlockFees, parsedFees, type ShownBlock, shownBlock } from './block.ts'
import { Slices } from './Slices.tsx'
import { Logs, Transactions } from './Transactions.tsx'
import './block.css'

/** Shows a block. With `?slice=3`, shows it as of its slice 3. `id` is a decimal number, a hash or a tag. */
export function BlockView({ id }: { id: string }) {
  // Only a reorg changes a sealed block. A block given by its number may also be open, or not exist yet.
  const isSealed = useSignal(id.length === 66)
  const moment = momentOf(id)?.number === undefined ? momentOf(id) : undefined
  const changes = changesAt(moment ?? (isSealed.value ? PAST : PENDING))
  // This number changes with each reorg, which makes loaded slices invalid.
  const replaced = changesAt(PAST)
  const last = useRef<{ readonly shown: ShownBlock | null; readonly replaced: number }>(undefined)
  const asked = useLiveLoad(
    async () => {
      const before = last.current?.replaced === replaced ? last.current.shown : null
      const shown = await shownBlock(id, request, before ?? undefined)
      last.current = { shown, replaced }
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
  const { block, transactionCount, logCount, fees } = shown
  const number = Number(block.number)
  const isOpen = number > whole.latest
  const withdrawals = (block.withdrawals ?? []) as readonly Withdrawal[]
  const tabs = [
    tab('transactions', 'Transactions', () => <Transactions shown={shown} />, transactionCount),
    tab('logs', 'Logs', () => <Logs shown={shown} />, logCount),
    tab('header', 'Header', () => <Header block={block} />),
    withdrawals.length > 0 &&
      tab('withdrawals', 'Withdrawals', () => <Withdrawals withdrawals={withdrawals} />, withdrawals.length),
    block.blobs.length > 0 && tab('blobs', 'Blobs', () => <Blobs blobs={block.blobs} />),
    tab('raw', 'JSON', () => <BlockJson shown={shown} />),
  ]
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
      <Tabs tabs={tabs} label="parts of the block" />
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
  // This is a layout effect, so that the keys work before the first paint.
  useLayoutEffect(() => {
    const follow = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if ((event.target as HTMLElement).matches('input, textarea, select')) return
      const to = event.key === '[' ? before : event.key === ']' ? after : undefined
      if (to !== undefined) go(to)
    }
    addEventListener('keydown', follow)
    return () => removeEventListener('keydown', follow)
  }, [before, after])
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
