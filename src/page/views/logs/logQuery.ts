/** Which logs a reader wants: from the fields of a form to the filter of `eth_getLogs`. */
import type { Hex } from '../../../bytes/hex.ts'
import {
  encodeValues,
  hashOf,
  type Item,
  itemsOf,
  signatureOf,
  topicOf,
} from '../../../solidity/abi/codec.ts'
import type { Parameter } from '../../../solidity/abi/decoded.ts'
import type { RpcBlock, RpcLog } from '../../../wire/encode.ts'
import { isAddress, isHash } from '../../format.ts'
import { isComposite, type Names, meant as valueMeant } from '../../input/abiInput.ts'
import { AnswerError, type Requester } from '../../source/source.ts'

/** As it was typed; empty where all are wanted. */
export interface Wanted {
  /** An address, or the name of an account. */
  readonly address: string
  /** The name of an event, its signature, or its topic. */
  readonly event: string
  /** Values of the event's indexed parameters, in their order. */
  readonly topic1: string
  readonly topic2: string
  readonly topic3: string
  /** Numbers of blocks in decimal, or tags. */
  readonly from: string
  readonly to: string
}

/** The filter of `eth_getLogs` without its blocks: what a subscription takes too. */
export interface LogFilter {
  readonly address?: string
  /** At each place one of these; `null`: any. */
  readonly topics?: readonly (readonly string[] | null)[]
}

export type Meaning =
  | { readonly filter: LogFilter; readonly fromBlock: string; readonly toBlock: string }
  | { readonly problem: string }

const TAGS: ReadonlySet<string> = new Set(['earliest', 'finalized', 'safe', 'latest', 'pending'])

/** Returns the filter that is meant; `events` are those of the known ABIs, by whose names one may ask. */
export function meant(wanted: Wanted, events: readonly Item[], names: Names = new Map()): Meaning {
  const { event, from, to } = wanted
  const address = wanted.address === '' ? undefined : addressOf(wanted.address, names)
  if (wanted.address !== '' && address === undefined)
    return {
      problem: `an address has 0x and 40 hex digits, or is the name of a known account; got ${wanted.address}`,
    }
  const first = event === '' ? [] : topicsOf(event, events)
  if (first === undefined) {
    return {
      problem: `no known ABI has an event ${event}: give its signature, as in Transfer(address,address,uint256), or its topic`,
    }
  }
  const topics: (readonly string[] | null)[] = [first.length === 0 ? null : first]
  for (const [i, parameter] of indexedOf(event, events).entries()) {
    const text = valuesOf(wanted)[i]!
    const topic = text === '' ? null : topicOfValue(parameter, text, names)
    if (typeof topic === 'object' && topic !== null)
      return { problem: `${parameter.name || `topic ${i + 1}`}: ${topic.problem}` }
    topics.push(topic === null ? null : [topic])
  }
  while (topics.at(-1) === null) topics.pop()
  const fromBlock = selectorOf(from === '' ? 'earliest' : from)
  const toBlock = selectorOf(to === '' ? 'pending' : to)
  if (fromBlock === undefined || toBlock === undefined) {
    const wrong = fromBlock === undefined ? from : to
    return { problem: `a block is a number or one of ${[...TAGS].join(', ')}, got ${wrong}` }
  }
  if (fromBlock.startsWith('0x') && toBlock.startsWith('0x') && BigInt(fromBlock) > BigInt(toBlock))
    return { problem: `the range ends at block ${to}, before it begins at block ${from}` }
  const filter = { ...(address !== undefined && { address }), ...(topics.length > 0 && { topics }) }
  return { filter, fromBlock, toBlock }
}

/** Returns the address that is typed, or that has the name that is typed. */
export function addressOf(text: string, names: Names): string | undefined {
  return isAddress(text) ? text : names.get(text.toLowerCase())
}

/**
 * Returns the indexed parameters of the event that is typed: of overloaded events those that all of them have. Of one that no ABI has
 * they are topics.
 */
export function indexedOf(event: string, events: readonly Item[]): readonly Parameter[] {
  const topics = event === '' ? undefined : topicsOf(event, events)
  if (topics === undefined) return []
  const lists = events
    .filter((item) => topics.includes(topicOf(item)))
    .map(({ inputs = [] }) => inputs.filter(({ indexed }) => indexed))
  const [first, ...others] = lists
  if (first === undefined) return TOPICS
  const text = (list: readonly Parameter[]) => list.map(({ name, type }) => `${type} ${name}`).join()
  return others.every((list) => text(list) === text(first)) ? first : []
}

const TOPICS: readonly Parameter[] = [1, 2, 3].map((i) => ({ name: `topic ${i}`, type: 'bytes32' }))

function valuesOf({ topic1, topic2, topic3 }: Wanted): readonly string[] {
  return [topic1, topic2, topic3]
}

/** Returns the topic of a value: as a word, or the hash of what does not fit into one. */
function topicOfValue(
  parameter: Parameter,
  text: string,
  names: Names,
): string | { readonly problem: string } {
  const { type } = parameter
  if (isHash(text)) return text.toLowerCase()
  if (isComposite(parameter))
    return { problem: `of a ${type} only the hash is in a log: expected 32 bytes in hex` }
  const found = valueMeant(
    type === 'string' ? { ...parameter, type: 'bytes' } : parameter,
    typed(type, text),
    names,
  )
  if (found.kind === 'wrong') return { problem: found.message }
  if (type === 'string' || type === 'bytes') return hashOf(found.value as `0x${string}`)
  return encodeValues([{ ...parameter, name: '' }], [found.value])
}

