/** Collects the frames and steps of a run, within a memory budget. */

import type { TraceBudget } from '../../engine/trace/tracer.ts'
import { nameOfFunction, type SourceFunction } from '../source/sourceModel.ts'
import { positionOf } from './codeSource.ts'
import type {
  DebugFrame,
  DebugLog,
  DebugOptions,
  DebugPosition,
  DebugStep,
  DebugVariable,
  FunctionFrame,
  MessageFrame,
} from './debugRun.ts'
import type { OpenAccess } from './storageNames.ts'

/** Approximate memory of one item of each kind, in bytes. */
const STEP_BYTES = 250
const FRAME_BYTES = 600
const ACCESS_BYTES = 500
const LOG_BYTES = 500

const VALUE_BYTES = 150

export interface OpenStep extends DebugStep {
  gasUsed: bigint
  variables: readonly DebugVariable[] | undefined
  readonly storage: OpenAccess[]
  readonly logs: OpenLog[]
}

export type OpenLog = DebugLog & { isReverted: boolean }

/** Data of a frame, without its position in the run. */
export type FrameData<T> = Omit<T, 'parent' | 'depth' | 'steps'>

export interface Mark {
  readonly writes: number
  readonly logs: number
}

export class RunLog {
  readonly steps: OpenStep[] = []
  readonly frames: DebugFrame[] = []
  isCut = false
  readonly #budget: TraceBudget
  readonly #limit: number
  readonly #writes: OpenAccess[] = []
  readonly #logs: OpenLog[] = []
  /** The current step, even if the step is beyond the limit of steps. */
  last: OpenStep | undefined
  #vague: OpenAccess[] = []
  /** Arrays and structs whose memory the budget includes already: steps share unchanged values. */
  readonly #counted = new WeakSet<object>()

  constructor({ limit = Number.POSITIVE_INFINITY }: DebugOptions, budget: TraceBudget) {
    this.#limit = limit
    this.#budget = budget
  }

  get mark(): Mark {
    return { writes: this.#writes.length, logs: this.#logs.length }
  }

  begin(frame: number, position: DebugPosition | undefined): OpenStep {
    const step: OpenStep = { frame, position, gasUsed: 0n, variables: undefined, storage: [], logs: [] }
    this.last = step
    this.#vague = []
    if (this.steps.length >= this.#limit) this.isCut = true
    else {
      this.#budget.take(STEP_BYTES)
      this.steps.push(step)
    }
    return step
  }

  open(parent: number | undefined, told: FrameData<MessageFrame> | FrameData<FunctionFrame>): number {
    this.#budget.take(FRAME_BYTES)
    const depth = parent === undefined ? 0 : this.frames[parent]!.depth + 1
    const first = this.steps.length
    return this.frames.push({ ...told, parent, depth, steps: { first, last: first - 1 } }) - 1
  }

  openFunction(parent: number, one: SourceFunction): number {
    return this.open(parent, {
      kind: 'function',
      contract: one.contract?.name,
      function: nameOfFunction(one),
      isModifier: one.kind === 'modifier',
      declaredAt: positionOf(one.file, one.range),
      args: undefined,
      result: undefined,
    })
  }

  setValues(index: number, told: Pick<FunctionFrame, 'args'> | Pick<FunctionFrame, 'result'>): void {
    const frame = this.frames[index]!
    if (frame.kind === 'message') return
    for (const values of Object.values(told)) this.#takeValues(values)
    this.frames[index] = { ...frame, ...told }
  }

  /** Closes a frame. For a call or creation, `told` replaces all data of the frame except its position. */
  close(index: number, told?: FrameData<MessageFrame>): void {
    const { parent, depth, steps, ...known } = this.frames[index]!
    const last = this.steps.length - 1
    this.frames[index] = { ...(told ?? known), parent, depth, steps: { first: steps.first, last } }
  }

  addVariables(step: OpenStep, variables: readonly DebugVariable[] | undefined): void {
    this.#takeValues(variables)
    step.variables = variables
  }

  /** Adds accesses. If the source names no variable (`isVague`), drops reads of slots that the step then writes. */
  addAccesses(step: OpenStep, accesses: readonly OpenAccess[], isVague: boolean): void {
    for (const access of accesses) {
      this.#budget.take(ACCESS_BYTES)
      if (access.kind === 'write') {
        this.#dropVague(step, access)
        this.#writes.push(access)
      } else if (isVague) this.#vague.push(access)
      step.storage.push(access)
    }
  }

  addLog(step: OpenStep, log: OpenLog): void {
    this.#budget.take(LOG_BYTES + log.data.length)
    step.logs.push(log)
    this.#logs.push(log)
  }

  /** Sets `isReverted` of all writes and logs that were added after the mark. */
  revertTo({ writes, logs }: Mark): void {
    for (const write of this.#writes.splice(writes)) write.isReverted = true
    for (const log of this.#logs.splice(logs)) log.isReverted = true
  }

  #takeValues(values: readonly DebugVariable[] = []): void {
    for (const { value } of values) this.#takeValue(value)
  }

  #takeValue(value: unknown): void {
    this.#budget.take(VALUE_BYTES + (typeof value === 'string' ? 2 * value.length : 0))
    if (typeof value !== 'object' || value === null || this.#counted.has(value)) return
    this.#counted.add(value)
    for (const part of Object.values(value)) this.#takeValue(part)
  }

  #dropVague({ storage }: OpenStep, { address, slot, isTransient }: OpenAccess): void {
    this.#vague = this.#vague.filter((read) => {
      if (read.slot !== slot || read.address !== address || read.isTransient !== isTransient) return true
      remove(storage, read)
      return false
    })
  }
}

export function remove<T>(list: T[], item: T): void {
  const index = list.indexOf(item)
  if (index >= 0) list.splice(index, 1)
}
