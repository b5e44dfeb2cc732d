/** A call: its row in the tree, and its details when it is chosen. */
import { counted } from '../../../model/api/text.ts'
import type { RpcCallFrame } from '../../../wire/encodeTrace.ts'
import { type ContractsByAddress, codecsFor } from '../../decode/contracts.ts'
import { decodeCall, decodeError, decodeResult } from '../../decode/decode.ts'
import { shortened } from '../../format.ts'
import { Account } from '../../parts/Account.tsx'
import { Count, Wei } from '../../parts/amounts.tsx'
import { ConstructorArguments } from '../../parts/Creation.tsx'
import { EventList } from '../../parts/EventList.tsx'
import { Bytes, Field, Fields } from '../../parts/Fields.tsx'
import { errorText, lineOf } from '../../parts/Method.tsx'
import { SourceExcerpt } from '../../parts/SourceText.tsx'
import { Text, Values } from '../../parts/Value.tsx'
import { consoleLine } from './ConsoleLines.tsx'
import { type CallNode, isConsole, precompileAt } from './callTree.ts'

const KINDS: Readonly<Record<string, string>> = {
  CALL: 'call',
  STATICCALL: 'static',
  DELEGATECALL: 'delegate',
  CALLCODE: 'callcode',
  CREATE: 'create',
  CREATE2: 'create2',
  SELFDESTRUCT: 'destruct',
}

export function CallRow({ node: { frame }, known }: { node: CallNode; known: ContractsByAddress }) {
  const { type, gasUsed, value, error, input, output, to, logs } = frame
  const codecs = codecsFor(to, known)
  const isOfAbi = !isConsole(frame) && !type.startsWith('CREATE') && precompileAt(to) === undefined
  const call = isOfAbi ? decodeCall(input, codecs) : undefined
  return (
    <>
      <span class="tree-what">
        <span class="tree-kind">{KINDS[type] ?? type.toLowerCase()}</span>{' '}
        <span class="tree-name">
          <Text limit={120}>{nameOf(frame, known)}</Text>
        </span>
        {isConsole(frame) ? (
          <span class="quiet">
            {' '}
            <Text limit={200}>{consoleLine(input)}</Text>
          </span>
        ) : (
          call !== undefined && (
            <span class="quiet">
              (<Text limit={160}>{call.args.map(({ value: each }) => lineOf(each, 44)).join(', ')}</Text>)
            </span>
          )
        )}
        {value !== undefined && BigInt(value) > 0n && (
          <>
            {' '}
            <Wei amount={value} />
          </>
        )}
        {logs !== undefined && (
          <>
            {' '}
            <span class="quiet tree-events">{counted(logs.length, 'event')}</span>
          </>
        )}
        {error !== undefined && (
          <span class="tree-error">
            {' '}
            ✗ <Text limit={200}>{errorOf(error, output, codecs)}</Text>
          </span>
        )}
      </span>{' '}
      {!isConsole(frame) && type !== 'SELFDESTRUCT' && (
        <span class="tree-gas">
          <Count value={gasUsed} />
        </span>
      )}
    </>
  )
}

/** Returns the label of a call: `Shop.buy`, `console.log`, `sha256`, or the address that receives ether. */
export function nameOf(frame: RpcCallFrame, known: ContractsByAddress): string {
  const { to, input, type } = frame
  if (isConsole(frame)) return 'console.log'
  const precompile = to === undefined ? undefined : precompileAt(to)
  if (precompile !== undefined) return precompile
  const contract = to === undefined ? undefined : (known.get(to)?.info.name ?? undefined)
  const where = contract ?? (to === undefined ? '' : shortened(to))
  if (type.startsWith('CREATE')) return `new ${where}`
  if (type === 'SELFDESTRUCT') return `to ${where}`
  if (input === '0x') return contract === undefined ? where : `${where}.receive`
  const call = decodeCall(input, codecsFor(to, known))
  return `${where}.${call?.name ?? input.slice(0, 10)}`
}

function errorOf(
  error: string,
  output: RpcCallFrame['output'],
  codecs: Parameters<typeof decodeError>[1],
): string {
  return output === undefined ? error : errorText(decodeError(output, codecs))
}

export function ChosenCall({
  node: { frame, ownGas },
  parent,
  known,
  at,
}: {
  node: CallNode
  parent: CallNode | undefined
  known: ContractsByAddress
  at: string
}) {
  const { from, to, value, gas, gasUsed, input, output, error, source, logs } = frame
  const codecs = codecsFor(to, known)
  const isNew = frame.type.startsWith('CREATE')
  const isOfAbi = !isConsole(frame) && !isNew && precompileAt(to) === undefined
  const call = isOfAbi ? decodeCall(input, codecs) : undefined
  const hasArguments = call === undefined ? input !== '0x' : call.args.length > 0
  const result = error === undefined && output !== undefined ? decodeResult(input, output, codecs) : undefined
  const failure = error !== undefined && output !== undefined ? decodeError(output, codecs) : undefined
  return (
    <section class="chosen-call" aria-label="the chosen call">
      <h2>
        <Text limit={120}>{nameOf(frame, known)}</Text>
      </h2>
      <Fields>
        <Field name="kind">{frame.type.toLowerCase()}</Field>
        <Field name="from">
          <Account address={from} known={known} />
        </Field>
        {to !== undefined && (
          <Field name="to">
            <Account address={to} known={known} />
          </Field>
        )}
        {value !== undefined && (
          <Field name="value">
            <Wei amount={value} />
          </Field>
        )}
        <Field name="gas used" hint="including its calls">
          <Count value={gasUsed} /> <span class="quiet">of</span> <Count value={gas} />
          {ownGas !== Number(gasUsed) && (
            <>
              , <Count value={ownGas} /> <span class="quiet">without its calls</span>
            </>
          )}
        </Field>
        {error !== undefined && (
          <Field name="failed">
            <Text>{failure === undefined ? error : errorText(failure)}</Text>
          </Field>
        )}
      </Fields>
      {isConsole(frame) ? (
        <p>
          <Text limit={2_000}>{consoleLine(input)}</Text>
        </p>
      ) : (
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
              {(result === undefined || result.length > 0) && <h3>returned</h3>}
              {result !== undefined ? (
                <Values values={result} />
              ) : failure?.kind === 'custom' ? (
                <Values values={failure.error.args} />
              ) : (
                <Bytes hex={output} what="what was returned" />
              )}
            </>
          )}
        </>
      )}
      {logs !== undefined && (
        <>
          <h3>events</h3>
          <EventList
            logs={logs.map((log) => ({
              ...log,
              transactionHash: null,
              logIndex: log.index,
            }))}
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
            address={codeAddress(parent?.frame ?? frame)}
            path={source.file}
            at={at}
            line={source.line}
          />
        </>
      )}
    </section>
  )
}

function codeAddress({ from, to }: RpcCallFrame): string {
  return to ?? from
}
