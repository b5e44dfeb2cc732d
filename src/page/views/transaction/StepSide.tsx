/** The debugger's side panel: call stack, variables and effects of a step, and the storage accessed up to the step. */
import { useSignal } from '@preact/signals'
import type { DebugFrameAnswer, DebugRunAnswer, DebugStepAnswer, DebugValue } from '../../../wire/debugRun.ts'
import { grouped, withoutStruct } from '../../format.ts'
import { Count } from '../../parts/amounts.tsx'
import { AddressLink } from '../../parts/links.tsx'
import { Text, Value, Values } from '../../parts/Value.tsx'
import { frameName } from './Call.tsx'
import { localsAt, type Variable, variablesAt } from './debugRun.ts'

/** Maximum number of frames shown, innermost first. */
const MOST_FRAMES = 12

interface StepSideProps {
  run: DebugRunAnswer
  at: number
  stack: readonly number[]
  message: DebugFrameAnswer
}

export function StepSide({ run, at, stack, message }: StepSideProps) {
  const chosen = useSignal({ at, frame: stack[0]! })
  // After a move to another step, that step's innermost frame is chosen.
  const frame = chosen.value.at === at ? chosen.value.frame : stack[0]!
  const step = run.steps[at]!
  const isLast = message.steps.last === at
  return (
    <div class="debugger-side">
      {message.error !== undefined && isLast && (
        <p class="problem">
          <Text limit={500}>{message.error.text}</Text>
        </p>
      )}
      <h2>stack</h2>
      <ol class="plain-list debugger-stack">
        {stack.slice(0, MOST_FRAMES).map((index) => (
          <li key={index}>
            <button
              type="button"
              aria-current={index === frame}
              title="show its variables"
              onClick={() => {
                chosen.value = { at, frame: index }
              }}
            >
              <FrameName frame={run.frames[index]!} />
            </button>
          </li>
        ))}
        {stack.length > MOST_FRAMES && (
          <li class="quiet">and {grouped(stack.length - MOST_FRAMES)} around these</li>
        )}
      </ol>
      <Locals run={run} at={at} frame={frame} isInner={frame === stack[0]} />
      <StepEffects step={step} />
      <Listed title="storage so far" values={variablesAt(run.steps, at, message.address)} />
    </div>
  )
}

function FrameName({ frame }: { frame: DebugFrameAnswer }) {
  return (
    <>
      <Text limit={120}>{frameName(frame)}</Text>{' '}
      {frame.kind === 'message' && <span class="quiet">call</span>}
      {frame.isModifier && <span class="quiet">modifier</span>}
    </>
  )
}

interface LocalsProps {
  run: DebugRunAnswer
  at: number
  frame: number
  isInner: boolean
}

/** The parameters and local variables of a frame. If any value is unknown, also shows the arguments of the call. */
function Locals({ run, at, frame: index, isInner }: LocalsProps) {
  const frame = run.frames[index]!
  const locals = localsAt(run, index, at)?.map((local) => withArgument(local, frame.args))
  const isAll = locals?.every(({ value }) => value !== undefined && value !== null) ?? false
  const args = isAll ? [] : (frame.args ?? [])
  const hasAny = args.length > 0 || (locals !== undefined && locals.length > 0)
  return (
    <>
      <Listed title="variables" note={isInner ? 'before the step' : 'before the call'} values={locals} />
      <Listed title="arguments" note="as it was called" values={args} />
      {!hasAny && (
        <>
          <h2>variables</h2>
          <p class="quiet">none known at this step</p>
        </>
      )}
      <Listed title="returns" values={frame.steps.last === at ? frame.result : undefined} />
      {frame.kind === 'message' && frame.to && (
        <p class="quiet">
          in the code of <AddressLink address={frame.to} />
        </p>
      )}
    </>
  )
}

interface ListedProps {
  title: string
  note?: string
  values: readonly Variable[] | undefined
}

/** Renders a heading and values. Renders nothing if there are no values. */
function Listed({ title, note, values = [] }: ListedProps) {
  if (values.length === 0) return null
  return (
    <>
      <h2>
        {title} {note && <span class="quiet">{note}</span>}
      </h2>
      <Values
        values={values.map(({ name, type = '', value }) => ({
          parameter: { name, type: withoutStruct(type) },
          value,
        }))}
        level={1}
      />
    </>
  )
}

/** Returns `local`, or the argument of the same name if `local` is a calldata variable of unknown value. */
function withArgument(local: DebugValue, args: readonly DebugValue[] | undefined): DebugValue {
  if (local.value !== undefined || !local.type.endsWith(' calldata')) return local
  const argument = args?.find(({ name }) => name === local.name)
  return argument === undefined ? local : { ...argument, type: local.type.replace(/ calldata$/, '') }
}

function StepEffects({ step: { gasUsed, storage, logs } }: { step: DebugStepAnswer }) {
  return (
    <>
      <h2>
        this step{' '}
        <span class="quiet">
          <Count value={gasUsed} /> gas
        </span>
      </h2>
      <ul class="plain-list">
        {storage.map((access, i) => (
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
        {logs.map(({ event }, i) => (
          <li key={i}>
            emits <Text>{event ?? 'an unknown event'}</Text>
          </li>
        ))}
      </ul>
    </>
  )
}
