/** How an account changed: its balance, nonce, code and storage, the newest change first. */
import { useSignal } from '@preact/signals'
import { shortened } from '../../format/hex.ts'
import { grouped, wei } from '../../format/quantity.ts'
import { changesAt } from '../../live/changes.ts'
import { useFollowed } from '../../live/followed.ts'
import { PENDING } from '../../moment.ts'
import { hrefOf } from '../../navigation.ts'
import { Answer, Nothing } from '../../parts/Answer.tsx'
import { Time } from '../../parts/amounts.tsx'
import { BlockLink, TransactionLink } from '../../parts/links.tsx'
import { StateBadge } from '../../parts/StateBadge.tsx'
import type { Hex } from '../../source/answers.ts'
import { source } from '../../source/index.ts'

interface Change<T> {
  readonly before: T
  readonly after: T
}

/** A block or a slice that changed the account, of `preseal_getAccountHistory`. */
interface AccountChange {
  readonly blockNumber: Hex
  readonly slice: Hex | null
  readonly timestamp: Hex
  readonly isSealed: boolean
  readonly transactions: readonly Hex[]
  readonly balance?: Change<Hex>
  readonly nonce?: Change<Hex>
  readonly code?: Change<{ readonly hash: Hex; readonly size: Hex }>
  readonly storage?: {
    readonly slots: readonly ({ readonly slot: Hex } & Change<Hex>)[]
    readonly isCut: boolean
  }
}

interface HistoryPage {
  readonly changes: readonly AccountChange[]
  readonly next: Hex | null
}

export function HistoryTab({ address }: { address: string }) {
  const before = useSignal<readonly Hex[]>([])
  const last = before.value.at(-1)
  const asked = useFollowed(
    () =>
      source().request<HistoryPage>('preseal_getAccountHistory', [
        address,
        { limit: 20, ...(last && { before: last }) },
      ]),
    [address, last],
    // What is before a block stays as it is.
    last === undefined ? changesAt(PENDING) : 0,
  )
  return (
    <Answer asked={asked.value}>
      {({ changes, next }) => (
        <>
          {changes.length === 0 ? (
            <Nothing>nothing changed in the blocks that are kept</Nothing>
          ) : (
            <ol class="history" aria-label="changes of the account">
              {changes.map((change) => (
                <li key={`${change.blockNumber} ${change.slice}`}>
                  <OneChange change={change} />
                </li>
              ))}
            </ol>
          )}
          {(next !== null || before.value.length > 0) && (
            <p class="pager">
              <button
                type="button"
                disabled={before.value.length === 0}
                onClick={() => {
                  before.value = before.value.slice(0, -1)
                }}
              >
                newer
              </button>
              <button
                type="button"
                disabled={next === null}
                onClick={() => {
                  before.value = [...before.value, next!]
                }}
              >
                older
              </button>
            </p>
          )}
        </>
      )}
    </Answer>
  )
}

/** Transactions of a slice that are named. */
const MOST_TRANSACTIONS = 5

function OneChange({ change }: { change: AccountChange }) {
  const { blockNumber, slice, timestamp, isSealed, transactions, balance, nonce, code, storage } = change
  return (
    <>
      <p class="history-place">
        <StateBadge state={isSealed ? 'sealed' : 'preconfirmed'} />{' '}
        <span>
          block <BlockLink id={blockNumber} />
          {slice !== null && ` slice ${Number(slice)}`}
        </span>{' '}
        <span class="quiet">
          <Time seconds={timestamp} />
        </span>
        {transactions.slice(0, MOST_TRANSACTIONS).map((hash) => (
          <TransactionLink key={hash} hash={hash} />
        ))}
        {transactions.length > MOST_TRANSACTIONS && (
          <a href={hrefOf({ view: 'block', id: String(Number(blockNumber)) })}>
            {transactions.length - MOST_TRANSACTIONS} more
          </a>
        )}
      </p>
      <dl class="values">
        {balance && (
          <Changed name="balance" before={wei(BigInt(balance.before))} after={wei(BigInt(balance.after))}>
            {differenceOf(balance)}
          </Changed>
        )}
        {nonce && (
          <Changed name="nonce" before={grouped(Number(nonce.before))} after={grouped(Number(nonce.after))} />
        )}
        {code && <Changed name="code" before={codeText(code.before)} after={codeText(code.after)} />}
        {storage?.slots.map(({ slot, before, after }) => (
          <Changed
            key={slot}
            name={`slot ${shortened(withoutZeros(slot), 6, 6)}`}
            title={slot}
            before={withoutZeros(before)}
            after={withoutZeros(after)}
          />
        ))}
      </dl>
      {storage?.isCut && <p class="quiet">and more slots</p>}
    </>
  )
}

function Changed({
  name,
  title,
  before,
  after,
  children,
}: {
  name: string
  title?: string
  before: string
  after: string
  children?: string
}) {
  return (
    <div class="value">
      <dt title={title}>{name}</dt>
      <dd class="changed">
        <del class="id">{before}</del> <span aria-hidden="true">→</span> <ins class="id">{after}</ins>
        {children && <span class="quiet"> {children}</span>}
      </dd>
    </div>
  )
}

function differenceOf({ before, after }: Change<Hex>): string {
  const difference = BigInt(after) - BigInt(before)
  return `${difference < 0n ? '−' : '+'}${wei(difference < 0n ? -difference : difference)}`
}

function codeText({ hash, size }: { readonly hash: Hex; readonly size: Hex }): string {
  return Number(size) === 0 ? 'none' : `${grouped(Number(size))} bytes, ${shortened(hash)}`
}

/** Returns a word without the zeros in front. */
function withoutZeros(word: Hex): string {
  return `0x${word.slice(2).replace(/^0+(?=.)/, '')}`
}
