/** Throws unless a condition holds. */
export function expect(what, isSo) {
  if (!isSo) throw new Error(`expected that ${what}`)
}
