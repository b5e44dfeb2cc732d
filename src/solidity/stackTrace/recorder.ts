/** Records of a run what explains its failure, without stacks and memory: runs of 30 million gas take some 20 MB. */

import { type Address, EMPTY_BYTES } from '../../bytes/hex.ts'
import type { Frame, FrameExit, Step, Watcher } from '../../engine/engine.ts'
import { TOO_DEEP, TOO_POOR } from '../../engine/trace/failures.ts'
import { accountOf, isCreation } from '../../engine/trace/operands.ts'
import { EXTCODESIZE } from '../opcodes.ts'
import type { SolidityStackTrace } from './stackTrace.ts'
import { Trail } from './trail.ts'

/** A call or creation that a run made, or its outermost. */
export interface RecordedMessage {
  readonly frame: Frame
  readonly exit: FrameExit
  /** The code that ran; in a creation its input, with the arguments of the constructor. */
  readonly code: Uint8Array
  /** The number of callers; 0 is the outermost. */
  readonly depth: number
  readonly trail: Trail
  /** The last message that it made, and the number of steps before, of which the last opened it. */
  readonly last: { readonly message: RecordedMessage; readonly at: number } | undefined
  /** What the EVM refused to open after that: a call that was too deep, or of more ether than there is. */
  readonly refused: { readonly frame: Frame; readonly exit: FrameExit; readonly at: number } | undefined
  /** The gas that its calls used, and how many they were, by address; creations by that of the contract that made them. */
  readonly called: ReadonlyMap<Address, { readonly gas: bigint; readonly count: number }>
  /** The account whose code's size it asked for last (EXTCODESIZE). */
  readonly looked: Address | undefined
}

/** A run that is recorded. */
export interface Recording {
  /** Hears of the run. */
  readonly watcher: Watcher
  /** Returns what was recorded; `undefined` if nothing ran, or the run is not over. */
  finished(): RecordedMessage | undefined
}

/** Returns a watcher that records one run, and what it recorded. */
export function recordRun(): Recording {
  const open: Open[] = []
  let root: RecordedMessage | undefined
  // A SELFDESTRUCT is reported as a frame in which nothing happens.
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
        const message = open.pop()!.ended(exit)
        const caller = open.at(-1)
        if (caller === undefined) root = message
        else caller.made(message)
      },
    },
    finished: () => root,
  }
}

class Open {
  readonly frame: Frame
  readonly depth: number
  readonly trail = new Trail()
  #code: Uint8Array
  #last: RecordedMessage['last']
  #refused: RecordedMessage['refused']
  readonly #called = new Map<Address, { gas: bigint; count: number }>()
  #looked: Address | undefined

  constructor(frame: Frame, depth: number) {
    this.frame = frame
    this.depth = depth
    this.#code = isCreation(frame.kind) ? frame.input : EMPTY_BYTES
  }

  step(step: Step): void {
    if (this.trail.length === 0 && !isCreation(this.frame.kind)) this.#code = step.code.slice()
    this.trail.push(step.pc, step.opcode)
    if (step.opcode === EXTCODESIZE) this.#looked = accountOf(step)
  }

  made(message: RecordedMessage): void {
    const at = this.trail.length
    const error = message.exit.failure?.error
    if (error === TOO_DEEP || error === TOO_POOR) {
      this.#refused = { frame: message.frame, exit: message.exit, at }
      return
    }
    const { to, from } = message.frame
    const known = this.#called.get(to ?? from)
    const gas = (known?.gas ?? 0n) + message.exit.gasUsed
    this.#called.set(to ?? from, { gas, count: (known?.count ?? 0) + 1 })
    // What succeeded explains no failure, but that it was there.
    if (message.exit.failure === undefined) message.trail.clear()
    this.#last = { message, at }
    this.#refused = undefined
  }

  ended(exit: FrameExit): RecordedMessage {
    return {
      frame: this.frame,
      exit,
      depth: this.depth,
      trail: this.trail,
      code: this.#code,
      last: this.#last,
      refused: this.#refused,
      called: this.#called,
      looked: this.#looked,
    }
  }
}

/** Where in Solidity code failed. Whichever member is called first finds it; the other returns the same then. */
export interface LateStackTrace {
  /** Returns it, found in one piece; `undefined` where it cannot be told. */
  now(): SolidityStackTrace | undefined
  /** Resolves to it, found as a part of the request's work: with its pauses and its time limit. */
  soon(): Promise<SolidityStackTrace | undefined>
}

/** Returns a stack trace that is known already. */
export function knownStackTrace(stackTrace: SolidityStackTrace): LateStackTrace {
  return { now: () => stackTrace, soon: async () => stackTrace }
}
