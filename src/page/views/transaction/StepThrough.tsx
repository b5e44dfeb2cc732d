/** A transaction, step by step through its Solidity sources: by buttons, keys and the address (`?step=12`). */
import { useEffect, useRef } from 'preact/hooks'
import { useAsked } from '../../live/asked.ts'
import { query, setQuery } from '../../navigation.ts'
import { Answer, Nothing } from '../../parts/Answer.tsx'
import { Count } from '../../parts/amounts.tsx'
import { SourceLines, sourceFile } from '../../parts/SourceText.tsx'
import { Text } from '../../parts/Text.tsx'
import { Value, Values } from '../../parts/Value.tsx'
import {
  type DebugArgument,
  type DebugFrame,
  type DebugPosition,
  type DebugRun,
  type Move,
  moved,
  stackAt,
  variablesAt,
} from './debugRun.ts'
import { sourceRun } from './runs.ts'

export function StepThrough({ hash, at }: { hash: string; at: string }) {
  const asked = useAsked(() => sourceRun(hash), [hash])
  return (
    <Answer asked={asked.value}>
      {(run) =>
        run.steps.length === 0 ? (
          <Nothing>no code ran of which sources are known</Nothing>
        ) : (
          <Debugger run={run} at={at} />
        )
      }
    </Answer>
  )
}

const MOVES: readonly (readonly [move: Move, name: string, key: string, hint: string])[] = [
  ['first', '|←', 'Home', 'first step'],
  ['back', '⇤', 'b', 'back to the line before, over calls'],
  ['previous', '←', 'p', 'previous step'],
  ['next', '→', 'n', 'next step'],
  ['over', '⇥', 'o', 'next line, over calls'],
  ['out', '↑', 'u', 'out of the function'],
  ['last', '→|', 'End', 'last step'],
]

/** The arrow keys of a debugger that has the focus. */
const ARROWS: Readonly<Record<string, Move>> = {
  ArrowRight: 'next',
  ArrowLeft: 'previous',
  ArrowDown: 'over',
  ArrowUp: 'back',
}

function Debugger({ run, at: block }: { run: DebugRun; at: string }) {
  const last = run.steps.length - 1
  const wanted = Number(query.value.get('step') ?? firstLocated(run))
  const at = Number.isInteger(wanted) ? Math.min(Math.max(wanted, 0), last) : 0
  const step = run.steps[at]!
  const stack = stackAt(run, at)
  const message = stack.findLast(({ kind }) => kind === 'message')
  const current = useRef({ at, run })
  current.current = { at, run }

  useEffect(() => {
    const follow = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      const target = event.target as HTMLElement
      if (target.matches('input, textarea, select, [role=tab]')) return
      const isInside = target.closest('.debugger') !== null && !target.matches('.source-text')
      const move =
        MOVES.find(([, , key]) => key === event.key && (key.length === 1 || isInside))?.[0] ??
        (isInside ? ARROWS[event.key] : undefined)
      if (move === undefined) return
      event.preventDefault()
      go(moved(current.current.run, current.current.at, move))
    }
    addEventListener('keydown', follow)
    return () => removeEventListener('keydown', follow)
  }, [])

  return (
    <section class="debugger" aria-label="steps">
      <div class="debugger-bar" role="toolbar" aria-label="go through the steps">
        {MOVES.map(([move, name, key, hint]) => (
          <button
            key={move}
            type="button"
            aria-label={hint}
            title={`${hint} (${key})`}
            onClick={() => go(moved(run, at, move))}
          >
            {name}
          </button>
        ))}
        <label>
          step{' '}
          <input
            type="range"
            min={0}
            max={last}
            value={at}
            onInput={({ currentTarget }) => go(Number(currentTarget.value))}
          />
        </label>
        <span class="number">
          {at + 1} of {last + 1}
          {run.isCut && ' (more were left out)'}
        </span>
      </div>
      {run.gaps.map(({ text }, i) => (
        <p key={i} class="quiet">
          <Text limit={400}>{text}</Text>
        </p>
      ))}
      <div class="debugger-panes">
        <Place position={step.position} address={message?.to} at={block} />
        <div class="debugger-side">
          <h2>stack</h2>
          <ol class="plain-list">
            {[...stack].reverse().map((frame, i) => (
              <li key={i}>
                <FrameName frame={frame} />
              </li>
            ))}
          </ol>
          <h2>this step</h2>
          <p>
            <Count value={step.gasUsed} /> gas
          </p>
          {step.storage.length > 0 && (
            <ul class="plain-list">
              {step.storage.map((access, i) => (
                <li key={i}>
                  {access.kind === 'write' ? 'writes' : 'reads'}{' '}
                  <Text limit={200}>{access.name ?? access.slot}</Text>{' '}
                  {access.kind === 'write' && access.before !== undefined && (
                    <>
                      <Value parameter={{ type: access.type ?? '' }} value={access.before} /> →{' '}
                    </>
                  )}
                  <Value parameter={{ type: access.type ?? '' }} value={access.value} />
                  {access.isReverted && <span class="quiet"> undone later</span>}
                </li>
              ))}
            </ul>
          )}
          {step.logs.map((log, i) => (
            <p key={i}>
              emits <Text>{log.event ?? 'an event that no ABI has'}</Text>
            </p>
          ))}
          {message?.args !== undefined && message.args.length > 0 && (
            <>
              <h2>arguments of the call</h2>
              <Values values={typed(message.args)} level={1} />
            </>
          )}
          <Variables run={run} at={at} address={message?.address} />
          {message?.error !== undefined && message.steps.last === at && (
            <p class="problem">
              <Text limit={500}>{message.error.text}</Text>
            </p>
          )}
        </div>
      </div>
    </section>
  )
}

