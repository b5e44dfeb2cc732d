import type { Hex } from '../../../bytes/hex.ts'
import type { SolidityFrame } from '../../../solidity/stackTrace/format.ts'
import type { DebugFrameAnswer } from '../../../wire/debugRun.ts'
import type { RpcTransaction } from '../../../wire/encode.ts'
import type { RpcCallFrame } from '../../../wire/encodeTrace.ts'
import { codecsFor, useContracts } from '../../decode/contracts.ts'
import { decodeCall, decodeResult, textIn } from '../../decode/decode.ts'
import { isReport } from '../../environment.ts'
import { loaded, useLoad } from '../../live/load.ts'
import { hrefOf, route } from '../../navigation.ts'
import { Count } from '../../parts/chain.tsx'
import { ConstructorArguments } from '../../parts/Decoded.tsx'
import { placeOf } from '../../parts/Failure.tsx'
import { SourceExcerpt } from '../../parts/SourceText.tsx'
import { Account, Text, Values } from '../../parts/Value.tsx'
import { type Explained, request } from '../../source/source.ts'
import { delegateOf } from './callTree.ts'

interface CallProps {
  transaction: RpcTransaction
  root: RpcCallFrame | undefined
  at: string | undefined
  created: Hex | null
  hasFailed: boolean
}

export function Call({ transaction: { to, input }, root, at, created, hasFailed }: CallProps) {
  const target = to ?? created
  const delegate = root && delegateOf(root)
  const known = useContracts(
    [target, delegate].filter((address) => typeof address === 'string'),
    at,
  )
  if (to === null) {
    return (
      <>
        <h2>Creation</h2>
        <p>
          {hasFailed && 'no contract was created at '}
          {created === null ? 'a contract' : <Account address={created} known={known.value} whole />} from{' '}
          <Count value={(input.length - 2) / 2} /> bytes of code and arguments
        </p>
        <ConstructorArguments input={input} created={created} at={at} />
      </>
    )
  }
  if (input === '0x') return null
  const codecs = codecsFor(to, known.value)
  const call = decodeCall(input, codecs)
  const text = call === undefined ? textIn(input) : undefined
  const isDone = root !== undefined && root.error === undefined && root.output !== undefined
  const result = isDone ? decodeResult(input, root.output!, codecs) : undefined
  return (
    <>
      <h2>Call</h2>
      {call === undefined ? (
        <p>
          <span class="id">{input.slice(0, 10)}</span>{' '}
          <span class="quiet">
            {isReport ? (
              'no ABI in the report has this function'
            ) : (
              <>
                no known ABI has this function: add artifacts, or an ABI with <code>devnet.abis.add</code>
              </>
            )}
          </span>
          {text !== undefined && (
            <>
              <br />
              as text: <Text limit={2_000}>{text}</Text>
            </>
          )}
        </p>
      ) : (
        <>
          <p>
            <strong>
              <Text limit={80}>{call.name}</Text>
            </strong>{' '}
            <span class="quiet">
              <Text>{call.signature}</Text> {call.stateMutability}
            </span>
          </p>
          <Values values={call.args} />
        </>
      )}
      {result !== undefined && result.length > 0 && (
        <>
          <h3>returned</h3>
          <Values values={result} />
        </>
      )}
    </>
  )
}

export function Failure({ hash, failure, at }: { hash: string; failure: string; at: string }) {
  const located = useLoad(() => request<Explained>('preseal_explain', [hash, true]), [hash, failure, at])
  const trace = loaded(located.value)?.stackTrace
  // Frames of unknown code are omitted, because they contain no information.
  const frames = trace?.frames.filter((frame) => frame.function ?? frame.position ?? frame.file) ?? []
  return (
    <section aria-label="why it failed">
      <p class="problem">
        <strong>failed</strong> <Text limit={2_000}>{failure}</Text>
      </p>
      {frames.length > 0 && (
        <>
          <ol class="solidity-stack" aria-label="Solidity stack trace">
            {frames.map((frame, i) => (
              <Frame key={i} frame={frame} at={at} isFirst={i === 0} />
            ))}
          </ol>
          {frames.some(({ position }) => position !== undefined) && (
            <p>
              <a href={hrefOf(route.value, new URLSearchParams({ tab: 'source' }))}>
                step by step, with variables
              </a>
            </p>
          )}
        </>
      )}
    </section>
  )
}

export function frameName({
  contract,
  function: name = '<unknown>',
}: SolidityFrame | DebugFrameAnswer): string {
  return contract === undefined ? name : `${contract}.${name}`
}

function Frame({ frame, at, isFirst }: { frame: SolidityFrame; at: string; isFirst: boolean }) {
  const { position, address } = frame
  const where = placeOf(frame)
  const title = (
    <>
      <Text limit={120}>{frameName(frame)}</Text>{' '}
      {where !== undefined && (
        <span class="quiet">
          <Text>{where}</Text>
        </span>
      )}
    </>
  )
  if (position === undefined || address === undefined) return <li>{title}</li>
  return (
    <li>
      <details open={isFirst}>
        <summary>{title}</summary>
        <SourceExcerpt address={address} path={position.file} at={at} line={position.line} />
      </details>
    </li>
  )
}
