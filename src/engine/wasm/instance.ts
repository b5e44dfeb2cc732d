/** An instance of the WebAssembly module, with the accounts and frames of one run. */
import { type Address, EMPTY_BYTES, type Hash } from '../../bytes/hex.ts'
import type { ConsoleCalls } from '../../model/execution/call.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { OP } from '../../model/opcodes.ts'
import type { Log } from '../../model/receipt/log.ts'
import type { AccountChange } from '../../state/state.ts'
import type { StateView } from '../../state/view.ts'
import type { MaybePromise } from '../../work/maybePromise.ts'
import type { Work } from '../../work/work.ts'
import type { EngineRun, MovedPrecompiles, Watcher } from '../engine.ts'
import { addHitSource, type HitCollector, type HitSource, hitCollector } from '../hits.ts'
import { precompilesAfter } from '../precompiles/precompileMoves.ts'
import { type Precompile, precompilesUnder } from '../precompiles/precompiles.ts'
import { StateHost } from './host.ts'
import * as layout from './layout.ts'
import { type Exports, engineModule, instantiate, Memory } from './module.ts'
import { runPrecompile } from './precompileCalls.ts'
import { Reporter } from './reporter.ts'
import { changesOf, type FrameEnd, frameEndOf, logsOf, noLogs, segmentBytes } from './results.ts'
import { RunContext, type ShownMessage, writeRules } from './runContext.ts'

export interface InstanceRun extends Pick<EngineRun, 'state' | 'context' | 'watcher' | 'hits'> {
  readonly message: ShownMessage
}

/** The outermost frame of a run. `from`: a pointer to the sender. `data`: the calldata, or init code of a creation. */
interface Outermost {
  readonly from: number
  readonly value: bigint
  readonly data: Uint8Array
  readonly gas: bigint
}

/** Length of the code of a delegated account (EIP-7702): the prefix 0xef0100 and an address. */
const DELEGATION_LENGTH = 23

function hasSteps(watcher: Watcher | undefined): boolean {
  return watcher?.step !== undefined || watcher?.fault !== undefined
}

/** Runs one message at a time. A paused run keeps its instance. */
export class Instance implements HitSource {
  readonly #exports: Exports
  readonly #memory: Memory
  readonly #host: StateHost
  readonly #runContext: RunContext
  #rules: Rules | undefined
  #state: StateView | undefined
  #moved: MovedPrecompiles | undefined
  #precompiles: ReadonlyMap<Address, Precompile> = new Map()
  #warm: ReadonlyMap<Address, Precompile> = new Map()
  readonly #accounts = new Map<Address, number>()
  /** Whether a run has begun whose changes have not yet been collected or dropped. */
  #isRunning = false
  #input = 0
  #inputRoom = 0

