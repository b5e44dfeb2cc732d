/** Returns what `parse` returns; `undefined` if it throws: then the method itself names what is wrong. */
export function soundly<T>(parse: () => T): T | undefined {
  try {
    return parse()
  } catch {
    return undefined
  }
}
