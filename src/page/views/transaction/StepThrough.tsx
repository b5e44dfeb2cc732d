/** The debugger: steps through a transaction's Solidity sources by buttons and keys. The step is in `?step=`. */
import { useRef } from 'preact/hooks'
import type { DebugPosition } from '../../../model/execution/trace.ts'
import type { DebugRunAnswer } from '../../../wire/debugRun.ts'
import { isReport } from '../../environment.ts'
import { grouped } from '../../format.ts'
import { loaded, useLoad } from '../../live/load.ts'
import { query, setQuery } from '../../navigation.ts'
import { Answer, Nothing } from '../../parts/Answer.tsx'
import { useKeys } from '../../parts/accessibility.tsx'
import { SourceLines, sourceFile } from '../../parts/SourceText.tsx'
import { Text } from '../../parts/Value.tsx'
import { AnswerError, sourceRun } from '../../source/source.ts'
import { firstShown, type Move, messageAround, moved, stackAt } from './debugRun.ts'
import { StepSide } from './StepSide.tsx'

export function StepThrough({ hash, at }: { hash: string; at: string }) {
  const asked = useLoad(() => sourceRun(hash).catch(reasonIn), [hash])
  return (
    <Answer asked={asked.value}>
      {(run) =>
        typeof run === 'string' ? (
          <Nothing>
            <Text limit={1_000}>{run}</Text>
          </Nothing>
        ) : run.steps.every(({ position }) => position === undefined) ? (
          <NoSources gaps={run.gaps} />
        ) : (
          <Debugger run={run} at={at} />
        )
      }
    </Answer>
  )
}

/** Returns the reason why the devnet cannot trace sources, such as missing artifacts. Rethrows other errors. */
function reasonIn(error: Error): string {
  if (error instanceof AnswerError) return error.message
  throw error
}

type Gaps = Pick<DebugRunAnswer, 'gaps'>

function NoSources({ gaps }: Gaps) {
  return (
    <>
      <Nothing>
        no sources are known for the code that ran
        {!isReport && (
          <>
            : add artifacts, for example with <code>devnet.artifacts.add</code>
          </>
        )}
      </Nothing>
      <Untold gaps={gaps} />
    </>
  )
}

function Untold({ gaps }: Gaps) {
  return (
    <ul class="plain-list">
      {gaps.map(({ text }, i) => (
        <li key={i} class="quiet">
          <Text limit={400}>{text}</Text>
        </li>
      ))}
    </ul>
  )
}

const MOVES: readonly (readonly [move: Move, sign: string, key: string, hint: string])[] = [
  ['first', '|←', 'Home', 'first step'],
  ['callBefore', '⇇', 'x', 'call back, to the beginning of a call'],
  ['caller', '↖', 'k', 'back to the caller'],
  ['back', '⇤', 'b', 'back to the previous line, over calls'],
  ['previous', '←', 'p', 'previous step'],
  ['next', '→', 'n', 'next step'],
  ['over', '⇥', 'o', 'next line, over calls'],
  ['in', '↘', 'i', 'in the next function or call'],
  ['call', '⇉', 'c', 'next call'],
  ['out', '↑', 'u', 'out of the function'],
  ['last', '→|', 'End', 'last step'],
  ['revert', '✗', 'r', 'step that made the transaction revert'],
]

const WORDS: Readonly<Partial<Record<Move, string>>> = { callBefore: 'call back' }

/** Actions of the arrow keys while the debugger has the focus. */
const ARROWS: Readonly<Record<string, Move>> = {
  ArrowRight: 'next',
  ArrowLeft: 'previous',
  ArrowDown: 'over',
  ArrowUp: 'back',
}

function Debugger({ run, at: block }: { run: DebugRunAnswer; at: string }) {
  const last = run.steps.length - 1
  const wanted = Number(query.value.get('step') ?? firstShown(run))
  const at = Number.isInteger(wanted) ? Math.min(Math.max(wanted, 0), last) : 0
  const step = run.steps[at]!
  const message = run.frames[messageAround(run, step.frame)]!
  const frame = useRef<HTMLElement>(null)
  const moves = MOVES.filter(([move]) => move !== 'revert' || run.status === 'reverted')

  useKeys((event, target) => {
    if (target.matches('[role=tab]')) return
    const isInside = frame.current!.contains(target) && !target.matches('.source-text')
    const move =
      moves.find(([, , key]) => key === event.key && (key.length === 1 || isInside))?.[0] ??
      (isInside ? ARROWS[event.key] : undefined)
    if (move === undefined) return
    event.preventDefault()
    go(moved(run, at, move))
  })

  return (
    <section ref={frame} aria-label="steps">
      {/* biome-ignore lint/a11y/useSemanticElements: it is no part of a form. */}
      <div class="debugger-bar" role="group" aria-label="go through the steps">
        {moves.map(([move, sign, key, hint]) => (
          <button
            key={move}
            type="button"
            aria-label={hint}
            title={`${hint} (${key})`}
            onClick={() => go(moved(run, at, move))}
          >
            {sign} <span class="debugger-word">{WORDS[move] ?? move}</span>
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
        <span class="number" role="status">
          {grouped(at + 1)} of {grouped(last + 1)}
          {run.isCut && ' (more were left out)'}
        </span>
      </div>
      {run.gaps.length > 0 && (
        <details class="debugger-gaps">
          <summary class="quiet">what is unknown, and why</summary>
          <Untold gaps={run.gaps} />
        </details>
      )}
      <div class="debugger-panes">
        <Place position={step.position} address={message.to} at={block} />
        <StepSide run={run} at={at} stack={stackAt(run, at)} message={message} block={block} go={go} />
      </div>
    </section>
  )
}

function go(step: number): void {
  setQuery({ step: String(step) })
}

interface PlaceProps {
  position: DebugPosition | undefined
  address: string | undefined
  at: string
}

function Place({ position, address, at }: PlaceProps) {
  const file = position?.file
  const asked = useLoad(
    async () => (file === undefined || address === undefined ? null : sourceFile(address, file, at)),
    [file, address],
  )
  if (position === undefined) return <Nothing>the compiler maps this step to no source</Nothing>
  const found = loaded(asked.value)
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
