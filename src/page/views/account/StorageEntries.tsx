/** Slots with the variables in them. */
import { withoutZeros } from '../../format/hex.ts'
import { withoutStruct } from '../../format/typeName.ts'
import { Copy } from '../../parts/Copy.tsx'
import { TableHead } from '../../parts/TableHead.tsx'
import { Text } from '../../parts/Text.tsx'
import { WideTable } from '../../parts/WideTable.tsx'
import type { Hex } from '../../source/answers.ts'
import { StoredValue } from './StoredValue.tsx'

/** A slot, as `preseal_getStorage` and `preseal_getVariable` have it. */
export interface StorageEntry {
  readonly slot: Hex
  readonly word: Hex
  readonly variables: readonly { readonly name: string; readonly type: string; readonly value: unknown }[]
}

export function StorageEntries({ entries, label }: { entries: readonly StorageEntry[]; label: string }) {
  return (
    <WideTable label={label}>
      <table class="stored">
        <TableHead names={['variable', 'value', 'slot and word']} />
        <tbody>
          {entries.flatMap(({ slot, word, variables }) => {
            const rows = variables.length === 0 ? [undefined] : variables
            return rows.map((variable, i) => (
              <tr key={`${slot} ${variable?.name ?? ''}`}>
                <td>
                  {variable === undefined ? (
                    <span class="quiet">not known</span>
                  ) : (
                    <>
                      <Text limit={160}>{variable.name}</Text>{' '}
                      <span class="type">
                        <Text limit={80}>{withoutStruct(variable.type)}</Text>
                      </span>
                    </>
                  )}
                </td>
                <td>{variable && <StoredValue type={variable.type} value={variable.value} />}</td>
                {i === 0 && (
                  <td rowSpan={rows.length} class="word">
                    <span class="stored-slot">
                      <code title={`slot ${slot}`}>{withoutZeros(slot)}</code>{' '}
                      <Copy text={slot} what="the slot" />
                    </span>
                    <span class="stored-word">
                      <code title="word">{/^0x0+$/.test(word) ? '0x0' : word}</code>{' '}
                      <Copy text={word} what="the word" />
                    </span>
                  </td>
                )}
              </tr>
            ))
          })}
        </tbody>
      </table>
    </WideTable>
  )
}
