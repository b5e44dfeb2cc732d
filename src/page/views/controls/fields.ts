/** Form fields of the controls, and parsers of their text to JSON-RPC values. Parsers throw for invalid text. */
import type { Hex } from '../../../bytes/hex.ts'
import { isAddress, isHash, quantity } from '../../format.ts'

export interface ActionField {
  readonly name: string
  readonly label: string
  readonly initial?: string
  readonly placeholder?: string
  /** Makes the field a select field with these options. */
  readonly choices?: readonly (readonly [value: string, label: string])[]
  readonly isNumber?: boolean
  readonly isLong?: boolean
  readonly isAccount?: boolean
}

export function textField(name: string, label: string, initial = '', placeholder = ''): ActionField {
  return { name, label, initial, placeholder }
}

export function numberField(name: string, label: string, initial = '', placeholder = ''): ActionField {
  return { name, label, initial, placeholder, isNumber: true }
}

export function choiceField(
  name: string,
  label: string,
  choices: NonNullable<ActionField['choices']>,
): ActionField {
  return { name, label, choices }
}

export function long(field: ActionField): ActionField {
  return { ...field, isLong: true }
}

export function accountField(name: string, label: string): ActionField {
  return { ...long(textField(name, label, '', '0x… or a name')), isAccount: true }
}

function wrong(expected: string, text: string): Error {
  return new Error(`${expected}, got ${text || 'nothing'}`)
}

export function wholeNumber(text: string, what: string): Hex {
  if (!/^\d{1,30}$/.test(text)) throw wrong(`${what} is a whole number`, text)
  return quantity(BigInt(text))
}

/** Parses seconds since 1970, or a date in UTC such as `2030-01-31 12:00`. */
export function timestamp(text: string): Hex {
  if (/^\d{1,15}$/.test(text)) return wholeNumber(text, 'a timestamp')
  const iso = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?))?(?: ?Z| ?UTC)?$/i.exec(text)
  const ms = iso === null ? Number.NaN : Date.parse(`${iso[1]}T${iso[2] ?? '00:00'}Z`)
  if (!(ms >= 0)) throw wrong('a time is a date in UTC, as in 2030-01-31 12:00, or seconds since 1970', text)
  return wholeNumber(String(ms / 1_000), 'a timestamp')
}

/** Converts ether, such as `1.5`, to wei. */
export function ether(text: string): Hex {
  const [, whole, rest = ''] = /^(\d{1,40})(?:\.(\d{1,18}))?$/.exec(text) ?? []
  if (whole === undefined) throw wrong('an amount of ether has at most 18 decimals, as in 1.5', text)
  return quantity(BigInt(whole + rest.padEnd(18, '0')))
}

export function address(text: string, what = 'an address'): string {
  if (!isAddress(text)) throw wrong(`${what} has 0x and 40 hex digits`, text)
  return text
}

export function hash(text: string): string {
  if (!isHash(text)) throw wrong('a hash has 0x and 64 hex digits', text)
  return text
}

export function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`not JSON: ${(error as Error).message}`)
  }
}
