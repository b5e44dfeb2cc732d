/** Parameters of a request, shortened for a line of the console. */

/** The most characters of one text, such as the data of a call, and of all parameters together. */
const MOST_OF_TEXT = 66
const MOST = 300
/** The most members of an array or an object. */
const MOST_MEMBERS = 8

/** Returns `params` as JSON, shortened if they are long. Long parameters cost no more time than short ones. */
export function shortParams(params: readonly unknown[]): string {
  const text = JSON.stringify(shortened(params, 0))
  return text.length > MOST ? `${text.slice(0, MOST)}…` : text
}

function shortened(value: unknown, depth: number): unknown {
  if (typeof value === 'string') {
    return value.length > MOST_OF_TEXT ? `${value.slice(0, MOST_OF_TEXT - 1)}…` : value
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth > 3) return '…'
  if (Array.isArray(value)) {
    const members = value.slice(0, MOST_MEMBERS).map((member) => shortened(member, depth + 1))
    return value.length > MOST_MEMBERS ? [...members, '…'] : members
  }
  const entries = Object.entries(value).slice(0, MOST_MEMBERS)
  return Object.fromEntries(entries.map(([name, member]) => [name, shortened(member, depth + 1)]))
}
