/** A decoded error, event or call. */
export interface Decoded {
  /** The name of the error, event or function; empty for a function's result. */
  readonly name: string
  /** The arguments in the order of the ABI; for a function's result, the return values. */
  readonly args: readonly Argument[]
  /** The name with the arguments, such as `InsufficientStock(available: 3, wanted: 5)`. */
  readonly text: string
}

/** A decoded argument of an error, event or call, or a return value. */
export interface Argument {
  /** The argument's name; empty if the ABI has no name. */
  readonly name: string
  /** A Solidity type, such as `uint256`. */
  readonly type: string
  /** The value in viem's form: integers of up to 48 bits are numbers, named tuples are objects. */
  readonly value: unknown
}

export interface Parameter {
  readonly name?: string | undefined
  readonly type: string
  readonly indexed?: boolean | undefined
  readonly components?: readonly Parameter[] | undefined
}

export function described(
  name: string,
  parameters: readonly Parameter[],
  values: readonly unknown[],
): Decoded {
  const args = parameters.map(({ name = '', type }, i) => ({ name, type, value: values[i] }))
  return { name, args, text: `${name}(${listed(parameters, values)})` }
}

/** Returns a function's decoded result, whose `text` contains only the values. */
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
  // A log contains only the hash of an indexed tuple.
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

export function shortenedHex(hex: string): string {
  const bytes = (hex.length - 2) / 2
  return bytes > MOST_BYTES ? `${hex.slice(0, 2 + 64)}… (${bytes.toLocaleString('en')} bytes)` : hex
}
