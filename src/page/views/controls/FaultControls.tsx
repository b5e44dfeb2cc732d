/** What goes wrong on purpose: planned, happening, taken back. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useAsked } from '../../live/asked.ts'
import { onEvents } from '../../live/events.ts'
import type { PresealEvent } from '../../live/presealEvent.ts'
import { announce } from '../../parts/Announcer.tsx'
import { Answer, Nothing } from '../../parts/Answer.tsx'
import { leaveItem } from '../../parts/focus.ts'
import { Text } from '../../parts/Text.tsx'
import { source } from '../../source/index.ts'
import { FaultForm } from './FaultForm.tsx'
import { detailsOf, FAULT_FORMS } from './faultForms.ts'

/** One of `preseal_listFaults`. */
interface Planned {
  readonly id: string | number
  readonly kind: string
  readonly [member: string]: unknown
}

type Happened = Extract<PresealEvent, { readonly kind: 'fault' | 'requestFault' }>

const MOST_HAPPENED = 20

export function FaultControls() {
  const asks = useSignal(0)
  const happened = useSignal<readonly Happened[]>([])
  const planned = useAsked(() => source().request<Planned[]>('preseal_listFaults'), [asks.value])
  useEffect(
    () =>
      onEvents((events) => {
        const faults = events.filter(isFault)
        if (faults.length === 0) return
        happened.value = [...faults.reverse(), ...happened.value].slice(0, MOST_HAPPENED)
        asks.value++
      }),
    [],
  )
  async function remove(id: Planned['id'], item: Element) {
    // One that has happened meanwhile is gone, too.
    await source()
      .request('preseal_removeFault', [id])
      .catch(() => {})
    leaveItem(item)
    announce(`fault ${Number(id)} is taken back`)
    asks.value++
  }
  return (
    <>
      <h2>Faults</h2>
      <div class="actions">
        <FaultForm onPlanned={() => asks.value++} />
        <div class="fault-lists action-wide">
          <section class="action" aria-labelledby="faults-planned">
            <h3 id="faults-planned">Planned</h3>
            <Answer asked={planned.value}>
              {(faults) =>
                faults.length === 0 ? (
                  <Nothing>no fault is planned: all goes as it should</Nothing>
                ) : (
                  <ul class="plain-list">
                    {faults.map((fault) => (
                      <li key={fault.id} class="fault">
                        <div>
                          {titleOf(fault.kind)} <span class="quiet">fault {Number(fault.id)}</span>
                          <Text>{detailsOf(fault)}</Text>
                        </div>
                        <button
                          type="button"
                          onClick={({ currentTarget }) => void remove(fault.id, currentTarget.closest('li')!)}
                        >
                          take back
                        </button>
                      </li>
                    ))}
                  </ul>
                )
              }
            </Answer>
          </section>
          <section class="action" aria-labelledby="faults-happened">
            <h3 id="faults-happened">Happened since this view was opened</h3>
            {happened.value.length === 0 ? (
              <Nothing>nothing went wrong yet</Nothing>
            ) : (
              <ol class="plain-list">
                {happened.value.map((one, i) => (
                  <li key={`${one.time} ${i}`}>
                    {titleOf(one.fault.kind)} <Text>{placeOf(one)}</Text>
                  </li>
                ))}
              </ol>
            )}
          </section>
        </div>
      </div>
    </>
  )
}

function isFault(event: PresealEvent): event is Happened {
  return event.kind === 'fault' || event.kind === 'requestFault'
}

function titleOf(kind: string): string {
  return FAULT_FORMS[kind]?.title ?? kind
}

function placeOf(event: Happened): string {
  if (event.kind === 'requestFault') return event.method ?? 'a request'
  const slice = event.slice === null ? '' : `, slice ${Number(event.slice)}`
  return `block ${Number(event.blockNumber)}${slice}`
}
