/** Logs by address, event and blocks, and those that come while one looks. */
import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { Item } from '../../../abi/codec.ts'
import { contracts, useContracts } from '../../decode/index.ts'
import { connection } from '../../live/head.ts'
import { query, setQuery } from '../../navigation.ts'
import { Nothing, Problem } from '../../parts/Answer.tsx'
import type { LogAnswer } from '../../source/answers.ts'
import { source } from '../../source/index.ts'
import { LogTable } from './LogTable.tsx'
import { type LogFilter, meant, namesOf, type Wanted } from './logQuery.ts'
import { ShownLogs } from './shownLogs.ts'
import './logs.css'

/** Notifications are shown together: eyes need no more of them. */
const GAP_MS = 100

export function LogsView() {
  const wanted = wantedOf(query.value)
  const known = useContracts(wanted.address === '' ? [] : [wanted.address])
  const events = useComputed<readonly Item[]>(() => {
    const own = known.value.get(wanted.address.toLowerCase())?.info.abi ?? []
    return (own as readonly Item[]).filter(({ type }) => type === 'event')
  })
  const key = JSON.stringify(wanted)
  const means = useMemo(() => meant(wanted, [...events.value, ...seenEvents()]), [key, events.value])
  return (
    <>
      <h1>Logs</h1>
      <Form wanted={wanted} events={events.value} />
      {'problem' in means ? (
        <Problem error={new Error(means.problem)} />
      ) : (
        <Found key={JSON.stringify(means)} {...means} />
      )}
    </>
  )
}

/** The events of all ABIs that were seen. */
function seenEvents(): readonly Item[] {
  return contracts()
    .seen()
    .flatMap((codec) => codec.all('event'))
}

function wantedOf(search: URLSearchParams): Wanted {
  const of = (name: string) => (search.get(name) ?? '').trim()
  return { address: of('address'), event: of('event'), from: of('from'), to: of('to') }
}

function Form({ wanted, events }: { wanted: Wanted; events: readonly Item[] }) {
  function submit(event: SubmitEvent) {
    event.preventDefault()
    const data = new FormData(event.currentTarget as HTMLFormElement)
    const of = (name: string) => String(data.get(name) ?? '').trim()
    setQuery({ address: of('address'), event: of('event'), from: of('from'), to: of('to') })
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
    <form class="logs-form" key={JSON.stringify(wanted)} onSubmit={submit}>
      {field('address', 'address', 'of any')}
      {field('event', 'event', 'name, signature or topic', 'logs-events')}
      {field('from', 'from block', 'earliest')}
      {field('to', 'to block', 'pending, and on')}
      <datalist id="logs-events">
        {namesOf(events).map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
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
      },
      (cause: Error) => {
        if (!isOver) error.value = cause
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
  if (logs.value === undefined) return <p role="status">loading …</p>
  return (
    <>
      <p class="quiet" role="status">
        {list.length} {list.length === 1 ? 'log' : 'logs'}
        {leftOut > 0 && `, the newest; ${leftOut} older ones are left out`}
        {goesOn && '; new ones are added on top'}
      </p>
      {list.length === 0 ? <Nothing>no log fits</Nothing> : <LogTable logs={list} />}
    </>
  )
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
