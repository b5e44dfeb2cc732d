/** Returns a count with its noun: `1 block`, `1,234 blocks`. `digits` replaces the digits of the count. */
export function counted(count: number, noun: string, digits = count.toLocaleString('en')): string {
  return `${digits} ${noun}${count === 1 ? '' : 's'}`
}
