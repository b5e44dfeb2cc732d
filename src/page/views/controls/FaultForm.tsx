import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { onEvents } from '../../live/events.ts'
import { useLoad } from '../../live/load.ts'
import { Answer, Nothing } from '../../parts/Answer.tsx'
import { announce, leaveItem } from '../../parts/accessibility.tsx'
import { Button, Copy, Select } from '../../parts/controls.tsx'
import { Text } from '../../parts/Value.tsx'
import { request } from '../../source/source.ts'
import { Action } from './Action.tsx'
import { detailsOf, FAULT_FORMS, faultOf, GROUPS, WHEN_FORMS, whensOf } from './faultForms.ts'
import { json } from './fields.ts'

export function FaultForm({ onPlanned }: { onPlanned: () => void }) {
  const kind = useSignal('omitSlice')
  const form = FAULT_FORMS[kind.value]!
  const when = useSignal(whensOf(form)[0]!)
  const text = useSignal(written(kind.value, when.value, {}))
  function choose(nextKind: string, nextWhen: string) {
    kind.value = nextKind
    when.value = nextWhen
    text.value = written(nextKind, nextWhen, {})
  }
  return (
    <Action
      title="Plan a fault"
      hint="makes something go wrong on purpose, to test clients"
      isWide
      fields={[...(form.fields ?? []), ...WHEN_FORMS[when.value]!.fields]}
      form={`${kind.value} ${when.value}`}
      button="plan"
      onInput={(entered) => (text.value = written(kind.value, when.value, entered))}
      run={async () => {
        const id = await request<string>('preseal_addFault', [json(text.value)])
        onPlanned()
        return `planned as fault ${Number(id)}`
      }}
      below={<AsJson text={text.value} onText={(next) => (text.value = next)} />}
    >
      <div class="fault-kind">
        <label>
          kind
          <select
            value={kind.value}
            onChange={({ currentTarget: { value } }) => choose(value, whensOf(FAULT_FORMS[value]!)[0]!)}
          >
            {GROUPS.map(([name, occasions]) => (
              <optgroup key={name} label={name}>
                {Object.entries(FAULT_FORMS).map(
                  ([one, { title, occasion }]) =>
                    occasions.includes(occasion) && (
                      <option key={one} value={one}>
                        {title}
                      </option>
                    ),
                )}
              </optgroup>
            ))}
          </select>
        </label>
        <label>
          when
          <Select
            value={when.value}
            options={whensOf(form).map((one) => [one, WHEN_FORMS[one]!.label])}
            onChosen={(one) => choose(kind.value, one)}
          />
        </label>
        <p class="fault-hint">
          {form.hint}
          {(form.occasion === 'request' || form.occasion === 'lasting') &&
            '. Requests of this page are affected, too, except those of this view.'}
        </p>
      </div>
    </Action>
  )
}

function written(kind: string, when: string, entered: Readonly<Record<string, string>>): string {
  return JSON.stringify(faultOf(kind, when, entered), undefined, 2)
}

function AsJson({ text, onText }: { text: string; onText: (next: string) => void }) {
  return (
    <details class="fault-json">
      <summary>as JSON, for preseal_addFault and --faults</summary>
      <div class="json">
        <textarea
          rows={8}
          aria-label="the fault, as JSON"
          spellcheck={false}
          value={text}
          onInput={(event) => {
            // Input in any other field makes the form rewrite this JSON.
            event.stopPropagation()
            onText(event.currentTarget.value)
          }}
        />
        <Copy text={text} what="the fault" />
      </div>
    </details>
  )
}

interface Planned {
  readonly id: string | number
  readonly kind: string
  readonly [member: string]: unknown
}

export function FaultControls() {
  const asks = useSignal(0)
  const planned = useLoad(() => request<Planned[]>('preseal_listFaults'), [asks.value])
  useEffect(
    () =>
      onEvents((events) => {
        if (events.some(({ kind }) => kind === 'fault' || kind === 'requestFault')) asks.value++
      }),
    [],
  )
  async function remove(id: Planned['id'], item: Element) {
    // The request fails if the fault has happened meanwhile.
    await request('preseal_removeFault', [id]).catch(() => {})
    leaveItem(item)
    announce(`fault ${Number(id)} is removed`)
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
                  <Nothing>no planned faults</Nothing>
                ) : (
                  <ul class="plain-list">
                    {faults.map((fault) => (
                      <li key={fault.id} class="fault">
                        <div>
                          {FAULT_FORMS[fault.kind]?.title ?? fault.kind}{' '}
                          <span class="quiet">fault {Number(fault.id)}</span>
                          <Text>{detailsOf(fault)}</Text>
                        </div>
                        <Button
                          onClick={({ currentTarget }) => void remove(fault.id, currentTarget.closest('li')!)}
                          text="remove"
                        />
                      </li>
                    ))}
                  </ul>
                )
              }
            </Answer>
          </section>
        </div>
      </div>
    </>
  )
}
