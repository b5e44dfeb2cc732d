/** geth's muxTracer (eth/tracers/native/mux.go): several tracers of one run. */
import type { Trace } from '../../model/execution/trace.ts'
import type { Watcher } from '../engine.ts'
import type { Tracer } from './tracer.ts'

/** Returns a tracer whose trace contains the trace of each tracer in `tracers`, by name. */
export function muxTracer(tracers: ReadonlyMap<string, Tracer>): Tracer {
  const all = [...tracers.values()]
  return {
    ...watcherOf(all),
    begin(start) {
      for (const tracer of all) tracer.begin?.(start)
    },
    dispose() {
      for (const tracer of all) tracer.dispose?.()
    },
    finish: (end): Trace => ({
      kind: 'mux',
      traces: new Map([...tracers].map(([name, tracer]) => [name, tracer.finish(end)])),
    }),
  }
}

/** Returns a watcher that passes each event on. It has only the methods of its parts, because events cost time. */
function watcherOf(all: readonly Watcher[]): Watcher {
  const watcher: Watcher = {}
  if (all.some(({ enter }) => enter)) watcher.enter = (frame) => all.forEach((one) => void one.enter?.(frame))
  if (all.some(({ exit }) => exit)) watcher.exit = (exit) => all.forEach((one) => void one.exit?.(exit))
  if (all.some(({ step }) => step)) watcher.step = (step) => all.forEach((one) => void one.step?.(step))
  if (all.some(({ fault }) => fault)) watcher.fault = (error) => all.forEach((one) => void one.fault?.(error))
  return watcher
}
