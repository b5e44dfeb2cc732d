/** The rows of the call tree, and the details of the chosen call. */
import { counted } from '../../../model/api/text.ts'
import type { RpcCallFrame } from '../../../wire/encodeTrace.ts'
import { type ContractsByAddress, codecsFor } from '../../decode/contracts.ts'
import { type DecodedItem, decodeCall, decodeError, decodeResult, type Typed } from '../../decode/decode.ts'
import { shortened } from '../../format.ts'
import { Field, Fields } from '../../parts/Answer.tsx'
import { Count, Wei } from '../../parts/chain.tsx'
import { Bytes } from '../../parts/controls.tsx'
import { ConstructorArguments, EventList, errorText, lineOf } from '../../parts/Decoded.tsx'
import { SourceExcerpt } from '../../parts/SourceText.tsx'
import { Account, Text, Values } from '../../parts/Value.tsx'
import { type CallNode, consoleLine, isConsole, precompileAt } from './callTree.ts'

const KINDS: Readonly<Record<string, string>> = {
  CALL: 'call',
  STATICCALL: 'static',
  DELEGATECALL: 'delegate',
  CALLCODE: 'callcode',
  CREATE: 'create',
  CREATE2: 'create2',
  SELFDESTRUCT: 'destruct',
}

export function CallRow({ node: { frame, isUndone }, known }: { node: CallNode; known: ContractsByAddress }) {
  const { type, gasUsed, value, error, input, logs } = frame
  const call = calledBy(frame, known)
  return (
    <>
      <span class="tree-what">
        <span class="tree-kind">{KINDS[type] ?? type.toLowerCase()}</span>{' '}
        <span class="tree-name">
          <Text limit={120}>{nameOf(frame, known)}</Text>
        </span>
        {call !== undefined && (
          <span class="quiet">
            (<Text limit={160}>{call.args.map(({ value: each }) => lineOf(each, 44)).join(', ')}</Text>)
          </span>
        )}{' '}
        {isConsole(frame) && (
          <span class="quiet">
            <Text limit={200}>{consoleLine(input)}</Text>
          </span>
        )}{' '}
        {value !== undefined && BigInt(value) > 0n && <Wei amount={value} />}{' '}
        {logs !== undefined && <span class="quiet tree-events">{counted(logs.length, 'event')}</span>}{' '}
        {error !== undefined && (
          <span class="tree-error">
            ✗ <Text limit={200}>{errorOf(frame, known)!}</Text>
          </span>
        )}
        {isUndone && error === undefined && <span class="quiet">undone</span>}
      </span>{' '}
      {!isConsole(frame) && type !== 'SELFDESTRUCT' && (
        <span class="tree-gas">
          <Count value={gasUsed} />
        </span>
      )}
    </>
  )
}

/** Decodes a frame's function call; `undefined` for creations, precompiles, `console.log` and unknown functions. */
function calledBy(frame: RpcCallFrame, known: ContractsByAddress): DecodedItem | undefined {
  const { type, to, input } = frame
  if (isConsole(frame) || type.startsWith('CREATE') || precompileAt(to) !== undefined) return undefined
  return decodeCall(input, codecsFor(to, known))
}

/** Returns the label of a call, such as `Shop.buy`, `console.log`, `sha256`, or the address that receives ether. */
export function nameOf(frame: RpcCallFrame, known: ContractsByAddress): string {
  const { to, input, type } = frame
  if (isConsole(frame)) return 'console.log'
  const precompile = precompileAt(to)
  if (precompile !== undefined) return precompile
  const contract = to && known.get(to)?.info.name
  const where = contract ?? shortened(to ?? '')
  if (type.startsWith('CREATE')) return `new ${where}`
  if (type === 'SELFDESTRUCT') return `to ${where}`
  if (input === '0x') return contract ? `${where}.receive` : where
  return `${where}.${calledBy(frame, known)?.name ?? input.slice(0, 10)}`
}

function errorOf({ error, output, to }: RpcCallFrame, known: ContractsByAddress): string | undefined {
  return output === undefined ? error : errorText(decodeError(output, codecsFor(to, known)))
}

