/** Shows the results of view functions. A function with parameters has a form. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { Hex } from '../../../bytes/hex.ts'
import type { Codec } from '../../../solidity/abi/codec.ts'
import { decodeResult } from '../../decode/decode.ts'
import { type BlockParameter, wordsOf } from '../../moment.ts'
import { ArgumentInputs, reportMissing, useArguments } from '../../parts/AbiInput.tsx'
import { Answer, Nothing } from '../../parts/Answer.tsx'
import { Button, TextField } from '../../parts/controls.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { Bytes, Copy } from '../../parts/Fields.tsx'
import { CopyAs } from '../../parts/Method.tsx'
import { useMoment, useStateLoad } from '../../parts/Moment.tsx'
import { Text, Value, Values } from '../../parts/Value.tsx'
import { request } from '../../source/source.ts'
import { type ContractFunction, calldata, declared, isMeant } from './account.ts'

interface ReadProps {
  address: Hex
  codecs: readonly Codec[]
}

/** Maximum number of functions without parameters that are called whenever the state changes. */
const MOST_LIVE = 40

export function ReadTab({ functions, ...at }: ReadProps & { functions: readonly ContractFunction[] }) {
  const live = functions.filter(({ inputs }) => inputs.length === 0).slice(0, MOST_LIVE)
  return (
    <FunctionList
      functions={functions}
      live={live}
      values={(isShown) => <LiveValues {...at} functions={live} isShown={isShown} />}
      form={(one) => <ReadForm {...at} called={one} />}
    />
  )
}

interface LiveValuesProps extends ReadProps {
  functions: readonly ContractFunction[]
  isShown: (one: ContractFunction) => boolean
}

function LiveValues({ address, functions, codecs, isShown }: LiveValuesProps) {
  const asked = useStateLoad(
    (block) => Promise.all(functions.map(({ selector }) => read(address, selector, block))),
    [address, functions.length],
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
              <dd>{results[i] && <Result input={one.selector} result={results[i]} codecs={codecs} />}</dd>
            </div>
          ))}
        </dl>
      )}
    </Answer>
  )
}

function ReadForm({ called, ...at }: ReadProps & { called: ContractFunction }) {
  const args = useArguments(called.inputs)
  /** The submitted calldata. The call is repeated when the state changes. */
  const data = useSignal<Hex | undefined>(undefined)
  function submit(event: Event) {
    event.preventDefault()
    if (args.values === undefined) reportMissing(args, event.currentTarget as HTMLFormElement)
    else data.value = calldata(called, args.values)
  }
  return (
    <form class="call" onSubmit={submit}>
      <ArgumentInputs {...args} />
      <Button type="submit" class="primary" text="read" />
      {args.values !== undefined && (
        <CopyAs
          call={{ kind: 'call', to: at.address, data: calldata(called, args.values) }}
          codecs={at.codecs}
        />
      )}
      {data.value !== undefined && <Called {...at} key={data.value} data={data.value} />}
    </form>
  )
}

export function Called({ address, data, codecs }: ReadProps & { data: Hex }) {
  const { moment } = useMoment()
  const asked = useStateLoad((block) => read(address, data, block), [address, data])
  return (
    <div class="result" role="status">
      <p class="quiet">at {wordsOf(moment)}</p>
      <Answer asked={asked.value}>
        {(result) => <Result input={data} result={result} codecs={codecs} />}
      </Answer>
    </div>
  )
}

/** Resolves to the return data of a call, or to its error. Never rejects. */
function read(to: string, data: Hex, block: BlockParameter): Promise<Hex | Error> {
  return request<Hex>('eth_call', [{ to, data }, block]).catch((error: Error) => error)
}

function Result({ input, result, codecs }: { input: Hex; result: Hex | Error; codecs: readonly Codec[] }) {
  if (result instanceof Error) return <Failure error={result} codecs={codecs} />
  const values = decodeResult(input, result, codecs)
  if (values === undefined && result === '0x') return <span class="quiet">nothing was returned</span>
  if (values === undefined) return <Bytes hex={result} what="the returned bytes" />
  const [only, ...more] = values
  if (only === undefined) return <span class="quiet">nothing is returned</span>
  return more.length === 0 && !only.parameter.name ? <Value {...only} /> : <Values values={values} />
}

/** Maximum number of functions in a list without a filter. */
const FEW = 8

interface FunctionListProps {
  functions: readonly ContractFunction[]
  /** The functions that `values` shows. All other functions have a form. */
  live?: readonly ContractFunction[]
  values?: (isShown: (one: ContractFunction) => boolean) => ComponentChildren
  form: (called: ContractFunction) => ComponentChildren
}

/** Lists functions, with a filter. Functions that do not match are only hidden, to keep their entered arguments. */
export function FunctionList({ functions, live = [], values, form }: FunctionListProps) {
  const wanted = useSignal('')
  const isShown = (one: ContractFunction) => isMeant(one, wanted.value)
  const count = functions.filter(isShown).length
  return (
    <>
      {functions.length > FEW && (
        <label class="function-filter">
          find a function <TextField of={wanted} placeholder="part of its name, or its selector" />
        </label>
      )}
      {live.length > 0 && values?.(isShown)}
      {functions
        .filter((one) => !live.includes(one))
        .map((one) => (
          <FunctionDetails key={one.signature} called={one} isShown={isShown(one)} form={form} />
        ))}
      {count === 0 && <Nothing>no function has this name</Nothing>}
    </>
  )
}

interface FunctionDetailsProps {
  called: ContractFunction
  isShown: boolean
  form: (called: ContractFunction) => ComponentChildren
}

/** Renders the form when it is first opened, because an ABI may have many functions. */
function FunctionDetails({ called, isShown, form }: FunctionDetailsProps) {
  const wasOpened = useSignal(false)
  return (
    <details
      class="function"
      hidden={!isShown}
      onToggle={({ currentTarget }) => (wasOpened.value ||= currentTarget.open)}
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
          {form(called)}
        </>
      )}
    </details>
  )
}
