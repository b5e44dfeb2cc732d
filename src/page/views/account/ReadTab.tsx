/** Calls view functions of a contract: those without arguments at once, others by a form. */
import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { Hex } from '../../../bytes/hex.ts'
import type { Codec } from '../../../solidity/abi/codec.ts'
import type { Parameter } from '../../../solidity/abi/decoded.ts'
import { names } from '../../accounts/names.ts'
import { decodeResult, type Typed } from '../../decode/decode.ts'
import { allMeant, blank, type Entered } from '../../input/abiInput.ts'
import { useLiveLoad } from '../../live/load.ts'
import { type Moment, wordsOf } from '../../moment.ts'
import { AbiInput } from '../../parts/AbiInput.tsx'
import { ADDRESSES } from '../../parts/Account.tsx'
import { Answer, Nothing } from '../../parts/Answer.tsx'
import { afterRender } from '../../parts/accessibility.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { Bytes, Copy } from '../../parts/Fields.tsx'
import { Text, Value, Values } from '../../parts/Value.tsx'
import { request } from '../../source/source.ts'
import { type ContractFunction, calldata, declared, isMeant } from './account.ts'

interface ReadProps {
  address: string
  codecs: readonly Codec[]
  moment: Moment
  changes: number
}

/** Functions without arguments that are called with each change of the state. */
const MOST_LIVE = 40

export function ReadTab({ functions, ...at }: ReadProps & { functions: readonly ContractFunction[] }) {
  const live = functions.filter(({ inputs }) => inputs.length === 0).slice(0, MOST_LIVE)
  const forms = functions.filter((one) => !live.includes(one))
  if (functions.length === 0) return <Nothing>this contract has no known view functions</Nothing>
  return (
    <FunctionList functions={functions}>
      {(isShown) => (
        <>
          {live.length > 0 && <LiveValues {...at} functions={live} isShown={isShown} />}
          {forms.map((one) => (
            <FunctionDetails
              key={one.signature}
              called={one}
              isShown={isShown(one)}
              form={() => <ReadForm {...at} called={one} />}
            />
          ))}
        </>
      )}
    </FunctionList>
  )
}

type Result =
  | { readonly kind: 'values'; readonly values: readonly Typed[] }
  | { readonly kind: 'bytes'; readonly bytes: Hex }
  | { readonly kind: 'failed'; readonly error: Error }

function LiveValues({
  address,
  functions,
  codecs,
  moment,
  changes,
  isShown,
}: ReadProps & { functions: readonly ContractFunction[]; isShown: (one: ContractFunction) => boolean }) {
  const asked = useLiveLoad(
    () => Promise.all(functions.map((one) => read(address, one.selector, codecs, moment))),
    [address, functions.length, moment.text],
    changes,
  )
  return (
    <Answer asked={asked.value}>
      {(results) => (
        <dl class="values read-values">
          {functions.map((one, i) => (
            <div class="value" key={one.signature} hidden={!isShown(one)}>
              <dt>
                <strong>
                  <Text limit={80}>{one.name}</Text>
                </strong>
              </dt>
              <dd>{results[i] && <ReadResult result={results[i]} codecs={codecs} />}</dd>
            </div>
          ))}
        </dl>
      )}
    </Answer>
  )
}

