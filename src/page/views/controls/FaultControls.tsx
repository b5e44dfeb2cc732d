/** What goes wrong on purpose: planned, happening, taken back. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useAsked } from '../../live/asked.ts'
import { Answer, Nothing } from '../../parts/Answer.tsx'
import { Text } from '../../parts/Text.tsx'
import { source } from '../../source/index.ts'
import { Action } from './Action.tsx'
import { FAULT_TEMPLATES } from './faultTemplates.ts'
import { json } from './values.ts'

/** One of `preseal_listFaults`. */
interface Planned {
  readonly id: string | number
  readonly [member: string]: unknown
}

interface Happened {
  readonly kind: string
  readonly time: number
  readonly fault?: { readonly kind: string }
  readonly blockNumber?: string
  readonly slice?: string | null
  readonly method?: string | null
}

const MOST_HAPPENED = 20

export function FaultControls() {
  const asks = useSignal(0)
  const kind = useSignal('omitSlice')
  const happened = useSignal<readonly Happened[]>([])
  const planned = useAsked(() => source().request<Planned[]>('preseal_listFaults'), [asks.value])
  useEffect(
    () =>
      source().subscribe('presealEvents', [], (events: readonly Happened[]) => {
        const faults = events.filter(({ kind: of }) => of === 'fault' || of === 'requestFault')
        if (faults.length === 0) return
        happened.value = [...faults.reverse(), ...happened.value].slice(0, MOST_HAPPENED)
        asks.value++
      }),
    [],
  )
  async function remove(id: Planned['id']) {
    await source().request('preseal_removeFault', [id])
    asks.value++
  }
  return (
    <>
      <h2>Faults</h2>
      <div class="actions">
        <Action
          key={kind.value}
          title="Plan a fault"
          hint="docs/faults.md says what each does, and when: without when, most happen once, at the next occasion"
          fields={[
            {
              name: 'fault',
              label: 'the fault, as JSON',
              rows: 6,
              initial: JSON.stringify(FAULT_TEMPLATES[kind.value], undefined, 2),
            },
          ]}
          button="plan"
          run={async ({ fault = '' }) => {
            const id = await source().request<string>('preseal_addFault', [json(fault)])
            asks.value++
            return `planned as ${Number(id)}`
          }}
        >
          <label class="kind">
            kind
            <select
              value={kind.value}
              onChange={({ currentTarget }) => {
                kind.value = currentTarget.value
              }}
            >
              {Object.keys(FAULT_TEMPLATES).map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        </Action>
        <section class="action" aria-labelledby="faults-planned">
          <h3 id="faults-planned">Planned</h3>
          <Answer asked={planned.value}>
            {(faults) =>
              faults.length === 0 ? (
                <Nothing>no fault is planned</Nothing>
              ) : (
                <ul class="plain-list">
                  {faults.map((fault) => (
                    <li key={fault.id}>
                      <Text>{JSON.stringify(fault)}</Text>{' '}
                      <button type="button" onClick={() => void remove(fault.id)}>
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
          <h3 id="faults-happened">Happened while this page was open</h3>
          {happened.value.length === 0 ? (
            <Nothing>nothing went wrong yet</Nothing>
          ) : (
            <ol class="plain-list">
              {happened.value.map((one, i) => (
                <li key={`${one.time} ${i}`}>
                  <Text>{told(one)}</Text>
                </li>
              ))}
            </ol>
          )}
        </section>
      </div>
    </>
  )
}

function told({ fault, blockNumber, slice, method }: Happened): string {
  const place = blockNumber === undefined ? (method ?? 'a request') : `block ${Number(blockNumber)}`
  return `${fault?.kind ?? 'fault'}: ${place}${slice ? `, slice ${Number(slice)}` : ''}`
}
