import { nearest } from '../../model/api/text.ts'

/** The byte ranges of code that contain library addresses, by source file and library name. */
export type LinkReferences = Readonly<
  Record<string, Readonly<Record<string, readonly { readonly start: number; readonly length: number }[]>>>
>

/** Addresses by library name, which is `Math` or, with the source file, `src/Math.sol:Math`. */
export type Libraries = Readonly<Record<string, string>>

/** Replaces the placeholders in the hex `code` by addresses. Throws a `TypeError` for missing or unknown libraries. */
export function linked(
  code: string,
  references: LinkReferences = {},
  libraries: Libraries = {},
  what: string,
): string {
  const needed = Object.entries(references).flatMap(([source, names]) =>
    Object.entries(names).map(([name, places]) => ({ name, qualified: `${source}:${name}`, places })),
  )
  for (const given of Object.keys(libraries)) requireNeeded(given, needed, what)
  const addressOf = ({ name, qualified }: Needed) => libraries[qualified] ?? libraries[name]
  const missing = needed.filter((one) => addressOf(one) === undefined)
  if (missing.length > 0) {
    const names = missing.map(({ qualified }) => qualified).join(', ')
    const example = missing.map(({ name }) => `${name}: address`).join(', ')
    throw new TypeError(
      `${what}: these libraries are not linked: ${names}; deploy each, and pass libraries: { ${example} }`,
    )
  }
  const start = code.startsWith('0x') ? 2 : 0
  let result = code
  for (const one of needed) {
    const digits = addressOf(one)!.slice(2).toLowerCase()
    for (const place of one.places) {
      const at = start + 2 * place.start
      result = `${result.slice(0, at)}${digits}${result.slice(at + digits.length)}`
    }
  }
  return result
}

interface Needed {
  readonly name: string
  readonly qualified: string
}

function requireNeeded(given: string, needed: readonly Needed[], what: string): void {
  const meant = needed.filter(({ name, qualified }) => given === name || given === qualified)
  if (meant.length === 1) return
  const qualified = (meant.length > 1 ? meant : needed).map((one) => one.qualified)
  if (meant.length > 1) {
    throw new TypeError(
      `${what}: libraries: ${given} names ${meant.length} libraries; expected ${qualified.join(' or ')}`,
    )
  }
  const close = nearest(
    given,
    needed.map(({ name }) => name),
  )
  const known = needed.length === 0 ? 'none: the code refers to no library' : qualified.join(', ')
  throw new TypeError(
    `${what}: libraries: expected ${known}, got ${given}${close === undefined ? '' : `; did you mean ${close}?`}`,
  )
}
