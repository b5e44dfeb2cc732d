/** One block: as it is, or as it was after one of its slices (`?slice=3`). */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { absolute } from '../../format/time.ts'
import { changesAt } from '../../live/changes.ts'
import { useFollowed } from '../../live/followed.ts'
import { momentOf, PENDING } from '../../moment.ts'
import { go, hrefOf, query } from '../../navigation.ts'
import { Answer, Nothing } from '../../parts/Answer.tsx'
import { AnswerFields } from '../../parts/AnswerFields.tsx'
import { Count, Time, Wei } from '../../parts/amounts.tsx'
import { EventList } from '../../parts/EventList.tsx'
import { Field, Fields } from '../../parts/Fields.tsx'
import { Json } from '../../parts/Json.tsx'
import { AddressLink } from '../../parts/links.tsx'
import { StateBadge } from '../../parts/StateBadge.tsx'
import { type Tab, Tabs } from '../../parts/Tabs.tsx'
import { source } from '../../source/index.ts'
import { Blobs } from './Blobs.tsx'
import { atSlice, type WholeBlock, wholeBlock } from './block.ts'
import { HEADER_FIELDS, NOT_OF_HEADER } from './headerFields.ts'
import { Slices } from './Slices.tsx'
import { Transactions } from './Transactions.tsx'
import { type Withdrawal, Withdrawals } from './Withdrawals.tsx'
import './block.css'

const PAST = momentOf('0')!

/** `id`: a number in decimal, a hash or a tag. */
export function BlockView({ id }: { id: string }) {
  // What is told of a sealed block changes only when it is replaced; a number may be that of the open block, or of none yet.
  const isSealed = useSignal(id.length === 66)
  const moment = momentOf(id)?.number === undefined ? momentOf(id) : undefined
  const changes = changesAt(moment ?? (isSealed.value ? PAST : PENDING))
  const asked = useFollowed(
    async () => {
      const whole = await wholeBlock(id, source().request.bind(source()))
      isSealed.value = whole !== null && Number(whole.block.number) <= whole.latest
      return whole
    },
    [id],
    changes,
  )
  return (
    <Answer asked={asked.value}>
      {(whole) =>
        whole === null ? (
          <>
            <h1>Block {id.length > 20 ? `${id.slice(0, 10)}…` : id}</h1>
            <Nothing>
              there is no such block: it takes a number, a hash, or a tag such as latest or pending
            </Nothing>
          </>
        ) : (
          <Block whole={whole} id={id} />
        )
      }
    </Answer>
  )
}

function Block({ whole, id }: { whole: WholeBlock; id: string }) {
  const wanted = query.value.get('slice')
  const slice = wanted !== null && /^\d{1,9}$/.test(wanted) ? Number(wanted) : undefined
  const shown = atSlice(whole, slice)
  const { block, transactions } = shown
  const number = Number(block.number)
  const isOpen = number > whole.latest
  const withdrawals = (block.withdrawals ?? []) as readonly Withdrawal[]
  const receipts = transactions.map(({ hash }) => whole.receipts.get(hash))
  const logs = receipts.flatMap((receipt) => receipt?.logs ?? [])
  const hasBlobs = transactions.some(({ blobVersionedHashes }) => blobVersionedHashes !== undefined)
  const tabs: Tab[] = [
    {
      id: 'transactions',
      title: 'Transactions',
      count: transactions.length,
      show: () => <Transactions {...shown} />,
    },
    {
      id: 'logs',
      title: 'Logs',
      count: logs.length,
      show: () => <EventList logs={logs} at={isOpen ? 'pending' : block.number} withTransaction />,
    },
    {
      id: 'header',
      title: 'Header',
      show: () => (
        <Fields>
          <AnswerFields answer={block} fields={HEADER_FIELDS} others={NOT_OF_HEADER} />
          <Field name="uncles" hint="none since the merge">
            {(block.uncles as unknown[] | undefined)?.length ? String(block.uncles) : 'none'}
          </Field>
        </Fields>
      ),
    },
    ...(withdrawals.length > 0
      ? [
          {
            id: 'withdrawals',
            title: 'Withdrawals',
            count: withdrawals.length,
            show: () => <Withdrawals withdrawals={withdrawals} />,
          },
        ]
      : []),
    ...(hasBlobs ? [{ id: 'blobs', title: 'Blobs', show: () => <Blobs transactions={transactions} /> }] : []),
    { id: 'raw', title: 'JSON', show: () => <Json value={block} what={`block ${number}`} /> },
  ]
  return (
    <>
      <header class="block-head">
        <h1>
          Block {number}
          {id !== String(number) && id.length < 20 && <span class="quiet"> {id}</span>}
        </h1>
        <StateBadge state={isOpen ? 'preconfirmed' : 'sealed'} />
        <Neighbours number={number} latest={whole.latest} />
      </header>
      <Slices slices={whole.slices} chosen={slice} isOpen={isOpen} gasLimit={block.gasLimit} />
      <Fields>
        <Field name="time" hint="of the chain">
          {absolute(Number(block.timestamp) * 1_000)}{' '}
          <span class="quiet">
            <Time seconds={block.timestamp} />
          </span>
        </Field>
        <Field name="gas used" hint="of the most that its transactions may use">
          <Count value={block.gasUsed} /> of <Count value={block.gasLimit} />{' '}
          <meter
            min={0}
            max={Number(block.gasLimit)}
            value={Number(block.gasUsed)}
            aria-label="gas used of the limit"
          />{' '}
          <span class="number">{percent(Number(block.gasUsed), Number(block.gasLimit))}</span>
        </Field>
        {block.baseFeePerGas !== undefined && (
          <Field name="base fee" hint="burnt for each unit of gas (EIP-1559)">
            <Wei amount={block.baseFeePerGas} />
          </Field>
        )}
        <Field name="fee recipient" hint="the account that tips are paid to (coinbase)">
          <AddressLink address={block.miner} whole />
        </Field>
        <Field name="hash" hint="keccak-256 of the header">
          {block.hash === null || /^0x0*$/.test(block.hash) ? (
            <span class="quiet">none until it is sealed</span>
          ) : (
            <span class="id">{block.hash}</span>
          )}
        </Field>
      </Fields>
      <Tabs tabs={tabs} label="parts of the block" />
    </>
  )
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '' : `${((100 * part) / whole).toFixed(1)} %`
}

/** Links to the block before and the one after, also by the keys `[` and `]`. */
function Neighbours({ number, latest }: { number: number; latest: number }) {
  const before = number > 0 ? hrefOf({ view: 'block', id: String(number - 1) }) : undefined
  const after = number <= latest ? hrefOf({ view: 'block', id: String(number + 1) }) : undefined
  useEffect(() => {
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