function go(step: number): void {
  setQuery({ step: String(step) })
}

/** The first step with a place in the body of a function: those before it are of the dispatcher. */
function firstLocated({ steps }: DebugRun): number {
  const first = steps.findIndex(
    ({ position }) => position !== undefined && position.line === position.endLine,
  )
  return first === -1 ? 0 : first
}

function typed(args: readonly DebugArgument[]) {
  return args.map(({ name, type, value }) => ({ parameter: { name, type }, value }))
}

function FrameName({ frame }: { frame: DebugFrame }) {
  const { contract, kind, to } = frame
  return (
    <>
      <Text
        limit={120}
      >{`${contract === undefined ? '' : `${contract}.`}${frame.function ?? '<unknown>'}`}</Text>{' '}
      {kind === 'message' && <span class="quiet">call of {to?.slice(0, 10) ?? 'a creation'}</span>}
      {frame.isModifier && <span class="quiet">modifier</span>}
    </>
  )
}

function Place({
  position,
  address,
  at,
}: {
  position: DebugPosition | undefined
  address: string | undefined
  at: string
}) {
  const file = position?.file
  const asked = useAsked(
    () =>
      file === undefined || address === undefined
        ? Promise.resolve(null)
        : sourceFile(address, file, at).catch(() => null),
    [file, address],
  )
  if (position === undefined) return <Nothing>the compiler tells no place for this step</Nothing>
  const found = asked.value.state === 'here' ? asked.value.value : undefined
  return (
    <div class="debugger-file">
      <p class="quiet">
        <Text limit={200}>{`${position.file}:${position.line}:${position.column}`}</Text>
      </p>
      {found ? (
        <SourceLines text={found.text} mark={position} label={position.file} follows />
      ) : (
        <pre>
          <Text limit={400}>{position.text}</Text>
        </pre>
      )}
    </div>
  )
}

function Variables({ run, at, address }: { run: DebugRun; at: number; address: string | undefined }) {
  const variables = variablesAt(run.steps, at, address)
  if (variables.length === 0) return null
  return (
    <>
      <h2>storage so far</h2>
      <Values
        values={variables.map(({ name, type, value }) => ({ parameter: { name, type: type ?? '' }, value }))}
        level={1}
      />
    </>
  )
}
