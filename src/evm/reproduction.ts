/**
 * A run as a JSON document: the rules, the block context, the message, and the part of the state that was read. It
 * contains all that an engine needs to run the message again, on any machine.
 */
import { type Address, fromHex, type Hash, type Hex, toHex } from '../model/bytes/hex.ts'
import { type AnyHardfork, createRules, type Rules } from '../model/hardfork/hardfork.ts'
import type { L2Chain } from '../model/l2/l2.ts'
import { State } from '../state/state.ts'
import type { Account, StateView } from '../state/view.ts'
import type { BlockContext } from './blockContext.ts'
import type { Message } from './engine.ts'

const FORMAT = 'preseal run 1'

/** A run in JSON. Quantities are hex. */
export interface Reproduction {
  readonly format: typeof FORMAT
  readonly rules: {
    readonly hardfork: AnyHardfork
    readonly chainId: Hex
    readonly codeSizeLimit?: number
    readonly l2?: L2Chain
  }
  readonly context: Readonly<Record<string, unknown>>
  readonly message: Readonly<Record<string, unknown>>
  readonly accounts: Readonly<Record<Address, ReproducedAccount>>
  readonly blockHashes: Readonly<Record<Hex, Hash>>
  /** What each engine returned, for people. */
  readonly results: Readonly<Record<string, unknown>>
}

interface ReproducedAccount {
  readonly nonce: Hex
  readonly balance: Hex
  readonly code: Hex
  readonly storage: Readonly<Record<Hex, Hex>>
}

/** A state that notes what is read of it. */
export class NotedView implements StateView {
  readonly #state: StateView
  readonly #slots = new Map<Address, Map<bigint, bigint>>()

  constructor(state: StateView) {
    this.#state = state
  }

  account(address: Address): Account | undefined {
    this.#slotsOf(address)
    return this.#state.account(address)
  }

  code(address: Address): Uint8Array {
    this.#slotsOf(address)
    return this.#state.code(address)
  }

  hasStorage(address: Address): boolean {
    this.#slotsOf(address)
    return this.#state.hasStorage(address)
  }

  storage(address: Address, slot: bigint): bigint {
    const value = this.#state.storage(address, slot)
    this.#slotsOf(address).set(slot, value)
    return value
  }

  /** Returns the accounts that were read, with the slots that were read. */
  accounts(): Record<Address, ReproducedAccount> {
    const accounts: Record<Address, ReproducedAccount> = {}
    for (const [address, slots] of this.#slots) {
      const account = this.#state.account(address)
      if (account === undefined) continue
      const storage: Record<Hex, Hex> = {}
      for (const [slot, value] of slots) if (value !== 0n) storage[hexOf(slot)] = hexOf(value)
      accounts[address] = {
        nonce: hexOf(account.nonce),
        balance: hexOf(account.balance),
        code: toHex(this.#state.code(address)),
        storage,
      }
    }
    return accounts
  }

  #slotsOf(address: Address): Map<bigint, bigint> {
    let slots = this.#slots.get(address)
    if (slots === undefined) {
      slots = new Map()
      this.#slots.set(address, slots)
    }
    return slots
  }
}

/** Returns the run of `message` in JSON. `blockHashes` are those that were read. */
export function reproductionOf(
  rules: Rules,
  context: BlockContext,
  message: Message,
  read: NotedView,
  blockHashes: ReadonlyMap<bigint, Hash>,
  results: Readonly<Record<string, unknown>>,
): Reproduction {
  const { hardfork, chainId, codeSizeLimit, l2 } = rules
  const { blockHash: _, ...values } = context
  return {
    format: FORMAT,
    rules: {
      hardfork,
      chainId: hexOf(chainId),
      ...(codeSizeLimit === undefined ? {} : { codeSizeLimit }),
      ...(l2 === undefined ? {} : { l2 }),
    },
    context: toJson(values) as Record<string, unknown>,
    message: toJson(message) as Record<string, unknown>,
    accounts: read.accounts(),
    blockHashes: Object.fromEntries([...blockHashes].map(([number, hash]) => [hexOf(number), hash])),
    results: toJson(results) as Record<string, unknown>,
  }
}

/** The arguments of `Engine.transact` that a reproduction has. */
export interface ReproducedRun {
  readonly rules: Rules
  readonly state: State
  readonly context: BlockContext
  readonly message: Message
}

/** Returns the run of a document that `reproductionOf` made. Throws a `TypeError` if it is another document. */
export function parseReproduction(document: unknown): ReproducedRun {
  const { format, rules, context, message, accounts, blockHashes } = (document ?? {}) as Reproduction
  if (format !== FORMAT) {
    throw new TypeError(`expected a file of format "${FORMAT}", got format ${JSON.stringify(format)}`)
  }
  const { hardfork, chainId, ...config } = rules
  return {
    rules: createRules(hardfork, BigInt(chainId), config),
    state: State.empty.with(
      Object.entries(accounts).map(([address, { nonce, balance, code, storage }]) => ({
        address: address as Address,
        nonce: BigInt(nonce),
        balance: BigInt(balance),
        code: fromHex(code),
        storage: Object.entries(storage).map(([slot, value]) => [BigInt(slot), BigInt(value)] as const),
      })),
    ),
    context: {
      ...(fromJson(context) as Omit<BlockContext, 'blockHash'>),
      blockHash: (number) => blockHashes[hexOf(number)],
    },
    message: fromJson(message) as Message,
  }
}

function hexOf(value: bigint): Hex {
  return `0x${value.toString(16)}`
}

/** Bigints, bytes and maps have no form in JSON: each is an object with one member, which names its type. */
function toJson(value: unknown): unknown {
  if (typeof value === 'bigint') return { bigint: hexOf(value) }
  if (value instanceof Uint8Array) return { bytes: toHex(value) }
  if (value instanceof Map) return { map: [...value].map(toJson) }
  if (Array.isArray(value)) return value.map(toJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toJson(member)]))
}

function fromJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromJson)
  if (typeof value !== 'object' || value === null) return value
  const [entry, ...more] = Object.entries(value)
  if (entry !== undefined && more.length === 0) {
    const [type, content] = entry
    if (type === 'bigint') return BigInt(content as string)
    if (type === 'bytes') return fromHex(content as Hex)
    if (type === 'map') return new Map(fromJson(content) as [unknown, unknown][])
  }
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, fromJson(member)]))
}
