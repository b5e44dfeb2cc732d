/** Forms of functions: results of view functions, and transactions that call the others, send bytes or send ether. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { Hex } from '../../../bytes/hex.ts'
import type { Codec } from '../../../solidity/abi/codec.ts'
import { names } from '../../accounts/names.ts'
import { decodeResult } from '../../decode/decode.ts'
import { isReadOnly } from '../../environment.ts'
import { parseInput } from '../../input/abiInput.ts'
import { type BlockParameter, wordsOf } from '../../moment.ts'
import { ArgumentInputs, type FormParameter, reportMissing, useArguments } from '../../parts/AbiInput.tsx'
import { Answer, Nothing } from '../../parts/Answer.tsx'
import { Button, Bytes, Copy, TextField } from '../../parts/controls.tsx'
import { CopyAs } from '../../parts/Decoded.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { useMoment, useStateLoad } from '../../parts/Moment.tsx'
import { Text, Value, Values } from '../../parts/Value.tsx'
import { request } from '../../source/source.ts'
import { SendForm } from '../../wallet/SendForm.tsx'
import { type Draft, keyOf, type Sender, senders } from '../../wallet/wallet.ts'
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

function Called({ address, data, codecs }: ReadProps & { data: Hex }) {
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
function FunctionList({ functions, live = [], values, form }: FunctionListProps) {
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

interface WriteProps {
  address: Hex
  codecs: readonly Codec[]
}

const AMOUNT: FormParameter = { name: 'amount', type: 'uint256', hint: 'in wei, or with a unit' }
const VALUE: FormParameter = { ...AMOUNT, name: 'value', whenEmpty: '0' }
const DATA: FormParameter = { name: 'calldata', type: 'bytes', whenEmpty: '0x' }
const TO: FormParameter = { name: 'to', type: 'address' }

function draftOf(to: unknown, value: unknown, data: unknown): Draft {
  return { to: to as Hex, value: `0x${(value as bigint).toString(16)}`, data: data as Hex }
}

export function WriteTab({ functions, ...to }: WriteProps & { functions: readonly ContractFunction[] }) {
  return <FunctionList functions={functions} form={(one) => <WriteForm {...to} called={one} />} />
}

function WriteForm({ address, codecs, called }: WriteProps & { called: ContractFunction }) {
  const { inputs, isPayable } = called
  const args = useArguments(isPayable ? [...inputs, VALUE] : inputs)
  return (
    <SendForm
      args={args}
      draftOf={(values) => draftOf(address, isPayable ? values.at(-1) : 0n, calldata(called, values))}
      codecs={codecs}
    >
      <ArgumentInputs {...args} />
    </SendForm>
  )
}

export function RawTab({ address, codecs }: WriteProps) {
  const args = useArguments(isReadOnly ? [DATA] : [DATA, VALUE])
  const data = parseInput(DATA, args.entered.value[0] || '0x', names.value)
  const inputs = (
    <>
      <ArgumentInputs {...args} />
      <RawRead
        address={address}
        data={data.kind === 'value' ? (data.value as Hex) : undefined}
        codecs={codecs}
      />
    </>
  )
  if (isReadOnly) return <div class="call">{inputs}</div>
  return (
    <SendForm args={args} draftOf={([data, value]) => draftOf(address, value, data)} codecs={codecs}>
      {inputs}
    </SendForm>
  )
}

function RawRead({ data, ...at }: WriteProps & { data: Hex | undefined }) {
  const asked = useSignal<Hex | undefined>(undefined)
  return (
    <>
      <div>
        <Button disabled={data === undefined} onClick={() => (asked.value = data)} text="read" />
      </div>
      {asked.value !== undefined && <Called {...at} key={asked.value} data={asked.value} />}
    </>
  )
}

/** A form that transfers ether from the account if the page can send from the account, otherwise to the account. */
export function TransferTab({ address }: { address: Hex }) {
  const own = senders.value.find((one) => one.address.toLowerCase() === address)
  return <TransferForm key={own && keyOf(own)} address={address} from={own} />
}

function TransferForm({ address, from }: { address: Hex; from: Sender | undefined }) {
  const args = useArguments(from === undefined ? [AMOUNT] : [TO, AMOUNT])
  return (
    <SendForm
      from={from}
      verb="send ether"
      args={args}
      draftOf={(values) => draftOf(from === undefined ? address : values[0], values.at(-1), '0x')}
      codecs={[]}
    >
      {from === undefined && (
        <p class="quiet">The recipient is this account: no known sender signs for it.</p>
      )}
      <ArgumentInputs {...args} />
    </SendForm>
  )
}
