/** The debugger's side panel: call stack, variables and effects of a step, and the storage accessed up to the step. */
import { useSignal } from '@preact/signals'
import type { DebugFrameAnswer, DebugRunAnswer, DebugStepAnswer } from '../../../wire/debugRun.ts'
import { grouped, withoutStruct } from '../../format.ts'
import { loaded, useLoad } from '../../live/load.ts'
import { AddressLink, Count } from '../../parts/chain.tsx'
import { Button } from '../../parts/controls.tsx'
import { Text, type ToldValue, Value, Values } from '../../parts/Value.tsx'
import { request } from '../../source/source.ts'
import { frameName } from './Call.tsx'
import { localsAt, type Variable, variablesAt } from './debugRun.ts'
import { changeFrom, parseWatch, type WatchedValue, type WatchScope, watchedAt } from './watch.ts'

/** Maximum number of frames shown, innermost first. */
const MOST_FRAMES = 12

interface StepSideProps {
  run: DebugRunAnswer
  at: number
  stack: readonly number[]
  message: DebugFrameAnswer
  /** The block of the transaction, as a block selector. */
  block: string
  go: (step: number) => void
}

export function StepSide({ run, at, stack, message, block, go }: StepSideProps) {
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
              onClick={() => (chosen.value = { at, frame: index })}
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
      <Watches run={run} at={at} frame={frame} block={block} go={go} />
      <StepEffects step={step} />
      <Listed title="immutables" values={message.immutables} />
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
  const locals = localsAt(run, index, at)
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
      <Values values={values.map(typed)} level={1} />
    </>
  )
}

/** Returns a value with its type as the ABI writes it: an array without its data location. */
function typed({ name, type = '', value, ...told }: Variable): ToldValue {
  const bare = Array.isArray(value) ? type.replace(/ (memory|calldata|storage)$/, '') : type
  return { parameter: { name, type: withoutStruct(bare) }, value, ...told }
}

interface WatchesProps extends Pick<StepSideProps, 'run' | 'at' | 'block' | 'go'> {
  frame: number
}

/** Expressions that the user watches, with their values at the step, and links to the steps that change the values. */
function Watches({ run, at, frame, block: number, go }: WatchesProps) {
  const texts = useSignal<readonly string[]>([])
  const readsBlock = texts.value.some((text) => /\bblock\b/.test(text))
  const asked = useLoad(
    async () => (readsBlock ? blockValues(await blockAt(number)) : {}),
    [number, readsBlock],
  )
  const scope = { run, at, frame, block: loaded(asked.value) ?? {} }
  const add = (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const text = String(new FormData(form).get('expression')).trim()
    if (text !== '' && !texts.value.includes(text)) texts.value = [...texts.value, text]
    form.reset()
  }
  return (
    <>
      <h2>watch</h2>
      <ul class="plain-list debugger-watch">
        {texts.value.map((text) => (
          <li key={text}>
            <Watch text={text} scope={scope} go={go} />
            <Button
              aria-label={`remove ${text}`}
              onClick={() => (texts.value = texts.value.filter((one) => one !== text))}
              text="×"
            />
          </li>
        ))}
      </ul>
      <form onSubmit={add}>
        <label>
          <span class="quiet">expression</span>{' '}
          <input name="expression" placeholder="balances[msg.sender]" autocomplete="off" spellcheck={false} />
        </label>
      </form>
    </>
  )
}

function Watch({ text, scope, go }: { text: string; scope: WatchScope; go: (step: number) => void }) {
  const watched = parseWatch(text)
  const value: WatchedValue =
    watched === undefined ? { reason: 'not a variable with keys' } : watchedAt(scope, watched)
  const steps = [
    { hint: `previous change of ${text}`, sign: '←', step: watched && changeFrom(scope, watched, -1) },
    { hint: `next change of ${text}`, sign: '→', step: watched && changeFrom(scope, watched, 1) },
  ]
  return (
    <>
      <Values values={[typed({ ...value, name: text })]} level={1} />
      {steps.map(({ hint, sign, step }) => (
        <Button
          key={sign}
          aria-label={hint}
          title={hint}
          disabled={step === undefined}
          onClick={() => step !== undefined && go(step)}
          text={sign}
        />
      ))}
    </>
  )
}

type BlockFields = Readonly<Record<string, unknown>>

async function blockAt(number: string): Promise<BlockFields> {
  return (await request<BlockFields | null>('eth_getBlockByNumber', [number, false])) ?? {}
}

/** Returns the members of `block` in Solidity, from a block of JSON-RPC. */
function blockValues(block: BlockFields): BlockFields {
  const amount = (name: string) =>
    block[name] === undefined ? undefined : String(BigInt(String(block[name])))
  return {
    number: amount('number'),
    timestamp: amount('timestamp'),
    basefee: amount('baseFeePerGas'),
    gaslimit: amount('gasLimit'),
    prevrandao: amount('mixHash'),
    coinbase: block.miner,
  }
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
