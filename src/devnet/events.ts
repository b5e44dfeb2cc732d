/** The events of a devnet, and which part of the devnet emits each event. */
import { faultsOf } from '../faults/devnetFaults.ts'
import type { FaultEvents } from '../faults/requestFaults.ts'
import { proposal } from '../model/api/text.ts'
import type { Listeners } from '../model/collections/listeners.ts'
import type { RequestEvents } from '../rpc/message.ts'
import { PROVIDER_EVENTS, type Provider, type ProviderEvents } from '../rpc/provider.ts'
import { EVENTS, type Events } from '../sequencer/events.ts'
import type { Abis } from '../solidity/abi/abis.ts'
import type { Artifacts } from '../solidity/artifacts/artifacts.ts'
import type { ConsoleEvents, Wires } from './wiring.ts'

/** The events of `devnet.on`, including those of an EIP-1193 provider, with the parameters of their listeners. */
export interface DevnetEvents extends Events, ProviderEvents, ConsoleEvents, FaultEvents, RequestEvents {}

/** The events of blocks and transactions, and the event `fault` of planned faults. */
export interface ChainEvents extends Events, Pick<FaultEvents, 'fault'> {}

export class EventEmitters {
  readonly #provider: Provider
  readonly #sequencer: Listeners<Events>
  readonly #single: Partial<Record<keyof DevnetEvents, object>>

  constructor({ provider, sequencer, console, context }: Wires, requests: Listeners<RequestEvents>) {
    this.#provider = provider
    this.#sequencer = sequencer.listeners
    this.#single = {
      console,
      request: requests,
      refused: requests,
      fault: faultsOf(context).listeners,
      requestFault: faultsOf(context).listeners,
    }
  }

  /** Adds `listener` to the event. Returns a function that removes it. */
  on<E extends keyof DevnetEvents>(event: E, listener: DevnetEvents[E]): () => void {
    const listeners = this.#listenersOf(event)
    if (listeners !== undefined) return listeners.on(event, listener)
    const ofProvider = event as keyof ProviderEvents
    this.#provider.on(ofProvider, listener as ProviderEvents[typeof ofProvider])
    return () => this.off(event, listener)
  }

  off<E extends keyof DevnetEvents>(event: E, listener: DevnetEvents[E]): void {
    const listeners = this.#listenersOf(event)
    const ofProvider = event as keyof ProviderEvents
    if (listeners !== undefined) listeners.off(event, listener)
    else this.#provider.removeListener(ofProvider, listener as ProviderEvents[typeof ofProvider])
  }

  /** Returns the emitter of `event`; `undefined` for EIP-1193 events. Throws a `TypeError` for an unknown event. */
  #listenersOf(event: keyof DevnetEvents): Listeners<DevnetEvents> | undefined {
    if (PROVIDER_EVENTS.has(event)) return undefined
    const emitter = this.#single[event] ?? (EVENTS.has(event) ? this.#sequencer : undefined)
    if (emitter !== undefined) return emitter as Listeners<DevnetEvents>
    const known = [...EVENTS, ...Object.keys(this.#single), ...PROVIDER_EVENTS]
    throw new TypeError(
      `on: there is no event ${event}; ${EVENTS_OF_OTHERS.get(event) ?? proposal(event, known)}`,
    )
  }
}

/** Hints for event names of other libraries, shown in errors. */
const EVENTS_OF_OTHERS: ReadonlyMap<string, string> = new Map([
  ['block', 'for blocks use sealed and preconfirmed'],
  ['newHeads', 'for blocks use sealed; eth_subscribe with newHeads emits message'],
  ['pending', 'for accepted transactions use accepted'],
  ['transaction', 'for accepted transactions use accepted'],
  ['log', 'for console.log use console; for logs use sealed and preconfirmed, whose blocks have them'],
  ['error', 'methods reject; for other failures use dropped, fault and requestFault'],
])

export interface ObservedDevnet {
  readonly abis: Abis
  readonly artifacts: Artifacts
  on<E extends keyof DevnetEvents>(event: E, listener: DevnetEvents[E]): () => void
}

/** Receives each new devnet, and a fork's origin. May return a function, which is called when the devnet is closed. */
type DevnetObserver = (devnet: ObservedDevnet, origin: ObservedDevnet | undefined) => (() => void) | undefined

const observers = new Set<DevnetObserver>()

/** Calls `observer` with each devnet and fork created from now on. Returns a function that removes `observer`. */
export function observeDevnets(observer: DevnetObserver): () => void {
  observers.add(observer)
  return () => {
    observers.delete(observer)
  }
}

/** @internal Calls the observers with a new devnet. Returns the functions that the observers returned. */
export function tellObservers(
  devnet: ObservedDevnet,
  origin: ObservedDevnet | undefined,
): readonly ((() => void) | undefined)[] {
  return observers.size === 0 ? NONE : [...observers].map((observer) => observer(devnet, origin))
}

const NONE: readonly (() => void)[] = []

const preparations = new Set<() => Promise<void> | undefined>()

/** @internal Calls `prepare`, and awaits its result, before each devnet created from now on. */
export function beforeDevnets(prepare: () => Promise<void> | undefined): void {
  preparations.add(prepare)
}

/** @internal Calls the functions passed to `beforeDevnets`, and waits for them. */
export async function prepareForDevnets(): Promise<void> {
  for (const prepare of preparations) await prepare()
}
