/** Makes the tracers of requests. */

import { toHex } from '../../bytes/hex.ts'
import type { Trace, TraceRequest } from '../../model/execution/trace.ts'
import type { Frame } from '../engine.ts'
import { callTracer } from './callTracer.ts'
import { flatTracer } from './flatTracer.ts'
import { prestateTracer } from './prestateTracer.ts'
import { structLogger } from './structLogger.ts'
import type { TraceBudget, Tracer, TracerMaker } from './tracer.ts'

/** Returns what makes the tracers for `request`. */
export function tracerFor(request: TraceRequest): TracerMaker<Trace> {
  return (budget) => createTracer(request, budget)
}

/** Returns the tracer for `request`, which takes memory from `budget`. */
export function createTracer(request: TraceRequest, budget: TraceBudget): Tracer {
  switch (request.kind) {
    case 'struct':
      return structLogger(request, budget)
    case 'call':
      return callTracer(request, budget)
    case 'flat':
      return flatTracer(budget)
    case 'prestate':
      return prestateTracer(request, budget)
    case 'fourByte':
      return fourByteTracer()
    case 'noop':
      // geth's noopTracer: runs the code and returns nothing.
      return { finish: () => ({ kind: 'noop' }) }
  }
}

/** geth's 4byteTracer: the selectors that were called, with the number of bytes of arguments. */
function fourByteTracer(): Tracer {
  const counts = new Map<string, number>()
  const open: Frame[] = []
  return {
    enter(frame) {
      open.push(frame)
    },

    // Not in `enter`: only here is it known whether a precompile ran, whose input has no selector.
    exit({ isPrecompile }) {
      const { kind, input } = open.pop()!
      const isCall = kind !== 'CREATE' && kind !== 'CREATE2' && kind !== 'SELFDESTRUCT'
      if (!isCall || isPrecompile || input.length < 4) return
      const key = `${toHex(input.subarray(0, 4))}-${input.length - 4}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    },

    finish: () => ({ kind: 'fourByte', counts }),
  }
}
