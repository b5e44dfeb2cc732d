import type { Hex } from '../../bytes/hex.ts'
import type { Codec } from '../../solidity/abi/codec.ts'
import type { SolidityFrame, SolidityStackTrace } from '../../solidity/stackTrace/format.ts'
import { type DecodedError, decodeError } from '../decode/decode.ts'
import { AnswerError } from '../source/source.ts'
import { Problem } from './Answer.tsx'
import { AddressLink, TransactionLink } from './chain.tsx'
import { Bytes } from './controls.tsx'
import { Text, Values } from './Value.tsx'
import './failure.css'

export function Failure({ error, codecs }: { error: Error; codecs: readonly Codec[] }) {
  const { data = undefined, stackTrace } = error instanceof AnswerError ? error : {}
  const decoded = isBytes(data) ? decodeError(data, codecs) : undefined
  if (decoded === undefined)
    return (
      <>
        <Problem error={error} />
        {stackTrace && <StackTrace trace={stackTrace} />}
      </>
    )
  // For these kinds, the stack trace's message would repeat the decoded reason.
  const isTold = decoded.kind === 'reason' || decoded.kind === 'custom'
  return (
    <div class="problem failure" role="alert">
      <RevertReason decoded={decoded} />
      {stackTrace && <StackTrace trace={stackTrace} isBrief={isTold} />}
    </div>
  )
}

function RevertReason({ decoded }: { decoded: DecodedError }) {
  switch (decoded.kind) {
    case 'empty':
      return <p>reverted without a reason</p>
    case 'reason':
      return (
        <p>
          reverted: <Text limit={2_000}>{decoded.text}</Text>
        </p>
      )
    case 'custom':
      return (
        <>
          <p>
            reverted with <Text>{decoded.error.signature}</Text>
          </p>
          {decoded.error.args.length > 0 && <Values values={decoded.error.args} />}
        </>
      )
    case 'unknown':
      return (
        <p>
          reverted with an unknown error: <Bytes hex={decoded.data} what="the data" />
        </p>
      )
  }
}

/** Shows the frames of a stack trace, innermost first. `isBrief` omits the message. */
export function StackTrace({ trace, isBrief = false }: { trace: SolidityStackTrace; isBrief?: boolean }) {
  return (
    <section class="stack-trace" aria-label="Solidity stack trace">
      {!isBrief && (
        <p>
          <Text limit={2_000}>{trace.message}</Text>
        </p>
      )}
      <ol>
        {trace.frames.map((frame, i) => (
          <li key={i}>
            at <Text limit={120}>{nameOf(frame)}</Text>{' '}
            {placeOf(frame) !== undefined && (
              <>
                (<Text limit={200}>{placeOf(frame)!}</Text>)
              </>
            )}{' '}
            {frame.address !== undefined && frame.contract === undefined && (
              <AddressLink address={frame.address} />
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

function nameOf({ contract, function: name, isModifier }: SolidityFrame): string {
  const called = name !== undefined && isModifier ? `modifier ${name}` : name
  return [contract, called].filter(Boolean).join('.') || 'unknown code'
}

/** Returns file, line and column of a frame. Returns only the file if the position is unknown. */
export function placeOf({ position, file }: SolidityFrame): string | undefined {
  return position === undefined ? file : `${position.file}:${position.line}:${position.column}`
}

function isBytes(data: unknown): data is Hex {
  return typeof data === 'string' && /^0x([0-9a-f]{2})*$/i.test(data)
}

const HASH = /(0x[0-9a-f]{64})/

/** Shows a text from the devnet. Transaction hashes in it become links. */
export function Reason({ children }: { children: string }) {
  return (
    <>
      {children.split(HASH).map((part, i) =>
        HASH.test(part) ? (
          <TransactionLink key={i} hash={part} />
        ) : (
          <Text key={i} limit={600}>
            {part}
          </Text>
        ),
      )}
    </>
  )
}
