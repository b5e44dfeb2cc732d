/** The code of an account: as bytes, as instructions, and its ABI. */
import { useMemo } from 'preact/hooks'
import { disassembled } from '../../accounts/disassembly.ts'
import { Bytes } from '../../parts/Bytes.tsx'
import { Copy } from '../../parts/Copy.tsx'
import { Text } from '../../parts/Text.tsx'
import { VirtualRows } from '../../parts/VirtualRows.tsx'
import type { Hex } from '../../source/answers.ts'

/** Characters of an ABI that are shown; all of it is copied. */
const MOST_ABI = 100_000

export function CodeTab({ code, abi }: { code: Hex; abi: readonly unknown[] | undefined }) {
  const instructions = useMemo(() => disassembled(code), [code])
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
          { name: 'at', width: '6rem', class: 'end' },
          { name: 'opcode', width: '11rem' },
          { name: 'pushed' },
        ]}
        row={(i) => {
          const { at, name, pushed } = instructions[i]!
          return [
            <span class="number" key="at" title={`0x${at.toString(16)}`}>
              {at}
            </span>,
            <code key="name">{name}</code>,
            <code key="pushed" title={pushed}>
              {pushed}
            </code>,
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
