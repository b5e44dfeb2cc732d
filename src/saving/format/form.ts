/** Forms: descriptions of JSON values, each with a type, an encoder and a parser. */
import { type JsonObject, type Parser, recordOf } from '../../wire/parser.ts'

export interface Form<T> {
  readonly parse: Parser<T>
  /** Returns the value as JSON; `undefined` if the value is to be omitted. */
  readonly encode: (value: T) => unknown
}

/** Describes how a value is read from JSON and written as JSON. Without `encode`, the value is written as it is. */
export function form<T>(parse: Parser<T>, encode: (value: T) => unknown = (value) => value): Form<T> {
  return { parse, encode }
}

interface Optional<T> extends Form<T> {
  readonly isOptional: true
}

/** Returns the form of a member that may be absent or `null`. */
export function maybe<T>(inner: Form<T>): Optional<T> {
  return { ...inner, isOptional: true }
}

interface AnyForm {
  readonly parse: Parser<unknown>
  readonly encode: (value: never) => unknown
}

/** The form of a member, with the member's name in JSON if this name differs from the name in the type. */
type Member = AnyForm | readonly [name: string, form: AnyForm]
type FormOf<M> = M extends readonly [string, infer F] ? F : M
type Value<M> = TypeOf<FormOf<M>>
type OptionalName<M, K extends keyof M> = FormOf<M[K]> extends { readonly isOptional: true } ? K : never

type Members<M> = {
  readonly [K in keyof M as Exclude<K, OptionalName<M, K>>]: Value<M[K]>
} & { readonly [K in keyof M as OptionalName<M, K>]?: Value<M[K]> | undefined }

export type TypeOf<F> = F extends { readonly parse: Parser<infer T> } ? T : never

/** Returns the form of an object with exactly these members, in this order. `what` describes the object in errors. */
export function object<const M extends Readonly<Record<string, Member>>>(
  members: M,
  what = 'an object',
): Form<Members<M>> {
  const rows = Object.entries(members).map(([key, member]) => {
    const [name, own] = Array.isArray(member) ? member : [key, member]
    return { key, name: name as string, own: own as Form<unknown> & Partial<Optional<unknown>> }
  })
  return {
    parse(value, path) {
      const json = recordOf(value, path, what)
      const parsed: JsonObject = {}
      for (const { key, name, own } of rows) {
        const member = json[name]
        if (own.isOptional && (member === undefined || member === null)) continue
        parsed[key] = own.parse(member, path === '' ? name : `${path}.${name}`)
      }
      return parsed as Members<M>
    },
    encode(value) {
      const json: JsonObject = {}
      for (const { key, name, own } of rows) {
        const member = (value as JsonObject)[key]
        if (member === undefined && own.isOptional) continue
        const encoded = own.encode(member)
        if (encoded !== undefined) json[name] = encoded
      }
      return json
    },
  }
}

/** Returns the form of values that are stored in the form `inner` after a conversion. */
export function mapped<I, T>(
  inner: Form<I>,
  decode: (value: I, path: string) => T,
  encode: (value: T) => I,
): Form<T> {
  return {
    parse: (value, path) => decode(inner.parse(value, path), path),
    encode: (value) => inner.encode(encode(value)),
  }
}
