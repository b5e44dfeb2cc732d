/** A control: a form with fields, a button, and the result. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { ADDRESSES } from '../../parts/Account.tsx'
import { Problem } from '../../parts/Answer.tsx'

export interface ActionField {
  readonly name: string
  /** Distinguishes fields of one name in forms that replace each other. */
  readonly form?: string
  readonly label: string
  readonly initial?: string | undefined
  readonly placeholder?: string | undefined
  /** Options with labels; otherwise a text input. */
  readonly choices?: readonly (readonly [value: string, label: string])[] | undefined
  /** Takes a whole line, for addresses and hashes. */
  readonly isLong?: boolean
  /** Suggests account names. */
  readonly isAccount?: boolean
}

interface ActionProps {
  title: string
  hint: ComponentChildren
  fields?: readonly ActionField[]
  button: string
  /** Performs the action with the values of the fields; resolves with a message. */
  run: (values: Readonly<Record<string, string>>) => Promise<string>
  /** Takes two columns. */
  isWide?: boolean
  /** Called with the values after each change. */
  onInput?: (values: Readonly<Record<string, string>>) => void
  /** Content above the fields, and between them and the button. */
  children?: ComponentChildren
  below?: ComponentChildren
}

export function Action({
  title,
  hint,
  fields = [],
  button,
  run,
  isWide = false,
  onInput,
  children,
  below,
}: ActionProps) {
  const heading = useId()
  const outcome = useSignal<{ readonly text: string } | { readonly error: Error } | undefined>(undefined)
  const isRunning = useSignal(false)
  const valuesOf = (form: HTMLFormElement) => {
    const data = new FormData(form)
    return Object.fromEntries(fields.map(({ name }) => [name, String(data.get(name) ?? '').trim()]))
  }
  async function submit(event: SubmitEvent) {
    event.preventDefault()
    if (isRunning.value) return
    const values = valuesOf(event.currentTarget as HTMLFormElement)
    isRunning.value = true
    try {
      outcome.value = { text: await run(values) }
    } catch (error) {
      outcome.value = { error: error as Error }
    }
    isRunning.value = false
  }
  return (
    <section class={isWide ? 'action action-wide' : 'action'} aria-labelledby={heading}>
      <h3 id={heading}>{title}</h3>
      <p class="quiet">{hint}</p>
      {children}
      <form
        onSubmit={(event) => void submit(event)}
        onInput={({ currentTarget }) => onInput?.(valuesOf(currentTarget))}
      >
        {fields.map((field) => (
          <div
            class={field.isLong ? 'action-field action-long' : 'action-field'}
            key={`${field.form} ${field.name}`}
          >
            <label for={`${heading}-${field.name}`}>{field.label}</label>
            <Input field={field} id={`${heading}-${field.name}`} />
          </div>
        ))}
        {below}
        <button type="submit" aria-disabled={isRunning.value}>
          {button}
        </button>
      </form>
      {outcome.value !== undefined &&
        ('error' in outcome.value ? (
          <Problem error={outcome.value.error} />
        ) : (
          <p class="done" role="status">
            {outcome.value.text}
          </p>
        ))}
    </section>
  )
}

function Input({ field, id }: { field: ActionField; id: string }) {
  const { name, initial = '', placeholder, choices, isAccount } = field
  if (choices !== undefined) {
    return (
      <select id={id} name={name}>
        {choices.map(([value, label]) => (
          <option key={value} value={value} selected={value === initial}>
            {label}
          </option>
        ))}
      </select>
    )
  }
  return (
    <input
      type="text"
      id={id}
      name={name}
      defaultValue={initial}
      placeholder={placeholder}
      list={isAccount ? ADDRESSES : undefined}
      spellcheck={false}
      autocomplete="off"
    />
  )
}
