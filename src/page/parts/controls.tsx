/** Buttons, hints and form fields that views share, and values that a button copies. */
import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren, ComponentProps } from 'preact'
import { grouped } from '../format.ts'
import { announce } from './accessibility.tsx'
import './hint.css'

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

/** Maximum number of characters shown, because more would slow down the browser. The copy button copies all. */
export const MOST_SHOWN = 20_000

interface BytesProps {
  hex: string
  what?: string
  limit?: number
}

/** Shows bytes: at most `limit` characters, and a button to expand the rest. `what` is the accessible name. */
export function Bytes({ hex, what = 'the bytes', limit = 66 }: BytesProps) {
  const isOpen = useSignal(false)
  const shown = hex.slice(0, isOpen.value ? MOST_SHOWN : limit)
  return (
    <span class="id bytes">
      {shown}
      {shown.length < hex.length && '…'}
      {hex.length > limit && (
        <>
          {' '}
          <Button
            class="more"
            aria-expanded={isOpen.value}
            onClick={() => (isOpen.value = !isOpen.value)}
            text={isOpen.value ? 'less' : `${grouped((hex.length - 2) / 2)} bytes`}
          />
        </>
      )}
      {hex.length > 2 && <Copy text={hex} what={what} />}
    </span>
  )
}

/** A button that copies `text`. `what` is announced to screen readers. */
export function Copy({ text, what }: { text: string; what: string }) {
  const isCopied = useSignal(false)
  async function copy() {
    await navigator.clipboard.writeText(text)
    isCopied.value = true
    announce(`${what}: copied`)
    setTimeout(() => {
      isCopied.value = false
    }, 1_500)
  }
  return (
    <button
      type="button"
      class="copy"
      aria-label={`copy ${what}`}
      title={`copy ${what}`}
      onClick={() => void copy()}
    >
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        {isCopied.value ? (
          <path d="M3 8.5l3.5 3.5L13 4.5" />
        ) : (
          <path d="M5.5 5.5h8v8h-8zM10.5 3v-.5h-8v8H3" />
        )}
      </svg>
    </button>
  )
}

/** Removes the thin spaces that group digits from text that the user copies. */
export function followCopies(): void {
  addEventListener('copy', (event) => {
    const text = String(getSelection())
    if (!text.includes(THIN_SPACE)) return
    event.clipboardData?.setData('text/plain', text.replaceAll(THIN_SPACE, ''))
    event.preventDefault()
  })
}

const THIN_SPACE = '\u2009'

/** Explains a term: shows `text` on keyboard focus, click and tap, not only on mouse hover. */
export function Hint({ text, children }: { text: string; children: ComponentChildren }) {
  return <Button class="hint" title={text} text={children} />
}

const ID = 'hint-text'

/** The tooltip, which exists once per page. Hidden from screen readers, which read the attribute `title` itself. */
export function HintText() {
  return <div class="hint-text" id={ID} aria-hidden="true" hidden />
}

let shown: Element | undefined

/** Begins to show the attribute `title` of elements on keyboard focus, click and tap. */
export function followHints(): void {
  addEventListener('focusin', ({ target }) => {
    hide()
    if (target instanceof Element && target.matches('[title]:not(input):focus-visible')) show(target)
  })
  addEventListener('click', ({ target }) => {
    const hint = target instanceof Element ? target.closest('.hint') : null
    const isAgain = hint !== null && hint === shown && !hint.matches(':focus-visible')
    hide()
    if (hint !== null && !isAgain) show(hint)
  })
  addEventListener('keydown', ({ key }) => key === 'Escape' && hide())
  addEventListener('focusout', hide)
  addEventListener('resize', hide)
  addEventListener('scroll', hide, true)
}

function show(of: Element): void {
  const element = document.getElementById(ID)
  if (element === null) return
  element.textContent = of.getAttribute('title')
  element.hidden = false
  const { left, bottom, top } = of.getBoundingClientRect()
  const { offsetWidth, offsetHeight } = element
  const mostLeft = document.documentElement.clientWidth - offsetWidth - GAP_PX
  const below = bottom + GAP_PX
  element.style.left = `${Math.max(GAP_PX, Math.min(left, mostLeft))}px`
  element.style.top = `${below + offsetHeight > innerHeight ? Math.max(GAP_PX, top - offsetHeight - GAP_PX) : below}px`
  shown = of
}

function hide(): void {
  if (shown !== undefined) document.getElementById(ID)!.hidden = true
  shown = undefined
}

const GAP_PX = 6
