/** The compiled WebAssembly module: its imports, its exports, and access to its memory. */
import { fromBase64 } from '../../bytes/bytes.ts'
import { type Address, toHex } from '../../bytes/hex.ts'
import { COMPILED } from './compiled.ts'
import { ACCOUNT_ADDRESS } from './layout.ts'

/** The module's imports (see `assembly/host.ts`). Accounts, slots and frames are pointers to the module's memory. */
export interface Host {
  loadAccount(account: number): void
  codeLength(account: number): number
  takeCode(place: number): void
  loadSlot(slot: number): void
  blockHash(number: number, place: number): void
  callConsole(frame: number): void
  enter(frame: number): void
  exit(frame: number): void
  step(frame: number, pc: number, opcode: number, cost: number): void
  destroyed(account: number, beneficiary: number): void
  hitsOf(code: number): void
  hit(pc: number, count: number): void
  outOfMemory(): never
}

export interface Exports {
  readonly memory: WebAssembly.Memory
  initialize(): void
  forgetState(): void
  isFull(): number
  begin(): void
  limitMemory(bytes: number): void
  clearResults(): void
  account(): number
  accountLoaded(account: number, flags: number, isBare: boolean): void
  setNonce(account: number, nonce: bigint): void
  setBalance(account: number): void
  codeOf(account: number): number
  delegateOf(code: number): number
  setCode(account: number, place: number, length: number): void
  warmAccount(account: number): void
  slot(account: number): number
  warmSlot(account: number): void
  collect(): void
  drop(): number
  reportHits(): void
  allocate(length: number): number
  release(place: number, length: number): void
  start(): number
  advance(): number
  returnPlace(length: number): number
  closePrecompile(gasLeft: bigint, exit: number): number
}

let compiled: WebAssembly.Module | undefined

export function engineModule(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(fromBase64(COMPILED))
  return compiled
}

export function instantiate(module: WebAssembly.Module, host: Host): Exports {
  const { exports } = new WebAssembly.Instance(module, { host: { ...host } })
  return exports as unknown as Exports
}

/** Reads and writes the memory of an instance. Recreates its views after the memory has grown. */
export class Memory {
  readonly #memory: WebAssembly.Memory
  #u8!: Uint8Array<ArrayBuffer>
  #u32!: Uint32Array
  #u64!: BigUint64Array

  constructor(memory: WebAssembly.Memory) {
    this.#memory = memory
    this.#renew()
  }

  get u8(): Uint8Array<ArrayBuffer> {
    if (this.#u8.length === 0) this.#renew()
    return this.#u8
  }

  get #words(): Uint32Array {
    if (this.#u32.length === 0) this.#renew()
    return this.#u32
  }

  get #limbs(): BigUint64Array {
    if (this.#u64.length === 0) this.#renew()
    return this.#u64
  }

  #renew(): void {
    const { buffer } = this.#memory
    this.#u8 = new Uint8Array(buffer)
    this.#u32 = new Uint32Array(buffer)
    this.#u64 = new BigUint64Array(buffer)
  }

  u32(place: number): number {
    return this.#words[place >>> 2]!
  }

  setU32(place: number, value: number): void {
    this.#words[place >>> 2] = value
  }

  u64(place: number): bigint {
    return this.#limbs[place >>> 3]!
  }

  setU64(place: number, value: bigint): void {
    this.#limbs[place >>> 3] = value
  }

  bytes(place: number, length: number): Uint8Array {
    return this.u8.slice(place, place + length)
  }

  setBytes(place: number, bytes: Uint8Array): void {
    this.u8.set(bytes, place)
  }

  /** Returns the 256-bit word at `place`. Small values need no BigInt shifts. */
  word(place: number): bigint {
    const words = this.#words
    const at = place >>> 2
    const high = words[at + 4]! | words[at + 5]! | words[at + 6]! | words[at + 7]!
    if (high === 0 && (words[at + 2]! | words[at + 3]!) === 0) {
      return words[at + 1] === 0 ? BigInt(words[at]!) : this.#limbs[place >>> 3]!
    }
    const limbs = this.#limbs
    const limb = place >>> 3
    const low = (limbs[limb + 1]! << 64n) | limbs[limb]!
    return high === 0 ? low : (((limbs[limb + 3]! << 64n) | limbs[limb + 2]!) << 128n) | low
  }

  setWord(place: number, value: bigint): void {
    const limbs = this.#limbs
    const limb = place >>> 3
    // `BigUint64Array` stores the lowest 64 bits of a larger value.
    limbs[limb] = value
    if (value <= LIMB) {
      limbs[limb + 1] = 0n
      limbs[limb + 2] = 0n
      limbs[limb + 3] = 0n
      return
    }
    limbs[limb + 1] = value >> 64n
    limbs[limb + 2] = value >> 128n
    limbs[limb + 3] = value >> 192n
  }

  isSameWord(one: number, other: number): boolean {
    const words = this.#words
    const [a, b] = [one >>> 2, other >>> 2]
    for (let i = 0; i < 8; i++) if (words[a + i] !== words[b + i]) return false
    return true
  }

  setBigEndian(place: number, bytes: Uint8Array): void {
    const { u8 } = this
    const last = place + bytes.length - 1
    for (let i = 0; i < bytes.length; i++) u8[last - i] = bytes[i]!
    u8.fill(0, last + 1, place + 32)
  }

  setDigits(place: number, hex: string): void {
    const { u8 } = this
    let at = place + hex.length / 2 - 2
    u8.fill(0, at + 1, place + 32)
    for (let i = 2; i < hex.length; i += 2)
      u8[at--] = (digit(hex.charCodeAt(i)) << 4) | digit(hex.charCodeAt(i + 1))
  }

  address(account: number): Address {
    const { u8 } = this
    const last = account + ACCOUNT_ADDRESS + 19
    for (let i = 0; i < 20; i++) ADDRESS[i] = u8[last - i]!
    return toHex(ADDRESS)
  }
}

const LIMB = 2n ** 64n - 1n
const ADDRESS = new Uint8Array(20)

function digit(code: number): number {
  return code <= 57 ? code - 48 : (code | 32) - 87
}
