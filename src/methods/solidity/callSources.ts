/** Where in source files the calls of a trace were made (`withSource` of the callTracer). */
import type { CallFrame, Trace, TraceRequest } from '../../model/execution/trace.ts'
import type { RpcContext } from '../../rpc/context.ts'

/** Returns the trace with the positions of its calls, if they are requested and there are artifacts. */
export async function withCallSources(
  { artifacts }: RpcContext,
  request: TraceRequest,
  trace: Trace,
): Promise<Trace> {
  if (trace.kind !== 'call' || request.kind !== 'call' || !request.withSource) return trace
  if (artifacts === undefined || !(await artifacts.load())) return trace
  const { callPosition } = await import('../../solidity/source/callPosition.ts')
  const located = (frame: CallFrame): CallFrame => ({
    ...frame,
    calls: frame.calls.map(located),
    source: frame.site && callPosition(frame.site, frame.input, artifacts.find),
  })
  return { kind: 'call', root: located(trace.root) }
}
