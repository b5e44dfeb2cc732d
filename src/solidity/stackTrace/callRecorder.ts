/** Records calls and their instructions, without stacks and memory. The record of 30 million gas takes 20 MB. */

import { type Address, EMPTY_BYTES } from '../../bytes/hex.ts'
import type { Frame, FrameExit, Step, Watcher } from '../../engine/engine.ts'
import { INSUFFICIENT_BALANCE, TOO_DEEP } from '../../engine/trace/failures.ts'
import { accountOf, isCreation } from '../../engine/trace/operands.ts'
import { OP } from '../../model/opcodes.ts'

const { EXTCODESIZE, JUMP } = OP

/** A recorded call or creation. */
export interface RecordedMessage {
  readonly frame: Frame
  readonly exit: FrameExit
  /** The code that ran; for creations, the init code with constructor arguments. */
  readonly code: Uint8Array
  /** The number of messages around this one: 0 for the outermost message. */
  readonly depth: number
  readonly trail: Trail
  /** The last inner message that ran. `at` is the number of steps up to and including the call. */
  readonly last: { readonly message: RecordedMessage; readonly at: number } | undefined
  /** An inner message after `last` that the EVM refused: too deep, or with too little balance for its value. */
  readonly refused: { readonly frame: Frame; readonly exit: FrameExit; readonly at: number } | undefined
  /** Gas and number of inner calls by address. Creations are counted for the address of their creator. */
  readonly called: ReadonlyMap<Address, { readonly gas: bigint; readonly count: number }>
  /** The account that the last EXTCODESIZE read. */
  readonly codeSizeAccount: Address | undefined
}

export interface Recording {
  readonly watcher: Watcher
  /** Returns the outermost message; `undefined` if no code ran or the run has not ended. */
  finished(): RecordedMessage | undefined
}

export function recordRun(): Recording {
  const open: Open[] = []
  let root: RecordedMessage | undefined
  // The engine reports a SELFDESTRUCT as a frame without steps.
  let isDestruction = false
  return {
    watcher: {
      enter(frame) {
        if (frame.kind === 'SELFDESTRUCT') isDestruction = true
        else open.push(new Open(frame, open.length))
      },
      step(step) {
        open[open.length - 1]!.step(step)
      },
      exit(exit) {
        if (isDestruction) {
          isDestruction = false
          return
        }
        const message = open.pop()!
        message.exit = exit
        const caller = open.at(-1)
        if (caller === undefined) root = message
        else caller.addInner(message)
      },
    },
    finished: () => root,
  }
}

class Open implements RecordedMessage {
  readonly frame: Frame
  readonly depth: number
  readonly trail = new Trail()
  readonly called = new Map<Address, { gas: bigint; count: number }>()
  code: Uint8Array
  exit!: FrameExit
  last: RecordedMessage['last']
  refused: RecordedMessage['refused']
  codeSizeAccount: Address | undefined

  constructor(frame: Frame, depth: number) {
    this.frame = frame
    this.depth = depth
    this.code = isCreation(frame.kind) ? frame.input : EMPTY_BYTES
  }

  step(step: Step): void {
    if (this.trail.length === 0 && !isCreation(this.frame.kind)) this.code = step.code.slice()
    this.trail.push(step.pc, step.opcode)
    if (step.opcode === EXTCODESIZE) this.codeSizeAccount = accountOf(step)
  }

  addInner(message: RecordedMessage): void {
    const { frame, exit, trail } = message
    const at = this.trail.length
    if (exit.failure?.error === TOO_DEEP || exit.failure?.error === INSUFFICIENT_BALANCE) {
      this.refused = { frame, exit, at }
      return
    }
    const address = frame.to ?? frame.from
    const known = this.called.get(address)
    this.called.set(address, { gas: (known?.gas ?? 0n) + exit.gasUsed, count: (known?.count ?? 0) + 1 })
    // Steps are needed only to explain failures.
    if (exit.failure === undefined) trail.clear()
    this.last = { message, at }
    this.refused = undefined
  }
}

/** Number of the last steps that are always kept. */
const KEPT = 1 << 15

/** Maximum number of jumps that are kept after their steps have been dropped. */
const MOST_JUMPS = 1 << 22

/** The last steps of one frame, and the jumps of all its steps, in a compact form. */
export class Trail {
  /** The last steps, each as pc * 256 + opcode. */
  #steps = new Uint32Array(64)
  #count = 0
  /** Number of the first step that is kept. */
  first = 0
  /** The jumps of steps that are not kept. A jump has two entries: its pc, and the pc of the next step. */
  #jumps = new Uint32Array(0)
  #jumpCount = 0
  /** `false` once jumps have been lost, because there were more than `MOST_JUMPS` or `clear` was called. */
  isComplete = true

  get length(): number {
    return this.first + this.#count
  }

  push(pc: number, opcode: number): void {
    if (this.#count === this.#steps.length) {
      if (this.#count >= 2 * KEPT) this.#forget()
      else this.#steps = grown(this.#steps)
    }
    this.#steps[this.#count++] = pc * 256 + opcode
  }

  /** Returns the pc of a step; `undefined` if the step was dropped. */
  pc(step: number): number | undefined {
    const entry = this.#steps[step - this.first]
    return entry === undefined || step >= this.length ? undefined : entry >>> 8
  }

  get lastOpcode(): number | undefined {
    const entry = this.#steps[this.#count - 1]
    return entry === undefined ? undefined : entry & 0xff
  }

  /** Visits each JUMP in order, with its pc and the pc of the next step, if any. */
  eachJump(visit: (pc: number, next: number | undefined) => void): void {
    for (let i = 0; i < this.#jumpCount; i += 2) visit(this.#jumps[i]!, this.#jumps[i + 1]!)
    for (let i = 0; i < this.#count; i++) {
      const entry = this.#steps[i]!
      if ((entry & 0xff) !== JUMP) continue
      visit(entry >>> 8, i + 1 < this.#count ? this.#steps[i + 1]! >>> 8 : undefined)
    }
  }

  clear(): void {
    this.#steps = new Uint32Array(0)
    this.first += this.#count
    this.#count = 0
    this.#jumps = new Uint32Array(0)
    this.#jumpCount = 0
    this.isComplete = false
  }

  /** Drops the older half of the steps, but keeps their jumps. */
  #forget(): void {
    for (let i = 0; i < KEPT; i++) {
      const entry = this.#steps[i]!
      if ((entry & 0xff) === JUMP) this.#keepJump(entry >>> 8, this.#steps[i + 1]! >>> 8)
    }
    this.#steps.copyWithin(0, KEPT, this.#count)
    this.#count -= KEPT
    this.first += KEPT
  }

  #keepJump(pc: number, next: number): void {
    if (this.#jumpCount >= 2 * MOST_JUMPS) {
      this.isComplete = false
      return
    }
    if (this.#jumpCount === this.#jumps.length) this.#jumps = grown(this.#jumps)
    this.#jumps[this.#jumpCount++] = pc
    this.#jumps[this.#jumpCount++] = next
  }
}

function grown(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(64, 2 * array.length))
  larger.set(array)
  return larger
}
