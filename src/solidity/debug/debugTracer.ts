/** The tracer `soliditySource`, for `devnet.debug`: finds a run's frames and steps in its Solidity sources. */

import { toHex, toWord } from '../../bytes/hex.ts'
import type { Frame, FrameExit, Step, Watcher } from '../../engine/engine.ts'
import { fromTop, isCreation, readMemory } from '../../engine/trace/operands.ts'
import type { TraceBudget, TraceEnd } from '../../engine/trace/tracer.ts'
import { OP } from '../../model/opcodes.ts'
import type { FindCode } from '../artifacts/compilation.ts'
import type { DebugGap, DebugOptions, DebugRun, MessageFrame } from './debugRun.ts'
import { Execution } from './execution.ts'
import { type Layout, Preimages } from './layout.ts'
import { type FrameData, type Mark, type OpenLog, RunLog, remove } from './runLog.ts'
import { CodeCache } from './runningCode.ts'
import { type OpenAccess, StorageNames, TransientStorage } from './storageNames.ts'

const { JUMP, JUMPI, KECCAK256, LOG0, LOG4, SLOAD, SSTORE, TLOAD, TSTORE } = OP

/** Maximum length of hashed data, in bytes. Mappings with longer keys stay unknown. */
const MOST_HASHED = 32n + 1024n

/** Approximate memory of a preimage in bytes, without its data. */
const HASH_BYTES = 300

interface Message {
  readonly frame: Frame
  readonly index: number
  readonly mark: Mark
  readonly transientMark: number
  running: Execution | undefined
  /** The storage accesses and the log that the last instruction made. */
  added: { readonly accesses: readonly OpenAccess[]; readonly log: OpenLog | undefined }
  gas: bigint | undefined
  /** Gas used by inner calls since the last instruction. */
  innerGas: bigint
}

const NOTHING: Message['added'] = { accesses: [], log: undefined }

export class DebugTracer implements Watcher {
  readonly #log: RunLog
  readonly #budget: TraceBudget
  readonly #codes: CodeCache
  readonly #hasStorage: boolean
  readonly #messages: Message[] = []
  readonly #gaps = new Map<string, DebugGap>()
  readonly #storage = new StorageNames(new Preimages())
  readonly #transient = new TransientStorage()

  constructor(options: DebugOptions, find: FindCode, budget: TraceBudget) {
    this.#log = new RunLog(options, budget)
    this.#budget = budget
    this.#codes = new CodeCache(find)
    this.#hasStorage = options.disableStorage !== true
  }

