/** Expected JSON with holes in it: what a conversation file writes behind `<<`. */

/** What a typed hole takes. A hash is that of something: not 32 zero bytes. */
const SHAPES: Readonly<Record<string, RegExp>> = {
  hash: /^0x(?!0{64})[0-9a-f]{64}$/,
  address: /^0x[0-9a-f]{40}$/,
  quantity: /^0x(0|[1-9a-f][0-9a-f]*)$/,
  data: /^0x([0-9a-f]{2})*$/,
}

const HOLE = /\$\{(\w+|\*)(?::(\w+))?\}/
const HOLES = new RegExp(HOLE, 'g')
const WHOLE = new RegExp(`^${HOLE.source}$`)

interface Variable {
  readonly value: unknown
  /** Whether the file itself made it; then it must be used. */
  readonly isOwn: boolean
  isUsed: boolean
}

/** The names of a conversation and their values. */
export class Variables {
  readonly #variables = new Map<string, Variable>()

  /** Lets `name` stand for `value`; a name stands for one value only. */
  set(name: string, value: unknown, isOwn: boolean): void {
    if (this.#variables.has(name)) throw new Error(`\${${name}} has a value already`)
    this.#variables.set(name, { value, isOwn, isUsed: false })
  }

  has(name: string): boolean {
    return this.#variables.has(name)
  }

  use(name: string): unknown {
    const variable = this.#variables.get(name)
    if (variable === undefined) throw new Error(`\${${name}} has no value yet`)
    variable.isUsed = true
    return variable.value
  }

  /** `text` with values in place of names; a name that is a whole JSON string may stand for any JSON value. */
  fill(text: string): string {
    return text
      .replaceAll(/"\$\{(\w+)\}"/g, (_, name: string) => JSON.stringify(this.use(name)))
      .replaceAll(/\$\{(\w+)\}/g, (_, name: string) => String(this.use(name)))
  }

  /** Those that the file made and never looked at again: wildcards in disguise. */
  get unused(): string[] {
    return [...this.#variables].filter(([, { isOwn, isUsed }]) => isOwn && !isUsed).map(([name]) => name)
  }
}

/**
 * Where `actual` is not what `expected` says, as a sentence; `undefined` if it is. Objects must have the same members in
 * any order, arrays the same items in the same order; strings may have holes, which bind in `variables`.
 */
export function mismatch(
  expected: unknown,
  actual: unknown,
  variables: Variables,
  path = '$',
): string | undefined {
  if (typeof expected === 'string') return textMismatch(expected, actual, variables, path)
  if (Array.isArray(expected)) return arrayMismatch(expected, actual, variables, path)
  if (isObject(expected)) return objectMismatch(expected, actual, variables, path)
  return Object.is(expected, actual)
    ? undefined
    : differs(path, JSON.stringify(expected) ?? 'nothing', actual)
}

function textMismatch(
  expected: string,
  actual: unknown,
  variables: Variables,
  path: string,
): string | undefined {
  const hole = WHOLE.exec(expected)
  if (hole === null) {
    const pattern = patternOf(expected, variables)
    return typeof actual === 'string' && pattern.test(actual)
      ? undefined
      : differs(path, JSON.stringify(expected), actual)
  }
  const [, name = '*', shape] = hole
  if (shape !== undefined) {
    const form = SHAPES[shape]
    if (form === undefined)
      throw new Error(`${expected}: there is no shape ${shape}, only ${Object.keys(SHAPES)}`)
    if (typeof actual !== 'string' || !form.test(actual)) return differs(path, `a ${shape}`, actual)
  }
  if (name === '*') return undefined
  if (variables.has(name)) return mismatch(variables.use(name), actual, new Variables(), path)
  variables.set(name, actual, true)
  return undefined
}

/** Text with holes inside: `${*}` is any text, a name its value. */
function patternOf(expected: string, variables: Variables): RegExp {
  let source = ''
  let end = 0
  for (const hole of expected.matchAll(HOLES)) {
    source += escaped(expected.slice(end, hole.index))
    source += hole[1] === '*' ? '[\\s\\S]+' : escaped(String(variables.use(hole[1]!)))
    end = hole.index + hole[0].length
  }
  return new RegExp(`^${source}${escaped(expected.slice(end))}$`)
}

function arrayMismatch(
  expected: readonly unknown[],
  actual: unknown,
  variables: Variables,
  path: string,
): string | undefined {
  if (!Array.isArray(actual)) return differs(path, 'an array', actual)
  if (actual.length !== expected.length) {
    return `${path}: expected ${expected.length} items, got ${actual.length}: ${JSON.stringify(actual)}`
  }
  return firstOf(expected.map((item, i) => () => mismatch(item, actual[i], variables, `${path}[${i}]`)))
}

function objectMismatch(
  expected: Readonly<Record<string, unknown>>,
  actual: unknown,
  variables: Variables,
  path: string,
): string | undefined {
  if (!isObject(actual)) return differs(path, 'an object', actual)
  const missing = Object.keys(expected).filter((key) => !Object.hasOwn(actual, key))
  if (missing.length > 0) return `${path}: lacks ${missing.join(', ')}: ${JSON.stringify(actual)}`
  const additional = Object.keys(actual).filter((key) => !Object.hasOwn(expected, key))
  if (additional.length > 0)
    return `${path}: should not have ${additional.join(', ')}: ${JSON.stringify(actual)}`
  return firstOf(
    Object.keys(expected).map(
      (key) => () => mismatch(expected[key], actual[key], variables, `${path}.${key}`),
    ),
  )
}

function firstOf(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const found = check()
    if (found !== undefined) return found
  }
  return undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function differs(path: string, what: string, actual: unknown): string {
  return `${path}: expected ${what}, got ${JSON.stringify(actual) ?? 'nothing'}`
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
