/** Watches a run and tells it as its Solidity sources have it: the tracer `soliditySource`, and `devnet.debug`. */
import type { FindCode } from '../../artifacts/compilation.ts'
import type { Frame, FrameExit, Step, Watcher } from '../../evm/engine.ts'
import type { TraceBudget } from '../../evm/trace/budget.ts'
import { fromTop, isCreation, LOG0, LOG4, readMemory, SLOAD, SSTORE } from '../../evm/trace/opcodes.ts'
import type { TraceEnd } from '../../evm/trace/tracer.ts'
import { type Address, toHex, toWord } from '../../model/bytes/hex.ts'
import { JUMP, JUMPDEST, JUMPI, KECCAK256, TLOAD, TSTORE } from '../opcodes.ts'
import { sourceModelOf } from '../source/sourceModel.ts'
import type { Place } from './codeSource.ts'
import type { DebugError, DebugGap, DebugOptions, DebugRun } from './debugRun.ts'
import { declarationsOf, type Meant, meantBy } from './declarations.ts'
import { FunctionStack } from './functionStack.ts'
import { KnownCode } from './knownCode.ts'
import { Preimages } from './preimages.ts'
import { type Mark, type OpenLog, type OpenStep, RunLog, remove } from './runLog.ts'
import type { RunningCode } from './runningCode.ts'
import { StackVariables } from './stackVariables.ts'
import { type NamedLayout, type OpenAccess, StorageNames } from './storageNames.ts'
import { TransientStorage } from './transientStorage.ts'
import { trusted } from './trust.ts'

/** The most bytes that are hashed with a slot: longer keys of mappings stay unknown. */
const MOST_HASHED = 32n + 1024n
/** The memory of a hash, without what was hashed. */
const HASH_BYTES = 300

/** A call or creation that runs. */
interface Message {
  readonly frame: Frame
  /** The index of its frame. */
  readonly index: number
  readonly mark: Mark
  readonly transientMark: number
  /** Of its code; `undefined` until its first instruction. */
  running: Running | undefined
  /** Before the last instruction. */
  gas: bigint | undefined
  /** What calls used since then. */
  innerGas: bigint
}

interface Running {
  readonly code: RunningCode
  readonly address: Address
  readonly functions: FunctionStack
  /** `undefined` where nothing is known of the stack. */
  readonly variables: StackVariables | undefined
  step: OpenStep | undefined
  place: Place | undefined
  /** Places of the jumps into functions that are open. */
  readonly sites: (Place | undefined)[]
  /** The kind of the last instruction if it was a jump, and its place. */
  jump: Jump | undefined
  /** Whether the block may be that of another place. */
  isLost: boolean
  /** What the last instruction has added to its step. */
  added: { readonly accesses: readonly OpenAccess[]; readonly log: OpenLog | undefined }
}

interface Jump {
  readonly kind: 'into' | 'out' | 'other'
  readonly from: Place | undefined
}

const NOTHING: Running['added'] = { accesses: [], log: undefined }

/** What comes from no source is a part of what the instruction before belongs to. */
const AS_BEFORE = 'as before'

/** Returns the tracer. `find` names contracts by their code. */
export function debugTracer(
  options: DebugOptions,
  find: FindCode,
  budget: TraceBudget,
): Watcher & { finish(end: TraceEnd): DebugRun } {
  return new DebugTracer(options, find, budget)
}

class DebugTracer {
  readonly #log: RunLog
  readonly #budget: TraceBudget
  readonly #codes: KnownCode
  readonly #hasStorage: boolean
  readonly #messages: Message[] = []
  readonly #gaps = new Map<string, DebugGap>()
  readonly #storage = new StorageNames(new Preimages())
  readonly #transient = new TransientStorage()

  constructor(options: DebugOptions, find: FindCode, budget: TraceBudget) {
    this.#log = new RunLog(options, budget)
    this.#budget = budget
    this.#codes = new KnownCode(find)
    this.#hasStorage = options.disableStorage !== true
  }

