/** A fault, planned by its kind, what it does and when; as JSON it can be changed by hand, or copied for a test. */
import { useSignal } from '@preact/signals'
import { Copy } from '../../parts/Copy.tsx'
import { source } from '../../source/index.ts'
import { Action } from './Action.tsx'
import { FAULT_FORMS, type FaultForm as Form, faultOf, GROUPS, WHEN_FORMS, whensOf } from './faultForms.ts'
import { json } from './values.ts'

export function FaultForm({ onPlanned }: { onPlanned: () => void }) {
  const kind = useSignal('omitSlice')
  const form = FAULT_FORMS[kind.value]!
  const when = useSignal(whensOf(form)[0]!)
  const whenForm = WHEN_FORMS[when.value]!
  const text = useSignal(written(kind.value, when.value, {}))
  return (
    <Action
      title="Plan a fault"
      hint="what goes wrong on purpose, so that clients are seen to survive it"
      isWide
      fields={[...form.fields, ...whenForm.fields].map((field) => ({
        ...field,
        form: `${kind.value} ${when.value}`,
        isLong: field.name === 'hash' || field.name === 'message' || field.name === 'method',
      }))}
      button="plan"
      onInput={(entered) => {
        text.value = written(kind.value, when.value, entered)
      }}
      run={async () => {
        const id = await source().request<string>('preseal_addFault', [json(text.value)])
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
            onChange={({ currentTarget }) => {
              kind.value = currentTarget.value
              when.value = whensOf(FAULT_FORMS[kind.value]!)[0]!
              text.value = written(kind.value, when.value, {})
            }}
          >
            {GROUPS.map(([name, occasions]) => (
              <optgroup key={name} label={name}>
                {kindsOf(occasions).map(([one, { title }]) => (
                  <option key={one} value={one}>
                    {title}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        </label>
        <label>
          when
          <select
            value={when.value}
            onChange={({ currentTarget }) => {
              when.value = currentTarget.value
              text.value = written(kind.value, when.value, {})
            }}
          >
            {whensOf(form).map((one) => (
              <option key={one} value={one}>
                {WHEN_FORMS[one]!.label}
              </option>
            ))}
          </select>
        </label>
        <p class="fault-hint">
          {form.hint}
          {(form.occasion === 'request' || form.occasion === 'lasting') &&
            '. Requests of this page are met, too; those of this view never are.'}
        </p>
      </div>
    </Action>
  )
}

function kindsOf(occasions: readonly Form['occasion'][]): [string, Form][] {
  return Object.entries(FAULT_FORMS).filter(([, { occasion }]) => occasions.includes(occasion))
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
            // The form writes it when something else is entered.
            event.stopPropagation()
            onText(event.currentTarget.value)
          }}
        />
        <Copy text={text} what="the fault" />
      </div>
    </details>
  )
}
