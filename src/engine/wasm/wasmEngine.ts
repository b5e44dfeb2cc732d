/**
 * The engine in WebAssembly. Its module is compiled once for a process, when something first runs. An instance runs one
 * message at a time; runs are synchronous unless they pause, so that nearly always one instance is enough.
 */
import type { Rules } from '../../model/hardfork/hardfork.ts'
import type { MaybePromise } from '../../work/maybePromise.ts'
import { MemoryLimitExceeded } from '../../work/work.ts'
import type { Engine, EngineRun, Execution } from '../engine.ts'
import { removeHitSource } from '../hits.ts'
import { MachinePool } from '../machinePool.ts'
import { Instance } from './instance.ts'
import { transact } from './transact.ts'

/** The memory in bytes with which an instance is kept: a memory never gets smaller. */
const MOST_KEPT = 128 * 1024 * 1024

/** The instances of this process. One that ran out of memory is not touched any more: it may be in any state. */
const instances = new MachinePool<Instance>({
  create: () => new Instance(),
  isSound(instance, failure) {
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
  // WebAssembly.RuntimeError: the machine is out of memory.
  return !(error instanceof MemoryLimitExceeded || error instanceof WebAssembly.RuntimeError)
}

/** Runs messages in WebAssembly. */
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

/** The shortest module. */
const EMPTY_MODULE = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)

/** Returns whether WebAssembly may be compiled here. A page's content security policy may forbid it. */
export function isWasmAllowed(): boolean {
  try {
    return new WebAssembly.Module(EMPTY_MODULE) instanceof WebAssembly.Module
  } catch {
    return false
  }
}
