/** Hex as JSON-RPC writes it. */

/** Returns whether `text` is 32 bytes in hex. */
export function isHash(text: string): boolean {
  return /^0x[0-9a-f]{64}$/i.test(text)
}

/** Returns whether `text` is an address, with any capitals. */
export function isAddress(text: string): boolean {
  return /^0x[0-9a-f]{40}$/i.test(text)
}

/** Returns a word without the zeros in front. */
export function withoutZeros(word: string): string {
  return `0x${word.slice(2).replace(/^0+(?=.)/, '')}`
}

/** Returns the first and the last digits of `hex`, and all of what is short. */
export function shortened(hex: string, first = 6, last = 4): string {
  return hex.length <= 2 + first + last + 1 ? hex : `${hex.slice(0, 2 + first)}…${hex.slice(-last)}`
}
