/** Shows accounts, Solidity values by type, and JSON. Tuples and arrays can be expanded, strings are untrusted. */
import { useSignal } from '@preact/signals'
import type { Parameter } from '../../solidity/abi/decoded.ts'
import type { Typed } from '../decode/decode.ts'
import { grouped, isAddress, typeName, visible } from '../format.ts'
import { AddressLink } from './chain.tsx'
import { Bytes, Copy, Hint, MOST_SHOWN } from './controls.tsx'
import { More } from './Tabs.tsx'
import './value.css'
import { named, nameOf } from '../accounts/names.ts'
import type { ContractsByAddress } from '../decode/contracts.ts'

const FIRST_MEMBERS = 20
/** Longer text is cut off. The copy button copies all of it. */
const MOST_LETTERS = 1_000

/** Shows a value. The members of a tuple or an array are below it, collapsed from the third level on. */
export function Value({ parameter, value, level = 0 }: Typed & { level?: number }) {
  const { type } = parameter
  if (value === undefined || value === null) return <span class="quiet">unknown</span>
  // For an indexed string, bytes, array or tuple, the topic contains only the hash of the value.
  if (parameter.indexed && /^(string|bytes|tuple)$|\]$/.test(type))
    return (
      <>
        <Bytes hex={String(value)} what="the hash" /> <span class="quiet">hash of the {type}</span>
      </>
    )
  const members = membersOf(parameter, value)
  if (members !== undefined) return <Members members={members} type={typeName(parameter)} level={level} />
  if (type === 'address' && typeof value === 'string') return <AddressLink address={value} />
  if (type.startsWith('bytes')) return <Bytes hex={String(value)} what={parameter.name || type} />
  if (/^u?int|^fixed|^ufixed/.test(type)) return <Integer value={value as string | number | bigint} />
  if (typeof value === 'boolean') return <span class="number">{String(value)}</span>
  if (!/^(string|function)/.test(type)) return <NonAbiValue type={type} value={String(value)} />
  return (
    <span class="string">
      <Text limit={MOST_LETTERS}>{String(value)}</Text>
      {String(value).length > MOST_LETTERS && <Copy text={String(value)} what="the text" />}
    </span>
  )
}

/** Shows a value whose type is unknown or not an ABI type, such as a contract or an enum. */
function NonAbiValue({ type, value }: { type: string; value: string }) {
  if (isAddress(value)) return <AddressLink address={value} />
  if (type !== '' && /^-?\d+$/.test(value)) return <Integer value={value} />
  if (/^0x[0-9a-f]*$/.test(value)) return <Bytes hex={value} />
  return <Text limit={MOST_LETTERS}>{value}</Text>
}

/** A value of the debugger, which may be unknown or incomplete. */
export interface ToldValue extends Typed {
  /** The reason why the value or a part of it is unknown. */
  readonly reason?: string | undefined
  /** The number of array elements that are left out. */
  readonly omitted?: number | undefined
}

export function Values({ values, level = 0 }: { values: readonly ToldValue[]; level?: number }) {
  return (
    <dl class="values">
      {values.map(({ parameter, value, reason, omitted = 0 }, i) => (
        <div class="value" key={i}>
          <dt>
            {parameter.name ? <Text limit={80}>{parameter.name}</Text> : <span class="quiet">{i}</span>}{' '}
            <span class="type">
              <Text limit={60}>{typeName(parameter)}</Text>
            </span>
          </dt>
          <dd>
            {(value !== undefined || reason === undefined) && (
              <Value parameter={parameter} value={value} level={level} />
            )}
            {omitted > 0 && <span class="quiet"> and {grouped(omitted)} more elements</span>}
            {reason !== undefined && <span class="quiet"> unknown: {reason}</span>}
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
  // A tuple is an object if all its components have names, otherwise an array.
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

/** Shows an untrusted string, such as one from a contract, an ABI or a request. Isolates its text direction. */
export function Text({ children, limit = 300 }: { children: string; limit?: number }) {
  const isCut = children.length > limit
  return (
    <bdi class="text" title={isCut ? `${children.length} characters` : undefined}>
      {visible(children, limit)}
      {isCut && <span class="cut">… {children.length - limit} more</span>}
    </bdi>
  )
}

/** Token ids with more digits, such as hashes, are shortened. */
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

interface AccountProps {
  address: string
  known: ContractsByAddress
  whole?: boolean
}

/** A link to an account. A name that `AddressLink` does not show, but `known` contains, precedes the link. */
export function Account({ address, known, whole = false }: AccountProps) {
  const isNamed = !whole && nameOf(address) !== undefined
  const name = isNamed ? undefined : known.get(address.toLowerCase())?.info.name
  return (
    <>
      {name && (
        <>
          <span class="contract-name">
            <Text limit={60}>{name}</Text>
          </span>{' '}
        </>
      )}
      <AddressLink address={address} whole={whole} />
    </>
  )
}

/** The `id` of the datalist, for the attribute `list` of an input. */
export const ADDRESSES = 'known-addresses'

export function KnownAddresses() {
  return (
    <datalist id={ADDRESSES}>
      {named.value.map(({ name, address }) => (
        <option key={`${name} ${address}`} value={address}>
          {visible(name, 60)}
        </option>
      ))}
    </datalist>
  )
}

/** Shows a value as indented JSON, with a copy button. `what` is the accessible name. */
export function Json({ value, what }: { value: unknown; what: string }) {
  const text = JSON.stringify(value, undefined, 2) ?? 'undefined'
  return (
    <div class="json">
      <Copy text={text} what={what} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable. */}
      <section class="scrolling" tabIndex={0} aria-label={what}>
        <pre>
          {visible(text, MOST_SHOWN)}
          {text.length > MOST_SHOWN && (
            <span class="cut">{`\n… ${text.length - MOST_SHOWN} more characters`}</span>
          )}
        </pre>
      </section>
    </div>
  )
}