  enter(frame: Frame): void {
    const parent = this.#messages.at(-1)
    const { kind: call, from, to, value, input, gas } = frame
    const told = {
      kind: 'message' as const,
      call,
      from,
      to,
      address: undefined,
      value,
      gas,
      gasUsed: 0n,
      input: '0x' as const,
      output: '0x' as const,
      contract: undefined,
      function: undefined,
      args: undefined,
      result: undefined,
      error: undefined,
    }
    const index = this.#log.openMessage(
      parent && (parent.running?.functions.frame ?? parent.index),
      told,
      2 * input.length,
    )
    this.#messages.push({
      frame,
      index,
      mark: this.#log.mark,
      transientMark: this.#transient.mark,
      running: undefined,
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
    this.#goTo(running, step)
    running.added = NOTHING
    if (opcode === JUMP || opcode === JUMPI) this.#jump(running, step)
    // Behind the limit of steps nothing is told that would take memory.
    else if (this.#log.isCut) return
    else if (opcode >= LOG0 && opcode <= LOG4) this.#emit(running, step)
    else if (this.#hasStorage) this.#access(running, step)
  }

  fault(): void {
    const { running } = this.#messages.at(-1)!
    if (running?.step === undefined) return
    const { step, added } = running
    for (const access of added.accesses) remove(step.storage, access)
    if (added.log !== undefined) remove(step.logs, added.log)
  }

  exit(exit: FrameExit): void {
    const message = this.#messages.pop()!
    const { frame, index, running } = message
    const { gasUsed, output, failure, createdAddress } = exit
    charge(message, frame.gas - gasUsed)
    running?.functions.end()
    if (failure !== undefined) {
      this.#log.revertTo(message.mark)
      this.#transient.revertTo(message.transientMark)
    }
    const code = running?.code
    const { kind: call, from, to, value, input, gas } = frame
    const told = {
      kind: 'message' as const,
      call,
      from,
      to: isCreation(call) ? createdAddress : to,
      address: running?.address,
      value,
      gas,
      gasUsed,
      input: toHex(input),
      output: toHex(output),
      contract: code?.contract?.name,
      function: code?.entryName(input),
      args: code?.args(input),
      result: failure === undefined ? code?.result(input, output) : undefined,
      error: code === undefined ? bareError(exit) : code.error(exit),
    }
    this.#log.closeMessage(index, told, 2 * output.length)
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

  #begin({ frame, index }: Message, { code: bytes, address }: Step): Running {
    const isNew = isCreation(frame.kind as never)
    const code = this.#codes.of(bytes, isNew)
    for (const gap of code.gaps) {
      const at = isNew ? address : frame.to
      const key = `${gap.reason} ${gap.contract ?? at}`
      if (!this.#gaps.has(key)) this.#gaps.set(key, { ...gap, address: at })
    }
    const functions = new FunctionStack(
      {
        frame: index,
        function: code.entry(frame.input),
        contract: code.declared,
        isCreation: isNew,
        trust: code.source?.trust ?? 'all',
      },
      this.#log,
    )
    const { source, contract } = code
    const isKnown = source !== undefined && contract !== undefined && source.stack !== 'nothing'
    return {
      code,
      address,
      functions,
      variables: isKnown
        ? new StackVariables(
            source,
            declarationsOf(sourceModelOf(contract.compilation)),
            code.entry(frame.input),
            frame.input,
          )
        : undefined,
      step: undefined,
      place: undefined,
      sites: [],
      jump: undefined,
      isLost: false,
      added: NOTHING,
    }
  }

  /** Follows the code to the instruction, which begins a step unless it belongs to the one before. */
  #goTo(running: Running, step: Step): void {
    const index = running.code.source?.instructions.indexOf(step.pc) ?? -1
    const jump = index < 0 ? undefined : this.#land(running, index, step)
    running.jump = undefined
    if (index >= 0) running.variables?.follow(index, step)
    const place = placeOf(running, step, index, jump)
    const { functions } = running
    const isHere = running.step?.frame === functions.frame
    const isSame = place === AS_BEFORE ? isHere : isHere && place === running.place
    if (isSame && running.step === this.#log.last) return
    if (place !== AS_BEFORE) running.place = place
    else if (!isHere) running.place = undefined
    running.step = this.#log.begin(functions.frame, running.place?.position)
    if (this.#log.isCut) return
    const variables = running.variables?.news(functions.frame, running.place, step)
    if (variables !== undefined) this.#log.addVariables(running.step, variables)
  }

  /** Enters or leaves a function where the instruction before was a jump that does. Returns the jump, from where it is taken to come. */
  #land({ code, functions, variables, jump, sites }: Running, index: number, step: Step): Jump | undefined {
    if (jump?.kind === 'out') {
      functions.out()
      variables?.out()
      return { kind: 'out', from: sites.pop() }
    }
    if (jump?.kind !== 'into') return jump
    const source = code.source!
    const one = functions.into(source.functionEntered(index), jump.from && source.textOf(jump.from))
    const args = variables?.into(one, step)
    const { entered } = functions
    if (args !== undefined && entered !== undefined) this.#log.tell(entered, { args })
    return jump
  }

  #jump(running: Running, step: Step): void {
    const { code, functions, variables } = running
    const { source } = code
    const index = source?.instructions.indexOf(step.pc) ?? -1
    const kind = index < 0 ? 'other' : source!.instructions.nth(index).jump
    running.jump = { kind, from: running.place }
    if (kind === 'into') running.sites.push(running.place)
    const { entered } = functions
    if (kind !== 'out' || entered === undefined) return
    const result = variables?.results(step)
    if (result !== undefined) this.#log.tell(entered, { result })
  }

  #emit(running: Running, { opcode, stack, memory }: Step): void {
    const { code, address, step } = running
    const count = opcode - LOG0
    const data = readMemory(memory, fromTop(stack, 0), fromTop(stack, 1))
    const topics = Array.from({ length: count }, (_, i) => toHex(toWord(fromTop(stack, 2 + i))))
    const decoded = code.event(topics, data)
    const { name: event, args } = decoded ?? { name: undefined, args: undefined }
    const log = { address, topics, data: toHex(data), event, args, isReverted: false }
    running.added = { accesses: [], log }
    this.#log.addLog(step!, log)
  }

