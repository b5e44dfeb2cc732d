/** Shows the storage of a contract: variables if the layout is known, otherwise slots. */
import { useSignal } from '@preact/signals'
import { useId, useRef } from 'preact/hooks'
import type { Hex } from '../../../bytes/hex.ts'
import { counted } from '../../../model/api/text.ts'
import { names, withAddresses } from '../../accounts/names.ts'
import { grouped, withoutStruct, withoutZeros } from '../../format.ts'
import { wordsOf } from '../../moment.ts'
import { useKept } from '../../navigation.ts'
import { Answer, Nothing } from '../../parts/Answer.tsx'
import { Button, Copy, TextField } from '../../parts/controls.tsx'
import { useMoment, useStateLoad } from '../../parts/Moment.tsx'
import { Pager } from '../../parts/Tabs.tsx'
import { TableHead, WideTable } from '../../parts/tables.tsx'
import { Text, Value } from '../../parts/Value.tsx'
import { request } from '../../source/source.ts'
import type { SlotEntry, SlotVariable } from './account.ts'

interface StoragePage {
  readonly contract: string | null
  readonly entries: readonly StorageEntry[]
  readonly keyed: readonly SlotVariable[]
  readonly next: Hex | null
  readonly isPartial: boolean
}

const PAGE = 100

export function StorageTab({ address }: { address: string }) {
  const after = useKept<readonly Hex[]>('storage after', [])
  const last = after.value.at(-1)
  const asked = useStateLoad(
    (block) => {
      const part = { limit: PAGE, ...(last && { after: last }) }
      return request<StoragePage>('preseal_getStorage', [address, block, part])
    },
    [address, last],
  )
  return (
    <Answer asked={asked.value}>
      {(page) => (
        <>
          {page.isPartial && (
            <p class="quiet">
              The chain was forked from a network: of slots that did not change here, only those of variables
              are read.
            </p>
          )}
          {page.contract !== null && (
            <p class="quiet">
              named by the storage layout of <Text limit={100}>{page.contract}</Text>
            </p>
          )}
          {page.keyed.length > 0 && <VariableForm address={address} keyed={page.keyed} />}
          {page.entries.length === 0 ? (
            <Nothing>all storage is zero</Nothing>
          ) : (
            <StorageEntries entries={page.entries} label="storage" />
          )}
          {(page.next !== null || after.value.length > 0) && (
            <Pager places={after} next={page.next} back="before" on="more" />
          )}
        </>
      )}
    </Answer>
  )
}

interface VariableAnswer extends SlotVariable {
  readonly entries: readonly StorageEntry[]
  readonly isCut: boolean
}

const MOST_NAMED = 30

function VariableForm({ address, keyed }: { address: string; keyed: readonly SlotVariable[] }) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const typed = useSignal('')
  /** The submitted variable. It is requested again when the state changes. */
  const asked = useSignal<string | undefined>(undefined)
  function submit(event: Event) {
    event.preventDefault()
    asked.value = withAddresses(typed.value, names.value).trim() || undefined
  }
  return (
    <section class="variable-form" aria-label="a variable by name">
      <form onSubmit={submit}>
        <label for={id}>variable, with keys and members</label>
        <TextField
          id={id}
          ref={input}
          of={typed}
          placeholder={`such as ${keyed[0]?.name ?? 'balances'}[…]`}
        />
        <Button type="submit" text="look up" />
      </form>
      <ul class="plain-list">
        {keyed.slice(0, MOST_NAMED).map(({ name, type }) => (
          <li key={name}>
            <Button
              class="more"
              onClick={() => {
                typed.value = `${name}[`
                input.current?.focus()
              }}
              text={<Text limit={80}>{name}</Text>}
            />{' '}
            <span class="type">
              <Text limit={160}>{withoutStruct(type)}</Text>
            </span>
          </li>
        ))}
      </ul>
      {asked.value !== undefined && <Found key={asked.value} name={asked.value} address={address} />}
    </section>
  )
}

function Found({ name, address }: { name: string; address: string }) {
  const { moment } = useMoment()
  const asked = useStateLoad(
    (block) => request<VariableAnswer>('preseal_getVariable', [address, name, block]),
    [address, name],
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
            {found.isCut && <p class="quiet">and more: enter an index or key</p>}
          </>
        )}
      </Answer>
    </div>
  )
}

interface StorageEntry extends SlotEntry {
  readonly slot: Hex
  readonly word: Hex
  readonly variables: readonly Variable[]
}

interface Variable extends SlotVariable {
  readonly value: unknown
}

const COLUMNS = [{ name: 'variable' }, { name: 'value' }, { name: 'slot and word' }]

function StorageEntries({ entries, label }: { entries: readonly StorageEntry[]; label: string }) {
  return (
    <WideTable label={label}>
      <table class="stored">
        <TableHead columns={COLUMNS} />
        <tbody>{entries.map(rowsOf)}</tbody>
      </table>
    </WideTable>
  )
}

function rowsOf({ slot, word, variables }: StorageEntry) {
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
      <td>{variable && <StoredValue {...variable} />}</td>
      {i === 0 && (
        <td rowSpan={rows.length} class="word">
          <span class="stored-slot">
            <code title={`slot ${slot}`}>{withoutZeros(slot)}</code> <Copy text={slot} what="the slot" />
          </span>
          <span class="stored-word">
            <code title="word">{/^0x0+$/.test(word) ? '0x0' : word}</code>{' '}
            <Copy text={word} what="the word" />
          </span>
        </td>
      )}
    </tr>
  ))
}

function StoredValue({ name, type, value }: Variable) {
  // The slot of a dynamic array contains its length.
  if (type.endsWith('[]') && /^\d+$/.test(String(value)))
    return <span class="quiet">{counted(Number(value), 'item', grouped(BigInt(String(value))))}</span>
  return <Value parameter={{ name, type }} value={value} />
}
