/** Makes the tracers of requests. */
import type { Trace, TraceRequest } from '../../model/execution/trace.ts'
import type { TraceBudget } from './budget.ts'
import { callTracer } from './callTracer.ts'
import { flatTracer } from './flatTracer.ts'
import { fourByteTracer } from './fourByteTracer.ts'
import { prestateTracer } from './prestateTracer.ts'
import { structLogger } from './structLogger.ts'
import type { Tracer, TracerMaker } from './tracer.ts'

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
