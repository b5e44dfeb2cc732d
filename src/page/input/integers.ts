/** Parses entered integers: decimal or hex, with a unit or an exponent. */

/** Factors of units: ether in wei, time in seconds, as in Solidity. */
const UNITS: Readonly<Record<string, bigint>> = {
  wei: 1n,
  gwei: 10n ** 9n,
  ether: 10n ** 18n,
  eth: 10n ** 18n,
  seconds: 1n,
  minutes: 60n,
  hours: 3_600n,
  days: 86_400n,
  weeks: 604_800n,
}

const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?(?:e\+?(\d{1,3}))?\s*([a-z]*)$/i

export const INTEGER_FORMS = 'an integer such as 1000, 1_000, 0x3e8, 1e18, 1.5 ether, 20 gwei or 2 days'

/**
 * Parses an integer; `undefined` for `1.5` without a unit or exponent that makes it whole, an unknown unit, or no digits.
 */
export function integerOf(text: string): bigint | undefined {
  // Digits may be grouped by underscores or (thin) spaces.
  const plain = text.trim().replace(/(?<=\d)[_\u2009\u00a0 ](?=\d)/g, '')
  if (/^[+-]?0x[0-9a-f]+$/i.test(plain)) {
    const size = BigInt(plain.replace(/^[+-]/, ''))
    return plain.startsWith('-') ? -size : size
  }
  const [matched, sign, whole = '', fraction = '', exponent = '0', unit = ''] = DECIMAL.exec(plain) ?? []
  if (matched === undefined) return undefined
  const factor = unit === '' ? 1n : unitOf(unit)
  if (factor === undefined) return undefined
  const scaled = BigInt(whole + fraction) * 10n ** BigInt(exponent) * factor
  const divisor = 10n ** BigInt(fraction.length)
  if (scaled % divisor !== 0n) return undefined
  return sign === '-' ? -(scaled / divisor) : scaled / divisor
}

function unitOf(name: string): bigint | undefined {
  return Object.entries(UNITS).find(([unit]) => unit === name.toLowerCase())?.[1]
}
