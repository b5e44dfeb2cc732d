/** The engine in WebAssembly. A run is synchronous unless it pauses, so one instance is usually enough. */
import type { Rules } from '../../model/hardfork/hardfork.ts'
import type { MaybePromise } from '../../work/maybePromise.ts'
import { MemoryLimitExceeded } from '../../work/work.ts'
import type { Engine, EngineRun, Execution } from '../engine.ts'
import { removeHitSource } from '../hits.ts'
import { MachinePool } from '../machinePool.ts'
import { Instance } from './instance.ts'
import { transact } from './transact.ts'

/** Maximum memory of an instance that is kept for later runs, in bytes. WebAssembly memory never shrinks. */
const MOST_KEPT = 128 * 1024 * 1024

/** The instances of this process. After running out of memory an instance may be inconsistent, and is discarded. */
const instances = new MachinePool<Instance>({
  create: () => new Instance(),
  isReusable(instance, failure) {
    if (isKept(instance, failure?.error)) {
      instance.drop()
      return true
    }
    instance.reportHits()
    removeHitSource(instance)
    return false
  },
})

function isKept(instance: Instance, error: unknown): boolean {
  if (instance.memoryBytes > MOST_KEPT) return false
  // A `WebAssembly.RuntimeError` means that the memory of the instance could not grow.
  return !(error instanceof MemoryLimitExceeded || error instanceof WebAssembly.RuntimeError)
}

export class WasmEngine implements Engine {
  readonly rules: Rules
  readonly isSynchronous = true

  constructor(rules: Rules) {
    this.rules = rules
  }

  transact(run: EngineRun): MaybePromise<Execution> {
    return instances.lend(run.work, (instance) => {
      instance.begin(this.rules, run)
      return transact(instance, this.rules, run)
    })
  }
}
