/** Converts form fields to a log filter, searches blocks from the newest backwards, and stores the logs found. */
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
import { isAddress, isHash, quantity } from '../../format.ts'
import { isComposite, type Names, parseInput as valueMeant } from '../../input/abiInput.ts'
import { isTag, TAGS } from '../../moment.ts'
import { AnswerError, type Requester } from '../../source/source.ts'

const FIELDS = ['address', 'event', 'topic1', 'topic2', 'topic3', 'from', 'to'] as const

export const TOPIC_FIELDS = ['topic1', 'topic2', 'topic3'] as const

/** The text of each field. An empty field restricts nothing. */
export type Wanted = Readonly<Record<(typeof FIELDS)[number], string>>

/** A filter of `eth_subscribe`. For `eth_getLogs`, `logsBack` adds a block range. */
interface LogFilter {
  readonly address?: string
  /** The accepted topics at each position. `null` accepts any topic. */
  readonly topics?: readonly (readonly string[] | null)[]
}

export interface LogRange {
  readonly filter: LogFilter
  readonly fromBlock: string
  readonly toBlock: string
}

interface Problem {
  readonly problem: string
}

export function meant(wanted: Wanted, events: readonly Item[], names: Names = new Map()): LogRange | Problem {
  const { event, from, to } = wanted
  const address = wanted.address === '' ? undefined : addressOf(wanted.address, names)
  if (wanted.address !== '' && address === undefined) return wrongAddress(wanted.address)
  const first = event === '' ? [] : topicsOf(event, events)
  if (first === undefined) {
    return {
      problem: `no known ABI has an event ${event}: enter its signature, such as Transfer(address,address,uint256), or its topic`,
    }
  }
  const topics: (readonly string[] | null)[] = [first.length === 0 ? null : first]
  for (const [i, parameter] of indexedOf(event, events).entries()) {
    const text = wanted[TOPIC_FIELDS[i]!]
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
    return { problem: `expected a block number or one of ${TAGS.toReversed().join(', ')}, got ${wrong}` }
  }
  if (fromBlock.startsWith('0x') && toBlock.startsWith('0x') && BigInt(fromBlock) > BigInt(toBlock))
    return { problem: `the range ends at block ${to}, before it begins at block ${from}` }
  const filter = { ...(address !== undefined && { address }), ...(topics.length > 0 && { topics }) }
  return { filter, fromBlock, toBlock }
}

/** Returns the trimmed texts of a filter's fields, from the address bar or a form. */
export function textsOf<Name extends string>(
  names: readonly Name[],
  input: URLSearchParams | FormData,
): Readonly<Record<Name, string>> {
  const texts = names.map((name) => [name, String(input.get(name) ?? '').trim()])
  return Object.fromEntries(texts) as Record<Name, string>
}

export function wantedOf(input: URLSearchParams | FormData): Wanted {
  return textsOf(FIELDS, input)
}

export function wrongAddress(text: string): Problem {
  return {
    problem: `expected an address (0x and 40 hex digits) or the name of a known account, got ${text}`,
  }
}

export function addressOf(text: string, names: Names): string | undefined {
  return isAddress(text) ? text : names.get(text.toLowerCase())
}

/**
 * Returns an event's indexed parameters; empty if its name is unknown or its overloads differ in them. A signature or a
 * hash without an ABI has the parameters `topic 1` to `topic 3`.
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

const TOPICS: readonly Parameter[] = TOPIC_FIELDS.map((_, i) => ({ name: `topic ${i + 1}`, type: 'bytes32' }))

/** Encodes a value as a topic. For a string or bytes, the topic is the hash. */
function topicOfValue(parameter: Parameter, text: string, names: Names): string | Problem {
  const { type } = parameter
  if (isHash(text)) return text.toLowerCase()
  if (isComposite(parameter))
    return { problem: `a log has only the hash of a ${type}: expected 32 bytes in hex` }
  // The parser of bytes takes text in quotes as UTF-8.
  const found =
    type === 'string'
      ? valueMeant({ ...parameter, type: 'bytes' }, `"${text}"`, names)
      : valueMeant(parameter, text, names)
  if (found.kind === 'wrong') return { problem: found.message }
  if (type === 'string' || type === 'bytes') return hashOf(found.value as `0x${string}`)
  return encodeValues([{ ...parameter, name: '' }], [found.value])
}

/**
 * Returns the signature hashes of `event`, which is a topic, a signature, or a name with all overloads. With `kind`
 * `function`, `event` names functions, whose selectors are the first 4 bytes of the hashes.
 */
export function topicsOf(
  event: string,
  items: readonly Item[],
  kind: 'event' | 'function' = 'event',
): string[] | undefined {
  if (isHash(event)) return [event.toLowerCase()]
  if (event.includes('(')) {
    const item = parsed(event, kind)
    return item && [topicOf(item)]
  }
  const named = items.filter(({ type, name }) => type === kind && name === event)
  return named.length === 0 ? undefined : [...new Set(named.map(topicOf))]
}

