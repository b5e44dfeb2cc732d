import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { grouped, visible } from '../format.ts'
import { announce } from './accessibility.tsx'
import { Button } from './controls.tsx'
import { Hint } from './Hint.tsx'

export function Fields({ children }: { children: ComponentChildren }) {
  return <dl class="fields">{children}</dl>
}

interface FieldProps {
  name: string
  hint?: string | undefined
  /** The content, if it is a single element. A field without content is not rendered. */
  value?: ComponentChildren
  children?: ComponentChildren
}

export function Field({ name, hint, value, children = value }: FieldProps) {
  if (!children) return null
  return (
    <div class="field">
      <dt>{hint === undefined ? name : <Hint text={hint}>{name}</Hint>}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** Maximum number of characters shown, because more would slow down the browser. The copy button copies all. */
const MOST_SHOWN = 20_000

/** Shows a value as indented JSON, with a copy button. `what` is the accessible name. */
export function Json({ value, what }: { value: unknown; what: string }) {
  const text = JSON.stringify(value, undefined, 2) ?? 'undefined'
  return (
    <div class="json">
      <Copy text={text} what={what} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable. */}
      <section class="scrolling" tabIndex={0} aria-label={what}>
        <pre>
          {visible(text, MOST_SHOWN)}
          {text.length > MOST_SHOWN && (
            <span class="cut">{`\n… ${text.length - MOST_SHOWN} more characters`}</span>
          )}
        </pre>
      </section>
    </div>
  )
}

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
