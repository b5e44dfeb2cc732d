/** Buttons and form fields that views share. */
import type { Signal } from '@preact/signals'
import type { ComponentChildren, ComponentProps } from 'preact'

/** A button that does not submit its form. `text` is its content. */
export function Button({ text, ...others }: ComponentProps<'button'> & { text: ComponentChildren }) {
  return (
    <button type="button" {...others}>
      {text}
    </button>
  )
}

/** A text field that the browser neither completes nor checks. Bound to the signal `of`, if there is one. */
export function TextField({ of, ...others }: ComponentProps<'input'> & { of?: Signal<string> }) {
  const bound = of && {
    value: of.value,
    onInput: (event: { readonly currentTarget: { readonly value: string } }) =>
      (of.value = event.currentTarget.value),
  }
  return <input type="text" autocomplete="off" spellcheck={false} {...bound} {...others} />
}

type SelectProps = ComponentProps<'select'> & {
  options: readonly (readonly [value: string | number, text: string])[]
  /** The value of the option that is selected at first, in a form that has no `value`. */
  initial?: string
  onChosen?: (value: string, form: HTMLFormElement | null) => void
}

export function Select({ options, initial, onChosen, ...others }: SelectProps) {
  return (
    <select {...others} onChange={({ currentTarget: { value, form } }) => onChosen?.(value, form)}>
      {options.map(([value, text]) => (
        <option key={value} value={value} selected={value === initial || undefined}>
          {text}
        </option>
      ))}
    </select>
  )
}

type FilterFieldProps = ComponentProps<'input'> & { text: ComponentChildren; class?: string }

export function FilterField({ text, class: own = '', ...field }: FilterFieldProps) {
  return (
    <label class={`filter-field ${own}`}>
      {text}
      <TextField {...field} />
    </label>
  )
}
