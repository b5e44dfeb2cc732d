/** Whether a value is as a JSON Schema (draft 2020-12) says, as far as ours go; another keyword is an error. */

type Schema = { readonly [keyword: string]: unknown }

export function isValid(root: Schema, value: unknown): boolean {
  return holds(root, root, value)
}

function holds(root: Schema, schema: Schema, value: unknown): boolean {
  return Object.entries(schema).every(([keyword, wish]) => {
    const check = KEYWORDS[keyword]
    if (check === undefined) throw new Error(`the keyword ${keyword} is not known here`)
    return check({ root, schema, wish: wish as never, value })
  })
}

interface Check {
  readonly root: Schema
  readonly schema: Schema
  /** What the schema says under the keyword. */
  readonly wish: never
  readonly value: unknown
}

const always = () => true

/** JSON Schema, Core 10 and Validation 6: a keyword that is for another type of value holds. */
const KEYWORDS: Readonly<Record<string, (check: Check) => boolean>> = {
  $schema: always,
  $defs: always,
  title: always,
  description: always,
  $ref: ({ root, wish, value }) => {
    const path = (wish as string).replace('#/', '').split('/')
    return holds(
      root,
      path.reduce((schema, name) => schema[name] as Schema, root),
      value,
    )
  },
  type: ({ wish, value }) => {
    if (wish === 'integer') return Number.isInteger(value)
    if (wish === 'object') return isRecord(value)
    return wish === 'array' ? Array.isArray(value) : typeof value === wish
  },
  const: ({ wish, value }) => value === wish,
  not: ({ root, wish, value }) => !holds(root, wish, value),
  anyOf: ({ root, wish, value }) => (wish as Schema[]).some((schema) => holds(root, schema, value)),
  pattern: ({ wish, value }) => typeof value !== 'string' || new RegExp(wish, 'u').test(value),
  minimum: ({ wish, value }) => typeof value !== 'number' || value >= wish,
  maximum: ({ wish, value }) => typeof value !== 'number' || value <= wish,
  minItems: ({ wish, value }) => !Array.isArray(value) || value.length >= wish,
  items: ({ root, wish, value }) => !Array.isArray(value) || value.every((item) => holds(root, wish, item)),
  required: ({ wish, value }) =>
    !isRecord(value) || (wish as string[]).every((name) => Object.hasOwn(value, name)),
  properties: ({ root, wish, value }) =>
    !isRecord(value) ||
    Object.entries(wish as Schema).every(
      ([name, schema]) => !Object.hasOwn(value, name) || holds(root, schema as Schema, value[name]),
    ),
  propertyNames: ({ root, wish, value }) =>
    !isRecord(value) || Object.keys(value).every((name) => holds(root, wish, name)),
  additionalProperties: ({ root, schema, wish, value }) => {
    if (!isRecord(value)) return true
    const { properties = {} } = schema as { properties?: object }
    const others = Object.keys(value).filter((name) => !Object.hasOwn(properties, name))
    return others.every((name) => wish !== false && holds(root, wish, value[name]))
  },
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
