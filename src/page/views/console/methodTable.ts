/** The methods of a devnet by topic, as docs/methods.md has them. Written by `npm run docs`. */
import topics from './methods.json' with { type: 'json' }

export interface ListedMethod {
  /** The first is the usual one. */
  readonly names: readonly string[]
  /** `name` or `name: type`, with a question mark where it may be left out. */
  readonly parameters: readonly string[]
  readonly meaning: string
}

export interface Topic {
  readonly topic: string
  readonly methods: readonly ListedMethod[]
}

export const TOPICS: readonly Topic[] = topics

/** Returns the topics with the methods in whose names or meanings each word of `text` occurs. */
export function methodsWith(text: string, all: readonly Topic[] = TOPICS): Topic[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  return all
    .map(({ topic, methods }) => ({
      topic,
      methods: methods.filter(({ names, meaning }) => {
        const place = `${names.join(' ')} ${meaning}`.toLowerCase()
        return words.every((word) => place.includes(word))
      }),
    }))
    .filter(({ methods }) => methods.length > 0)
}

/** Returns the method of this name. */
export function methodNamed(name: string, all: readonly Topic[] = TOPICS): ListedMethod | undefined {
  return all.flatMap(({ methods }) => methods).find(({ names }) => names.includes(name))
}

const READS =
  /^(eth_(?!send|sign|requestAccounts|subscribe|unsubscribe)|net_|web3_|debug_|trace_(?!raw)|ots_|erigon_|txpool_|rpc_|preseal_(get|list|explain))/

/** Returns whether the method of this name leaves the chain as it is: those that a page which only reads has. */
export function isReading(name: string): boolean {
  return READS.test(name)
}

/** Returns the topics without the methods that change the chain. */
export function readingOnly(all: readonly Topic[] = TOPICS): Topic[] {
  return all
    .map(({ topic, methods }) => ({ topic, methods: methods.filter(({ names }) => isReading(names[0]!)) }))
    .filter(({ methods }) => methods.length > 0)
}
