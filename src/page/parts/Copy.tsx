/** A button that copies. */
import { useSignal } from '@preact/signals'
import { announce } from './Announcer.tsx'

/** Copies `text` to the clipboard; `what` names it for those who do not see it. */
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
