/** Shows who created an account, and how balance, nonce, code and storage changed, newest change first. */
import type { ComponentChildren } from 'preact'
import type { Hex } from '../../../bytes/hex.ts'
import { counted } from '../../../model/api/text.ts'
import type { RpcTransaction } from '../../../wire/encode.ts'
import type { RpcCallFrame } from '../../../wire/encodeTrace.ts'
import { useContracts } from '../../decode/contracts.ts'
import { grouped, isAddress, shortened, wei, withoutZeros } from '../../format.ts'
import { changesAt, loaded, useLiveLoad, useLoad } from '../../live/load.ts'
import { PENDING } from '../../moment.ts'
import { hrefOf, useKept } from '../../navigation.ts'
import { Answer, Field, Nothing } from '../../parts/Answer.tsx'
import { AddressLink, BlockLink, StateBadge, Time, TransactionLink } from '../../parts/chain.tsx'
import { Hint } from '../../parts/controls.tsx'
import { ConstructorArguments } from '../../parts/Decoded.tsx'
import { ForkNote } from '../../parts/Moment.tsx'
import { Pager } from '../../parts/Tabs.tsx'
import { Account, Text } from '../../parts/Value.tsx'
import { callTrace, forkBlockNumber, request, source } from '../../source/source.ts'
import type { Change } from '../transaction/stateChanges.ts'
import { type SlotEntry, type SlotVariable, variablesBySlot, wordText } from './account.ts'

/** The changes of an account in one block or slice (`preseal_getAccountHistory`). */
interface AccountChange {
  readonly blockNumber: Hex
  readonly slice: Hex | null
  readonly timestamp: Hex
  readonly isSealed: boolean
  readonly transactions: readonly Hex[]
  readonly balance?: Change<Hex>
  readonly nonce?: Change<Hex>
  readonly code?: Change<{ readonly hash: Hex; readonly size: Hex }>
  readonly storage?: { readonly slots: readonly SlotChange[]; readonly isCut: boolean }
}

interface HistoryPage {
  readonly changes: readonly AccountChange[]
  readonly next: Hex | null
}

export function HistoryTab({ address }: { address: string }) {
  const before = useKept<readonly Hex[]>('history before', [])
  const last = before.value.at(-1)
  const part = { limit: 20, ...(last && { before: last }) }
  const asked = useLiveLoad(
    async () => shortPage(await request<HistoryPage>('preseal_getAccountHistory', [address, part])),
    [address, last],
    // Only the first page is loaded again, because new changes appear on this page.
    last === undefined ? changesAt(PENDING) : 0,
  )
  const named = useLoad(() => variablesOf(address), [address, asked.value])
  return (
    <Answer asked={asked.value}>
      {({ changes, next }) => (
        <>
          {changes.length === 0 ? (
            <Nothing>no changes in the blocks that are kept</Nothing>
          ) : (
            <ol class="history" aria-label="changes of the account">
              {changes.map((change) => (
                <li key={`${change.blockNumber} ${change.slice}`}>
                  <OneChange change={change} named={loaded(named.value) ?? NO_NAMES} />
                </li>
              ))}
            </ol>
          )}
          <ForkNote>
            {(block) =>
              `The chain was forked from a network at block ${block}: earlier changes are not known here.`
            }
          </ForkNote>
          {(next !== null || before.value.length > 0) && <Pager places={before} next={next} />}
        </>
      )}
    </Answer>
  )
}

const MOST_CHANGES = 20

/** Returns the first `MOST_CHANGES` changes, and further changes in the block of the last of these changes. */
function shortPage({ changes, next }: HistoryPage): HistoryPage {
  const last = changes[MOST_CHANGES - 1]?.blockNumber
  const shown = changes.filter(({ blockNumber }, i) => i < MOST_CHANGES || blockNumber === last)
  return { changes: shown, next: shown.length < changes.length && last !== undefined ? last : next }
}

const MOST_NAMED = 1_000

type Variables = ReturnType<typeof variablesBySlot>
const NO_NAMES: Variables = new Map()

async function variablesOf(address: string): Promise<Variables> {
  const params = [address, 'pending', { limit: MOST_NAMED }]
  const { entries } = await request<{ readonly entries: readonly SlotEntry[] }>('preseal_getStorage', params)
  return variablesBySlot(entries)
}

const MOST_TRANSACTIONS = 5
/** Maximum number of slots of a change that are shown without being opened. */
const MOST_SLOTS = 8

function OneChange({ change, named }: { change: AccountChange; named: Variables }) {
  const { blockNumber, slice, timestamp, isSealed, transactions, balance, nonce, code, storage } = change
  const slots = storage?.slots.toSorted((one, other) => (one.slot < other.slot ? -1 : 1)) ?? []
  const shownSlot = (one: SlotChange) => (
    <ChangedSlot key={one.slot} change={one} variables={named.get(one.slot) ?? []} />
  )
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
        {slots.slice(0, MOST_SLOTS).map(shownSlot)}
      </dl>
      {slots.length > MOST_SLOTS && (
        <details>
          <summary>{counted(slots.length - MOST_SLOTS, 'more slot')}</summary>
          <dl class="values">{slots.slice(MOST_SLOTS).map(shownSlot)}</dl>
        </details>
      )}
      {storage?.isCut && <p class="quiet">and more slots</p>}
    </>
  )
}

