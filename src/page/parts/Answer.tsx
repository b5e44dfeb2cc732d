/** What a view shows while it waits, and where something failed. */
import type { ComponentChildren } from 'preact'
import type { Asked } from '../live/asked.ts'
import { AnswerError } from '../source/source.ts'
import { Text } from './Text.tsx'

/** Shows what was asked, or that it is waited for, or why it is not there. */
export function Answer<T>({
  asked,
  children,
}: {
  asked: Asked<T>
  children: (value: T) => ComponentChildren
}) {
  if (asked.state === 'loading')
    return (
      <p class="loading" role="status">
        loading …
      </p>
    )
  if (asked.state === 'failed') return <Problem error={asked.error} />
  return <>{children(asked.value)}</>
}

export function Problem({ error }: { error: Error }) {
  return (
    <div class="problem" role="alert">
      <strong>{error instanceof AnswerError ? `error ${error.code}` : 'failed'}</strong>{' '}
      <Text limit={2_000}>{error.message}</Text>
    </div>
  )
}

/** Says that there is nothing to show. */
export function Nothing({ children }: { children: ComponentChildren }) {
  return <p class="nothing">{children}</p>
}
