import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Problem } from '../../parts/Answer.tsx'
import { announce, focusHeading } from '../../parts/accessibility.tsx'
import { Button, Select, TextField } from '../../parts/controls.tsx'
import { ADDRESSES } from '../../parts/Value.tsx'
import type { ActionField } from './fields.ts'

interface ActionProps {
  title: string
  hint: ComponentChildren
  fields?: readonly ActionField[]
  /** Distinguishes this form from others that are shown in the same place, so that fields are not reused. */
  form?: string
  button: string
  run: (values: Readonly<Record<string, string>>) => Promise<string>
  isWide?: boolean
  onInput?: (values: Readonly<Record<string, string>>) => void
  children?: ComponentChildren
  /** Shown between the fields and the button. */
  below?: ComponentChildren
}

export function Action({ title, hint, fields = [], form = '', button, run, ...others }: ActionProps) {
  const heading = useId()
  const outcome = useSignal<{ readonly text: string } | { readonly error: Error } | undefined>(undefined)
  const isRunning = useSignal(false)
  const valuesOf = (element: HTMLFormElement) => {
    const data = new FormData(element)
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
    <section class={others.isWide ? 'action action-wide' : 'action'} aria-labelledby={heading}>
      <h3 id={heading}>{title}</h3>
      <p class="quiet">{hint}</p>
      {others.children}
      <form
        onSubmit={(event) => void submit(event)}
        onInput={({ currentTarget }) => others.onInput?.(valuesOf(currentTarget))}
      >
        {fields.map((field) => (
          <div
            class={field.isLong ? 'action-field action-long' : 'action-field'}
            key={`${form} ${field.name}`}
          >
            <label for={`${heading}-${field.name}`}>{field.label}</label>
            <Input field={field} id={`${heading}-${field.name}`} />
          </div>
        ))}
        {others.below}
        <Button type="submit" aria-disabled={isRunning.value} text={button} />
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
    return <Select id={id} name={name} options={choices} initial={initial} />
  }
  return (
    <TextField
      id={id}
      name={name}
      defaultValue={initial}
      placeholder={placeholder}
      list={isAccount ? ADDRESSES : undefined}
    />
  )
}

interface ActionItem {
  readonly key: string
  readonly content: ComponentChildren
  readonly button: string
  readonly label?: string
  run(): Promise<string>
}

/** A list of items, each with a button. After an action, the heading is focused, because the item may disappear. */
export function ActionItems({ items }: { items: readonly ActionItem[] }) {
  const problem = useSignal<Error | undefined>(undefined)
  async function press({ run }: ActionItem, button: Element) {
    problem.value = undefined
    try {
      announce(await run())
    } catch (error) {
      problem.value = error as Error
    }
    focusHeading(button)
  }
  return (
    <>
      {items.length > 0 && (
        <ul class="plain-list">
          {items.map((item) => (
            <li key={item.key} class="action-item">
              {item.content}
              <Button
                aria-label={item.label}
                onClick={({ currentTarget }) => void press(item, currentTarget)}
                text={item.button}
              />
            </li>
          ))}
        </ul>
      )}
      {problem.value !== undefined && <Problem error={problem.value} />}
    </>
  )
}