interface SlotChange extends Change<Hex> {
  readonly slot: Hex
}

/** Shows the values of a changed slot: by type if the slot contains a single variable, otherwise as words. */
function ChangedSlot({ change, variables }: { change: SlotChange; variables: readonly SlotVariable[] }) {
  const { slot, before, after } = change
  const [only, ...others] = variables
  const type = others.length === 0 ? only?.type : undefined
  const text = (word: Hex) => (type && wordText(type, word)) ?? withoutZeros(word)
  const name =
    only === undefined ? (
      `slot ${shortened(withoutZeros(slot), 6, 6)}`
    ) : (
      <Text limit={200}>{variables.map((one) => one.name).join(', ')}</Text>
    )
  return <Changed name={name} title={`slot ${slot}`} before={text(before)} after={text(after)} />
}

interface ChangedProps extends Change<string> {
  name: ComponentChildren
  title?: string
  children?: string
}

function Changed({ name, title, before, after, children }: ChangedProps) {
  return (
    <div class="value">
      <dt>{title === undefined ? name : <Hint text={title}>{name}</Hint>}</dt>
      <dd class="changed">
        <del>
          <State text={before} />
        </del>{' '}
        <span aria-hidden="true">→</span>{' '}
        <ins>
          <State text={after} />
        </ins>
        {children && <span class="quiet"> {children}</span>}
      </dd>
    </div>
  )
}

function State({ text }: { text: string }) {
  return isAddress(text) ? <AddressLink address={text.toLowerCase()} /> : <Text limit={200}>{text}</Text>
}

function differenceOf({ before, after }: Change<Hex>): string {
  const difference = BigInt(after) - BigInt(before)
  return `${difference < 0n ? '−' : '+'}${wei(difference < 0n ? -difference : difference)}`
}

function codeText({ hash, size }: { readonly hash: Hex; readonly size: Hex }): string {
  return Number(size) === 0 ? 'none' : `${grouped(Number(size))} bytes, ${shortened(hash)}`
}

interface Created {
  readonly hash: Hex
  readonly creator: Hex
  /** Creation code, followed by the constructor arguments. */
  readonly input: Hex | undefined
}

interface CreatedByProps {
  address: Hex
  code: Hex
  block: string
  takesNothing: boolean
}

export function CreatedBy({ address, code, block, takesNothing }: CreatedByProps) {
  const asked = useLoad(() => creationOf(address).catch(() => null), [address, code])
  const created = loaded(asked.value)
  const known = useContracts(created ? [created.creator] : [], block)
  if (created === undefined) return null
  if (created === null) return <CreatedBefore address={address} />
  const { hash, creator, input } = created
  return (
    <Field {...FIELD}>
      <Account address={creator} known={known.value} /> <span class="quiet">in</span>{' '}
      <TransactionLink hash={hash} />
      {input !== undefined && !takesNothing && (
        <details>
          <summary>constructor arguments</summary>
          <ConstructorArguments input={input} created={address} at={block} />
        </details>
      )}
    </Field>
  )
}

const FIELD = { name: 'created by', hint: 'the account that created the contract, and the transaction' }

function CreatedBefore({ address }: { address: Hex }) {
  const asked = useLoad(() => forkBlockWith(address), [address])
  const forkBlock = loaded(asked.value)
  if (forkBlock === undefined) return null
  return (
    <Field {...FIELD}>
      <span class="quiet">
        not known: the contract existed at block <BlockLink id={String(forkBlock)} />, where the chain was
        forked
      </span>
    </Field>
  )
}

/** Resolves to the number of the fork block if the account had code in that block. */
async function forkBlockWith(address: Hex): Promise<number | undefined> {
  const number = await forkBlockNumber(source())
  if (number === undefined) return undefined
  const code = await request<Hex>('eth_getCode', [address, `0x${number.toString(16)}`])
  return code === '0x' ? undefined : number
}

/** Resolves to the creation of a contract, or to `null` if no sealed transaction created it. */
async function creationOf(address: Hex): Promise<Created | null> {
  const found = await request<Omit<Created, 'input'> | null>('ots_getContractCreator', [address])
  if (found === null) return null
  const transaction = await request<RpcTransaction | null>('eth_getTransactionByHash', [found.hash])
  const isOwn = transaction?.to === null && transaction.from === found.creator
  const input = isOwn ? transaction.input : inputIn(await callTrace(found.hash), address)
  return { ...found, input }
}

function inputIn(frame: RpcCallFrame, address: Hex): Hex | undefined {
  if (frame.type.startsWith('CREATE') && frame.to === address) return frame.input
  for (const call of frame.calls ?? []) {
    const input = inputIn(call, address)
    if (input !== undefined) return input
  }
  return undefined
}
