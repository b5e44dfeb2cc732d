/** A run as a JSON document that any machine can repeat: rules, block context, message, and the state that was read. */
import { type Address, fromHex, type Hash, type Hex, toHex } from '../../bytes/hex.ts'
import { type AnyHardfork, createRules, type Rules } from '../../model/hardfork/hardfork.ts'
import { ALL_HARDFORKS } from '../../model/hardfork/ruleTables.ts'
import type { L2Chain, L2Upgrade } from '../../model/l2/l2.ts'
import { State } from '../../state/state.ts'
import type { Account, StateView } from '../../state/view.ts'
import type { BlockContext } from '../blockContext.ts'
import type { Message } from '../engine.ts'

const FORMAT = 'preseal run 1'

export class NotAReproduction extends Error {}

export interface Reproduction {
  readonly format: typeof FORMAT
  readonly rules: {
    readonly hardfork: AnyHardfork
    readonly chainId: Hex
    readonly codeSizeLimit?: number
    readonly l2?: L2Chain
    readonly l2Upgrade?: L2Upgrade
  }
  readonly context: Readonly<Record<string, unknown>>
  readonly message: Readonly<Record<string, unknown>>
  readonly accounts: Readonly<Record<Address, ReproducedAccount>>
  readonly blockHashes: Readonly<Record<Hex, Hash>>
  readonly results: Readonly<Record<string, unknown>>
}

interface ReproducedAccount {
  readonly nonce: Hex
  readonly balance: Hex
  readonly code: Hex
  readonly storage: Readonly<Record<Hex, Hex>>
}

export class RecordingView implements StateView {
  readonly #state: StateView
  readonly #slots = new Map<Address, Map<bigint, bigint>>()
  readonly #stored = new Set<Address>()

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
    const hasStorage = this.#state.hasStorage(address)
    if (hasStorage) this.#stored.add(address)
    return hasStorage
  }

  storage(address: Address, slot: bigint): bigint {
    const value = this.#state.storage(address, slot)
    this.#slotsOf(address).set(slot, value)
    return value
  }

  /** Returns the read accounts and slots. If storage was found but no nonzero slot was read, makes up one. */
  accounts(): Record<Address, ReproducedAccount> {
    const accounts: Record<Address, ReproducedAccount> = {}
    for (const [address, slots] of this.#slots) {
      const account = this.#state.account(address)
      if (account === undefined) continue
      const storage: Record<Hex, Hex> = {}
      for (const [slot, value] of slots) if (value !== 0n) storage[hexOf(slot)] = hexOf(value)
      if (this.#stored.has(address) && Object.keys(storage).length === 0) storage[unreadOf(slots)] = '0x1'
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

function unreadOf(slots: ReadonlyMap<bigint, bigint>): Hex {
  let slot = 2n ** 256n - 1n
  while (slots.has(slot)) slot--
  return hexOf(slot)
}

/** Returns the run of `message` as JSON. `blockHashes`: the block hashes that the run read. */
export function reproductionOf(
  rules: Rules,
  context: BlockContext,
  message: Message,
  read: RecordingView,
  blockHashes: ReadonlyMap<bigint, Hash>,
  results: Readonly<Record<string, unknown>>,
): Reproduction {
  const { hardfork, chainId, codeSizeLimit, l2, l2Upgrade } = rules
  const { blockHash: _, ...values } = context
  return {
    format: FORMAT,
    rules: {
      hardfork,
      chainId: hexOf(chainId),
      ...(codeSizeLimit === undefined ? {} : { codeSizeLimit }),
      ...(l2 === undefined ? {} : { l2, l2Upgrade }),
    },
    context: toJson(values) as Record<string, unknown>,
    message: toJson(message) as Record<string, unknown>,
    accounts: read.accounts(),
    blockHashes: Object.fromEntries([...blockHashes].map(([number, hash]) => [hexOf(number), hash])),
    results: toJson(results) as Record<string, unknown>,
  }
}

export interface ReproducedRun {
  readonly rules: Rules
  readonly state: State
  readonly context: BlockContext
  readonly message: Message
}

const PARTS = ['rules', 'context', 'message', 'accounts', 'blockHashes'] as const

/** Parses a document of `reproductionOf`. Throws `NotAReproduction` if `document` is not a recorded run. */
export function parseReproduction(document: unknown): ReproducedRun {
  const members = (document ?? {}) as Partial<Reproduction>
  const { format } = members
  if (format !== FORMAT) {
    throw new NotAReproduction(
      `expected a document of format "${FORMAT}", got format ${JSON.stringify(format)}`,
    )
  }
  const missing = PARTS.filter((part) => typeof members[part] !== 'object' || members[part] === null)
  if (missing.length > 0) {
    throw new NotAReproduction(`expected the objects ${PARTS.join(', ')}; missing: ${missing.join(', ')}`)
  }
  try {
    return runOf(members as Reproduction)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new NotAReproduction(`expected a complete document of format "${FORMAT}": ${reason}`, { cause })
  }
}

function runOf({ rules, context, message, accounts, blockHashes }: Reproduction): ReproducedRun {
  const { hardfork, chainId, ...config } = rules
  if (!ALL_HARDFORKS.includes(hardfork)) throw new TypeError(`unknown hardfork ${JSON.stringify(hardfork)}`)
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

/**
 * Converts a value to JSON. A bigint, byte array or map becomes an object with one member, named after the type. In
 * maps, `undefined` becomes `null`.
 */
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
    if (type === 'map')
      return new Map((fromJson(content) as unknown[][]).map(([k, v]) => [k, v ?? undefined]))
  }
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, fromJson(member)]))
}

/**
 * Writes `run` to preseal-difference-1.json in the working directory, or to the first unused number up to 20. Returns
 * the file name; `undefined` in browsers, if the directory is not writable, or if all numbers are used.
 */
export function keepRun(run: Reproduction): string | undefined {
  // `node:fs` is not imported, because browsers do not have it.
  const files = globalThis.process?.getBuiltinModule?.('node:fs')
  if (files === undefined) return undefined
  for (let number = 1; number <= MOST; number++) {
    const name = `preseal-difference-${number}.json`
    try {
      files.writeFileSync(name, `${JSON.stringify(run, undefined, 2)}\n`, { flag: 'wx' })
      return name
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return undefined
    }
  }
  return undefined
}

const MOST = 20
