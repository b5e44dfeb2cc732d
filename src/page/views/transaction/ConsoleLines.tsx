/** Lines that a transaction printed with `console.log`. */
import { useMemo } from 'preact/hooks'
import { fromHex, type Hex } from '../../../bytes/hex.ts'
import { consoleText, consoleValues } from '../../../solidity/abi/consoleText.ts'
import type { RpcCallFrame } from '../../../wire/encodeTrace.ts'
import { useContracts } from '../../decode/contracts.ts'
import { Account } from '../../parts/Account.tsx'
import { Nothing } from '../../parts/Answer.tsx'
import { Text } from '../../parts/Value.tsx'
import { callNodes, isConsole } from './callTree.ts'

/** Returns the line of a call of the console; the raw bytes if console.sol has no such function. */
export function consoleLine(input: Hex): string {
  const values = consoleValues(fromHex(input))
  return values === undefined ? input : consoleText(values)
}

const MOST_LINES = 500
const MOST_BRIEF = 10

interface ConsoleLinesProps {
  root: RpcCallFrame
  at: string
  /** Only the first lines, and nothing if there are none. */
  isBrief?: boolean
}

export function ConsoleLines({ root, at, isBrief = false }: ConsoleLinesProps) {
  const calls = useMemo(() => callNodes(root).filter(({ frame }) => isConsole(frame)), [root])
  const known = useContracts([...new Set(calls.map(({ frame }) => frame.from))].slice(0, 100), at)
  if (calls.length === 0) return isBrief ? null : <Nothing>no console.log output</Nothing>
  const most = isBrief ? MOST_BRIEF : MOST_LINES
  return (
    <>
      {isBrief && <h2>console.log</h2>}
      <ol class="console-list">
        {calls.slice(0, most).map(({ index, frame, isUndone }) => (
          <li key={index}>
            <Text limit={2_000}>{consoleLine(frame.input)}</Text>{' '}
            <span class="quiet">
              <Account address={frame.from} known={known.value} />
              {isUndone && ' (in a call that failed)'}
            </span>
          </li>
        ))}
      </ol>
      {calls.length > most && <p class="quiet">{calls.length - most} more lines</p>}
    </>
  )
}
