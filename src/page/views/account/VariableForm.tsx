/** A variable of storage that a reader names, with keys and members: an entry of a mapping, an element of an array. */
import { useSignal } from '@preact/signals'
import { useId, useRef } from 'preact/hooks'
import type { Hex } from '../../../bytes/hex.ts'
import { names, withAddresses } from '../../accounts/names.ts'
import { withoutStruct, withoutZeros } from '../../format/quantity.ts'
import { useFollowed } from '../../live/head.ts'
import { type Moment, wordsOf } from '../../moment.ts'
import { Answer } from '../../parts/Answer.tsx'
import { Copy } from '../../parts/Fields.tsx'
import { Text } from '../../parts/Value.tsx'
import { TableHead } from '../../parts/VirtualRows.tsx'
import { WideTable } from '../../parts/WideTable.tsx'
import { source } from '../../source/socketSource.ts'
import { StoredValue } from './StoredValue.tsx'

/** A variable whose values are found by keys. */
export interface KeyedVariable {
  readonly name: string
  readonly type: string
}

/** The answer of `preseal_getVariable`. */
interface VariableAnswer {
  readonly name: string
  readonly type: string
  readonly entries: readonly StorageEntry[]
  readonly isCut: boolean
}

interface At {
  readonly address: string
  readonly moment: Moment
  readonly changes: number
}

/** Variables that are named in front of the form. */
const MOST_NAMED = 30

export function VariableForm({ keyed, ...at }: At & { keyed: readonly KeyedVariable[] }) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const typed = useSignal('')
  /** What was asked; it is asked again when the state changes. */
  const asked = useSignal<string | undefined>(undefined)
  function submit(event: Event) {
    event.preventDefault()
    asked.value = withAddresses(typed.value, names.value).trim() || undefined
  }
  return (
    <section class="variable-form" aria-label="a variable by its name">
      <form onSubmit={submit}>
        <label for={id}>a variable, with keys and members</label>
        <input
          id={id}
          ref={input}
          type="text"
          autocomplete="off"
          spellcheck={false}
          placeholder={`such as ${keyed[0]?.name ?? 'balances'}[…]`}
          value={typed.value}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value
          }}
        />
        <button type="submit">look up</button>
      </form>
      <ul class="plain-list">
        {keyed.slice(0, MOST_NAMED).map(({ name, type }) => (
          <li key={name}>
            <button
              type="button"
              class="more"
              onClick={() => {
                typed.value = `${name}[`
                input.current?.focus()
              }}
            >
              <Text limit={80}>{name}</Text>
            </button>{' '}
            <span class="type">
              <Text limit={160}>{withoutStruct(type)}</Text>
            </span>
          </li>
        ))}
      </ul>
      {asked.value !== undefined && <Found key={asked.value} name={asked.value} {...at} />}
    </section>
  )
}

function Found({ name, address, moment, changes }: At & { name: string }) {
  const asked = useFollowed(
    () => source().request<VariableAnswer>('preseal_getVariable', [address, name, moment.block]),
    [address, name, moment.text],
    changes,
  )
  return (
    <div role="status">
      <Answer asked={asked.value}>
        {(found) => (
          <>
            <p class="quiet">
              <Text limit={200}>{`${found.name}: ${withoutStruct(found.type)}`}</Text> at {wordsOf(moment)}
            </p>
            <StorageEntries entries={found.entries} label="the variable" />
            {found.isCut && <p class="quiet">and more: name an element of it</p>}
          </>
        )}
      </Answer>
    </div>
  )
}

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