  constructor(module = engineModule()) {
    const host = new StateHost()
    this.#exports = instantiate(module, host.imports())
    this.#memory = new Memory(this.#exports.memory)
    this.#host = host
    this.#runContext = new RunContext(this.#exports, this.#memory)
    host.attach(this.#exports, this.#memory)
    this.#exports.initialize()
  }

  get memoryBytes(): number {
    return this.#memory.u8.length
  }

  /** Prepares a run. Accounts and slots stay cached if `state` is the same object as in the last run. */
  begin(rules: Rules, { state, context, message, watcher, hits }: InstanceRun): void {
    const { movedPrecompiles: moved } = message
    if (this.#isRunning) this.drop()
    const isSame = state === this.#state && rules === this.#rules && moved === this.#moved
    if (rules !== this.#rules) writeRules(this.#memory, rules)
    if (!isSame) {
      const warm = precompilesUnder(rules)
      this.#warm = warm
      this.#precompiles = moved === undefined ? warm : precompilesAfter(warm, moved, (address) => address)
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
    this.#runContext.write(rules, context, message)
    this.#watch(watcher, rules)
    this.#count(hits, watcher)
  }

  /** Sets whether this run increments counters. While coverage is collected, all runs use code with counters. */
  #count(hits: HitCollector | undefined, watcher: Watcher | undefined): void {
    const isCollecting = hitCollector() !== undefined
    if (isCollecting) addHitSource(this)
    const counts = hits !== undefined && !hasSteps(watcher)
    const collects = isCollecting ? layout.COLLECTS_HITS : 0
    this.#memory.setU32(layout.HITS, counts ? collects | layout.COUNTS_HITS : collects)
  }

  /** Reports the coverage counts since the last report, excluding a run in progress. */
  reportHits(): void {
    this.#exports.reportHits()
  }

  #watch(watcher: Watcher | undefined, rules: Rules): void {
    const frames = watcher === undefined ? 0 : layout.WATCHES_FRAMES
    this.#memory.setU32(layout.WATCHES, hasSteps(watcher) ? frames | layout.WATCHES_STEPS : frames)
    if (watcher === undefined) return
    this.#host.reporter = new Reporter(this.#memory, rules, watcher, {
      account: (address) => {
        const account = this.account(address)
        if (!this.exists(account)) return undefined
        return { balance: this.balance(account), nonce: this.nonce(account) }
      },
      code: (address) => this.code(this.account(address)),
      storage: (address, slot) => {
        const account = this.account(address)
        this.#memory.setWord(layout.EXCHANGE, slot)
        return this.#memory.word(this.#exports.slot(account) + layout.SLOT_VALUE)
      },
    })
  }

  /** Returns a pointer to an account in the module's memory, valid until the state changes. */
  account(address: Address): number {
    let account = this.#accounts.get(address)
    if (account === undefined) {
      this.#memory.setDigits(layout.EXCHANGE, address)
      account = this.#exports.account()
      this.#accounts.set(address, account)
    }
    return account
  }

