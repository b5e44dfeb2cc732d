/** Values of Solidity by their ABI: addresses lead to their accounts, tuples and arrays open, strings are text of strangers. */
import { useSignal } from '@preact/signals'
import type { Parameter } from '../../solidity/abi/decoded.ts'
import type { Typed } from '../decode/decode.ts'
import { grouped, isAddress, typeName, visible } from '../format.ts'
import { Bytes, Copy } from './Fields.tsx'
import { Hint } from './Hint.tsx'
import { AddressLink } from './links.tsx'
import { More } from './Tabs.tsx'
import './value.css'

/** Members that are shown before a reader asks for more. */
const FIRST_MEMBERS = 20
/** Of longer texts the beginning is shown; all of it is copied. */
const MOST_LETTERS = 1_000

/** Shows one value. What is within tuples and arrays stands below it, and is closed from the third level on. */
export function Value({ parameter, value, level = 0 }: Typed & { level?: number }) {
  const { type } = parameter
  if (value === undefined || value === null) return <span class="quiet">not told</span>
  // Of an indexed parameter that does not fit into a topic only the hash is there.
  if (parameter.indexed && /^(string|bytes|tuple)$|\]$/.test(type))
    return <Hashed value={value} type={type} />
  const members = membersOf(parameter, value)
  if (members !== undefined) return <Members members={members} type={typeName(parameter)} level={level} />
  if (type === 'address' && typeof value === 'string') return <AddressLink address={value} />
  if (type.startsWith('bytes')) return <Bytes hex={String(value)} what={parameter.name || type} />
  if (/^u?int|^fixed|^ufixed/.test(type)) return <Integer value={value as string | number | bigint} />
  if (typeof value === 'boolean') return <span class="number">{String(value)}</span>
  if (!/^(string|function)/.test(type)) return <OfSolidity type={type} value={String(value)} />
  return (
    <span class="string">
      <Text limit={MOST_LETTERS}>{String(value)}</Text>
      {String(value).length > MOST_LETTERS && <Copy text={String(value)} what="the text" />}
    </span>
  )
}

/** A value of a type that ABIs do not have: a contract, an enum, a value type of users; or of a member whose type is not told. */
function OfSolidity({ type, value }: { type: string; value: string }) {
  if (isAddress(value)) return <AddressLink address={value} />
  if (type !== '' && /^-?\d+$/.test(value)) return <Integer value={value} />
  if (/^0x[0-9a-f]*$/.test(value)) return <Bytes hex={value} />
  return <Text limit={MOST_LETTERS}>{value}</Text>
}

/** Shows values with their names and types, one below the other. */
export function Values({ values, level = 0 }: { values: readonly Typed[]; level?: number }) {
  return (
    <dl class="values">
      {values.map(({ parameter, value }, i) => (
        <div class="value" key={i}>
          <dt>
            {parameter.name ? <Text limit={80}>{parameter.name}</Text> : <span class="quiet">{i}</span>}{' '}
            <span class="type">
              <Text limit={60}>{typeName(parameter)}</Text>
            </span>
          </dt>
          <dd>
            <Value parameter={parameter} value={value} level={level} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Members({ members, type, level }: { members: readonly Typed[]; type: string; level: number }) {
  const shown = useSignal(FIRST_MEMBERS)
  if (members.length === 0) return <span class="number">[]</span>
  return (
    <details class="members" open={level < 2}>
      <summary>
        {type.endsWith(']')
          ? `${grouped(members.length)} of ${type.slice(0, type.lastIndexOf('['))}`
          : `${members.length} members`}
      </summary>
      <Values values={members.slice(0, shown.value)} level={level + 1} />
      <More count={members.length} shown={shown} what="members" />
    </details>
  )
}

function membersOf(parameter: Parameter, value: unknown): readonly Typed[] | undefined {
  const { type, components } = parameter
  if (Array.isArray(value) && type.endsWith(']')) {
    const item = { ...parameter, name: '', type: type.slice(0, type.lastIndexOf('[')) }
    return value.map((each) => ({ parameter: item, value: each }))
  }
  if (typeof value !== 'object') return undefined
  // An object if all components have names, an array otherwise.
  return Object.entries(value as object).map(([name, member], i) => ({
    parameter: components?.[i] ?? { name, type: '' },
    value: member,
  }))
}

function Integer({ value }: { value: string | number | bigint }) {
  return (
    <span class="number integer" title={String(value)}>
      {grouped(typeof value === 'number' ? value : BigInt(value))}
    </span>
  )
}

function Hashed({ value, type }: { value: unknown; type: string }) {
  return (
    <>
      <Bytes hex={String(value)} what="the hash" /> <span class="quiet">hash of the {type}</span>
    </>
  )
}

/** Shows a string that comes from a contract, an ABI or a request: as text, isolated, and at most `limit` characters of it. */
export function Text({ children, limit = 300 }: { children: string; limit?: number }) {
  const isCut = children.length > limit
  return (
    <bdi class="text" title={isCut ? `${children.length} characters` : undefined}>
      {visible(children, limit)}
      {isCut && <span class="cut">… {children.length - limit} more</span>}
    </bdi>
  )
}

/** The id of a token (ERC-721, ERC-1155), of any size: `number 7`. Long ones, such as hashes, are shortened. */
const MOST_DIGITS = 20

export function TokenId({ id }: { id: bigint }) {
  const digits = String(id)
  if (digits.length <= MOST_DIGITS) return <span class="number">number {digits}</span>
  return (
    <span class="number">
      number <Hint text={digits}>{`${digits.slice(0, 6)}…${digits.slice(-4)}`}</Hint>
    </span>
  )
}
