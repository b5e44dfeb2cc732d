/** The tracer that a request asks for. */
import type { TraceRequest } from '../../model/execution/trace.ts'
import type { TraceBudget } from './budget.ts'
import { callTracer } from './callTracer.ts'
import { flatTracer } from './flatTracer.ts'
import { fourByteTracer } from './fourByteTracer.ts'
import { prestateTracer } from './prestateTracer.ts'
import { structLogger } from './structLogger.ts'
import type { Tracer } from './tracer.ts'

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
      // geth's noopTracer: runs everything and shows nothing.
      return { finish: () => ({ kind: 'noop' }) }
  }
}
