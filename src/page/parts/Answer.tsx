import type { ComponentChildren } from 'preact'
import { absolute } from '../format.ts'
import type { Load } from '../live/load.ts'
import { AnswerError } from '../source/source.ts'
import { AddressLink, BlockLink, Count, Time, TransactionLink, Wei } from './chain.tsx'
import { Bytes, Hint } from './controls.tsx'
import { Text } from './Value.tsx'

interface AnswerProps<T> {
  asked: Load<T>
  children: (value: T) => ComponentChildren
}

/** Renders a loaded value, a placeholder while it loads, or the error. */
export function Answer<T>({ asked, children }: AnswerProps<T>) {
  if (asked.state === 'loading') return <Loading />
  if (asked.state === 'failed') return <Problem error={asked.error} />
  return <>{children(asked.value)}</>
}

export function Loading() {
  return (
    <p class="loading" role="status">
      loading …
    </p>
  )
}

export function Problem({ error }: { error: Error }) {
  return (
    <div class="problem" role="alert">
      <strong>{error instanceof AnswerError ? `error ${error.code}` : 'failed'}</strong>{' '}
      <Text limit={2_000}>{error.message}</Text>
    </div>
  )
}

export function Nothing({ children }: { children: ComponentChildren }) {
  return <p class="nothing">{children}</p>
}

export function Fields({ children }: { children: ComponentChildren }) {
  return <dl class="fields">{children}</dl>
}

interface FieldProps {
  name: string
  hint?: string | undefined
  /** The content, if it is a single element. A field without content is not rendered. */
  value?: ComponentChildren
  children?: ComponentChildren
}

export function Field({ name, hint, value, children = value }: FieldProps) {
  if (!children) return null
  return (
    <div class="field">
      <dt>{hint === undefined ? name : <Hint text={hint}>{name}</Hint>}</dt>
      <dd>{children}</dd>
    </div>
  )
}

type FieldKind = 'wei' | 'count' | 'id' | 'time' | 'address' | 'block' | 'transaction' | 'bytes' | 'hex'

/** A known member of a response, with its label, its explanation and its format. */
export type KnownField = readonly [member: string, name: string, hint: string, kind: FieldKind]

const SHOWN: Readonly<Record<FieldKind, (value: string) => ComponentChildren>> = {
  wei: (value) => <Wei amount={value} />,
  count: (value) => <Count value={value} />,
  id: (value) => <span class="number">{String(BigInt(value))}</span>,
  time: (value) => (
    <>
      {absolute(Number(value) * 1_000)}{' '}
      <span class="quiet">
        <Time seconds={value} />
      </span>
    </>
  ),
  address: (value) => <AddressLink address={value} whole />,
  block: (value) => <BlockLink id={value} />,
  transaction: (value) => <TransactionLink hash={value} whole />,
  bytes: (value) => <Bytes hex={value} />,
  hex: (value) => <span class="id">{value}</span>,
}

interface AnswerFieldsProps {
  answer: Readonly<Record<string, unknown>>
  fields: readonly KnownField[]
  /** Members that are not shown, because the view shows them elsewhere. */
  others?: readonly string[]
}

/** Renders the members of `answer` that `fields` lists, then all unlisted members except `others`. */
export function AnswerFields({ answer, fields, others = [] }: AnswerFieldsProps) {
  const known = new Set([...fields.map(([member]) => member), ...others])
  const unknown = Object.keys(answer).filter((member) => !known.has(member))
  const shown: readonly (KnownField | readonly [member: string])[] = [
    ...fields,
    ...unknown.map((member) => [member] as const),
  ]
  return (
    <>
      {shown.map(([member, name = member, hint, kind]) => {
        const value = answer[member]
        if (value === undefined || value === null) return null
        return (
          <Field key={member} name={name} hint={hint}>
            {kind && typeof value === 'string' ? SHOWN[kind](value) : <Other value={value} />}
          </Field>
        )
      })}
    </>
  )
}

function Other({ value }: { value: unknown }) {
  return <Text limit={2_000}>{typeof value === 'string' ? value : JSON.stringify(value)}</Text>
}
