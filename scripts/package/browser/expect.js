/** Throws unless something is so. */
export function expect(what, isSo) {
  if (!isSo) throw new Error(`expected that ${what}`)
}
