/** Quantities as people read them. */

const ETHER = 10n ** 18n
const GWEI = 10n ** 9n

/** Returns `value` with a thin space between each three digits. */
export function grouped(value: bigint | number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, '\u2009')
}

/** Returns an amount of wei with the unit that suits it: `1.5 ETH`, `12 gwei`, `7 wei`. Nothing is rounded. */
export function wei(amount: bigint): string {
  const size = amount < 0n ? -amount : amount
  if (size === 0n) return '0 ETH'
  if (size >= ETHER / 1_000_000n) return `${decimal(amount, ETHER, 18)} ETH`
  if (size >= GWEI / 1_000n) return `${decimal(amount, GWEI, 9)} gwei`
  return `${grouped(amount)} wei`
}

function decimal(amount: bigint, unit: bigint, digits: number): string {
  const sign = amount < 0n ? '-' : ''
  const size = amount < 0n ? -amount : amount
  const rest = (size % unit).toString().padStart(digits, '0').replace(/0+$/, '')
  return `${sign}${grouped(size / unit)}${rest === '' ? '' : `.${rest}`}`
}

/** Returns how much of `whole` a part is: `12.5 %`; empty where there is no whole. */
export function percent(part: number, whole: number): string {
  return whole === 0 ? '' : `${((100 * part) / whole).toFixed(1)} %`
}

/** Returns the number in a quantity of JSON-RPC. */
export function numberOf(hex: string | null | undefined): number {
  return hex === null || hex === undefined ? 0 : Number(hex)
}
