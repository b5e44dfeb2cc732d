/** The state of another node at one block, fetched in batches when it is needed. */
import type { Address, Hash } from '../model/bytes/hex.ts'
import { EMPTY_BYTES } from '../model/bytes/hex.ts'
import { keccak256, keccakHash } from '../model/crypto/keccak.ts'
import { nameOf } from '../state/fetchingView.ts'
import {
  type FetchedAccount,
  type MissingValue,
  NOT_FETCHED,
  type RemoteAccount,
  type RemoteCall,
  type RemoteState,
} from '../state/remoteState.ts'
import { encodeBytes, encodeQuantity, encodeWord, parseBytes, parseHash, parseUint64 } from '../wire/hex.ts'
import { InvalidValue, type Parser, recordOf } from '../wire/parser.ts'
import { described, lacksMethod, resultOf } from './answerErrors.ts'
import { parseAccessList } from './parseAccessList.ts'
import { Recent } from './recent.ts'
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
  /**
   * Whether values are shared with all other states of this block in the process, so that each is fetched once. False
   * by default: the state of a development chain can change without its block.
   */
  readonly isShared?: boolean
}

/** The values of one block that were fetched, and the fetches that run. */
interface Values {
  readonly accounts: Map<Address, RemoteAccount | undefined>
  readonly slots: Map<Address, Map<bigint, bigint>>
  readonly blockHashes: Map<bigint, Hash>
  /** Fetches that run, by what they fetch. */
  readonly running: Map<string, Promise<void>>
  /** The calls whose access list was asked for. */
  readonly calls: Set<string>
}

/** The values of blocks, shared by all states of the process that are told to. */
const shared = new Recent<Values>()

/** Forgets all values that states of this process share. Those that use them keep them. */
export function forgetSharedValues(): void {
  shared.clear()
}

/** Returns the state of `upstream` at `block`, of which nothing is fetched yet, unless it is shared. */
export function remoteStateOf(
  upstream: Upstream,
  block: RemoteBlock,
  { isShared = false }: RemoteStateSettings = {},
): RemoteState {
  return new FetchedState(upstream, block, isShared ? sharedValues(block) : newValues(block))
}

function newValues({ number, hash, parentHash }: RemoteBlock): Values {
  const before: [bigint, Hash][] = parentHash === undefined ? [] : [[number - 1n, parentHash]]
  return {
    accounts: new Map(),
    slots: new Map(),
    blockHashes: new Map([...before, [number, hash]]),
    running: new Map(),
    calls: new Set(),
  }
}

function sharedValues(block: RemoteBlock): Values {
  const key = `${block.chainId} ${block.hash}`
  return shared.find(key) ?? shared.keep(key, newValues(block))
}

class FetchedState implements RemoteState {
  readonly #upstream: Upstream
  readonly #block: RemoteBlock
  readonly #values: Values
  /** Whether the node has eth_createAccessList, as far as is known. */
  #hasAccessLists = true

  constructor(upstream: Upstream, block: RemoteBlock, values: Values) {
    this.#upstream = upstream
    this.#block = block
    this.#values = values
  }

  account(address: Address): RemoteAccount | undefined | typeof NOT_FETCHED {
    const account = this.#values.accounts.get(address)
    if (account !== undefined || this.#values.accounts.has(address)) return account
    return NOT_FETCHED
  }

  slot(address: Address, slot: bigint): bigint | typeof NOT_FETCHED {
    return this.#values.slots.get(address)?.get(slot) ?? NOT_FETCHED
  }

  blockHash(number: bigint): Hash | typeof NOT_FETCHED {
    return this.#values.blockHashes.get(number) ?? NOT_FETCHED
  }

  *fetched(): Generator<FetchedAccount> {
    const { accounts, slots } = this.#values
    for (const [address, account] of accounts) yield { address, account, slots: slots.get(address) ?? [] }
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

  /**
   * Fetches those of `values` that are neither there nor on their way in one batch, with the access list of `call`.
   * Returns the values that the access list names.
   */
  async #fetchTogether(
    values: readonly MissingValue[],
    call?: RemoteCall,
    guesses: readonly MissingValue[] = [],
  ): Promise<readonly MissingValue[]> {
    const { running } = this.#values
    const wanted = new Map(values.filter((value) => !this.#has(value)).map((value) => [nameOf(value), value]))
    const others = [...wanted.keys()].flatMap((key) => running.get(key) ?? [])
    const ours = [...wanted].filter(([key]) => !running.has(key))
    const list = call === undefined ? undefined : this.#accessListRequest(call)
    if (ours.length === 0 && list === undefined) {
      await Promise.all(others)
      return []
    }
    const fetched = this.#fetchBatch(
      ours.map(([, value]) => value),
      guesses.filter((value) => !this.#has(value) && !wanted.has(nameOf(value))),
      list,
    )
    const done = fetched.then(() => {})
    // It rejects here, below, too.
    done.catch(() => {})
    for (const [key] of ours) running.set(key, done)
    try {
      const [named] = await Promise.all([fetched, ...others])
      return named
    } finally {
      for (const [key] of ours) running.delete(key)
    }
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
    if (this.#values.calls.has(key)) return undefined
    this.#values.calls.add(key)
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
    const keeps = plans.map((plan) => {
      const own = answers.slice(at, at + plan.requests.length)
      at += plan.requests.length
      return plan.read(own.map((answer, index) => this.#result(plan.requests[index]!, answer)))
    })
    for (const keep of keeps) keep()
    for (const plan of guessed) {
      const own = answers.slice(at, at + plan.requests.length)
      at += plan.requests.length
      this.#keepIfSound(plan, own)
    }
    return list === undefined ? [] : this.#namedBy(answers.at(-1)!)
  }

  /** Keeps a value that may be needed. An answer that is an error, or wrong, is as good as none. */
  #keepIfSound({ read }: Plan, answers: readonly UpstreamAnswer[]): void {
    const results = answers.flatMap((answer) => ('result' in answer ? [answer.result] : []))
    if (results.length < answers.length) return
    try {
      read(results)()
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
    const { accounts, slots, blockHashes } = this.#values
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
            return () => accounts.set(address, account)
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
            return () => {
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
            return () => {
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
  readonly read: (results: readonly unknown[]) => () => void
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