interface ChosenCallProps {
  node: CallNode
  parent: CallNode | undefined
  known: ContractsByAddress
  at: string
}

export function ChosenCall({ node: { frame, ownGas, isUndone }, parent, known, at }: ChosenCallProps) {
  const { from, to, value, gas, gasUsed, error, source, logs } = frame
  return (
    <section class="chosen-call" aria-label="the chosen call">
      <h2>
        <Text limit={120}>{nameOf(frame, known)}</Text>
      </h2>
      <Fields>
        <Field name="kind">{frame.type.toLowerCase()}</Field>
        <Field name="from" value={<Account address={from} known={known} />} />
        <Field name="to" value={to !== undefined && <Account address={to} known={known} />} />
        <Field name="value" value={value !== undefined && <Wei amount={value} />} />
        <Field name="gas used" hint="including its calls">
          <Count value={gasUsed} /> <span class="quiet">of</span> <Count value={gas} />
          {ownGas !== Number(gasUsed) && (
            <>
              , <Count value={ownGas} /> <span class="quiet">without its calls</span>
            </>
          )}
        </Field>
        <Field name="outcome">
          {error !== undefined ? (
            <>
              <span class="tree-error">{error === 'execution reverted' ? 'reverted:' : 'failed:'}</span>{' '}
              <Text>{errorOf(frame, known)!}</Text>
            </>
          ) : isUndone ? (
            'returned, and was undone when a call above it reverted'
          ) : (
            'returned'
          )}
        </Field>
      </Fields>
      <InputAndOutput frame={frame} known={known} at={at} />
      {logs !== undefined && (
        <>
          <h3>events</h3>
          <EventList
            logs={logs.map((log) => ({ ...log, transactionHash: null, logIndex: log.index }))}
            at={at}
          />
        </>
      )}
      {source !== undefined && (
        <>
          <h3>
            <Text>{`${source.file}:${source.line}`}</Text>
          </h3>
          <SourceExcerpt
            key={`${source.file} ${source.line}`}
            // The source position of a call is in the code of its caller.
            address={parent?.frame.to ?? parent?.frame.from ?? to ?? from}
            path={source.file}
            at={at}
            line={source.line}
          />
        </>
      )}
    </section>
  )
}

interface InputAndOutputProps {
  frame: RpcCallFrame
  known: ContractsByAddress
  at: string
}

function InputAndOutput({ frame, known, at }: InputAndOutputProps) {
  const { type, to, input, output, error } = frame
  if (isConsole(frame))
    return (
      <p>
        <Text limit={2_000}>{consoleLine(input)}</Text>
      </p>
    )
  const isNew = type.startsWith('CREATE')
  const call = calledBy(frame, known)
  const hasArguments = call === undefined ? input !== '0x' : call.args.length > 0
  const returned = output === undefined ? undefined : valuesIn(frame, known)
  return (
    <>
      {hasArguments && <h3>{call !== undefined || isNew ? 'arguments' : 'input'}</h3>}
      {isNew ? (
        <ConstructorArguments input={input} created={to} at={at} />
      ) : !hasArguments ? null : call === undefined ? (
        <Bytes hex={input} what="the input" />
      ) : (
        <Values values={call.args} />
      )}
      {output !== undefined && !(isNew && error === undefined) && (
        <>
          {(returned === undefined || returned.length > 0) && (
            <h3>{error === undefined ? 'returned' : 'arguments of the error'}</h3>
          )}
          {returned === undefined ? (
            <Bytes hex={output} what="what was returned" />
          ) : (
            <Values values={returned} />
          )}
        </>
      )}
    </>
  )
}

/** Decodes the return data of a call or, if it failed, the arguments of its custom error. */
function valuesIn(
  { to, input, output = '0x', error }: RpcCallFrame,
  known: ContractsByAddress,
): readonly Typed[] | undefined {
  const codecs = codecsFor(to, known)
  if (error === undefined) return decodeResult(input, output, codecs)
  const failure = decodeError(output, codecs)
  return failure.kind === 'custom' ? failure.error.args : undefined
}