function parsed(signature: string, kind: 'event' | 'function'): Item | undefined {
  try {
    return itemsOf([`${kind} ${signature.replace(/^(event|function)\s+/, '')}`])[0]
  } catch {
    return undefined
  }
}

function selectorOf(text: string): string | undefined {
  if (isTag(text)) return text
  return /^(\d{1,15}|0x[0-9a-f]{1,12})$/i.test(text) ? quantity(BigInt(text)) : undefined
}

export function namesOf(events: readonly Item[]): string[] {
  return [...new Set(events.map(signatureOf))].sort()
}

export interface LogPart {
  readonly logs: readonly RpcLog[]
  /** The lowest block that has been searched. `undefined` when the whole range has been searched. */
  readonly first: number | undefined
}

const PART = 2_000

/** Yields the logs of sealed blocks: in one response or, if the node rejects the range, in parts, newest first. */
export async function* logsBack(
  source: Requester,
  filter: LogFilter,
  fromBlock: string,
  toBlock: string,
): AsyncGenerator<LogPart, void> {
  if (fromBlock === 'pending') return
  const last = toBlock === 'pending' ? 'latest' : toBlock
  const ask = (from: string, to: string) =>
    source.request<readonly RpcLog[]>('eth_getLogs', [{ ...filter, fromBlock: from, toBlock: to }])
  let refused: unknown
  try {
    yield { logs: await ask(fromBlock, last), first: undefined }
    return
  } catch (error) {
    // Nodes reject too large ranges with different codes, so any error response may mean a too large range.
    if (!(error instanceof AnswerError)) throw error
    refused = error
  }
  const [from, to] = await Promise.all([numberOf(source, fromBlock), numberOf(source, last)])
  if (from === undefined || to === undefined || from >= to) throw refused
  let size = Math.min(PART, Math.ceil((to - from + 1) / 2))
  for (let end = to; end >= from; ) {
    const first = Math.max(from, end - size + 1)
    let logs: readonly RpcLog[]
    try {
      logs = await ask(quantity(first), quantity(end))
    } catch (error) {
      if (!(error instanceof AnswerError) || first === end) throw error
      size = Math.ceil((end - first + 1) / 2)
      continue
    }
    yield { logs, first: first === from ? undefined : first }
    end = first - 1
  }
}

async function numberOf(source: Requester, block: string): Promise<number | undefined> {
  if (block === 'earliest') return 0
  if (block.startsWith('0x')) return Number(block)
  const answer = await source.request<RpcBlock | null>('eth_getBlockByNumber', [block, false])
  return answer === null ? undefined : Number(answer.number)
}

export interface ShownLog {
  readonly key: string
  readonly log: RpcLog
  readonly state: 'preconfirmed' | 'sealed' | 'reorged'
}

const MOST = 5_000

/** The logs found. If there are more than `most`, the oldest are discarded. */
export class ShownLogs {
  /** Logs, keyed by block and log index, newest last. */
  #byPlace = new Map<string, ShownLog>()
  readonly #most: number
  leftOut = 0

  constructor(most = MOST) {
    this.#most = most
  }

  /** Adds logs of a response or a subscription. `isPending`: whether the logs are pre-confirmed. */
  add(logs: readonly RpcLog[], isPending: boolean): void {
    for (const log of logs) {
      const key = placeOf(log)
      if (log.removed) {
        this.#remove(log)
        continue
      }
      const known = this.#byPlace.get(key)
      // A pre-confirmed log may arrive after the log of the sealed block.
      if (isPending && known?.state === 'sealed') continue
      // The log replaces the pre-confirmed log, at the same position in the map.
      this.#byPlace.set(key, { key, log, state: isPending ? 'preconfirmed' : 'sealed' })
    }
    while (this.#byPlace.size > this.#most) {
      this.#byPlace.delete(this.#byPlace.keys().next().value!)
      this.leftOut++
    }
  }

  get hasRoom(): boolean {
    return this.#byPlace.size < this.#most
  }

  /** Adds sealed logs older than all others. `logs` begins with the oldest. */
  addOlder(logs: readonly RpcLog[]): void {
    const cut = Math.max(0, logs.length - (this.#most - this.#byPlace.size))
    this.leftOut += cut
    const newer = this.#byPlace
    this.#byPlace = new Map()
    this.add(logs.slice(cut), false)
    for (const [key, log] of newer) this.#byPlace.set(key, log)
  }

  /** Marks a log as removed by a reorg. Changes its key, because a new log may have the same block and index. */
  #remove(log: RpcLog): void {
    const key = placeOf(log)
    const known = this.#byPlace.get(key)
    const gone = { key: `${key} ${log.transactionHash} gone`, log, state: 'reorged' } as const
    if (known !== undefined && known.log.transactionHash === log.transactionHash) this.#byPlace.delete(key)
    this.#byPlace.set(gone.key, gone)
  }

  list(): readonly ShownLog[] {
    return [...this.#byPlace.values()].reverse()
  }
}

function placeOf({ blockNumber, logIndex }: RpcLog): string {
  return `${Number(blockNumber)} ${Number(logIndex)}`
}
