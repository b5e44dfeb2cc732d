/** Logs by address, event and blocks, and those that come while one looks. */
import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Item } from '../../../abi/codec.ts'
import { areNamesHere, named, names, unlocked, useNames } from '../../accounts/names.ts'
import type { KnownContract } from '../../decode/contracts.ts'
import { type DecodedItem, decodeEvent } from '../../decode/decode.ts'
import { codecsFor, contracts, useContracts } from '../../decode/index.ts'
import { grouped } from '../../format/quantity.ts'
import { connection, head } from '../../live/head.ts'
import { query, setQuery } from '../../navigation.ts'
import { announce } from '../../parts/Announcer.tsx'
import { Nothing, Problem } from '../../parts/Answer.tsx'
import { ADDRESSES, KnownAddresses } from '../../parts/KnownAddresses.tsx'
import { Text } from '../../parts/Text.tsx'
import { isReport } from '../../served.ts'
import type { LogAnswer } from '../../source/answers.ts'
import { source } from '../../source/index.ts'
import { LogTable } from './LogTable.tsx'
import { addressOf, indexedOf, type LogFilter, meant, namesOf, type Wanted } from './logQuery.ts'
import { type ShownLog, ShownLogs } from './shownLogs.ts'
import './logs.css'

/** Notifications are shown together: eyes need no more of them. */
const GAP_MS = 100

export function LogsView() {
  useNames()
  const wanted = wantedOf(query.value)
  const { events, areHere } = useEvents(wanted.address)
  const means = meant(wanted, [...events, ...seenEvents()], names.value)
  return (
    <>
      <h1>Logs</h1>
      <Form wanted={wanted} />
      <KnownAddresses />
      {!('problem' in means) ? (
        <Found key={JSON.stringify(means)} {...means} />
      ) : areHere ? (
        <p class="problem" role="alert">
          <Text limit={2_000}>{means.problem}</Text>
        </p>
      ) : (
        // What is not known may be so only for now.
        <p class="loading" role="status">
          loading …
        </p>
      )}
    </>
  )
}

/** So many contracts are asked for their events. */
const MOST_CONTRACTS = 50

/** Returns the events of the contract that is typed, or of all that have names. `areHere`: they are all that will be found. */
function useEvents(typed: string): { readonly events: readonly Item[]; readonly areHere: boolean } {
  const address = addressOf(typed, names.value)
  const all = named.value.slice(unlocked.value.length).map((one) => one.address)
  const asked = address === undefined ? all.slice(0, MOST_CONTRACTS) : [address]
  const known = useContracts(asked)
  const events = useMemo(
    () =>
      [...known.value.values()].flatMap(({ info }) =>
        (info.abi as readonly Item[]).filter(({ type }) => type === 'event'),
      ),
    [known.value],
  )
  const areHere = areNamesHere.value && (asked.length === 0 || address !== undefined || known.value.size > 0)
  return { events, areHere }
}

/** The events of all ABIs that were seen. */
function seenEvents(): readonly Item[] {
  return contracts()
    .seen()
    .flatMap((codec) => codec.all('event'))
}

function wantedOf(search: URLSearchParams): Wanted {
  const of = (name: string) => (search.get(name) ?? '').trim()
  return {
    address: of('address'),
    event: of('event'),
    topic1: of('topic1'),
    topic2: of('topic2'),
    topic3: of('topic3'),
    from: of('from'),
    to: of('to'),
  }
}

const TOPICS = ['topic1', 'topic2', 'topic3'] as const

