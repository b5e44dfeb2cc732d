/** A call in the tree, in a line. */
import { counted } from '../../../model/text.ts'
import type { RpcCallFrame } from '../../../wire/encodeTrace.ts'
import { decodeCall, decodeError } from '../../decode/decode.ts'
import { type ContractsByAddress, codecsFor } from '../../decode/index.ts'
import { errorText, lineOf } from '../../decode/words.tsx'
import { shortened } from '../../format/quantity.ts'
import { Count, Wei } from '../../parts/amounts.tsx'
import { Text } from '../../parts/Value.tsx'
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

/** Returns what a call is called: `Shop.buy`, `console.log`, `sha256`; of what pays an account only its address. */
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