function ReadForm({ address, called, codecs, moment, changes }: ReadProps & { called: ContractFunction }) {
  const args = useArguments(called.inputs)
  /** The calldata, called again when the state changes. */
  const data = useSignal<Hex | undefined>(undefined)
  function submit(event: Event) {
    event.preventDefault()
    args.isStrict.value = true
    if (args.values !== undefined) data.value = calldata(called, args.values)
    else {
      const form = event.currentTarget as HTMLFormElement
      afterRender(() => form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
    }
  }
  return (
    <form class="call" onSubmit={submit}>
      <ArgumentInputs {...args} />
      <button type="submit" class="primary">
        read
      </button>
      {data.value !== undefined && (
        <Called
          key={data.value}
          address={address}
          data={data.value}
          codecs={codecs}
          moment={moment}
          changes={changes}
        />
      )}
    </form>
  )
}

export function Called({ address, data, codecs, moment, changes }: ReadProps & { data: Hex }) {
  const asked = useLiveLoad(
    () => read(address, data, codecs, moment),
    [address, data, moment.text, codecs.length],
    changes,
  )
  return (
    <div class="result" role="status">
      <p class="quiet">at {wordsOf(moment)}</p>
      <Answer asked={asked.value}>{(result) => <ReadResult result={result} codecs={codecs} />}</Answer>
    </div>
  )
}

async function read(
  address: string,
  data: Hex,
  codecs: readonly Codec[],
  { block }: Moment,
): Promise<Result> {
  try {
    const bytes = await request<Hex>('eth_call', [{ to: address, data }, block])
    const values = decodeResult(data, bytes, codecs)
    return values === undefined ? { kind: 'bytes', bytes } : { kind: 'values', values }
  } catch (error) {
    return { kind: 'failed', error: error as Error }
  }
}

function ReadResult({ result, codecs }: { result: Result; codecs: readonly Codec[] }) {
  switch (result.kind) {
    case 'failed':
      return <Failure error={result.error} codecs={codecs} />
    case 'bytes':
      return result.bytes === '0x' ? (
        <span class="quiet">nothing was returned</span>
      ) : (
        <Bytes hex={result.bytes} what="the returned bytes" />
      )
    case 'values': {
      const [only, ...more] = result.values
      if (only === undefined) return <span class="quiet">nothing is returned</span>
      return more.length === 0 && !only.parameter.name ? (
        <Value {...only} />
      ) : (
        <Values values={result.values} />
      )
    }
  }
}

/** Longer lists get a filter. */
const FEW = 8

/** A function that is filtered out keeps its entered arguments. */
export function FunctionList({
  functions,
  children,
}: {
  functions: readonly ContractFunction[]
  children: (isShown: (one: ContractFunction) => boolean) => ComponentChildren
}) {
  const wanted = useSignal('')
  const isShown = (one: ContractFunction) => isMeant(one, wanted.value)
  const count = functions.filter(isShown).length
  return (
    <>
      {functions.length > FEW && (
        <label class="function-filter">
          find a function{' '}
          <input
            type="text"
            value={wanted.value}
            placeholder="part of its name, or its selector"
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => {
              wanted.value = currentTarget.value
            }}
          />
        </label>
      )}
      {children(isShown)}
      {count === 0 && <Nothing>no function has this name</Nothing>}
    </>
  )
}

/** The form is rendered when it is first opened: an ABI may have many functions. */
export function FunctionDetails({
  called,
  isShown,
  form,
}: {
  called: ContractFunction
  isShown: boolean
  form: () => ComponentChildren
}) {
  const wasOpened = useSignal(false)
  return (
    <details
      class="function"
      hidden={!isShown}
      onToggle={({ currentTarget }) => {
        wasOpened.value ||= currentTarget.open
      }}
    >
      <summary>
        <strong>
          <Text limit={100}>{called.name}</Text>
        </strong>
        <span class="declared">
          <Text>{declared(called)}</Text>
        </span>
        {called.isPayable && <span class="quiet"> payable</span>}
      </summary>
      {wasOpened.value && (
        <>
          <p class="quiet">
            selector <code>{called.selector}</code> <Copy text={called.selector} what="the selector" />
          </p>
          {form()}
        </>
      )}
    </details>
  )
}

/** The arguments of a function in a form. */
interface Arguments {
  readonly parameters: readonly Parameter[]
  readonly entered: Signal<readonly Entered[]>
  /** Whether missing arguments are reported, too. */
  readonly isStrict: Signal<boolean>
  /** The values; `undefined` while one is missing or wrong. */
  readonly values: readonly unknown[] | undefined
}

export function useArguments(parameters: readonly Parameter[]): Arguments {
  const entered = useSignal<readonly Entered[]>(parameters.map(blank))
  const isStrict = useSignal(false)
  const all = allMeant(parameters, entered.value, names.value)
  return {
    parameters,
    entered,
    isStrict,
    values: all.kind === 'value' ? (all.value as readonly unknown[]) : undefined,
  }
}

/** `hint` replaces the type. */
export function ArgumentInputs({ parameters, entered, isStrict, hint }: Arguments & { hint?: string }) {
  return (
    <>
      {parameters.map((parameter, i) => (
        <AbiInput
          key={i}
          parameter={parameter}
          entered={entered.value[i] ?? ''}
          onEntered={(one) => {
            entered.value = entered.value.with(i, one)
          }}
          names={names.value}
          addresses={ADDRESSES}
          fallback={`argument ${i + 1}`}
          isStrict={isStrict.value}
          hint={hint}
        />
      ))}
    </>
  )
}
