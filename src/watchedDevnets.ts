/** Observers of each devnet that this process makes: what measures a whole test run, whichever way its tests get a devnet. */
import type { Abis } from './abi/abis.ts'
import type { Artifacts } from './artifacts/artifacts.ts'
import type { DevnetEvents } from './devnetEvents.ts'

/** What observers use of a devnet. */
export interface ObservedDevnet {
  readonly abis: Abis
  readonly artifacts: Artifacts
  on<E extends keyof DevnetEvents>(event: E, listener: DevnetEvents[E]): () => void
}

/** Is called with each new devnet. Returns what is called when that devnet is closed. */
export type DevnetObserver = (devnet: ObservedDevnet) => () => void

const observers = new Set<DevnetObserver>()

/** Calls `observer` with each devnet that is made from now on, forks included. Returns a function that ends this. */
export function observeDevnets(observer: DevnetObserver): () => void {
  observers.add(observer)
  return () => {
    observers.delete(observer)
  }
}

/** @internal Tells the observers of a new devnet. Returns what they want to be called when it is closed. */
export function tellObservers(devnet: ObservedDevnet): readonly (() => void)[] {
  return observers.size === 0 ? NOBODY : [...observers].map((observer) => observer(devnet))
}

const NOBODY: readonly (() => void)[] = []
