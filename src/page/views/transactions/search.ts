/** Converts the fields of the filter to the parameter of `preseal_searchTransactions`. */
import type { Item } from '../../../solidity/abi/codec.ts'
import type { Names } from '../../input/abiInput.ts'
import type { Search } from '../../source/requests.ts'
import { addressOf, textsOf, topicsOf, wrongAddress } from '../logs/logQuery.ts'

export const STATES = ['failed', 'preconfirmed', 'sealed', 'waiting', 'dropped', 'reorged'] as const

const FIELDS = ['state', 'address', 'function', 'event'] as const

/** The text of each field. An empty field restricts nothing. */
export type Wanted = Readonly<Record<(typeof FIELDS)[number], string>>

export function wantedOf(input: URLSearchParams | FormData): Wanted {
  return textsOf(FIELDS, input)
}

export function searchOf(
  wanted: Wanted,
  items: readonly Item[],
  names: Names,
): Search | { readonly problem: string } {
  const search: { -readonly [Name in keyof Search]: Search[Name] } = {}
  const state = STATES.find((one) => one === wanted.state)
  if (state !== undefined) search.state = state
  else if (wanted.state !== '')
    return { problem: `expected a state (${STATES.join(', ')}), got ${wanted.state}` }
  if (wanted.address !== '') {
    const address = addressOf(wanted.address, names)
    if (address === undefined) return wrongAddress(wanted.address)
    search.address = address
  }
  for (const kind of ['function', 'event'] as const) {
    const text = wanted[kind]
    if (text === '') continue
    const isSelector = kind === 'function' && /^0x[0-9a-f]{8}$/i.test(text)
    const found = isSelector ? [text] : topicsOf(text, items, kind)
    if (found === undefined)
      return {
        problem: `no known ABI has the ${kind} ${text}: enter its signature, such as ${EXAMPLES[kind]}`,
      }
    if (found.length > 1)
      return { problem: `several of the known ABIs have a ${kind} ${text}: enter its signature` }
    if (kind === 'function') search.selector = found[0]!.slice(0, 10)
    else search.topic = found[0]!
  }
  return search
}

const EXAMPLES = {
  function: 'transfer(address,uint256), or its selector',
  event: 'Transfer(address,address,uint256), or its topic',
}
