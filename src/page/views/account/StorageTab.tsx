/** The storage of a contract at a moment: by the names of its variables where its layout is known. */
import { useSignal } from '@preact/signals'
import { useFollowed } from '../../live/followed.ts'
import type { Moment } from '../../moment.ts'
import { Answer, Nothing } from '../../parts/Answer.tsx'
import { Copy } from '../../parts/Copy.tsx'
import { Text } from '../../parts/Text.tsx'
import type { Hex } from '../../source/answers.ts'
import { source } from '../../source/index.ts'
import { StoredValue } from './StoredValue.tsx'
import { WideTable } from './WideTable.tsx'

/** The answer of `preseal_getStorage`. */
interface StoragePage {
  readonly contract: string | null
  readonly entries: readonly {
    readonly slot: Hex
    readonly word: Hex
    readonly variables: readonly { readonly name: string; readonly type: string; readonly value: unknown }[]
  }[]
  readonly next: Hex | null
  readonly isPartial: boolean
}

const PAGE = 100

export function StorageTab({
  address,
  moment,
  changes,
}: {
  address: string
  moment: Moment
  changes: number
}) {
  /** The slots after which the pages begin. */
  const after = useSignal<readonly Hex[]>([])
  const last = after.value.at(-1)
  const asked = useFollowed(
    () =>
      source().request<StoragePage>('preseal_getStorage', [
        address,
        moment.block,
        { limit: PAGE, ...(last && { after: last }) },
      ]),
    [address, moment.text, last],
    changes,
  )
  return (
    <Answer asked={asked.value}>
      {(page) => (
        <>
          {page.isPartial && (
            <p class="quiet">
              The chain was forked from a network: slots that did not change here are read where a variable is
              there.
            </p>
          )}
          {page.contract !== null && (
            <p class="quiet">
              named by the storage layout of <Text limit={100}>{page.contract}</Text>
            </p>
          )}
          {page.entries.length === 0 ? <Nothing>all storage is zero</Nothing> : <Entries page={page} />}
          {(page.next !== null || after.value.length > 0) && (
            <p class="pager">
              <button
                type="button"
                disabled={after.value.length === 0}
                onClick={() => {
                  after.value = after.value.slice(0, -1)
                }}
              >
                before
              </button>
              <button
                type="button"
                disabled={page.next === null}
                onClick={() => {
                  after.value = [...after.value, page.next!]
                }}
              >
                more
              </button>
            </p>
          )}
        </>
      )}
    </Answer>
  )
}

function Entries({ page }: { page: StoragePage }) {
  return (
    <WideTable label="storage">
      <table>
        <thead>
          <tr>
            <th scope="col">variable</th>
            <th scope="col">type</th>
            <th scope="col">value</th>
            <th scope="col">slot and word</th>
          </tr>
        </thead>
        <tbody>
          {page.entries.flatMap(({ slot, word, variables }) => {
            const rows = variables.length === 0 ? [undefined] : variables
            return rows.map((variable, i) => (
              <tr key={`${slot} ${variable?.name ?? ''}`}>
                <td>
                  {variable === undefined ? (
                    <span class="quiet">not known</span>
                  ) : (
                    <Text limit={160}>{variable.name}</Text>
                  )}
                </td>
                <td class="type">{variable && <Text limit={80}>{variable.type}</Text>}</td>
                <td>{variable && <StoredValue type={variable.type} value={variable.value} />}</td>
                {i === 0 && (
                  <td rowSpan={rows.length} class="word">
                    <code title="slot">{slot}</code> <Copy text={slot} what="the slot" />
                    <br />
                    <code title="word">{word}</code> <Copy text={word} what="the word" />
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
