import type { Address, Hash } from '../bytes/hex.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { EMPTY_CODE_HASH } from '../state/accountRecord.ts'
import type { MissingValue, ProvenNodes, RemoteAccount } from '../state/remoteState.ts'
import { EMPTY_ROOT_BYTES } from '../state/trieEncoding.ts'
import { encodeQuantity, encodeWord, parseBytes, parseHash, parseUint64 } from '../wire/hex.ts'
import { InvalidValue, type Parser, recordOf } from '../wire/parser.ts'
import { parsedAnswer } from './answers.ts'
import type { CachedExchange } from './cacheFile.ts'
import {
  sendChecked,
  type Upstream,
  type UpstreamAnswer,
  UpstreamFailed,
  type UpstreamRequest,
} from './upstream.ts'

export interface Values {
  readonly accounts: Map<Address, RemoteAccount | undefined>
  readonly slots: Map<Address, Map<bigint, bigint>>
  readonly blockHashes: Map<bigint, Hash>
  readonly proofs: NodeStore | undefined
}

export class NodeStore implements ProvenNodes {
  readonly #nodes = new Map<string, Uint8Array>()
  readonly #unavailable = new Set<string>()
  readonly #storageRoots = new Map<Address, Uint8Array>()

  node(hash: string): Uint8Array | undefined | null {
    return this.#nodes.get(hash) ?? (this.#unavailable.has(hash) ? null : undefined)
  }

  keep(nodes: ReadonlyMap<string, Uint8Array>): void {
    for (const [hash, node] of nodes) this.#nodes.set(hash, node)
  }

  /** Returns the storage root of a proven account. Returns the root of empty storage for any other account. */
  storageRoot(address: Address): Uint8Array {
    return this.#storageRoots.get(address) ?? EMPTY_ROOT_BYTES
  }

  keepStorageRoot(address: Address, root: Uint8Array): void {
    this.#storageRoots.set(address, root)
  }

  giveUp(hash: string): void {
    this.#unavailable.add(hash)
  }
}

export interface Fetched {
  keep(values: Values): void
  readonly exchanges: readonly CachedExchange[]
}

export interface Plan {
  readonly requests: readonly UpstreamRequest[]
  /** Reads the answers, and returns a function that stores the value. Throws `UpstreamFailed` for invalid answers. */
  readonly read: (answers: readonly UpstreamAnswer[]) => (values: Values) => void
}

/** Sends one batch, and reads all answers before storing any. Rejects with `UpstreamFailed`. `guesses` may fail. */
export function fetchBatch(
  upstream: Upstream,
  plans: readonly Plan[],
  guesses: readonly Plan[],
  more: UpstreamRequest | undefined,
) {
  const requests = plans.flatMap((plan) => plan.requests)
  const optional = guesses.flatMap((plan) => plan.requests.map((one) => ({ ...one, isOptional: true })))
  const all = [...requests, ...optional, ...(more === undefined ? [] : [more])]
  return sendChecked(upstream, all, (answers) => {
    let at = 0
    const next = ({ requests }: Plan) => {
      at += requests.length
      return answers.slice(at - requests.length, at)
    }
    const fetched = plans.map((plan) => fetchedBy(plan, next(plan)))
    const likely = guesses.map((plan) => fetchedIfValid(plan, next(plan)))
    return { fetched, likely, more: more && answers.at(-1) }
  })
}

function fetchedBy({ requests, read }: Plan, answers: readonly UpstreamAnswer[]): Fetched {
  const keep = read(answers)
  const exchanges = requests.map(({ method, params }, index) => {
    return { method, params, result: (answers[index] as { readonly result: unknown }).result }
  })
  return { keep, exchanges }
}

function fetchedIfValid(plan: Plan, answers: readonly UpstreamAnswer[]): Fetched | undefined {
  try {
    return fetchedBy(plan, answers)
  } catch (error) {
    if (!(error instanceof UpstreamFailed) || error.kind === 'wrongProof') throw error
    return undefined
  }
}

export class StatePlanner {
  readonly #upstream: Upstream
  readonly #tag: string

  constructor(upstream: Upstream, number: bigint) {
    this.#upstream = upstream
    this.#tag = encodeQuantity(number)
  }

  get name(): string {
    return this.#upstream.name
  }

  plan(value: MissingValue): Plan {
    switch (value.kind) {
      case 'account':
        return this.account(value.address)
      case 'slot':
        return this.slot(value.address, value.slot)
      case 'blockHash':
        return this.#blockHash(value.number)
      case 'node':
        throw new Error('a trie node is fetched by a value whose proof has it')
    }
  }

  protected account(address: Address): Plan {
    const balanceAt = this.stateRequest('eth_getBalance', address)
    const nonceAt = this.stateRequest('eth_getTransactionCount', address)
    const codeAt = this.stateRequest('eth_getCode', address)
    return {
      requests: [balanceAt, nonceAt, codeAt],
      read: ([balance, nonce, code]) => {
        const account = accountOf(
          this.parsed(balanceAt, parseNumber(256), balance!),
          this.parsed(nonceAt, parseNumber(64), nonce!),
          this.parsed(codeAt, parseBytes, code!),
        )
        return ({ accounts }) => accounts.set(address, account)
      },
    }
  }

  protected slot(address: Address, slot: bigint): Plan {
    const request = this.stateRequest('eth_getStorageAt', address, encodeWord(slot))
    return {
      requests: [request],
      read: ([answer]) => {
        const word = this.parsed(request, parseNumber(256), answer!)
        return (values) => keepSlot(values, address, slot, word)
      },
    }
  }

  #blockHash(number: bigint): Plan {
    const params = [encodeQuantity(number), false]
    const request: UpstreamRequest = { method: 'eth_getBlockByNumber', params, isImmutable: true }
    return {
      requests: [request],
      read: ([answer]) => {
        const { hash, parentHash } = this.parsed(request, parseBlockHashes(number), answer!)
        return ({ blockHashes }) => {
          blockHashes.set(number, hash)
          if (number > 0n) blockHashes.set(number - 1n, parentHash)
        }
      },
    }
  }

  protected stateRequest(method: string, ...params: unknown[]): UpstreamRequest {
    return { method, params: [...params, this.#tag], isImmutable: true }
  }

  protected parsed<T>(request: UpstreamRequest, parse: Parser<T>, answer: UpstreamAnswer): T {
    return parsedAnswer(this.#upstream, request, parse, answer)
  }
}

export function keepSlot({ slots }: Values, address: Address, slot: bigint, value: bigint): void {
  const known = slots.get(address)
  if (known === undefined) slots.set(address, new Map([[slot, value]]))
  else known.set(slot, value)
}

/** Returns the account; `undefined` if it is empty, because empty accounts do not exist since EIP-161. */
function accountOf(balance: bigint, nonce: bigint, code: Uint8Array): RemoteAccount | undefined {
  if (balance === 0n && nonce === 0n && code.length === 0) return undefined
  return { balance, nonce, code, codeHash: hashOfCode(code) }
}

export function hashOfCode(code: Uint8Array): Uint8Array {
  return code.length === 0 ? EMPTY_CODE_HASH : keccak256(code)
}

/** Returns a parser of integers of at most `bits` bits. Some nodes add leading zeros, or return zero without digits. */
export function parseNumber(bits: number): Parser<bigint> {
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
      const expected = `the requested block (${encodeQuantity(number)})`
      throw new InvalidValue(`${path}.number`, expected, block.number)
    }
    return {
      hash: parseHash(block.hash, `${path}.hash`),
      parentHash: parseHash(block.parentHash, `${path}.parentHash`),
    }
  }
}