  enter(frame: Frame): void {
    const parent = this.#messages.at(-1)
    this.#budget.take(2 * frame.input.length)
    const index = this.#log.open(parent && (parent.running?.frame ?? parent.index), opened(frame))
    this.#messages.push({
      frame,
      index,
      mark: this.#log.mark,
      transientMark: this.#transient.mark,
      running: undefined,
      added: NOTHING,
      gas: undefined,
      innerGas: 0n,
    })
  }

  step(step: Step): void {
    const message = this.#messages.at(-1)!
    const { gas, opcode } = step
    charge(message, gas)
    message.running ??= this.#begin(message, step)
    const { running } = message
    running.follow(step)
    message.added = NOTHING
    if (opcode === JUMP || opcode === JUMPI) running.jump(step)
    // Beyond the limit of steps, accesses and logs are not kept, to save memory.
    else if (this.#log.isCut) return
    else if (opcode >= LOG0 && opcode <= LOG4) this.#emit(message, running, step)
    else if (this.#hasStorage) this.#access(message, running, step)
  }

  fault(): void {
    const { running, added } = this.#messages.at(-1)!
    if (running?.step === undefined) return
    const { step } = running
    for (const access of added.accesses) remove(step.storage, access)
    if (added.log !== undefined) remove(step.logs, added.log)
  }

  exit(exit: FrameExit): void {
    const message = this.#messages.pop()!
    const { frame, index, running } = message
    const { gasUsed, output, failure, createdAddress } = exit
    charge(message, frame.gas - gasUsed)
    running?.end()
    if (failure !== undefined) {
      this.#log.revertTo(message.mark)
      this.#transient.revertTo(message.transientMark)
    }
    const code = running?.code
    const { input } = frame
    this.#budget.take(2 * output.length)
    this.#log.close(index, {
      ...opened(frame),
      ...(isCreation(frame.kind) && { to: createdAddress }),
      address: running?.address,
      gasUsed,
      input: toHex(input),
      output: toHex(output),
      contract: code?.contract?.name,
      function: code?.entryName(input),
      args: code?.args(input),
      immutables: code?.immutables,
      result: failure === undefined ? code?.result(input, output) : undefined,
      // A call that runs no code, such as a precompile call, has only the EVM's error.
      error: code ? code.error(exit) : failure && { text: failure.error, name: undefined, args: undefined },
    })
    const outer = this.#messages.at(-1)
    if (outer !== undefined) outer.innerGas += gasUsed
  }

  finish({ outcome }: TraceEnd): DebugRun {
    return {
      kind: 'source',
      status: outcome.kind === 'success' ? 'success' : 'reverted',
      gasUsed: outcome.gasUsed,
      frames: this.#log.frames,
      steps: this.#log.steps,
      isCut: this.#log.isCut,
      gaps: [...this.#gaps.values()],
    }
  }

  #begin({ frame, index }: Message, { code: bytes, address }: Step): Execution {
    const isNew = isCreation(frame.kind as never)
    const code = this.#codes.of(bytes, isNew)
    for (const gap of code.gaps) {
      const at = isNew ? address : frame.to
      const key = `${gap.reason} ${gap.contract ?? at}`
      if (!this.#gaps.has(key)) this.#gaps.set(key, { ...gap, address: at })
    }
    return new Execution(code, { frame: index, isCreation: isNew, address, input: frame.input }, this.#log)
  }

  #emit(message: Message, running: Execution, { opcode, stack, memory }: Step): void {
    const { code, address, step } = running
    const count = opcode - LOG0
    const data = readMemory(memory, fromTop(stack, 0), fromTop(stack, 1))
    const topics = Array.from({ length: count }, (_, i) => toHex(toWord(fromTop(stack, 2 + i))))
    const decoded = code.event(topics, data)
    const { name: event, args } = decoded ?? { name: undefined, args: undefined }
    const log = { address, topics, data: toHex(data), event, args, isReverted: false }
    message.added = { accesses: [], log }
    this.#log.addLog(step!, log)
  }

  #access(message: Message, running: Execution, step: Step): void {
    const { opcode, stack, address } = step
    if (opcode === KECCAK256) {
      this.#keepHashed(step)
      return
    }
    if (opcode !== SLOAD && opcode !== SSTORE && opcode !== TLOAD && opcode !== TSTORE) return
    const slot = fromTop(stack, 0)
    const isTransient = opcode === TLOAD || opcode === TSTORE
    const word = isTransient
      ? (at: bigint) => this.#transient.read(address, at)
      : (at: bigint) => step.state.storage(address, at)
    const kind = opcode === SSTORE || opcode === TSTORE ? 'write' : 'read'
    const before = word(slot)
    const after = kind === 'write' ? fromTop(stack, 1) : before
    const raw = { kind, isTransient, address, slot, before, after, target: running.target, word } as const
    const by = running.step!
    const { accesses, isVague } = this.#storage.accesses(raw, this.#layouts(isTransient), by)
    message.added = { accesses, log: undefined }
    this.#log.addAccesses(by, accesses, isVague)
    if (opcode === TSTORE) this.#transient.write(address, slot, after)
  }

  /** Keeps hashed data that may be the preimage of a storage slot. */
  #keepHashed({ stack, memory }: Step): void {
    const length = fromTop(stack, 1)
    if (length < 32n || length > MOST_HASHED) return
    const bytes = readMemory(memory, fromTop(stack, 0), length)
    if (this.#storage.preimages.add(bytes)) this.#budget.take(HASH_BYTES + bytes.length)
  }

  /** Returns the layouts of the running code and of the code that delegated to it, innermost first. */
  #layouts(isTransient: boolean): readonly Layout[] {
    const found: Layout[] = []
    for (let i = this.#messages.length - 1; i >= 0; i--) {
      const { running, frame } = this.#messages[i]!
      const { storage, transient } = running?.code.layouts ?? {}
      const layout = isTransient ? transient : storage
      if (layout !== undefined) found.push(layout)
      if (frame.kind !== 'DELEGATECALL' && frame.kind !== 'CALLCODE') break
    }
    return found
  }
}

function opened({ kind: call, from, to, value, gas }: Frame): FrameData<MessageFrame> {
  return {
    kind: 'message',
    call,
    from,
    to,
    address: undefined,
    value,
    gas,
    gasUsed: 0n,
    input: '0x',
    output: '0x',
    contract: undefined,
    function: undefined,
    args: undefined,
    immutables: undefined,
    result: undefined,
    error: undefined,
  }
}

function charge(message: Message, gas: bigint): void {
  const { running, innerGas } = message
  if (message.gas !== undefined && running?.step !== undefined) {
    running.step.gasUsed += message.gas - gas - innerGas
  }
  message.gas = gas
  message.innerGas = 0n
}
