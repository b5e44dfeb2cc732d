/**
 * The addresses and slots that a run warmed (EIP-2929) and touched (EIP-161), with what a revert undoes.
 *
 * Replaces EthereumJS's own journal, which keeps the same, but makes three collections for each checkpoint and each
 * commit, and converts an address to text each time it is given.
 */
import type { EVM } from '@ethereumjs/evm'
import type { Account, Address as AddressObject } from '@ethereumjs/util'
import { type Address, toDigits } from '../model/bytes/hex.ts'
import type { Rules } from '../model/hardfork/hardfork.ts'
import type { Adapter } from './adapter.ts'
import { addressOf } from './addressObject.ts'

/** The members of a journal that an EVM uses. Access lists are made elsewhere (`createAccessList`). */
type Asked = Pick<
  EVM['journal'],
  | 'putAccount'
  | 'deleteAccount'
  | 'checkpoint'
  | 'commit'
  | 'revert'
  | 'cleanup'
  | 'cleanJournal'
  | 'addAlwaysWarmAddress'
  | 'addAlwaysWarmSlot'
  | 'isWarmedAddress'
  | 'addWarmedAddress'
  | 'isWarmedStorage'
  | 'addWarmedStorage'
>

/** Remains touched after a revert, as it did by mistake in the one block where it mattered. */
const RIPEMD160: Address = '0x0000000000000000000000000000000000000003'

const DONE = Promise.resolve()

/** A journal with the hex digits of addresses and slots as keys. */
export class Journal implements Asked {
  readonly #adapter: Adapter
  readonly #removesEmpty: boolean
  /** The keys that are warm from the beginning of a run, also after a revert. */
  readonly #always = new Set<string>()
  readonly #alwaysSlots = new Slots()
  readonly #warm = new Set<string>()
  readonly #warmSlots = new Slots()
  readonly #touched = new Set<Address>()
  readonly #all = [this.#always, this.#alwaysSlots, this.#warm, this.#warmSlots, this.#touched]
  readonly #precompiles: ReadonlyMap<string, unknown>
  #hasPrecompiles = false
  /** The items that were added to each set since the first checkpoint. */
  readonly #added: { readonly set: Set<string>; readonly item: string }[] = []
  readonly #checkpoints: number[] = []
  #bytes: Uint8Array | undefined
  #digits = ''

  /** `precompiles` has the digits of their addresses as keys. */
  constructor(adapter: Adapter, rules: Rules, precompiles: ReadonlyMap<string, unknown>) {
    this.#adapter = adapter
    this.#precompiles = precompiles
    this.#removesEmpty = rules.since('spuriousDragon')
  }

  putAccount(address: AddressObject, account: Account | undefined): Promise<void> {
    this.#add(this.#touched, addressOf(address))
    return this.#adapter.putAccount(address, account)
  }

  deleteAccount(address: AddressObject): Promise<void> {
    this.#add(this.#touched, addressOf(address))
    return this.#adapter.deleteAccount(address)
  }

  checkpoint(): Promise<void> {
    this.#checkpoints.push(this.#added.length)
    return this.#adapter.checkpoint()
  }

  commit(): Promise<void> {
    this.#checkpoints.pop()
    return this.#adapter.commit()
  }

  revert(): Promise<void> {
    const mark = this.#checkpoints.pop() ?? 0
    for (const { set, item } of this.#added.splice(mark)) {
      if (set !== this.#touched || item !== RIPEMD160) set.delete(item)
    }
    return this.#adapter.revert()
  }

  /** Removes touched empty accounts (EIP-161), and clears the journal. */
  cleanup(): Promise<void> {
    if (this.#removesEmpty) for (const address of this.#touched) this.#adapter.removeIfEmpty(address)
    this.cleanJournal()
    return DONE
  }

  cleanJournal(): void {
    this.#hasPrecompiles = false
    // Clearing an empty set takes as long as clearing a full one.
    for (const places of this.#all) if (places.size > 0) places.clear()
    this.#added.length = 0
    this.#checkpoints.length = 0
    this.#bytes = undefined
  }

  /** Makes all precompiles warm from the beginning. */
  addPrecompiles(): void {
    this.#hasPrecompiles = true
  }

  addAlwaysWarmAddress(address: string): void {
    this.#always.add(withoutPrefix(address))
  }

  addAlwaysWarmSlot(address: string, slot: string): void {
    const digits = withoutPrefix(address)
    this.#always.add(digits)
    this.#alwaysSlots.of(digits).add(withoutPrefix(slot))
  }

  isWarmedAddress(address: Uint8Array): boolean {
    const digits = this.#digitsOf(address)
    if (this.#warm.has(digits) || this.#always.has(digits)) return true
    return this.#hasPrecompiles && this.#precompiles.has(digits)
  }

  addWarmedAddress(address: Uint8Array): void {
    this.#add(this.#warm, this.#digitsOf(address))
  }

  isWarmedStorage(address: Uint8Array, slot: Uint8Array): boolean {
    const digits = this.#digitsOf(address)
    const slotDigits = toDigits(slot)
    return this.#warmSlots.has(digits, slotDigits) || this.#alwaysSlots.has(digits, slotDigits)
  }

  addWarmedStorage(address: Uint8Array, slot: Uint8Array): void {
    const digits = this.#digitsOf(address)
    this.#add(this.#warm, digits)
    this.#add(this.#warmSlots.of(digits), toDigits(slot))
  }

  #add(set: Set<string>, item: string): void {
    if (set.has(item)) return
    set.add(item)
    this.#added.push({ set, item })
  }

  /** Returns the digits of an address. Usually it is the last one again: that of the running code. */
  #digitsOf(address: Uint8Array): string {
    if (address !== this.#bytes) {
      this.#digits = toDigits(address)
      this.#bytes = address
    }
    return this.#digits
  }
}

/** Sets of slots by address. */
class Slots {
  readonly #sets = new Map<string, Set<string>>()

  has(address: string, slot: string): boolean {
    return this.#sets.get(address)?.has(slot) === true
  }

  of(address: string): Set<string> {
    let set = this.#sets.get(address)
    if (set === undefined) {
      set = new Set()
      this.#sets.set(address, set)
    }
    return set
  }

  clear(): void {
    this.#sets.clear()
  }

  get size(): number {
    return this.#sets.size
  }
}

function withoutPrefix(hex: string): string {
  return hex.startsWith('0x') ? hex.slice(2) : hex
}
