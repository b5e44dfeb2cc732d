/** Text of strangers. */
import { visible } from '../format/untrusted.ts'

/** Shows a string that comes from a contract, an ABI or a request: as text, isolated, and at most `limit` characters of it. */
export function Text({ children, limit = 300 }: { children: string; limit?: number }) {
  const isCut = children.length > limit
  return (
    <bdi class="text" title={isCut ? `${children.length} characters` : undefined}>
      {visible(children, limit)}
      {isCut && <span class="cut">… {children.length - limit} more</span>}
    </bdi>
  )
}