  #access(running: Running, step: Step): void {
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
      : (at: bigint) => step.storage(at)
    const kind = opcode === SSTORE || opcode === TSTORE ? 'write' : 'read'
    const before = word(slot)
    const after = kind === 'write' ? fromTop(stack, 1) : before
    const raw = { kind, isTransient, address, slot, before, after, meant: meantAt(running), word } as const
    const by = running.step!
    const { accesses, isVague } = this.#storage.accesses(raw, this.#layouts(isTransient), by)
    running.added = { accesses, log: undefined }
    this.#log.addAccesses(by, accesses, isVague)
    if (opcode === TSTORE) this.#transient.write(address, slot, after)
  }

  /** Keeps what a hash is of, if that may be a place in storage. */
  #keepHashed({ stack, memory }: Step): void {
    const length = fromTop(stack, 1)
    if (length < 32n || length > MOST_HASHED) return
    const bytes = readMemory(memory, fromTop(stack, 0), length)
    if (this.#storage.preimages.add(bytes)) this.#budget.take(HASH_BYTES + bytes.length)
  }

  /** The layouts of the code that runs and of those that lent it their storage, the innermost first. */
  #layouts(isTransient: boolean): readonly NamedLayout[] {
    const found: NamedLayout[] = []
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

/** Adds the gas that the last instruction used to its step. */
function charge(message: Message, gas: bigint): void {
  const { running, innerGas } = message
  if (message.gas !== undefined && running?.step !== undefined) {
    running.step.gasUsed += message.gas - gas - innerGas
  }
  message.gas = gas
  message.innerGas = 0n
}

/** Returns the place of an instruction; `undefined` where it is not certain. */
function placeOf(
  running: Running,
  { opcode }: Step,
  index: number,
  jump: Jump | undefined,
): Place | undefined | typeof AS_BEFORE {
  const { code, functions } = running
  const { source } = code
  if (source === undefined || index < 0) return undefined
  const place = source.placeAt(index)
  if (opcode === JUMPDEST) {
    const isJump = jump !== undefined && jump.kind !== 'into'
    running.isLost = isJump && place !== undefined && source.isShared(index) && !overlap(place, jump.from)
  }
  if (running.isLost) return undefined
  const { trust } = source
  const says = trusted(trust, opcode)
  if (place === undefined || (says === 'nothing' && running.step !== undefined)) return AS_BEFORE
  // Via IR, what the compiler wrote has the range of the contract.
  if (place.isContract) {
    if (trust === 'effects') return undefined
    return running.place === undefined ? place : AS_BEFORE
  }
  if (says === 'maybe') return place === running.place ? AS_BEFORE : undefined
  if (place === running.place && jump === undefined) return place
  const one = source.functionAt(place)
  if (one === undefined || functions.at(one)) return place
  // What a function is called for that is not known is a part of the call.
  return functions.isUnknown ? AS_BEFORE : undefined
}

function overlap(a: Place | undefined, b: Place | undefined): boolean {
  if (a === undefined || b === undefined) return false
  const [{ range: one }, { range: other }] = [a, b]
  return (
    one.file === other.file && one.start < other.start + other.length && other.start < one.start + one.length
  )
}

function meantAt({ code, place }: Running): Meant | undefined {
  if (code.contract === undefined || place === undefined) return undefined
  const node = declarationsOf(sourceModelOf(code.contract.compilation)).expressionAt(place.range)
  return node && meantBy(node)
}

/** Why a call failed that runs no code, such as one of a precompile. */
function bareError({ failure }: FrameExit): DebugError | undefined {
  return failure && { text: failure.error, name: undefined, args: undefined }
}
