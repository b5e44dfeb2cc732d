/** What a contract's functions return at a moment: those without arguments at once, others when they are asked. */
import { useSignal } from '@preact/signals'
import type { Codec } from '../../../solidity/abi/codec.ts'
import { decodeResult, type Typed } from '../../decode/decode.ts'
import { useFollowed } from '../../live/followed.ts'
import { type Moment, wordsOf } from '../../moment.ts'
import { Answer, Nothing } from '../../parts/Answer.tsx'
import { Bytes } from '../../parts/Bytes.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { afterRender } from '../../parts/focus.ts'
import { Text } from '../../parts/Text.tsx'
import { Value, Values } from '../../parts/Value.tsx'
import type { Hex } from '../../source/answers.ts'
import { source } from '../../source/index.ts'
import { ArgumentInputs, useArguments } from './Arguments.tsx'
import { FunctionDetails, FunctionList } from './FunctionDetails.tsx'
import { type ContractFunction, calldata } from './functions.ts'

interface ReadProps {
  address: string
  codecs: readonly Codec[]
  moment: Moment
  changes: number
}

/** Functions without arguments that are called at each change. */
const MOST_LIVE = 40

export function ReadTab({ functions, ...at }: ReadProps & { functions: readonly ContractFunction[] }) {
  const live = functions.filter(({ inputs }) => inputs.length === 0).slice(0, MOST_LIVE)
  const forms = functions.filter((one) => !live.includes(one))
  if (functions.length === 0) return <Nothing>no known function of this contract reads</Nothing>
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
  const asked = useFollowed(
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
  /** What was asked; it is asked again when the state changes. */
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

/** Shows what a call with `data` returns at a moment. */
export function Called({ address, data, codecs, moment, changes }: ReadProps & { data: Hex }) {
  const asked = useFollowed(
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
    const bytes = await source().request<Hex>('eth_call', [{ to: address, data }, block])
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
