/** JSON as text. */
import { visible } from '../format/untrusted.ts'
import { Copy } from './Copy.tsx'

/** Shows a value as indented JSON, at most `limit` characters of it; all of it is copied. */
export function Json({ value, what, limit = 20_000 }: { value: unknown; what: string; limit?: number }) {
  const text = JSON.stringify(value, undefined, 2) ?? 'undefined'
  return (
    <div class="json">
      <Copy text={text} what={what} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <section class="scrolling" tabIndex={0} aria-label={what}>
        <pre>
          {visible(text, limit)}
          {text.length > limit && <span class="cut">{`\n… ${text.length - limit} more characters`}</span>}
        </pre>
      </section>
    </div>
  )
}
