/** A button that copies. */
import { useSignal } from '@preact/signals'

/** Copies `text` to the clipboard; `what` names it for those who do not see it. */
export function Copy({ text, what }: { text: string; what: string }) {
  const isCopied = useSignal(false)
  async function copy() {
    await navigator.clipboard.writeText(text)
    isCopied.value = true
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
      {isCopied.value ? '✓' : '⧉'}
    </button>
  )
}
