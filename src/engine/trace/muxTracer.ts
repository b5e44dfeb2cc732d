/** geth's muxTracer (eth/tracers/native/mux.go): several tracers of one run. */
import type { Trace } from '../../model/execution/trace.ts'
import type { Watcher } from '../engine.ts'
import type { Tracer } from './tracer.ts'

/** Returns a tracer whose trace contains the trace of each tracer in `tracers`, by name. */
export function muxTracer(tracers: ReadonlyMap<string, Tracer>): Tracer {
  const all = [...tracers.values()]
  const forAll = <K extends keyof Watcher>(event: K): Watcher[K] => {
    const calls = all.flatMap((tracer) => tracer[event]?.bind(tracer) ?? []) as ((of: unknown) => void)[]
    return calls.length === 0
      ? undefined
      : (((of: unknown) => calls.forEach((call) => call(of))) as Watcher[K])
  }
  const watcher = {
    enter: forAll('enter'),
    exit: forAll('exit'),
    step: forAll('step'),
    fault: forAll('fault'),
  }
  return {
    ...(Object.fromEntries(Object.entries(watcher).filter(([, call]) => call !== undefined)) as Watcher),
    begin(start) {
      for (const tracer of all) tracer.begin?.(start)
    },
    finish: (end): Trace => ({
      kind: 'mux',
      traces: new Map([...tracers].map(([name, tracer]) => [name, tracer.finish(end)])),
    }),
  }
}
