/** How a value of the state of another node is fetched: the requests, and what reads their results. */
import type { Address, Hash } from '../bytes/hex.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { EMPTY_CODE_HASH } from '../state/accountRecord.ts'
import type { MissingValue, RemoteAccount } from '../state/remoteState.ts'
import { encodeQuantity, encodeWord, parseBytes, parseHash, parseUint64 } from '../wire/hex.ts'
import { InvalidValue, type Parser, recordOf } from '../wire/parser.ts'
import { described } from './answerErrors.ts'
import { parseNumber } from './parseNumber.ts'
import type { NodeStore } from './provenNodes.ts'
import type { UpstreamRequest } from './upstream.ts'
import { UpstreamFailed } from './upstreamFailed.ts'

/** The values of one block that were fetched. */
export interface Values {
  readonly accounts: Map<Address, RemoteAccount | undefined>
  readonly slots: Map<Address, Map<bigint, bigint>>
  readonly blockHashes: Map<bigint, Hash>
  /** The nodes that prove them, if they are proven. */
  readonly proofs: NodeStore | undefined
}

/** How a value is fetched. */
export interface Plan {
  readonly requests: readonly UpstreamRequest[]
  /** Returns what keeps the value. Throws `UpstreamFailed` for results that are wrong. */
  readonly read: (results: readonly unknown[]) => (values: Values) => void
}

/** Makes the plans of values. */
export interface Planner {
  plan(value: MissingValue): Plan
}

/** Makes plans that take a node at its word, with the requests that every node answers. */
export class PlainPlanner implements Planner {
  readonly upstream: string
  /** The block as requests name it. */
  readonly tag: string

  /** `upstream`: the node's name. */
  constructor(upstream: string, number: bigint) {
    this.upstream = upstream
    this.tag = encodeQuantity(number)
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
        throw new Error('nodes are fetched with values that lead to them')
    }
  }

  protected account(address: Address): Plan {
    const balanceAt = this.request('eth_getBalance', address, this.tag)
    const nonceAt = this.request('eth_getTransactionCount', address, this.tag)
    const codeAt = this.request('eth_getCode', address, this.tag)
    return {
      requests: [balanceAt, nonceAt, codeAt],
      read: ([balance, nonce, code]) => {
        const account = accountOf(
          this.parsed(balanceAt, parseNumber(256), balance),
          this.parsed(nonceAt, parseNumber(64), nonce),
          this.parsed(codeAt, parseBytes, code),
        )
        return ({ accounts }) => accounts.set(address, account)
      },
    }
  }

  protected slot(address: Address, slot: bigint): Plan {
    const request = this.request('eth_getStorageAt', address, encodeWord(slot), this.tag)
    return {
      requests: [request],
      read: ([result]) => {
        const word = this.parsed(request, parseNumber(256), result)
        return (values) => keepSlot(values, address, slot, word)
      },
    }
  }

  #blockHash(number: bigint): Plan {
    const request = this.request('eth_getBlockByNumber', encodeQuantity(number), false)
    return {
      requests: [request],
      read: ([result]) => {
        const { hash, parentHash } = this.parsed(request, parseBlockHashes(number), result)
        return ({ blockHashes }) => {
          blockHashes.set(number, hash)
          if (number > 0n) blockHashes.set(number - 1n, parentHash)
        }
      },
    }
  }

  protected request(method: string, ...params: unknown[]): UpstreamRequest {
    return { method, params, isImmutable: true }
  }

  protected parsed<T>(request: UpstreamRequest, parse: Parser<T>, result: unknown): T {
    return parsedAnswer(this.upstream, request, parse, result)
  }
}

export function keepSlot({ slots }: Values, address: Address, slot: bigint, value: bigint): void {
  const known = slots.get(address)
  if (known === undefined) slots.set(address, new Map([[slot, value]]))
  else known.set(slot, value)
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
  return { balance, nonce, code, codeHash: hashOfCode(code) }
}

export function hashOfCode(code: Uint8Array): Uint8Array {
  return code.length === 0 ? EMPTY_CODE_HASH : keccak256(code)
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
