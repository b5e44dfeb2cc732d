/** One instance of the module: the accounts of a run, and its frames. */
import { type Address, EMPTY_BYTES, type Hash } from '../../bytes/hex.ts'
import type { ConsoleCalls } from '../../model/execution/call.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { OP } from '../../model/opcodes.ts'
import type { Log } from '../../model/receipt/log.ts'
import type { AccountChange } from '../../state/state.ts'
import type { StateView } from '../../state/view.ts'
import type { Work } from '../../work/work.ts'
import type { MovedPrecompiles, Watcher } from '../engine.ts'
import { addHitSource, type HitCollector, type HitSource, hitCollector } from '../hits.ts'
import { type Precompile, precompilesUnder } from '../precompiles/precompiles.ts'
import { StateHost } from './host.ts'
import {
  ACCOUNT_BALANCE,
  ACCOUNT_CODE,
  ACCOUNT_CODE_BEFORE,
  ACCOUNT_FLAGS,
  ACCOUNT_NONCE,
  AT_PRECOMPILE,
  CODE_BYTES,
  CODE_LENGTH,
  COLLECTS_HITS,
  COUNTS_HITS,
  EMPTY_CODE,
  ENDED,
  EXCHANGE,
  EXISTS,
  FRAME_ACCOUNT,
  FRAME_CALLER,
  FRAME_CODE,
  FRAME_CODE_ACCOUNT,
  FRAME_DATA,
  FRAME_DATA_LENGTH,
  FRAME_FLAGS,
  FRAME_GAS,
  FRAME_KIND,
  FRAME_VALUE,
  FRAMES,
  HITS,
  JOURNAL_LENGTH,
  LOGS,
  LOGS_LENGTH,
  WATCHES,
  WATCHES_FRAMES,
  WATCHES_STEPS,
} from './layout.ts'
import { type Exports, engineModule, instantiate, Memory } from './module.ts'
import { PrecompileCalls, precompilesAfter } from './precompileCalls.ts'
import { Reporter } from './reporter.ts'
import { changesOf, type FrameEnd, frameEndOf, logsOf, segmentBytes } from './results.ts'
import { type ContextOfRun, RunContext, writeRules } from './runContext.ts'

/** The parameters of a run. */
export interface InstanceRun extends ContextOfRun {
  readonly state: StateView
  readonly moved: MovedPrecompiles | undefined
  readonly watcher: Watcher | undefined
  readonly hits?: HitCollector | undefined
}

/** The bytes of 0xef0100 and an address. */
const DELEGATION_LENGTH = 23

/** Returns whether each step of a run is watched. */
function hasSteps(watcher: Watcher | undefined): boolean {
  return watcher?.step !== undefined || watcher?.fault !== undefined
}

/** Runs one message at a time; a run that is paused keeps its instance. */
export class Instance implements HitSource {
  readonly #exports: Exports
  readonly #memory: Memory
  readonly #host: StateHost
  readonly #runContext: RunContext
  readonly #precompileCalls: PrecompileCalls
  #rules: Rules | undefined
  #state: StateView | undefined
  #moved: MovedPrecompiles | undefined
  #precompiles: ReadonlyMap<Address, Precompile> = new Map()
  /** The precompiles before any was moved: they are warm from the beginning (EIP-2929). */
  #warm: ReadonlyMap<Address, Precompile> = new Map()
  /** Accounts by address. */
  readonly #accounts = new Map<Address, number>()
  /** Whether a run has begun and its changes are neither taken nor dropped. */
  #isRunning = false
  #input = 0
  #inputRoom = 0

