/** Observers of each devnet that this process makes: what measures a whole test run, whichever way its tests get a devnet. */

import type { Recording, RecordingManner } from '../recording/record.ts'
import type { Abis } from '../solidity/abi/abis.ts'
import type { Artifacts } from '../solidity/artifacts/artifacts.ts'
import type { DevnetEvents } from './events.ts'

/** What observers use of a devnet. */
export interface ObservedDevnet {
  readonly abis: Abis
  readonly artifacts: Artifacts
  recordAs(manner: RecordingManner): Promise<Recording>
  on<E extends keyof DevnetEvents>(event: E, listener: DevnetEvents[E]): () => void
}

/**
 * Is called with each new devnet, and with the one of which it is a fork. Returns what is called when that devnet is closed, if
 * anything is.
 */
export type DevnetObserver = (
  devnet: ObservedDevnet,
  origin: ObservedDevnet | undefined,
) => (() => void) | undefined

const observers = new Set<DevnetObserver>()

/** Calls `observer` with each devnet that is made from now on, forks included. Returns a function that ends this. */
export function observeDevnets(observer: DevnetObserver): () => void {
  observers.add(observer)
  return () => {
    observers.delete(observer)
  }
}

/** @internal Tells the observers of a new devnet. Returns what they want to be called when it is closed. */
export function tellObservers(
  devnet: ObservedDevnet,
  origin: ObservedDevnet | undefined,
): readonly ((() => void) | undefined)[] {
  return observers.size === 0 ? NOBODY : [...observers].map((observer) => observer(devnet, origin))
}

const NOBODY: readonly (() => void)[] = []

const preparations = new Set<() => Promise<void> | undefined>()

/** @internal Calls `prepare` before each devnet that is created from now on. */
export function beforeDevnets(prepare: () => Promise<void> | undefined): void {
  preparations.add(prepare)
}

/** @internal Waits for what `beforeDevnets` was given. */
export async function prepareForDevnets(): Promise<void> {
  for (const prepare of preparations) await prepare()
}
