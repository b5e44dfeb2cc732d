/** The code of an account: as bytes, as instructions (selectors by the names of their functions), and its ABI. */
import { useMemo } from 'preact/hooks'
import type { Hex } from '../../../bytes/hex.ts'
import { disassembled } from '../../accounts/disassembly.ts'
import { Bytes, Copy } from '../../parts/Fields.tsx'
import { Text } from '../../parts/Value.tsx'
import { VirtualRows } from '../../parts/VirtualRows.tsx'
import { functionsOf } from './functions.ts'

/** Characters of an ABI that are shown; all of it is copied. */
const MOST_ABI = 100_000

export function CodeTab({ code, abi }: { code: Hex; abi: readonly unknown[] | undefined }) {
  const instructions = useMemo(() => disassembled(code), [code])
  const selectors = useMemo(() => {
    const functions = functionsOf((abi ?? []) as readonly { readonly type: string }[])
    return new Map<string, string>(functions.map(({ selector, signature }) => [selector, signature]))
  }, [abi])
  const text = useMemo(() => JSON.stringify(abi ?? [], undefined, 1), [abi])
  return (
    <>
      <h2>Bytecode</h2>
      <Bytes hex={code} what="the bytecode" limit={300} />
      <h2>Instructions</h2>
      <VirtualRows
        label="instructions"
        count={instructions.length}
        rowRem={1.5}
        columns={[
          { name: 'at', width: '5rem', class: 'end' },
          { name: 'opcode', width: '9rem' },
          { name: 'pushed' },
        ]}
        row={(i) => {
          const { at, name, pushed } = instructions[i]!
          return [
            <span class="number quiet" key="at" title={`byte ${at}`}>
              {`0x${at.toString(16).padStart(4, '0')}`}
            </span>,
            <code key="name">{name}</code>,
            <>
              <code title={pushed}>{pushed}</code>
              {name === 'PUSH4' && selectors.has(pushed) && (
                <span class="pushed-name">
                  <Text limit={100}>{selectors.get(pushed)!}</Text>
                </span>
              )}
            </>,
          ]
        }}
      />
      {abi !== undefined && (
        <>
          <h2>
            ABI <Copy text={JSON.stringify(abi)} what="the ABI" />
          </h2>
          <details>
            <summary>{abi.length} items</summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard. */}
            <pre class="code-text" tabIndex={0}>
              <Text limit={MOST_ABI}>{text}</Text>
            </pre>
          </details>
        </>
      )}
    </>
  )
}
