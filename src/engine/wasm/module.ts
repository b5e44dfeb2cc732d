/** The module: compiled once for a process, when something first runs. Each instance has a memory of its own. */
import { fromBase64 } from '../../bytes/bytes.ts'
import { COMPILED } from './compiled.ts'

/** What the module calls; `assembly/host.ts` describes it. Accounts, slots and frames are addresses in its memory. */
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

/** What the module exports; `assembly/index.ts` describes it. */
export interface Exports {
  readonly memory: WebAssembly.Memory
  initialize(): void
  forgetState(): void
  /** Returns 1 if it is. */
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
  revertTo(length: number): void
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

/** Returns the engine's module. */
export function engineModule(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(fromBase64(COMPILED))
  return compiled
}

/** Returns the exports of a new instance of `module`. */
export function instantiate(module: WebAssembly.Module, host: Host): Exports {
  const { exports } = new WebAssembly.Instance(module, { host: { ...host } })
  return exports as unknown as Exports
}
