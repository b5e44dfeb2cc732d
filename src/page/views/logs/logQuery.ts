/** Which logs a reader wants: from the fields of a form to the filter of `eth_getLogs`. */
import { type Item, itemsOf, signatureOf, topicOf } from '../../../abi/codec.ts'
import { isAddress, isHash } from '../../format/hex.ts'

/** As it was typed; empty where all are wanted. */
export interface Wanted {
  readonly address: string
  /** The name of an event, its signature, or its topic. */
  readonly event: string
  /** Numbers of blocks in decimal, or tags. */
  readonly from: string
  readonly to: string
}

/** The filter of `eth_getLogs` without its blocks: what a subscription takes too. */
export interface LogFilter {
  readonly address?: string
  /** The first topic: one of these. */
  readonly topics?: readonly (readonly string[])[]
}

export type Meaning =
  | { readonly filter: LogFilter; readonly fromBlock: string; readonly toBlock: string }
  | { readonly problem: string }

const TAGS: ReadonlySet<string> = new Set(['earliest', 'finalized', 'safe', 'latest', 'pending'])

/** Returns the filter that is meant; `events` are those of the known ABIs, by whose names one may ask. */
export function meant({ address, event, from, to }: Wanted, events: readonly Item[]): Meaning {
  if (address !== '' && !isAddress(address))
    return { problem: `an address has 0x and 40 hex digits, got ${address}` }
  const topics = event === '' ? [] : topicsOf(event, events)
  if (topics === undefined) {
    return {
      problem: `no known ABI has an event ${event}: give its signature, as in Transfer(address,address,uint256), or its topic`,
    }
  }
  const fromBlock = selectorOf(from === '' ? 'earliest' : from)
  const toBlock = selectorOf(to === '' ? 'pending' : to)
  if (fromBlock === undefined || toBlock === undefined) {
    const wrong = fromBlock === undefined ? from : to
    return { problem: `a block is a number or one of ${[...TAGS].join(', ')}, got ${wrong}` }
  }
  const filter = {
    ...(address !== '' && { address }),
    ...(topics.length > 0 && { topics: [topics] }),
  }
  return { filter, fromBlock, toBlock }
}

/** Returns the first topics that `event` may mean: overloaded events have several. */
function topicsOf(event: string, events: readonly Item[]): string[] | undefined {
  if (isHash(event)) return [event.toLowerCase()]
  if (event.includes('(')) {
    const item = parsed(event)
    return item && [topicOf(item)]
  }
  const named = events.filter(({ name }) => name === event)
  return named.length === 0 ? undefined : [...new Set(named.map(topicOf))]
}

function parsed(signature: string): Item | undefined {
  try {
    return itemsOf([`event ${signature.replace(/^event\s+/, '')}`])[0]
  } catch {
    return undefined
  }
}

function selectorOf(text: string): string | undefined {
  if (TAGS.has(text)) return text
  return /^\d{1,15}$/.test(text) ? `0x${BigInt(text).toString(16)}` : undefined
}

/** Returns the names and signatures of events, for a reader who chooses one. */
export function namesOf(events: readonly Item[]): string[] {
  return [...new Set(events.map(signatureOf))].sort()
}
