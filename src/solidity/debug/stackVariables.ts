/**
 * Finds parameters and local variables on the stack of one call or creation. solc's legacy code generator puts each
 * variable at a fixed distance from its function's entry (`stackLayout.ts`). The optimizer rearranges the stack only
 * between the instructions in `BOUNDARIES`: at these, the stack is the same as in unoptimized code.
 */

import type { Step } from '../../engine/engine.ts'
import { FRAME_OPENERS } from '../../engine/trace/operands.ts'
import { OP, OPCODE_AT } from '../../model/opcodes.ts'
import type { AstNode } from '../artifacts/solcJson.ts'
import { contains, rangeOf, textIn } from '../source/ast.ts'
import type { SourceFunction } from '../source/sourceModel.ts'
import { declaredTypesOf } from './astLayout.ts'
import { type CodeSource, isAssignmentAt, type Place } from './codeSource.ts'
import type { DebugVariable } from './debugRun.ts'
import { type ReadValue, readValue } from './referenceValues.ts'
import type { OpenStep } from './runLog.ts'
import type { RunningCode } from './runningCode.ts'
import {
  assignmentsIn,
  modifiersOf,
  type StackLayout,
  type StackVariable,
  stackLayoutsAt,
  variablesBelow,
} from './stackLayout.ts'

/** A function entered by a jump or a message. */
interface Entered {
  /** `undefined` for unknown and compiler-generated functions. */
  readonly function: SourceFunction | undefined
  /** The stack height at the entry of this function, and of functions whose code is inside it. */
  readonly bases: Map<SourceFunction, number>
  /** The innermost statement of the last step. */
  statement: AstNode | undefined
  /** The index of the current layout, if a modifier is applied several times. */
  application: number
  /** The reason why the variables of the current statement are unknown. */
  flaw: string | undefined
  /** The variables that were on the stack at the last step. */
  placed: readonly StackVariable[]
  /** The stack words of the parameters at the entry. */
  given: readonly bigint[]
}

/** The variables in scope at a place, and the stack height from which their offsets count. */
interface Placing {
  readonly variables: readonly StackVariable[]
  readonly base: number | undefined
  readonly reason: string | undefined
}

/** A point of the run where the stack is the same as in unoptimized code. */
interface Boundary {
  readonly entered: Entered
  readonly placing: Placing | undefined
  readonly stack: readonly bigint[]
  /** Stack height without the operands of the instruction. */
  readonly top: number
  /** Number of writes to memory and storage up to here. */
  readonly writes: number
}

/** A value that was read, with the stack words and the number of writes at the time of the read. */
interface LastRead {
  readonly words: readonly bigint[]
  readonly writes: number
  readonly read: ReadValue
  readonly text: string
}

interface BegunStep {
  readonly step: OpenStep
  readonly frame: number
}

/** A step of optimized code whose variables are reported at the next boundary. */
interface Waiting extends BegunStep {
  readonly place: Place
  readonly last: Boundary | undefined
}

export class StackVariables {
  readonly #source: CodeSource
  readonly #code: RunningCode
  readonly #input: Uint8Array
  readonly #tell: (step: OpenStep, variables: readonly DebugVariable[]) => void
  readonly #open: Entered[]
  /** The variables that were last reported for each frame, by frame index. */
  readonly #lastReported = new Map<number, readonly DebugVariable[]>()
  /** The values that were read last, by declaration. */
  readonly #read = new Map<AstNode, LastRead>()
  readonly #layouts = new Map<Place, { within: SourceFunction; layouts: readonly StackLayout[] }>()
  #waiting: Waiting[] = []
  #last: Boundary | undefined
  #writes = 0
  #isAfterBoundary = false

  constructor(
    source: CodeSource,
    code: RunningCode,
    input: Uint8Array,
    tell: (step: OpenStep, variables: readonly DebugVariable[]) => void,
  ) {
    this.#source = source
    this.#code = code
    this.#input = input
    this.#tell = tell
    this.#open = [entered(code.entry(input), undefined)]
  }

