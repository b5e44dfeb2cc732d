/** geth's callTracer (eth/tracers/native/call.go): the tree of calls of a transaction. */

import { toHex, toWord } from '../../bytes/hex.ts'
import { revertReason } from '../../model/execution/revertReason.ts'
import type {
  CallFrame,
  CallOptions,
  CallPosition,
  CallTrace,
  FrameLog,
} from '../../model/execution/trace.ts'
import { OP } from '../../model/opcodes.ts'
import type { Log } from '../../model/receipt/log.ts'
import type { Frame, FrameExit, Step } from '../engine.ts'
import { FRAME_OPENERS, fromTop, isCreation, readMemory } from './operands.ts'
import type { TraceBudget, Tracer } from './tracer.ts'

/** Approximate memory of a frame without its data, in bytes. */
const FRAME_BYTES = 500

interface OpenCall {
  readonly frame: Frame
  readonly calls: CallFrame[]
  readonly logs: (Log & { position: number })[]
  site: CallPosition | undefined
  opener: CallPosition | undefined
}

export function callTracer(options: CallOptions, budget: TraceBudget): Tracer<CallTrace> {
  const { onlyTopCall, withLog, withSource, withoutPrecompiles } = options
  const open: OpenCall[] = []
  let root: CallFrame | undefined
  // `undefined` if the traced run belongs to no transaction.
  let gasLimit: bigint | undefined
  let firstLogIndex = 0
  // The number of open frames below the top call. Counted only with `onlyTopCall`.
  let skipped = 0

  return {
    begin(start) {
      ;({ gasLimit, firstLogIndex } = start)
    },

    enter(frame) {
      if (skipped > 0 || (onlyTopCall && open.length > 0)) {
        skipped++
        return
      }
      budget.take(FRAME_BYTES + frame.input.length)
      open.push({ frame, calls: [], logs: [], site: open.at(-1)?.opener, opener: undefined })
    },

    step(step) {
      if (skipped > 0) return
      if (withSource) {
        const call = open.at(-1)!
        if (open.length === 1) call.site ??= siteOf(call, step, undefined, budget)
        if (FRAME_OPENERS.has(step.opcode) || step.opcode === OP.SELFDESTRUCT) {
          call.opener = siteOf(call, step, step.pc, budget)
        }
      }
      if (!withLog || step.opcode < OP.LOG0 || step.opcode > OP.LOG4) return
      const { logs, calls } = open.at(-1)!
      const log = logOf(step)
      if (log === undefined) return
      budget.take(FRAME_BYTES + log.data.length)
      logs.push({ ...log, position: calls.length })
    },

    exit(exit) {
      if (skipped > 0) {
        skipped--
        return
      }
      const left = open.pop()!
      const parent = open.at(-1)
      const { kind } = left.frame
      const isLeftOut = withoutPrecompiles && exit.isPrecompile && (kind === 'CALL' || kind === 'STATICCALL')
      if (isLeftOut && parent !== undefined) return
      budget.take(exit.output.length)
      const frame = closed(left, exit)
      if (parent === undefined) root = frame
      else parent.calls.push(frame)
    },

    finish({ outcome }) {
      const top = { ...root!, gas: gasLimit ?? root!.gas, gasUsed: outcome.gasUsed }
      return { kind: 'call', root: withLog ? withLogs(top, { index: firstLogIndex }) : top }
    },
  }
}

/** Returns the code position of a step. The positions of one frame share one copy of the code. */
function siteOf(
  { frame, opener }: OpenCall,
  step: Step,
  pc: number | undefined,
  budget: TraceBudget,
): CallPosition {
  if (opener === undefined) budget.take(step.code.length)
  return { code: opener?.code ?? step.code.slice(), isCreation: isCreation(frame.kind), pc }
}

function closed(
  { frame, calls, logs, site }: OpenCall,
  { gasUsed, output, failure, createdAddress }: FrameExit,
): CallFrame {
  return {
    ...frame,
    to: isCreation(frame.kind) ? createdAddress : frame.to,
    gasUsed,
    output,
    error: failure?.error,
    revertReason: failure?.kind === 'revert' ? revertReason(output) : undefined,
    calls,
    // `withLogs` assigns the indexes at the end, when it is known which logs were reverted.
    logs: logs.map((log) => ({ ...log, index: 0 })),
    site,
  }
}

/** Returns `frame` with its logs numbered in order of emission. Drops the logs of failed frames. */
function withLogs(frame: CallFrame, next: { index: number }): CallFrame {
  if (frame.error !== undefined) return withoutLogs(frame)
  const logs: FrameLog[] = []
  const calls: CallFrame[] = []
  const number = (position: number) => {
    for (const log of frame.logs) {
      if (log.position === position) logs.push({ ...log, index: next.index++ })
    }
  }
  for (const [position, call] of frame.calls.entries()) {
    number(position)
    calls.push(withLogs(call, next))
  }
  number(frame.calls.length)
  return { ...frame, calls, logs }
}

function withoutLogs(frame: CallFrame): CallFrame {
  return { ...frame, logs: [], calls: frame.calls.map(withoutLogs) }
}

function logOf({ opcode, stack, memory, address }: Step): Log | undefined {
  const count = opcode - OP.LOG0
  if (stack.length < count + 2) return undefined
  const topics = Array.from({ length: count }, (_, i) => toHex(toWord(fromTop(stack, 2 + i))))
  return { address, topics, data: readMemory(memory, fromTop(stack, 0), fromTop(stack, 1)) }
}
