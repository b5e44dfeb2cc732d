/**
 * Compares a response with the expected one by the rules of hive's `rpc-compat` (ethereum/hive,
 * simulators/ethereum/rpc-compat/main.go):
 *
 * - The whole response counts, `jsonrpc` and `id` too. Members may come in any order, items may not; a member that is
 *   missing or additional is a difference.
 * - Error messages differ among clients: `message` of any `error`, at any depth, is ignored if both sides have
 *   one. `code` and `data` count.
 * - In a `speconly` file the response is an example: only its shape counts. This goes for results alone. A response with
 *   an error is compared like that of any other file, for the specification fixes what an error's code means.
 *
 * For the shape, hive uses the OpenRPC document, as does this script if its sources are beside the folder
 * (`../src`). Otherwise the example decides, as in earlier versions of hive: the same members at all depths, each of the same type.
 * Items of arrays are not compared: their number and their shapes are not specified.
 */
export interface Difference {
  /** The path in the response: `$.result[0].blockHash`. */
  readonly path: string
  readonly expected: string
  readonly got: string
}

/** Returns the differences of a result from the schema of its method; `undefined` without a schema. */
export type CheckResult = (result: unknown) => readonly Difference[] | undefined

/**
 * Returns the differences between the response of the file and the actual one. The result of a `speconly` file
 * is checked against its schema by `check`, if there is one.
 */
export function compare(
  expected: unknown,
  got: unknown,
  isSpecOnly: boolean,
  check: CheckResult = () => undefined,
): readonly Difference[] {
  if (isSpecOnly && !hasError(got)) {
    const ofResult = isObject(got) && !hasError(expected) ? check(got.result) : undefined
    return ofResult ?? differencesOfShape(expected, got, '$')
  }
  return differences(withoutSharedMessages(expected, got), withoutSharedMessages(got, expected), '$')
}

export function described({ path, expected, got }: Difference): string {
  return `${path}: expected ${expected}, got ${got}`
}

type Find = (expected: unknown, got: unknown, path: string) => Difference[]

const differences: Find = (expected, got, path) => {
  if (Array.isArray(expected) && Array.isArray(got)) {
    const longer = expected.length > got.length ? expected : got
    return longer.flatMap((_, i) => differences(expected[i], got[i], `${path}[${i}]`))
  }
  if (isObject(expected) && isObject(got)) return differencesOfMembers(expected, got, path, differences)
  if (expected === got) return []
  return [{ path, expected: excerpt(expected, got), got: excerpt(got, expected) }]
}

const differencesOfShape: Find = (expected, got, path) => {
  if (isObject(expected) && isObject(got)) {
    return differencesOfMembers(expected, got, path, differencesOfShape)
  }
  const kind = kindOf(expected)
  return kind === kindOf(got) ? [] : [{ path, expected: kind, got: excerpt(got) }]
}

function differencesOfMembers(
  expected: Readonly<Record<string, unknown>>,
  got: Readonly<Record<string, unknown>>,
  path: string,
  find: Find,
): Difference[] {
  const keys = new Set([...Object.keys(expected), ...Object.keys(got)])
  return [...keys].flatMap((key) => find(expected[key], got[key], `${path}.${key}`))
}

/** `value` without the messages of errors that have one in `other`, too. Hive does not look for errors in errors. */
function withoutSharedMessages(value: unknown, other: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(other)) {
    return value.map((item, i) => withoutSharedMessages(item, other[i]))
  }
  if (!isObject(value) || !isObject(other)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === 'error' ? withoutMessage(member, other[key]) : withoutSharedMessages(member, other[key]),
    ]),
  )
}

function withoutMessage(error: unknown, other: unknown): unknown {
  if (!isObject(error) || !isObject(other) || !Object.hasOwn(other, 'message')) return error
  const { message: _, ...rest } = error
  return rest
}

function hasError(response: unknown): boolean {
  return isObject(response) && Object.hasOwn(response, 'error')
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Characters of JSON that fit into a line. */
const WIDTH = 100

/** `value` in one line; of a long text the part around its first difference from `other`. `undefined` is "nothing". */
export function excerpt(value: unknown, other?: unknown): string {
  const text = textOf(value)
  if (text.length <= WIDTH) return text
  // Both of a pair start at the same index, so that they can be compared line by line.
  const start = Math.max(0, Math.min(firstDifference(text, textOf(other)), text.length) - WIDTH / 2)
  const end = start + WIDTH
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`
}

function textOf(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value)
}

function firstDifference(a: string, b: string): number {
  let i = 0
  while (i < a.length && a[i] === b[i]) i++
  return i
}
