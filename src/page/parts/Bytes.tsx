/** Bytes in hex. */
import { useSignal } from '@preact/signals'
import { grouped } from '../format/quantity.ts'
import { Copy } from './Copy.tsx'

/** What a browser lays out without delay. What is longer is copied, not shown. */
const MOST_SHOWN = 20_000

/** Shows bytes: of long ones the beginning, with buttons for all of them and to copy. `what` names them for those who do not see them. */
export function Bytes({
  hex,
  what = 'the bytes',
  limit = 66,
}: {
  hex: string
  what?: string
  limit?: number
}) {
  const isOpen = useSignal(false)
  const length = (hex.length - 2) / 2
  if (hex.length <= limit) {
    return (
      <span class="id bytes">
        {hex}
        {length > 0 && <Copy text={hex} what={what} />}
      </span>
    )
  }
  const shown = isOpen.value ? MOST_SHOWN : limit
  return (
    <span class="id bytes">
      {hex.slice(0, shown)}
      {hex.length > shown && '…'}{' '}
      <button
        type="button"
        class="more"
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value
        }}
      >
        {isOpen.value ? 'less' : `${grouped(length)} bytes`}
      </button>
      <Copy text={hex} what={what} />
    </span>
  )
}