  constructor(module = engineModule()) {
    const host = new StateHost()
    this.#exports = instantiate(module, host.imports())
    this.#memory = new Memory(this.#exports.memory)
    this.#host = host
    this.#runContext = new RunContext(this.#exports, this.#memory)
    this.#precompileCalls = new PrecompileCalls(this.#exports, this.#memory)
    host.attach(this.#exports, this.#memory)
    this.#exports.initialize()
  }

  /** The size of the module's memory. */
  get memoryBytes(): number {
    return this.#memory.u8.length
  }

  /** Prepares a run. Accounts and slots that were read from the same `state` (the same object) stay known. */
  begin(run: InstanceRun): void {
    const { rules, state, context, moved, watcher, hits } = run
    if (this.#isRunning) this.drop()
    const isSame = state === this.#state && rules === this.#rules && moved === this.#moved
    if (rules !== this.#rules) writeRules(this.#memory, rules)
    if (!isSame) {
      this.#precompiles = precompilesAfter(rules, moved)
      this.#warm = precompilesUnder(rules)
    }
    this.#rules = rules
    this.#moved = moved
    this.#host.begin(state, context, this.#precompiles, this.#warm)
    if (!isSame || this.#exports.isFull() === 1) {
      this.#exports.forgetState()
      this.#forget()
    }
    this.#state = state
    this.#isRunning = true
    this.#exports.begin()
    this.#runContext.write(run)
    this.#watch(watcher, rules)
    this.#count(hits, watcher)
  }

  /** With a collector, all code is decoded with counters; a run that is not counted adds 0. */
  #count(hits: HitCollector | undefined, watcher: Watcher | undefined): void {
    const isCollecting = hitCollector() !== undefined
    if (isCollecting) addHitSource(this)
    const counts = hits !== undefined && !hasSteps(watcher)
    this.#memory.setU32(HITS, (isCollecting ? COLLECTS_HITS : 0) | (counts ? COUNTS_HITS : 0))
  }

  /** Reports the counts since the last report, except those of a run in progress. */
  reportHits(): void {
    this.#exports.reportHits()
  }

  #watch(watcher: Watcher | undefined, rules: Rules): void {
    const exports = this.#exports
    const memory = this.#memory
    const steps = hasSteps(watcher)
    memory.setU32(
      WATCHES,
      watcher === undefined ? 0 : steps ? WATCHES_FRAMES | WATCHES_STEPS : WATCHES_FRAMES,
    )
    this.#host.reporter =
      watcher &&
      new Reporter(memory, rules, watcher, {
        storage: (account, slot) => {
          memory.setWord(EXCHANGE, slot)
          return this.#host.valueOf(exports.slot(account))
        },
        nonce: (address) => this.nonce(this.account(address)),
      })
  }

  /** Returns the account at `address`: its place in this instance's memory, valid for the same state. */
  account(address: Address): number {
    let account = this.#accounts.get(address)
    if (account === undefined) {
      this.#memory.setDigits(EXCHANGE, address)
      account = this.#exports.account()
      this.#accounts.set(address, account)
    }
    return account
  }

  exists(account: number): boolean {
    return (this.#memory.u32(account + ACCOUNT_FLAGS) & EXISTS) !== 0
  }

  nonce(account: number): bigint {
    return this.#memory.u64(account + ACCOUNT_NONCE)
  }

  balance(account: number): bigint {
    return this.#memory.word(account + ACCOUNT_BALANCE)
  }

  code(account: number): Uint8Array {
    const memory = this.#memory
    const code = memory.u32(account + ACCOUNT_CODE)
    if (code === memory.u32(EMPTY_CODE)) return EMPTY_BYTES
    if (code === memory.u32(account + ACCOUNT_CODE_BEFORE)) return this.#state!.code(memory.address(account))
    return memory.bytes(memory.u32(code + CODE_BYTES), memory.u32(code + CODE_LENGTH))
  }

  /** Returns the account that `account` delegates to (EIP-7702); `undefined` if it does not. */
  delegateOf(account: number): number | undefined {
    const code = this.#exports.codeOf(account)
    if (this.#memory.u32(code + CODE_LENGTH) !== DELEGATION_LENGTH) return undefined
    const delegate = this.#exports.delegateOf(code)
    return delegate === 0 ? undefined : delegate
  }

  setNonce(account: number, nonce: bigint): void {
    this.#exports.setNonce(account, nonce)
  }

  /** Sets the balance in wei, which creates the account; one that is empty is removed at the end (EIP-161). */
  setBalance(account: number, wei: bigint): void {
    this.#memory.setWord(EXCHANGE, wei)
    this.#exports.setBalance(account)
  }

  setCode(account: number, code: Uint8Array): void {
    this.#exports.setCode(account, this.#put(code), code.length)
  }

  warmAccount(account: number): void {
    this.#exports.warmAccount(account)
  }

  warmSlot(account: number, slot: Hash): void {
    this.#memory.setDigits(EXCHANGE, slot)
    this.#exports.warmSlot(account)
  }

  checkpoint(): number {
    return this.#memory.u32(JOURNAL_LENGTH)
  }

  revertTo(checkpoint: number): void {
    this.#exports.revertTo(checkpoint)
  }

  /** Runs a call: pays its value, and runs the code of `codeAt`, or the precompile at `to`. */
  call(
    frame: { from: number; to: number; codeAt: number; value: bigint; data: Uint8Array; gas: bigint },
    work: Work,
  ): FrameEnd | Promise<FrameEnd> {
    const { from, to, codeAt, value, data, gas } = frame
    return this.#run(OP.CALL, from, to, value, data, gas, this.#exports.codeOf(codeAt), work)
  }

  /** Runs a creation of the contract at `address`. The nonce of the sender was increased. */
  create(
    frame: { from: number; address: Address; value: bigint; initCode: Uint8Array; gas: bigint },
    work: Work,
  ): FrameEnd | Promise<FrameEnd> {
    const { from, address, value, initCode, gas } = frame
    const account = this.account(address)
    if (this.#rules!.has(2929)) this.warmAccount(account)
    return this.#run(OP.CREATE, from, account, value, initCode, gas, this.#memory.u32(EMPTY_CODE), work)
  }

  #run(
    kind: number,
    from: number,
    account: number,
    value: bigint,
    data: Uint8Array,
    gas: bigint,
    code: number,
    work: Work,
  ): FrameEnd | Promise<FrameEnd> {
    const memory = this.#memory
    this.#host.memoryLimit = work.memoryLimit
    this.#exports.limitMemory(work.memoryLimit)
    const place = this.#put(data)
    const frame = memory.u32(FRAMES)
    this.#exports.clearResults()
    memory.setU32(frame + FRAME_KIND, kind)
    memory.setU32(frame + FRAME_FLAGS, 0)
    memory.setU64(frame + FRAME_GAS, gas)
    memory.setU32(frame + FRAME_ACCOUNT, account)
    memory.setU32(frame + FRAME_CODE_ACCOUNT, account)
    memory.setU32(frame + FRAME_CALLER, from)
    memory.setU32(frame + FRAME_CODE, code)
    memory.setU32(frame + FRAME_DATA, place)
    memory.setU32(frame + FRAME_DATA_LENGTH, data.length)
    memory.setWord(frame + FRAME_VALUE, value)
    return this.#drive(this.#exports.start(), work)
  }

  /** Returns the place of a copy of `bytes`, which is valid until the next one. */
  #put(bytes: Uint8Array): number {
    if (bytes.length > this.#inputRoom) {
      if (this.#inputRoom > 0) this.#exports.release(this.#input, this.#inputRoom)
      this.#inputRoom = Math.max(4096, bytes.length)
      this.#input = this.#exports.allocate(this.#inputRoom)
    }
    this.#memory.setBytes(this.#input, bytes)
    return this.#input
  }

  /** Serves the module's statuses until the outermost frame has ended. */
  #drive(first: number, work: Work): FrameEnd | Promise<FrameEnd> {
    let status = first
    while (status !== ENDED) {
      if (status === AT_PRECOMPILE) {
        const closed = this.#precompileCalls.run(this.#precompiles, this.#rules!, work)
        if (closed instanceof Promise) return closed.then((next) => this.#drive(next, work))
        status = closed
      } else {
        const pause = work.pause()
        if (pause !== undefined) return pause.then(() => this.#drive(this.#exports.advance(), work))
        status = this.#exports.advance()
      }
    }
    return frameEndOf(this.#memory)
  }

  /** Whether the outermost frame emitted logs. */
  get hasLogs(): boolean {
    return this.#memory.u32(LOGS_LENGTH) > 0
  }

  /** Returns the logs of the outermost frame. */
  logs(): Log[] {
    return this.logsLater()()
  }

  /** Returns a function that decodes the logs, also after the run: decoding takes time, and most callers ignore them. */
  logsLater(): () => Log[] {
    const length = this.#memory.u32(LOGS_LENGTH)
    if (length === 0) return () => []
    const bytes = segmentBytes(this.#memory, this.#memory.u32(LOGS), length)
    return () => logsOf(bytes)
  }

  /** The calls of the console, reverted ones included; `undefined` if there were none. */
  get console(): ConsoleCalls | undefined {
    return this.#host.consoleCalls
  }

  /** Ends the run: removes what SELFDESTRUCT destroyed and empty touched accounts (EIP-161). Returns the changes. */
  changes(): AccountChange[] {
    this.#exports.collect()
    const changes = changesOf(this.#memory, (account) => this.code(account))
    this.drop()
    return changes
  }

  /** Drops the places of accounts, which the module has dropped. */
  #forget(): void {
    this.#state = undefined
    this.#accounts.clear()
  }

  /** Ends the run without its changes, at any time. */
  drop(): void {
    if (!this.#isRunning) return
    this.#isRunning = false
    this.#runContext.release()
    if (this.#exports.drop() !== 0) this.#forget()
    this.#host.reporter = undefined
  }
}