function Form({ wanted }: { wanted: Wanted }) {
  /** What stands in the fields that the others depend on. */
  const typed = useSignal({ address: wanted.address, event: wanted.event })
  const { events } = useEvents(typed.value.address)
  const indexed = indexedOf(typed.value.event, [...events, ...seenEvents()])
  const form = useRef<HTMLFormElement>(null)
  // Back and forward change the fields, and no field loses the focus.
  useEffect(() => {
    for (const [name, value] of Object.entries(wanted)) {
      const input = form.current!.elements.namedItem(name) as HTMLInputElement | null
      if (input !== null) input.value = value
    }
    typed.value = { address: wanted.address, event: wanted.event }
  }, [JSON.stringify(wanted)])
  function submit(event: SubmitEvent) {
    event.preventDefault()
    const data = new FormData(event.currentTarget as HTMLFormElement)
    const of = (name: string) => String(data.get(name) ?? '').trim()
    const topics = Object.fromEntries(TOPICS.map((name) => [name, of(name)]))
    setQuery({ address: of('address'), event: of('event'), ...topics, from: of('from'), to: of('to') })
  }
  function onInput({ target }: Event) {
    const { name, value } = target as HTMLInputElement
    if (name === 'address' || name === 'event') typed.value = { ...typed.value, [name]: value.trim() }
  }
  const field = (name: keyof Wanted, label: string, placeholder: string, list?: string) => (
    <label class={`logs-${name}`}>
      {label}
      <input
        type="text"
        name={name}
        defaultValue={wanted[name]}
        placeholder={placeholder}
        list={list}
        autocomplete="off"
        spellcheck={false}
      />
    </label>
  )
  return (
    <form class="logs-form" ref={form} onSubmit={submit} onInput={onInput}>
      {field('address', 'address', 'of any, or a name', ADDRESSES)}
      {field('event', 'event', 'name, signature or topic', 'logs-events')}
      {field('from', 'from block', 'earliest')}
      {field('to', 'to block', 'pending, and on')}
      <datalist id="logs-events">
        {namesOf(events).map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {indexed.length > 0 && (
        <div class="logs-indexed">
          {indexed.slice(0, TOPICS.length).map((parameter, i) => (
            <label key={`${parameter.type} ${parameter.name}`}>
              <span>
                <Text limit={60}>{parameter.name || `topic ${i + 1}`}</Text>{' '}
                <span class="type">
                  <Text limit={60}>{parameter.type}</Text>
                </span>
              </span>
              <input
                type="text"
                name={TOPICS[i]}
                defaultValue={wanted[TOPICS[i]!]}
                placeholder="any"
                list={parameter.type === 'address' ? ADDRESSES : undefined}
                autocomplete="off"
                spellcheck={false}
              />
            </label>
          ))}
        </div>
      )}
      <button type="submit" class="primary">
        show
      </button>
    </form>
  )
}

function Found({ filter, fromBlock, toBlock }: { filter: LogFilter; fromBlock: string; toBlock: string }) {
  const logs = useSignal<{ readonly all: ShownLogs } | undefined>(undefined)
  const error = useSignal<Error | undefined>(undefined)
  // A range that ends at a number is complete; one that ends at a tag goes on.
  const goesOn = !toBlock.startsWith('0x')
  const isOpen = connection.value === 'open'
  useEffect(() => {
    if (!isOpen) return
    const all = new ShownLogs()
    let isOver = false
    let isAnswered = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const early: (() => void)[] = []
    /** What is told before the answer is there stands behind it. */
    const tell = (add: () => void) => {
      if (!isAnswered) return void early.push(add)
      add()
      timer ??= setTimeout(() => {
        timer = undefined
        logs.value = { all }
      }, GAP_MS)
    }
    const follow = (kind: string, isPending: boolean) =>
      source().subscribe(kind, [filter], (log: LogAnswer) => tell(() => all.add([log], isPending)))
    const ends: (() => void)[] = []
    if (goesOn) ends.push(follow('logs', false))
    if (toBlock === 'pending') ends.push(follow('pendingLogs', true))
    void ranges(fromBlock, toBlock, filter).then(
      ([sealed, pending]) => {
        if (isOver) return
        all.add(sealed, false)
        all.add(pending, true)
        for (const add of early) add()
        isAnswered = true
        error.value = undefined
        logs.value = { all }
        announce(`${all.list().length} logs`)
      },
      (cause: Error) => {
        if (!isOver) error.value = laterThan(fromBlock) ?? cause
      },
    )
    return () => {
      isOver = true
      clearTimeout(timer)
      for (const end of ends) end()
    }
  }, [isOpen])
  const list = logs.value?.all.list() ?? []
  const leftOut = logs.value?.all.leftOut ?? 0
  if (error.value !== undefined) return <Problem error={error.value} />
  if (logs.value === undefined)
    return (
      <p class="loading" role="status">
        loading …
      </p>
    )
  return (
    <>
      <p class="quiet log-count">
        <span>
          {grouped(list.length)} {list.length === 1 ? 'log' : 'logs'}
          {leftOut > 0 && `, the newest; ${grouped(leftOut)} older ones are left out`}
          {goesOn && !isReport && '; new ones are added on top'}
        </span>
        {list.length > 0 && (
          <button type="button" class="more" onClick={() => void copy(list)}>
            copy as JSON
          </button>
        )}
      </p>
      {list.length === 0 ? <Nothing>no log fits</Nothing> : <LogTable logs={list} />}
    </>
  )
}

/** Returns what is wrong with a range that begins after the newest block. */
function laterThan(fromBlock: string): Error | undefined {
  const newest = head.value?.number
  if (newest === undefined || !fromBlock.startsWith('0x') || BigInt(fromBlock) <= BigInt(newest))
    return undefined
  return new Error(`there is no block ${BigInt(fromBlock)} at present: the newest is ${BigInt(newest)}`)
}

/** Copies logs as they were answered, those with an ABI with what it makes of them. */
async function copy(logs: readonly ShownLog[]): Promise<void> {
  const known = new Map<string, KnownContract>()
  for (const address of new Set(logs.map(({ log }) => log.address.toLowerCase()))) {
    const contract = await contracts().find(address)
    if (contract !== undefined) known.set(address, contract)
  }
  const all = logs.map(({ log, state }) => {
    const event = decodeEvent(log, codecsFor(log.address, known))
    return { state, ...log, ...(event && { event: jsonOf(event) }) }
  })
  const text = JSON.stringify(all, (_, value) => (typeof value === 'bigint' ? String(value) : value), 1)
  await navigator.clipboard.writeText(text)
  announce(`${logs.length} logs: copied`)
}

function jsonOf({ signature, args }: DecodedItem) {
  return {
    signature,
    args: args.map(({ parameter: { name, type }, value }) => ({ name: name ?? '', type, value })),
  }
}

/** Resolves with the logs of sealed blocks, and of the open one. */
function ranges(
  fromBlock: string,
  toBlock: string,
  filter: LogFilter,
): Promise<[sealed: LogAnswer[], pending: LogAnswer[]]> {
  const ask = (range: object) => source().request<LogAnswer[]>('eth_getLogs', [{ ...filter, ...range }])
  if (toBlock !== 'pending') return Promise.all([ask({ fromBlock, toBlock }), []])
  return Promise.all([
    fromBlock === 'pending' ? [] : ask({ fromBlock, toBlock: 'latest' }),
    ask({ fromBlock: 'pending', toBlock: 'pending' }),
  ])
}
