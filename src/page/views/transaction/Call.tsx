/** The decoded call or creation of a transaction: arguments and return values. */
import type { Hex } from '../../../bytes/hex.ts'
import type { RpcTransaction } from '../../../wire/encode.ts'
import type { RpcCallFrame } from '../../../wire/encodeTrace.ts'
import { codecsFor, useContracts } from '../../decode/contracts.ts'
import { decodeCall, decodeResult, textIn } from '../../decode/decode.ts'
import { isReport } from '../../environment.ts'
import { Account } from '../../parts/Account.tsx'
import { Count } from '../../parts/amounts.tsx'
import { ConstructorArguments } from '../../parts/Creation.tsx'
import { Text, Values } from '../../parts/Value.tsx'
import { delegateOf } from './callTree.ts'

export function Call({
  transaction: { to, input },
  root,
  at,
  created,
  hasFailed,
}: {
  transaction: RpcTransaction
  root: RpcCallFrame | undefined
  at: string | undefined
  created: Hex | null
  hasFailed: boolean
}) {
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
