/** What bytes say by an ABI, and how people read it. */

/** An error, event or call. */
export interface Decoded {
  readonly name: string
  readonly args: readonly Argument[]
  /** Such as `InsufficientStock(available: 3, wanted: 5)`. */
  readonly text: string
}

export interface Argument {
  /** Empty where the ABI has no name for it. */
  readonly name: string
  /** A type of Solidity, such as `uint256`. */
  readonly type: string
  /** As viem has it: numbers are bigints, those of up to 48 bits numbers; tuples are objects if all parts have names. */
  readonly value: unknown
}

/** A parameter as an ABI describes it. */
export interface Parameter {
  readonly name?: string | undefined
  readonly type: string
  readonly indexed?: boolean | undefined
  /** The parts of a tuple. */
  readonly components?: readonly Parameter[] | undefined
}

/** What is called `name`, with the values of its parameters. */
export function described(
  name: string,
  parameters: readonly Parameter[],
  values: readonly unknown[],
): Decoded {
  const args = parameters.map(({ name = '', type }, i) => ({ name, type, value: values[i] }))
  return { name, args, text: `${name}(${listed(parameters, values)})` }
}

/** What a function answered: values without a name for the whole. */
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
  // Not of indexed ones, of which only a hash is known.
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

/** Hex as people read it: of long bytes the beginning, and how many there are. */
export function shortenedHex(hex: string): string {
  const bytes = (hex.length - 2) / 2
  return bytes > MOST_BYTES ? `${hex.slice(0, 2 + 64)}… (${bytes.toLocaleString('en')} bytes)` : hex
}