  exists(account: number): boolean {
    return (this.#memory.u32(account + layout.ACCOUNT_FLAGS) & layout.EXISTS) !== 0
  }

  nonce(account: number): bigint {
    return this.#memory.u64(account + layout.ACCOUNT_NONCE)
  }

  balance(account: number): bigint {
    return this.#memory.word(account + layout.ACCOUNT_BALANCE)
  }

  code(account: number): Uint8Array {
    const memory = this.#memory
    const code = memory.u32(account + layout.ACCOUNT_CODE)
    if (code === memory.u32(layout.EMPTY_CODE)) return EMPTY_BYTES
    if (code === memory.u32(account + layout.ACCOUNT_CODE_BEFORE))
      return this.#state!.code(memory.address(account))
    return memory.bytes(memory.u32(code + layout.CODE_BYTES), memory.u32(code + layout.CODE_LENGTH))
  }

  delegateOf(account: number): number | undefined {
    const code = this.#exports.codeOf(account)
    if (this.#memory.u32(code + layout.CODE_LENGTH) !== DELEGATION_LENGTH) return undefined
    const delegate = this.#exports.delegateOf(code)
    return delegate === 0 ? undefined : delegate
  }

  setNonce(account: number, nonce: bigint): void {
    this.#exports.setNonce(account, nonce)
  }

  /** Sets the balance in wei; creates the account if needed. An empty account is removed after the run (EIP-161). */
  setBalance(account: number, wei: bigint): void {
    this.#memory.setWord(layout.EXCHANGE, wei)
    this.#exports.setBalance(account)
  }

  setCode(account: number, code: Uint8Array): void {
    this.#exports.setCode(account, this.#put(code), code.length)
  }

  warmAccount(account: number): void {
    this.#exports.warmAccount(account)
  }

  warmSlot(account: number, slot: Hash): void {
    this.#memory.setDigits(layout.EXCHANGE, slot)
    this.#exports.warmSlot(account)
  }

  /** Runs a call: transfers the value, then the code of account `codeAt` or the precompile `to` (account numbers). */
  call(frame: Outermost & { to: number; codeAt: number }, work: Work): MaybePromise<FrameEnd> {
    return this.#run(OP.CALL, frame, frame.to, this.#exports.codeOf(frame.codeAt), work)
  }

  /** Runs a creation of the contract at `address`. The caller has increased the sender's nonce. */
  create(frame: Outermost & { address: Address }, work: Work): MaybePromise<FrameEnd> {
    const account = this.account(frame.address)
    if (this.#rules!.has(2929)) this.warmAccount(account)
    return this.#run(OP.CREATE, frame, account, this.#memory.u32(layout.EMPTY_CODE), work)
  }

  #run(
    kind: number,
    { from, value, data, gas }: Outermost,
    account: number,
    code: number,
    work: Work,
  ): MaybePromise<FrameEnd> {
    const memory = this.#memory
    this.#host.memoryLimit = work.memoryLimit
    this.#exports.limitMemory(work.memoryLimit)
    const place = this.#put(data)
    const frame = memory.u32(layout.FRAMES)
    this.#exports.clearResults()
    memory.setU32(frame + layout.FRAME_KIND, kind)
    memory.setU32(frame + layout.FRAME_FLAGS, 0)
    memory.setU64(frame + layout.FRAME_GAS, gas)
    memory.setU32(frame + layout.FRAME_ACCOUNT, account)
    memory.setU32(frame + layout.FRAME_CODE_ACCOUNT, account)
    memory.setU32(frame + layout.FRAME_CALLER, from)
    memory.setU32(frame + layout.FRAME_CODE, code)
    memory.setU32(frame + layout.FRAME_DATA, place)
    memory.setU32(frame + layout.FRAME_DATA_LENGTH, data.length)
    memory.setWord(frame + layout.FRAME_VALUE, value)
    return this.#drive(this.#exports.start(), work)
  }

  /** Copies `bytes` to the module's memory. Returns a pointer, valid until the next call of this method. */
  #put(bytes: Uint8Array): number {
    if (bytes.length > this.#inputRoom) {
      if (this.#inputRoom > 0) this.#exports.release(this.#input, this.#inputRoom)
      this.#inputRoom = Math.max(4096, bytes.length)
      this.#input = this.#exports.allocate(this.#inputRoom)
    }
    this.#memory.setBytes(this.#input, bytes)
    return this.#input
  }

  /** Continues the run after pauses and precompiles, until the outermost frame has ended. `first`: the first status. */
  #drive(first: number, work: Work): MaybePromise<FrameEnd> {
    const memory = this.#memory
    let status = first
    while (status !== layout.ENDED) {
      if (status === layout.AT_PRECOMPILE) {
        const closed = runPrecompile(this.#exports, memory, this.#precompiles, this.#rules!, work)
        if (closed instanceof Promise) return closed.then((next) => this.#drive(next, work))
        status = closed
      } else {
        const pause = work.pause()
        if (pause !== undefined) return pause.then(() => this.#drive(this.#exports.advance(), work))
        status = this.#exports.advance()
      }
    }
    return frameEndOf(memory)
  }

  /** Returns a function that decodes the logs, also after the run. Most callers ignore the logs. */
  logsLater(): () => readonly Log[] {
    const length = this.#memory.u32(layout.LOGS_LENGTH)
    if (length === 0) return noLogs
    const bytes = segmentBytes(this.#memory, this.#memory.u32(layout.LOGS), length)
    return () => logsOf(bytes)
  }

  /** The console calls of the run, including reverted ones; `undefined` if there were none. */
  get console(): ConsoleCalls | undefined {
    return this.#host.consoleCalls
  }

  /** Ends the run and returns its changes. Destroyed accounts and touched empty accounts (EIP-161) are removed. */
  changes(): AccountChange[] {
    this.#exports.collect()
    const changes = changesOf(this.#memory, (account) => this.code(account))
    this.drop()
    return changes
  }

  #forget(): void {
    this.#state = undefined
    this.#accounts.clear()
  }

  /** Ends the run and discards its changes. May be called at any time. */
  drop(): void {
    if (!this.#isRunning) return
    this.#isRunning = false
    this.#runContext.release()
    if (this.#exports.drop() !== 0) this.#forget()
    this.#host.reporter = undefined
  }
}
