/** The state of another node at one block, fetched in batches when it is needed. */
import type { Address, Hash } from '../model/bytes/hex.ts'
import { EMPTY_BYTES } from '../model/bytes/hex.ts'
import { keccak256, keccakHash } from '../model/crypto/keccak.ts'
import { nameOf } from '../state/fetchingView.ts'
import {
  type MissingValue,
  NOT_FETCHED,
  type RemoteAccount,
  type RemoteCall,
  type RemoteState,
} from '../state/remoteState.ts'
import { encodeBytes, encodeQuantity, encodeWord, parseBytes, parseHash, parseUint64 } from '../wire/hex.ts'
import { InvalidValue, type Parser, recordOf } from '../wire/parser.ts'
import { described, lacksMethod, resultOf } from './answerErrors.ts'
import type { CachedExchange } from './cacheFile.ts'
import { parseAccessList } from './parseAccessList.ts'
import type { Upstream, UpstreamAnswer, UpstreamRequest } from './upstream.ts'
import { UpstreamFailed } from './upstreamFailed.ts'

/** The block of another node at which a state is read. */
export interface RemoteBlock {
  readonly chainId: bigint
  readonly number: bigint
  readonly hash: Hash
  /** The hash of the block before it, if it is known: BLOCKHASH is asked for that most often. */
  readonly parentHash?: Hash
}

export interface RemoteStateSettings {
  /** What states of the same block share, so that each value is fetched once; by default nothing. */
  readonly shared?: SharedValues
  /** Called with the exchanges from which values came that are read here and that another state has fetched. */
  readonly use?: (exchanges: readonly CachedExchange[]) => void
}

/** The values of one block that were fetched. */
interface Values {
  readonly accounts: Map<Address, RemoteAccount | undefined>
  readonly slots: Map<Address, Map<bigint, bigint>>
  readonly blockHashes: Map<bigint, Hash>
}

/** A value that was fetched, and the exchanges from which it came. */
interface Fetched {
  keep(values: Values): void
  readonly exchanges: readonly CachedExchange[]
}

/** What the states of one block in this process share: the values that were fetched, and the fetches that run. */
export class SharedValues {
  /** By the name of the value. */
  readonly fetched = new Map<string, Fetched>()
  /** Resolves when the fetch of a value has ended, well or not. */
  readonly running = new Map<string, Promise<void>>()
  /** The calls whose access list was asked for. */
  readonly calls = new Set<string>()
}

/** Returns the state of `upstream` at `block`, of which nothing is fetched yet but what is shared. */
export function remoteStateOf(
  upstream: Upstream,
  block: RemoteBlock,
  settings: RemoteStateSettings = {},
): RemoteState {
  return new FetchedState(upstream, block, settings)
}

function valuesOf({ number, hash, parentHash }: RemoteBlock): Values {
  const before: [bigint, Hash][] = parentHash === undefined ? [] : [[number - 1n, parentHash]]
  return { accounts: new Map(), slots: new Map(), blockHashes: new Map([...before, [number, hash]]) }
}

class FetchedState implements RemoteState {
  readonly #upstream: Upstream
  readonly #block: RemoteBlock
  /** The values that were read or fetched here. */
  readonly #values: Values
  readonly #shared: SharedValues
  readonly #use: (exchanges: readonly CachedExchange[]) => void
  /** Whether the node has eth_createAccessList, as far as is known. */
  #hasAccessLists = true

  constructor(
    upstream: Upstream,
    block: RemoteBlock,
    { shared = new SharedValues(), use = () => {} }: RemoteStateSettings,
  ) {
    this.#upstream = upstream
    this.#block = block
    this.#values = valuesOf(block)
    this.#shared = shared
    this.#use = use
  }

  account(address: Address): RemoteAccount | undefined | typeof NOT_FETCHED {
    const { accounts } = this.#values
    const account = accounts.get(address)
    if (account !== undefined || accounts.has(address)) return account
    return this.#take({ kind: 'account', address }) ? accounts.get(address) : NOT_FETCHED
  }

  slot(address: Address, slot: bigint): bigint | typeof NOT_FETCHED {
    const { slots } = this.#values
    const value = slots.get(address)?.get(slot)
    if (value !== undefined) return value
    return this.#take({ kind: 'slot', address, slot }) ? slots.get(address)!.get(slot)! : NOT_FETCHED
  }

  blockHash(number: bigint): Hash | typeof NOT_FETCHED {
    const { blockHashes } = this.#values
    const hash = blockHashes.get(number)
    if (hash !== undefined) return hash
    return this.#take({ kind: 'blockHash', number }) ? blockHashes.get(number)! : NOT_FETCHED
  }

  async fetch(
    values: readonly MissingValue[],
    call?: RemoteCall,
    guesses: readonly MissingValue[] = [],
  ): Promise<void> {
    const named = await this.#fetchTogether(values, call, guesses)
    // The access list of the call names more, which the call will need: its failure is not that of the call.
    if (named.length > 0) await this.#fetchTogether(named).catch(() => {})
  }

