/** One thing that a reader may do to the chain: a form with its fields, a button, and what came of it. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Problem } from '../../parts/Answer.tsx'
import { Text } from '../../parts/Text.tsx'

export interface ActionField {
  readonly name: string
  readonly label: string
  readonly initial?: string
  readonly placeholder?: string
  /** Names among which is chosen; otherwise text is typed. */
  readonly choices?: readonly string[]
  /** Several lines. */
  readonly rows?: number
}

interface ActionProps {
  title: string
  hint: string
  fields?: readonly ActionField[]
  button: string
  /** Does it with the values of the fields; resolves with what is told of it. */
  run: (values: Readonly<Record<string, string>>) => Promise<string>
  children?: ComponentChildren
}

export function Action({ title, hint, fields = [], button, run, children }: ActionProps) {
  const heading = useId()
  const outcome = useSignal<{ readonly text: string } | { readonly error: Error } | undefined>(undefined)
  const isRunning = useSignal(false)
  async function submit(event: SubmitEvent) {
    event.preventDefault()
    const data = new FormData(event.currentTarget as HTMLFormElement)
    const values = Object.fromEntries(fields.map(({ name }) => [name, String(data.get(name) ?? '').trim()]))
    isRunning.value = true
    try {
      outcome.value = { text: await run(values) }
    } catch (error) {
      outcome.value = { error: error as Error }
    }
    isRunning.value = false
  }
  return (
    <section class="action" aria-labelledby={heading}>
      <h3 id={heading}>{title}</h3>
      <p class="quiet">{hint}</p>
      {children}
      <form onSubmit={(event) => void submit(event)}>
        {fields.map((field) => (
          <div class="action-field" key={field.name}>
            <label for={`${heading}-${field.name}`}>{field.label}</label>
            <Input field={field} id={`${heading}-${field.name}`} />
          </div>
        ))}
        <button type="submit" disabled={isRunning.value}>
          {button}
        </button>
      </form>
      {outcome.value !== undefined &&
        ('error' in outcome.value ? (
          <Problem error={outcome.value.error} />
        ) : (
          <p class="done" role="status">
            <Text>{outcome.value.text}</Text>
          </p>
        ))}
    </section>
  )
}

function Input({ field, id }: { field: ActionField; id: string }) {
  const { name, initial = '', placeholder, choices, rows } = field
  if (choices !== undefined) {
    return (
      <select id={id} name={name} defaultValue={initial}>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    )
  }
  const common = {
    id,
    name,
    defaultValue: initial,
    placeholder,
    spellcheck: false,
    autocomplete: 'off' as const,
  }
  return rows === undefined ? <input type="text" {...common} /> : <textarea rows={rows} {...common} />
}
