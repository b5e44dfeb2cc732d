/** Decoded errors, events and calls, and their readable form. */

/** A decoded error, event or call. */
export interface Decoded {
  /** The name of the error, event or function; empty for the result of a function. */
  readonly name: string
  /** The arguments in the order of the ABI; of a function's result, the returned values. */
  readonly args: readonly Argument[]
  /** The readable form, such as `InsufficientStock(available: 3, wanted: 5)`. */
  readonly text: string
}

/** A decoded argument. */
export interface Argument {
  /** Empty if the ABI has no name for it. */
  readonly name: string
  /** A Solidity type, such as `uint256`. */
  readonly type: string
  /**
   * The value in viem's form: integers are bigints, those of up to 48 bits numbers; a tuple is an object if all its
   * components have names.
   */
  readonly value: unknown
}

/** A parameter of an ABI item. */
export interface Parameter {
  readonly name?: string | undefined
  readonly type: string
  readonly indexed?: boolean | undefined
  /** The components of a tuple. */
  readonly components?: readonly Parameter[] | undefined
}

/** Returns the decoded item `name` with the values of its parameters. */
export function described(
  name: string,
  parameters: readonly Parameter[],
  values: readonly unknown[],
): Decoded {
  const args = parameters.map(({ name = '', type }, i) => ({ name, type, value: values[i] }))
  return { name, args, text: `${name}(${listed(parameters, values)})` }
}

/** Returns the decoded result of a function: its text lists the values only. */
export function describedResult(parameters: readonly Parameter[], values: readonly unknown[]): Decoded {
  return { ...described('', parameters, values), text: listed(parameters, values) }
}

function listed(parameters: readonly Parameter[], values: readonly unknown[]): string {
  return parameters
    .map((parameter, i) => {
      const text = textOf(parameter, values[i])
      return parameter.name ? `${parameter.name}: ${text}` : text
    })
    .join(', ')
}

function textOf(parameter: Parameter, value: unknown): string {
  const { type, components = [] } = parameter
  if (Array.isArray(value) && type.endsWith(']')) {
    const item = { ...parameter, type: type.slice(0, type.lastIndexOf('[')) }
    return `[${value.map((each) => textOf(item, each)).join(', ')}]`
  }
  // Of an indexed tuple only the hash is known.
  if (type === 'tuple' && typeof value === 'object') {
    return `(${listed(components, Object.values(value as object))})`
  }
  if (type === 'string' && !parameter.indexed) return JSON.stringify(shortened(String(value), MOST_LETTERS))
  return type.startsWith('bytes') ? shortenedHex(String(value)) : String(value)
}

const MOST_LETTERS = 500
const MOST_BYTES = 64

function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text
}

/** Returns hex for display: of long values the beginning and the number of bytes. */
export function shortenedHex(hex: string): string {
  const bytes = (hex.length - 2) / 2
  return bytes > MOST_BYTES ? `${hex.slice(0, 2 + 64)}… (${bytes.toLocaleString('en')} bytes)` : hex
}