  /** Enters a function by a jump; `one` is `undefined` if unknown. Returns the function's arguments, if known. */
  into(one: SourceFunction | undefined, step: Step): readonly DebugVariable[] | undefined {
    const { stack: known } = this.#source
    const { length } = step.stack
    this.#open.push(entered(one, length))
    if (one === undefined || known === 'nothing') return undefined
    if (known === 'entries' && !this.#source.isEntryPoint(step.pc)) return undefined
    const parameters = variablesBelow(one, 'parameters', length)
    const words = -(parameters?.[0]?.offset ?? 0)
    // Via IR, the first parameter is the uppermost.
    const given =
      known === 'entries' ? step.stack.slice(length - words).reverse() : step.stack.slice(length - words)
    this.#innermost.given = given
    return parameters?.map((each) => this.#describe(each, given, words, step))
  }

  /** Returns the return values of the innermost function, at its last step. */
  results(step: Step): readonly DebugVariable[] | undefined {
    const { function: one } = this.#innermost
    if (one === undefined || this.#open.length === 1 || this.#source.stack === 'nothing') return undefined
    // The top word is the return address.
    const height = step.stack.length - 1
    const results = variablesBelow(one, 'returnParameters', height)
    return results?.map((each) => this.#describe(each, step.stack, height, step))
  }

  out(): void {
    if (this.#open.length > 1) this.#open.pop()
  }

  /** Reports, at the end of the code, that the variables of steps still waiting for a boundary are unknown. */
  end(): void {
    for (const one of this.#waiting) this.#report(one, [])
  }

  /** Processes an instruction before it runs, at `place`. `begun` is the step that begins with the instruction. */
  follow(step: Step, place: Place | undefined, current: OpenStep | undefined, begun: BegunStep | undefined) {
    const { opcode } = step
    const isNew = begun !== undefined && !this.#isInUnknown
    if (begun !== undefined && (place === undefined || (!isNew && this.#source.stack !== 'exact'))) {
      this.#report(begun, [])
    }
    if (this.#source.stack === 'optimized') {
      if (isNew && place !== undefined) this.#waiting.push({ ...begun, place, last: this.#last })
      const isBoundary = this.#isAfterBoundary || BOUNDARIES.has(opcode)
      if (isBoundary && !this.#isInUnknown) this.#settle(step, place, current)
      this.#isAfterBoundary = BOUNDARIES.has(opcode)
    } else if (isNew && place !== undefined) {
      const isExact = this.#source.stack === 'exact'
      this.#report(begun, isExact ? this.#told(this.#placing(place, step), step) : this.#given(place, step))
    }
    if (WRITERS.has(opcode)) this.#writes++
  }

  get #innermost(): Entered {
    return this.#open.at(-1)!
  }

  /** Whether the function entered last is unknown or generated by the compiler. */
  get #isInUnknown(): boolean {
    return this.#innermost.function === undefined && this.#open.length > 1
  }

  #settle(step: Step, place: Place | undefined, current: OpenStep | undefined): void {
    const { stack, opcode } = step
    const top = stack.length - (BOUNDARIES.has(opcode) ? (OPCODE_AT[opcode]?.takes ?? 0) : 0)
    const placing = place && this.#placing(place, step)
    const here = { entered: this.#innermost, placing, stack, top, writes: this.#writes }
    for (const one of this.#waiting) this.#report(one, this.#toldAt(one, here, one.step === current, step))
    this.#waiting = []
    this.#last = here
  }

  /** Returns the layouts at a place. `within`: the last entered function if `one` belongs to it, otherwise `one`. */
  #layoutsAt(place: Place, one: SourceFunction) {
    const { function: outer } = this.#innermost
    const known = this.#layouts.get(place)
    if (known !== undefined && (known.within === outer || known.within === one)) return known
    const modifiers = outer === undefined ? [] : this.#modifiersOf(outer)
    const within = outer !== undefined && (one === outer || modifiers.includes(one)) ? outer : one
    const around = within === outer ? modifiers : this.#modifiersOf(within)
    const found = { within, layouts: stackLayoutsAt(place.range, one, within, around) }
    this.#layouts.set(place, found)
    return found
  }

  #modifiersOf(one: SourceFunction): readonly SourceFunction[] {
    return modifiersOf(one, this.#code.declared, this.#source.model)
  }

  #placing(place: Place, { stack, opcode }: Step): Placing | undefined {
    const { function: one } = place
    const entered = this.#innermost
    const isExact = this.#source.stack === 'exact'
    if (one === undefined) return undefined
    const { within, layouts } = this.#layoutsAt(place, one)
    const [first] = layouts
    if (first === undefined) return undefined
    const isOwn = within === entered.function
    let base = entered.bases.get(within)
    if (first.statement === undefined) {
      if (base === undefined) return undefined
      // Optimized instructions with a function's whole range rearrange the stack, except the JUMPDEST at its entry.
      const isReliable = isExact || (opcode === OP.JUMPDEST && stack.length === base)
      return { variables: first.variables, base: isReliable ? base : undefined, reason: MOVED }
    }
    const height = isExact ? heightAtStatement(entered, first, stack) : heightAtEmit(first, stack, opcode)
    const isNew = base === undefined || !isOwn
    if (height !== undefined) {
      const fitting = layouts.flatMap((layout, i) => (isNew || base! + layout.height === height ? [i] : []))
      const [application] = fitting
      entered.application = application ?? 0
      entered.flaw = application === undefined ? UNEXPECTED : fitting.length > 1 ? AMBIGUOUS : undefined
      if (isNew && application !== undefined) base = height - layouts[application]!.height
      if (base !== undefined && (isOwn || isExact)) entered.bases.set(within, base)
    } else if (!isExact) {
      entered.flaw = layouts.length > 1 ? AMBIGUOUS : undefined
      if (!isOwn) base = undefined
    }
    const reason = entered.flaw ?? (base === undefined ? (isOwn ? MOVED : INLINED) : undefined)
    const { variables, isCompound } = layouts[entered.application] ?? first
    const kept = isExact && isCompound && base !== undefined ? entered.placed : []
    const inner = kept.filter(({ declaration }) => {
      const range = rangeOf(declaration)
      return range !== undefined && contains(place.range, range)
    })
    return { variables: [...variables, ...inner], base: reason === undefined ? base : undefined, reason }
  }

  /** Returns the variables in code that was compiled via IR. Parameters that are never assigned keep their values. */
  #given({ range, function: one }: Place, step: Step): DebugVariable[] {
    const [layout] = one === undefined ? [] : stackLayoutsAt(range, one, one, [])
    if (one === undefined || layout === undefined) return []
    const { given, function: entered } = this.#innermost
    const changes = assignmentsIn(one.node)
    return listed(layout.variables, (each) => {
      const isGiven = each.offset < 0 && one === entered && given.length + each.offset >= 0
      if (!isGiven || changes.has(each.declaration.id)) return { value: undefined, reason: VIA_IR }
      return this.#valueOf(each, wordsOf(each, given.length, given), step)
    })
  }

  /** Returns the variables that are on the stack, in unoptimized code. */
  #told({ variables, base, reason }: Placing = NOWHERE, step: Step): DebugVariable[] {
    if (base === undefined) return listed(variables, () => ({ value: undefined, reason }))
    const { stack } = step
    const placed = variables.filter(({ offset, type }) => base + offset + type.words <= stack.length)
    this.#innermost.placed = placed
    return listed(placed, (one) => this.#valueOf(one, wordsOf(one, base, stack), step))
  }

  /** Returns the variables of a step that ends at or before a boundary. `isInside`: the boundary is in the step. */
  #toldAt(waiting: Waiting, here: Boundary, isInside: boolean, step: Step): DebugVariable[] {
    const { range, function: one } = waiting.place
    if (one === undefined) return []
    const scope = isInside ? here.placing : this.#layoutsAt(waiting.place, one).layouts[0]
    const last = waiting.last?.entered === here.entered ? waiting.last : undefined
    const changes = assignmentsIn(one.node)
    // The optimizer may write before the first instruction with the range of the assignment.
    const isStore = isAssignmentAt(this.#source.model, range)
    return listed(scope?.variables ?? [], (variable) => {
      const words = wordsAt(variable, here)
      if (words === undefined) return { value: undefined, reason: here.placing?.reason ?? MOVED }
      const places = changes.get(variable.declaration.id) ?? []
      const mayDiffer = isInside ? places.some((place) => contains(range, place)) : places.length > 0
      const isWritten = isWritable(variable) && (isInside ? isStore : here.writes !== last?.writes)
      if (isWritten || (mayDiffer && !areSame(words, last && wordsAt(variable, last)))) {
        return { value: undefined, reason: isInside ? CHANGING : MOVED }
      }
      return this.#valueOf(variable, words, step)
    })
  }

  #describe(one: StackVariable, stack: readonly bigint[], base: number, step: Step): DebugVariable {
    return { ...described(one), ...this.#valueOf(one, wordsOf(one, base, stack), step) }
  }

  #valueOf({ declaration, type }: StackVariable, words: readonly bigint[], step: Step): ReadValue {
    const known = this.#read.get(declaration)
    const isKept = known?.writes === this.#writes || !isWritable({ type })
    if (known !== undefined && isKept && areSame(known.words, words)) return known.read
    const { layout, idOf } = declaredTypesOf(this.#source.model)
    const data = {
      // Memory is read only if necessary, because each read copies it.
      memory: type.location === 'memory' ? step.memory : NO_BYTES,
      input: this.#input,
      word: (slot: bigint) => step.state.storage(step.address, slot),
    }
    const now = readValue(layout, idOf(declaration) ?? '', type.location, words, data)
    const text = JSON.stringify(now, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
    // An unchanged value stays the same object, so that it is reported and counted only once.
    const read = known?.text === text ? known.read : now
    this.#read.set(declaration, { words, writes: this.#writes, read, text })
    return read
  }

  #report({ step, frame }: BegunStep, variables: readonly DebugVariable[]): void {
    const before = this.#lastReported.get(frame) ?? []
    const isSame = variables.every(({ name, value, reason }, i) => {
      const last = before[i]
      return last !== undefined && name === last.name && value === last.value && reason === last.reason
    })
    if (isSame && before.length === variables.length) return
    this.#lastReported.set(frame, variables)
    this.#tell(step, variables)
  }
}

function entered(one: SourceFunction | undefined, height: number | undefined): Entered {
  const bases = new Map(one === undefined || height === undefined ? [] : [[one, height]])
  const unknown = { statement: undefined, application: 0, flaw: undefined, placed: [], given: [] }
  return { function: one, bases, ...unknown }
}

/** Returns the stack height at the beginning of a statement; `undefined` later in the statement. */
function heightAtStatement(
  entered: Entered,
  { statement, isCompound }: StackLayout,
  stack: readonly bigint[],
): number | undefined {
  if (statement === entered.statement) return undefined
  entered.statement = statement
  // The code of `break` and `continue` begins before the first instruction with the range of the statement.
  const isKnown = statement !== undefined && !isCompound && !/^(Break|Continue)$/.test(statement.nodeType)
  return isKnown ? stack.length : undefined
}

/** Returns the stack height without operands at the log of an `emit` statement; `undefined` elsewhere. */
function heightAtEmit(
  { statement }: StackLayout,
  stack: readonly bigint[],
  opcode: number,
): number | undefined {
  const isEmit = statement?.nodeType === 'EmitStatement' && opcode >= OP.LOG0 && opcode <= OP.LOG4
  return isEmit ? stack.length - (opcode - OP.LOG0) - 2 : undefined
}

/** Returns whether the value may change without a change of the variable's stack words. */
function isWritable({ type: { location } }: Pick<StackVariable, 'type'>): boolean {
  return location === 'memory' || location === 'storage'
}

function wordsOf({ offset, type }: StackVariable, base: number, stack: readonly bigint[]): readonly bigint[] {
  return stack.slice(base + offset, base + offset + type.words)
}

/** Returns a variable's words at a boundary; `undefined` if the variable is not in scope or has no known place. */
function wordsAt({ declaration }: StackVariable, { placing, stack, top }: Boundary) {
  const one = placing?.variables.find((each) => each.declaration === declaration)
  const { base } = placing ?? {}
  if (one === undefined || base === undefined || base + one.offset + one.type.words > top) return undefined
  return wordsOf(one, base, stack)
}

function areSame(a: readonly bigint[] | undefined, b: readonly bigint[] | undefined): boolean {
  return a !== undefined && b !== undefined && a.length === b.length && a.every((word, i) => word === b[i])
}

/** Describes variables. Of variables with the same name, only the innermost is in scope. */
function listed(
  variables: readonly StackVariable[],
  read: (one: StackVariable) => ReadValue,
): DebugVariable[] {
  const found = new Map<string, DebugVariable>()
  for (const one of variables) {
    const told = { ...described(one), ...read(one) }
    found.delete(told.name)
    if (told.name !== '') found.set(told.name, told)
  }
  return [...found.values()]
}

function described({ declaration, type }: StackVariable) {
  return { name: textIn(declaration, 'name'), type: type.label }
}

const NOWHERE: Placing = { variables: [], base: undefined, reason: undefined }
const NO_BYTES = new Uint8Array(0)

const MOVED = 'moved by the optimizer'
const INLINED = 'inlined by the optimizer'
const CHANGING = 'changes during this step'
const AMBIGUOUS = 'modifier applied more than once'
const UNEXPECTED = 'stack differs from expectation'
const VIA_IR = 'compiled via IR'

/** Instructions before and after which solc's optimizer keeps the order of the stack: it moves no code across them. */
const BOUNDARIES: ReadonlySet<number> = new Set([
  OP.JUMP,
  OP.JUMPI,
  OP.JUMPDEST,
  ...[0, 1, 2, 3, 4].map((topics) => OP.LOG0 + topics),
  ...FRAME_OPENERS.keys(),
  OP.STOP,
  OP.RETURN,
  OP.REVERT,
])

/** Instructions that may change memory or storage. */
const WRITERS: ReadonlySet<number> = new Set([
  ...[OP.MSTORE, OP.MSTORE8, OP.MCOPY, OP.SSTORE],
  ...[OP.CALLDATACOPY, OP.CODECOPY, OP.EXTCODECOPY, OP.RETURNDATACOPY],
  ...FRAME_OPENERS.keys(),
])
