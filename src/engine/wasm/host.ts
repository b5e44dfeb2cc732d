/** The functions that the WebAssembly module imports: reads of state and block hashes, and reports to watchers. */
import { type Address, EMPTY_BYTES } from '../../bytes/hex.ts'
import { CONSOLE_ADDRESS, type ConsoleCall, type ConsoleCalls } from '../../model/execution/call.ts'
import { PRECOMPILES } from '../../model/hardfork/ruleTables.ts'
import { EMPTY_CODE_HASH } from '../../state/state.ts'
import type { StateView } from '../../state/view.ts'
import { MemoryLimitExceeded } from '../../work/work.ts'
import type { BlockContext } from '../blockContext.ts'
import { type HitCounts, hitCollector } from '../hits.ts'
import * as layout from './layout.ts'
import type { Exports, Host, Memory } from './module.ts'
import type { Reporter } from './reporter.ts'

const RIPEMD = PRECOMPILES.find(({ name }) => name === 'RIPEMD160')!.address

/** Limit of recorded calldata in bytes, because one transaction could log the same 100 kB a hundred thousand times. */
const MOST_BYTES = 16 * 1024 * 1024
/** Approximate memory of a console call without its data, in bytes. */
const CALL_BYTES = 300

/** The imports of one instance. They read the state of the current run. */
export class StateHost {
  reporter: Reporter | undefined
  /** The memory limit of a run in bytes. */
  memoryLimit = 0
  #exports!: Exports
  #memory!: Memory
  #state!: StateView
  #context!: BlockContext
  #precompiles: ReadonlyMap<Address, unknown> = new Map()
  #warm: ReadonlyMap<Address, unknown> = new Map()
  #code: Uint8Array = EMPTY_BYTES
  #calls: ConsoleCall[] = []
  #counts: HitCounts | undefined
  #bytes = 0

  attach(exports: Exports, memory: Memory): void {
    this.#exports = exports
    this.#memory = memory
  }

  /** Prepares a run. `warm`: the precompiles at their original addresses, which are initially warm (EIP-2929). */
  begin(
    state: StateView,
    context: BlockContext,
    precompiles: ReadonlyMap<Address, unknown>,
    warm: ReadonlyMap<Address, unknown>,
  ): void {
    this.#state = state
    this.#context = context
    this.#precompiles = precompiles
    this.#warm = warm
    this.#bytes = 0
    if (this.#calls.length > 0) this.#calls = []
  }

  get consoleCalls(): ConsoleCalls | undefined {
    return this.#calls.length === 0 ? undefined : this.#calls
  }

  imports(): Host {
    return {
      loadAccount: (account) => this.#loadAccount(account),
      codeLength: (account) => {
        this.#code = this.#state.code(this.#memory.address(account))
        return this.#code.length
      },
      takeCode: (place) => this.#memory.setBytes(place, this.#code),
      loadSlot: (slot) => {
        const memory = this.#memory
        const address = memory.address(memory.u32(slot + layout.SLOT_OWNER))
        const value = this.#state.storage(address, memory.word(slot + layout.SLOT_KEY))
        if (value !== 0n) memory.setWord(slot + layout.SLOT_BEFORE, value)
      },
      blockHash: (number, place) => {
        const hash = this.#context.blockHash(BigInt(number))
        if (hash === undefined) this.#memory.setWord(place, 0n)
        else this.#memory.setDigits(place, hash)
      },
      callConsole: (frame) => this.#noteConsole(frame),
      enter: (frame) => this.reporter?.enter(frame),
      exit: (frame) => this.reporter?.exit(frame),
      step: (frame, pc, opcode, cost) => this.reporter?.step(frame, pc, opcode, cost),
      destroyed: (account, beneficiary) => this.reporter?.destroyed(account, beneficiary),
      hitsOf: (code) => {
        const memory = this.#memory
        const place = memory.u32(code + layout.CODE_BYTES)
        const bytes = memory.u8.subarray(place, place + memory.u32(code + layout.CODE_LENGTH))
        this.#counts = hitCollector()?.countsOf(bytes, memory.u32(code + layout.CODE_IS_INIT) === 1)
      },
      hit: (pc, count) => {
        if (this.#counts !== undefined) this.#counts[pc]! += count
      },
      outOfMemory: () => {
        throw new MemoryLimitExceeded(this.memoryLimit)
      },
    }
  }

  #loadAccount(place: number): void {
    const memory = this.#memory
    const address = memory.address(place)
    let flags = 0
    if (this.#precompiles.has(address)) flags |= layout.IS_PRECOMPILE
    if (this.#warm.has(address)) flags |= layout.ALWAYS_WARM
    if (address === CONSOLE_ADDRESS) flags |= layout.IS_CONSOLE
    if (address === RIPEMD) flags |= layout.IS_RIPEMD
    if (this.#state.hasStorage(address)) flags |= layout.HAS_STORAGE
    const account = this.#state.account(address)
    if (account === undefined) {
      this.#exports.accountLoaded(place, flags, true)
      return
    }
    const { nonce, balance, codeHash } = account
    if (nonce !== 0n) {
      memory.setU64(place + layout.ACCOUNT_NONCE, nonce)
      memory.setU64(place + layout.ACCOUNT_NONCE_BEFORE, nonce)
    }
    if (balance !== 0n) memory.setWord(place + layout.ACCOUNT_BALANCE, balance)
    const isBare = codeHash === EMPTY_CODE_HASH
    if (!isBare) memory.setBigEndian(place + layout.ACCOUNT_CODE_HASH, codeHash)
    this.#exports.accountLoaded(place, flags | layout.EXISTED, isBare)
  }

  #noteConsole(frame: number): void {
    if (this.#bytes > MOST_BYTES) return
    const memory = this.#memory
    const length = memory.u32(frame + layout.FRAME_DATA_LENGTH)
    this.#bytes += CALL_BYTES + length
    const from = memory.address(memory.u32(frame + layout.FRAME_CALLER))
    const caller = { from, codeAddress: from, code: EMPTY_BYTES }
    if (frame !== memory.u32(layout.FRAMES)) {
      const callerFrame = frame - layout.FRAME_SIZE
      const code = memory.u32(callerFrame + layout.FRAME_CODE)
      caller.codeAddress = memory.address(memory.u32(callerFrame + layout.FRAME_CODE_ACCOUNT))
      caller.code = memory.bytes(memory.u32(code + layout.CODE_BYTES), memory.u32(code + layout.CODE_LENGTH))
    }
    const data = memory.u32(frame + layout.FRAME_DATA)
    const input = this.#bytes > MOST_BYTES ? undefined : memory.bytes(data, length)
    this.#calls.push({ ...caller, input })
  }
}
