/** Why a transaction failed, and where in Solidity. */
import { useAsked } from '../../live/asked.ts'
import { hrefOf, route } from '../../navigation.ts'
import { SourceExcerpt } from '../../parts/SourceText.tsx'
import { Text } from '../../parts/Text.tsx'
import { source } from '../../source/index.ts'
import type { Explained, StackFrame } from './transaction.ts'

export function Failure({ hash, failure, at }: { hash: string; failure: string; at: string }) {
  const located = useAsked(
    () => source().request<Explained>('preseal_explain', [hash, true]),
    [hash, failure, at],
  )
  const trace = located.value.state === 'here' ? located.value.value.stackTrace : undefined
  // Of code that is not known a frame says nothing.
  const frames = trace?.frames.filter((frame) => frame.function ?? frame.position ?? frame.file) ?? []
  return (
    <section aria-label="why it failed">
      <p class="problem">
        <strong>failed</strong> <Text limit={2_000}>{failure}</Text>
      </p>
      {frames.length > 0 && (
        <>
          <ol class="solidity-stack" aria-label="Solidity stack trace">
            {frames.map((frame, i) => (
              <Frame key={i} frame={frame} at={at} isFirst={i === 0} />
            ))}
          </ol>
          {frames.some(({ position }) => position !== undefined) && (
            <p>
              <a href={hrefOf(route.value, new URLSearchParams({ tab: 'source' }))}>
                step by step, with variables
              </a>
            </p>
          )}
        </>
      )}
    </section>
  )
}

function Frame({ frame, at, isFirst }: { frame: StackFrame; at: string; isFirst: boolean }) {
  const { contract, position, address, file } = frame
  const name = `${contract === undefined ? '' : `${contract}.`}${frame.function ?? '<unknown>'}`
  const where = position === undefined ? file : `${position.file}:${position.line}:${position.column}`
  const title = (
    <>
      <Text limit={120}>{name}</Text>{' '}
      {where !== undefined && (
        <span class="quiet">
          <Text>{where}</Text>
        </span>
      )}
    </>
  )
  if (position === undefined || address === undefined) return <li>{title}</li>
  return (
    <li>
      <details open={isFirst}>
        <summary>{title}</summary>
        <SourceExcerpt address={address} path={position.file} at={at} line={position.line} />
      </details>
    </li>
  )
}