/** Text is read as bytes in quotation marks. */
function typed(type: string, text: string): string {
  return type === 'string' ? `"${text}"` : text
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
  return /^(\d{1,15}|0x[0-9a-f]{1,12})$/i.test(text) ? `0x${BigInt(text).toString(16)}` : undefined
}

/** Returns the names and signatures of events, for a reader who chooses one. */
export function namesOf(events: readonly Item[]): string[] {
  return [...new Set(events.map(signatureOf))].sort()
}

/** Logs of a part of the range, the oldest first. */
export interface LogPart {
  readonly logs: readonly RpcLog[]
  /** The first block that was looked at so far; `undefined` where it is the first of the range. */
  readonly first: number | undefined
}

/** Blocks of a part at first: what a devnet answers unless it was told otherwise. */
const PART = 2_000

/**
 * Yields the logs of sealed blocks, from the newest back: all at once, or in parts that become smaller until they are answered. Throws what is
 * answered where not even the logs of one block are.
 */
export async function* logsBack(
  source: Requester,
  filter: LogFilter,
  fromBlock: string,
  toBlock: string,
): AsyncGenerator<LogPart, void> {
  const ask = (from: string, to: string) =>
    source.request<readonly RpcLog[]>('eth_getLogs', [{ ...filter, fromBlock: from, toBlock: to }])
  let refused: unknown
  try {
    yield { logs: await ask(fromBlock, toBlock), first: undefined }
    return
  } catch (error) {
    // Devnets and networks have many words and codes for a range that is too large.
    if (!(error instanceof AnswerError)) throw error
    refused = error
  }
  const [from, to] = await Promise.all([numberOf(source, fromBlock), numberOf(source, toBlock)])
  if (from === undefined || to === undefined || from >= to) throw refused
  let size = Math.min(PART, Math.ceil((to - from + 1) / 2))
  for (let end = to; end >= from; ) {
    const first = Math.max(from, end - size + 1)
    let logs: readonly RpcLog[]
    try {
      logs = await ask(hex(first), hex(end))
    } catch (error) {
      if (!(error instanceof AnswerError) || first === end) throw error
      size = Math.ceil((end - first + 1) / 2)
      continue
    }
    yield { logs, first: first === from ? undefined : first }
    end = first - 1
  }
}

/** Resolves with the number of a block that is given by its number or a tag; `undefined` where there is none. */
async function numberOf(source: Requester, block: string): Promise<number | undefined> {
  if (block === 'earliest') return 0
  if (block.startsWith('0x')) return Number(block)
  const answer = await source.request<RpcBlock | null>('eth_getBlockByNumber', [block, false])
  return answer === null ? undefined : Number(answer.number)
}

function hex(number: number): Hex {
  return `0x${number.toString(16)}`
}

/** The logs of a list that goes on: each once, as the last thing that was told of it. */
type LogState = 'preconfirmed' | 'sealed' | 'reorged'

export interface ShownLog {
  readonly key: string
  readonly log: RpcLog
  readonly state: LogState
}

/** More are left out: the oldest first. */
const MOST = 5_000

/** Logs by their place, the newest last. */
export class ShownLogs {
  #byPlace = new Map<string, ShownLog>()
  readonly #most: number
  /** How many were left out. */
  leftOut = 0

  constructor(most = MOST) {
    this.#most = most
  }

  /** Adds logs of an answer, or of a subscription: pre-confirmed ones if `isPending`. */
  add(logs: readonly RpcLog[], isPending: boolean): void {
    for (const log of logs) {
      const key = placeOf(log)
      if (log.removed) {
        this.#remove(log)
        continue
      }
      const known = this.#byPlace.get(key)
      // A slice may be told after its block.
      if (isPending && known?.state === 'sealed') continue
      // Its place in the list is that of its first word; another log at this place is another one.
      this.#byPlace.set(key, { key, log, state: isPending ? 'preconfirmed' : 'sealed' })
    }
    while (this.#byPlace.size > this.#most) {
      this.#byPlace.delete(this.#byPlace.keys().next().value!)
      this.leftOut++
    }
  }

  /** Whether there is room for older ones. */
  get hasRoom(): boolean {
    return this.#byPlace.size < this.#most
  }

  /** Adds sealed logs from before all that are here, the oldest of them first. */
  addOlder(logs: readonly RpcLog[]): void {
    const cut = Math.max(0, logs.length - (this.#most - this.#byPlace.size))
    this.leftOut += cut
    const older = logs.slice(cut).map((log): [string, ShownLog] => {
      const key = placeOf(log)
      return [key, { key, log, state: 'sealed' }]
    })
    this.#byPlace = new Map([...older, ...this.#byPlace])
  }

  /** Keeps a log that is not on the chain any more beside the one that takes its place. */
  #remove(log: RpcLog): void {
    const key = placeOf(log)
    const known = this.#byPlace.get(key)
    const gone = { key: `${key} ${log.transactionHash} gone`, log, state: 'reorged' } as const
    if (known !== undefined && known.log.transactionHash === log.transactionHash) this.#byPlace.delete(key)
    this.#byPlace.set(gone.key, gone)
  }

  /** All that is shown, the newest first. */
  list(): readonly ShownLog[] {
    return [...this.#byPlace.values()].reverse()
  }
}

function placeOf({ blockNumber, logIndex }: RpcLog): string {
  return `${Number(blockNumber)} ${Number(logIndex)}`
}