  /** Takes a value that another state of this block has fetched. Returns whether there is one. */
  #take(value: MissingValue): boolean {
    const fetched = this.#shared.fetched.get(nameOf(value))
    if (fetched === undefined) return false
    fetched.keep(this.#values)
    this.#use(fetched.exchanges)
    return true
  }

  /**
   * Fetches those of `values` that are neither there nor on their way in one batch, with the access list of `call`.
   * Returns the values that the access list names.
   */
  async #fetchTogether(
    values: readonly MissingValue[],
    call?: RemoteCall,
    guesses: readonly MissingValue[] = [],
  ): Promise<readonly MissingValue[]> {
    const { running } = this.#shared
    const wanted = new Map(values.filter((value) => !this.#has(value)).map((value) => [nameOf(value), value]))
    const others = [...wanted.keys()].flatMap((key) => running.get(key) ?? [])
    const ours = [...wanted].filter(([key]) => !running.has(key))
    const list = call === undefined ? undefined : this.#accessListRequest(call)
    const likely = guesses.filter((value) => !this.#has(value) && !wanted.has(nameOf(value)))
    const [named] = await Promise.all([this.#fetchOurs(new Map(ours), likely, list), ...others])
    // Another state's fetch may have failed for a reason of its own, such as its limit of time.
    const left = [...wanted.values()].filter((value) => !this.#has(value))
    if (left.length > 0) await this.#fetchTogether(left)
    return named
  }

  async #fetchOurs(
    values: ReadonlyMap<string, MissingValue>,
    guesses: readonly MissingValue[],
    list: UpstreamRequest | undefined,
  ): Promise<readonly MissingValue[]> {
    if (values.size === 0 && list === undefined) return []
    const { running } = this.#shared
    const fetched = this.#fetchBatch([...values.values()], guesses, list)
    const end = () => {
      for (const key of values.keys()) running.delete(key)
    }
    const done = fetched.then(end, end)
    for (const key of values.keys()) running.set(key, done)
    await done
    return fetched
  }

  /** Returns the request of the access list of a call; `undefined` if there is none, or it was asked for already. */
  #accessListRequest({ from, to, value, data }: RemoteCall): UpstreamRequest | undefined {
    if (!this.#hasAccessLists) return undefined
    const call = {
      from,
      ...(to === undefined ? {} : { to }),
      value: encodeQuantity(value),
      data: encodeBytes(data),
      // Without a price the sender needs no ether for gas.
      gasPrice: '0x0',
    }
    const key = keccakHash(new TextEncoder().encode(JSON.stringify(call)))
    if (this.#shared.calls.has(key)) return undefined
    this.#shared.calls.add(key)
    return { method: 'eth_createAccessList', params: [call, this.#tag], isImmutable: true, isOptional: true }
  }

  async #fetchBatch(
    values: readonly MissingValue[],
    guesses: readonly MissingValue[],
    list: UpstreamRequest | undefined,
  ): Promise<readonly MissingValue[]> {
    const plans = values.map((value) => this.#plan(value))
    const guessed = guesses.map((value) => this.#plan(value))
    const requests = plans.flatMap((plan) => plan.requests)
    const optional = guessed.flatMap((plan) => plan.requests.map((one) => ({ ...one, isOptional: true })))
    const all = [...requests, ...optional, ...(list === undefined ? [] : [list])]
    const answers = await this.#upstream.send(all)
    let at = 0
    // All answers are read before any is kept: a wrong one leaves nothing.
    const fetched = plans.map((plan) => {
      const own = answers.slice(at, at + plan.requests.length)
      at += plan.requests.length
      const results = own.map((answer, index) => this.#result(plan.requests[index]!, answer))
      return fetchedBy(plan, results)
    })
    for (const [index, value] of values.entries()) {
      this.#shared.fetched.set(nameOf(value), fetched[index]!)
      fetched[index]!.keep(this.#values)
    }
    for (const [index, { requests }] of guessed.entries()) {
      const own = answers.slice(at, at + requests.length)
      at += requests.length
      this.#shareIfSound(guesses[index]!, guessed[index]!, own)
    }
    return list === undefined ? [] : this.#namedBy(answers.at(-1)!)
  }

  /** Shares a value that may be needed: a read takes it. An answer that is an error, or wrong, is as good as none. */
  #shareIfSound(value: MissingValue, plan: Plan, answers: readonly UpstreamAnswer[]): void {
    const results = answers.flatMap((answer) => ('result' in answer ? [answer.result] : []))
    if (results.length < answers.length) return
    try {
      this.#shared.fetched.set(nameOf(value), fetchedBy(plan, results))
    } catch (error) {
      if (!(error instanceof UpstreamFailed)) throw error
    }
  }

  /** Returns the values that the answer to eth_createAccessList names and that are not there yet. */
  #namedBy(answer: UpstreamAnswer): readonly MissingValue[] {
    if ('error' in answer) {
      if (lacksMethod(answer.error)) this.#hasAccessLists = false
      return []
    }
    return parseAccessList(answer.result).filter((value) => !this.#has(value))
  }

  #has(value: MissingValue): boolean {
    switch (value.kind) {
      case 'account':
        return this.account(value.address) !== NOT_FETCHED
      case 'slot':
        return this.slot(value.address, value.slot) !== NOT_FETCHED
      case 'blockHash':
        return this.blockHash(value.number) !== NOT_FETCHED
    }
  }

  /** Returns the requests of a value, and what reads their results and returns what keeps the value. */
  #plan(value: MissingValue): Plan {
    switch (value.kind) {
      case 'account': {
        const { address } = value
        const [balanceAt, nonceAt, codeAt] = ['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode'].map(
          (method) => this.#request(method, [address, this.#tag]),
        ) as [UpstreamRequest, UpstreamRequest, UpstreamRequest]
        return {
          requests: [balanceAt, nonceAt, codeAt],
          read: ([balance, nonce, code]) => {
            const account = accountOf(
              this.#parsed(balanceAt, parseNumber(256), balance),
              this.#parsed(nonceAt, parseNumber(64), nonce),
              this.#parsed(codeAt, parseBytes, code),
            )
            return ({ accounts }) => accounts.set(address, account)
          },
        }
      }
      case 'slot': {
        const { address, slot } = value
        const request = this.#request('eth_getStorageAt', [address, encodeWord(slot), this.#tag])
        return {
          requests: [request],
          read: ([result]) => {
            const word = this.#parsed(request, parseNumber(256), result)
            return ({ slots }) => {
              const known = slots.get(address)
              if (known === undefined) slots.set(address, new Map([[slot, word]]))
              else known.set(slot, word)
            }
          },
        }
      }
      case 'blockHash': {
        const { number } = value
        const request = this.#request('eth_getBlockByNumber', [encodeQuantity(number), false])
        return {
          requests: [request],
          read: ([result]) => {
            const { hash, parentHash } = this.#parsed(request, parseBlockHashes(number), result)
            return ({ blockHashes }) => {
              blockHashes.set(number, hash)
              if (number > 0n) blockHashes.set(number - 1n, parentHash)
            }
          },
        }
      }
    }
  }

  get #tag(): string {
    return encodeQuantity(this.#block.number)
  }

  #request(method: string, params: readonly unknown[]): UpstreamRequest {
    return { method, params, isImmutable: true }
  }

  #result(request: UpstreamRequest, answer: UpstreamAnswer): unknown {
    return resultOf(this.#upstream.name, request, answer)
  }

  #parsed<T>(request: UpstreamRequest, parse: Parser<T>, value: unknown): T {
    return parsedAnswer(this.#upstream.name, request, parse, value)
  }
}

interface Plan {
  readonly requests: readonly UpstreamRequest[]
  readonly read: (results: readonly unknown[]) => Fetched['keep']
}

/** Returns what a plan fetched by these results. */
function fetchedBy({ requests, read }: Plan, results: readonly unknown[]): Fetched {
  const exchanges = requests.map(({ method, params }, index) => ({ method, params, result: results[index] }))
  return { keep: read(results), exchanges }
}

/** Returns `result` as `parse` reads it. Throws `UpstreamFailed` of the kind `wrongAnswer`. */
export function parsedAnswer<T>(
  upstream: string,
  request: UpstreamRequest,
  parse: Parser<T>,
  result: unknown,
): T {
  try {
    return parse(result, 'result')
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error
    const wrong = `a wrong answer to ${described(request)}`
    throw new UpstreamFailed({ kind: 'wrongAnswer', upstream, wrong, came: error.message })
  }
}

/** Returns the account; `undefined` if it is empty: since Spurious Dragon such accounts do not exist (EIP-161). */
function accountOf(balance: bigint, nonce: bigint, code: Uint8Array): RemoteAccount | undefined {
  if (balance === 0n && nonce === 0n && code.length === 0) return undefined
  return { balance, nonce, code, codeHash: code.length === 0 ? EMPTY_CODE_HASH : keccak256(code) }
}

const EMPTY_CODE_HASH = keccak256(EMPTY_BYTES)

/** Returns a parser of a number of at most `bits` bits. Some nodes write zeros in front, or leave them out. */
function parseNumber(bits: number): Parser<bigint> {
  return (value, path) => {
    const isHex = typeof value === 'string' && /^0x[0-9a-fA-F]{0,64}$/.test(value)
    const number = isHex ? BigInt(value === '0x' ? '0x0' : value) : undefined
    if (number === undefined || number >= 1n << BigInt(bits)) {
      throw new InvalidValue(path, `a number of at most ${bits} bits (0x and hex digits)`, value)
    }
    return number
  }
}

function parseBlockHashes(number: bigint): Parser<{ hash: Hash; parentHash: Hash }> {
  return (value, path) => {
    const block = recordOf(value, path, `block ${number}`)
    if (parseUint64(block.number, `${path}.number`) !== number) {
      throw new InvalidValue(
        `${path}.number`,
        `the block that was asked for (${encodeQuantity(number)})`,
        block.number,
      )
    }
    return {
      hash: parseHash(block.hash, `${path}.hash`),
      parentHash: parseHash(block.parentHash, `${path}.parentHash`),
    }
  }
}
