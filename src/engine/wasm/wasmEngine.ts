/**
 * The engine in WebAssembly. Its module is compiled once for a process, when something first runs. An instance runs one
 * message at a time; runs are synchronous unless they pause, so that nearly always one instance is enough.
 */
import type { Rules } from '../../model/hardfork/hardfork.ts'
import type { StateView } from '../../state/view.ts'
import { MemoryLimitExceeded, type Work } from '../../work/work.ts'
import type { BlockContext } from '../blockContext.ts'
import type { Engine, Execution, Message, Watcher } from '../engine.ts'
import { type HitCollector, removeHitSource } from '../hits.ts'
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

  transact(
    state: StateView,
    context: BlockContext,
    message: Message,
    work: Work,
    watcher?: Watcher,
    hits?: HitCollector,
  ): Execution | Promise<Execution> {
    return instances.lend(work, (instance) => {
      instance.begin({
        rules: this.rules,
        state,
        context,
        origin: message.from,
        gasPrice: message.gasPrice,
        blobVersionedHashes: message.blobVersionedHashes,
        moved: message.movedPrecompiles,
        watcher,
        hits,
      })
      return transact(instance, this.rules, context, message, work)
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
