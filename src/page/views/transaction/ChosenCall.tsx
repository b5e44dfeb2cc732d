/** The chosen call: all that is known of it. */
import type { RpcCallFrame } from '../../../wire/encodeTrace.ts'
import { decodeCall, decodeError, decodeResult } from '../../decode/decode.ts'
import { type ContractsByAddress, codecsFor } from '../../decode/index.ts'
import { errorText } from '../../decode/words.tsx'
import { Account } from '../../parts/Account.tsx'
import { Count, Wei } from '../../parts/amounts.tsx'
import { ConstructorArguments } from '../../parts/Creation.tsx'
import { EventList } from '../../parts/EventList.tsx'
import { Bytes, Field, Fields } from '../../parts/Fields.tsx'
import { SourceExcerpt } from '../../parts/SourceText.tsx'
import { Text, Values } from '../../parts/Value.tsx'
import { nameOf } from './CallRow.tsx'
import { consoleLine } from './ConsoleLines.tsx'
import { type CallNode, isConsole, precompileAt } from './callTree.ts'

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
        <Field name="gas used" hint="with that of its calls">
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

/** The account whose code ran in a call. */
function codeAddress({ from, to }: RpcCallFrame): string {
  return to ?? from
}
