import { useSignal } from '@preact/signals'
import { type ComponentChildren, Fragment } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Item } from '../../../solidity/abi/codec.ts'
import { areNamesHere, namedContracts, names } from '../../accounts/names.ts'
import { contracts, useContracts } from '../../decode/contracts.ts'
import { query, setQuery } from '../../navigation.ts'
import { Loading } from '../../parts/Answer.tsx'
import { Button, FilterField } from '../../parts/controls.tsx'
import { ADDRESSES, KnownAddresses, Text } from '../../parts/Value.tsx'
import { FoundLogs } from './FoundLogs.tsx'
import { addressOf, indexedOf, meant, namesOf, TOPIC_FIELDS, type Wanted, wantedOf } from './logQuery.ts'
import './logs.css'

export function LogsView() {
  const wanted = wantedOf(query.value)
  const { events, areHere } = useEvents(wanted.address)
  const means = meant(wanted, [...events, ...seenEvents()], names.value)
  return (
    <>
      <h1>Logs</h1>
      <Form wanted={wanted} />
      <KnownAddresses />
      {!('problem' in means) ? (
        <FoundLogs key={JSON.stringify(means)} {...means} />
      ) : areHere ? (
        <p class="problem" role="alert">
          <Text limit={2_000}>{means.problem}</Text>
        </p>
      ) : (
        // The filter may contain a name that has not loaded yet.
        <Loading />
      )}
    </>
  )
}

/** Returns the events of the entered contract (default: all named contracts). `areHere` is true if they have loaded. */
function useEvents(typed: string): { readonly events: readonly Item[]; readonly areHere: boolean } {
  const address = addressOf(typed, names.value)
  const asked = address === undefined ? namedContracts.value : [address]
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

function seenEvents(): readonly Item[] {
  return contracts()
    .seen()
    .flatMap((codec) => codec.all('event'))
}

function Form({ wanted }: { wanted: Wanted }) {
  const typed = useSignal({ address: wanted.address, event: wanted.event })
  const { events } = useEvents(typed.value.address)
  const indexed = indexedOf(typed.value.event, [...events, ...seenEvents()])
  const form = useRef<HTMLFormElement>(null)
  // When the user goes back or forward, the fields are updated without changing the focus.
  useEffect(() => {
    for (const [name, value] of Object.entries(wanted)) {
      const input = form.current!.elements.namedItem(name) as HTMLInputElement | null
      if (input !== null) input.value = value
    }
    typed.value = { address: wanted.address, event: wanted.event }
  }, [JSON.stringify(wanted)])
  function submit(event: SubmitEvent) {
    event.preventDefault()
    setQuery(wantedOf(new FormData(event.currentTarget as HTMLFormElement)))
  }
  function onInput({ target }: Event) {
    const { name, value } = target as HTMLInputElement
    if (name === 'address' || name === 'event') typed.value = { ...typed.value, [name]: value.trim() }
  }
  const field = (name: keyof Wanted, label: ComponentChildren, placeholder: string, list?: string) => (
    <FilterField
      class={`logs-${name}`}
      name={name}
      text={label}
      defaultValue={wanted[name]}
      placeholder={placeholder}
      list={list}
    />
  )
  return (
    <form class="logs-form" ref={form} onSubmit={submit} onInput={onInput}>
      {field('address', 'address', 'any, or a name', ADDRESSES)}
      {field('event', 'event', 'name, signature or topic', 'logs-events')}
      {field('from', 'from block', 'earliest')}
      {field('to', 'to block', 'pending and later')}
      <datalist id="logs-events">
        {namesOf(events).map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {indexed.length > 0 && (
        <div class="logs-indexed">
          {indexed.slice(0, TOPIC_FIELDS.length).map(({ name, type }, i) => (
            <Fragment key={`${type} ${name}`}>
              {field(
                TOPIC_FIELDS[i]!,
                <span>
                  <Text limit={60}>{name || `topic ${i + 1}`}</Text>{' '}
                  <span class="type">
                    <Text limit={60}>{type}</Text>
                  </span>
                </span>,
                'any',
                type === 'address' ? ADDRESSES : undefined,
              )}
            </Fragment>
          ))}
        </div>
      )}
      <Button type="submit" class="primary" text="show" />
    </form>
  )
}
