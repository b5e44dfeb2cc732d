/** The faults of one devnet, and how they are connected with the sequencer, the methods and the ports. */
import { type Listeners, together } from '../model/collections/listeners.ts'
import type { RpcContext } from '../rpc/context.ts'
import type { EventSource } from '../rpc/presealEvents.ts'
import type { Clock } from '../sequencer/clock.ts'
import type { Sequencer } from '../sequencer/sequencer.ts'
import { encodeQuantity, smallAmount } from '../wire/hex.ts'
import { anything, arrayOf, parseCount } from '../wire/parser.ts'
import { ChainFaults } from './chainFaults.ts'
import type { Occasion } from './dueFaults.ts'
import { encodeFault, type FaultForm } from './faultJson.ts'
import { FaultPlanner } from './faultPlanner.ts'
import { Faults } from './faults.ts'
import { type FaultEvents, RequestFaults } from './requestFaults.ts'

export interface DevnetFaults {
  readonly requestFaults: RequestFaults
  readonly planner: FaultPlanner
  readonly api: Faults
  readonly listeners: Listeners<FaultEvents>
}

/** A sequencer's deviations, linked to all faults of its devnet: with a `WeakMap`, a fork took 60 µs instead of 3. */
class DevnetDeviations extends ChainFaults {
  devnetFaults: DevnetFaults | undefined
}

/** Returns the faults of a devnet, found through its sequencer's deviations. */
export function faultsOf({ sequencer }: Pick<RpcContext, 'sequencer'>): DevnetFaults {
  return (sequencer.deviations as DevnetDeviations).devnetFaults!
}

/** The recorded commands of `devnet.faults`: parsers of their parameters, and functions that prepare them. */
export const FAULT_COMMANDS = {
  addFault: {
    parsers: [anything],
    prepare: (context: RpcContext, _: unknown, form: FaultForm) => () => faultsOf(context).api.add(form),
  },
  removeFault: {
    parsers: [smallAmount(Number.MAX_SAFE_INTEGER)],
    prepare: (context: RpcContext, _: unknown, id: number) => () => faultsOf(context).api.remove(id),
  },
  clearFaults: { parsers: [], prepare: (context: RpcContext) => () => faultsOf(context).api.clear() },
  /** The next slice tries to include the transactions at these places of the usual order, from 1. */
  chooseSlice: {
    parsers: [arrayOf(parseCount)],
    prepare:
      ({ sequencer: { deviations } }: RpcContext, _: unknown, chosen: readonly number[]) =>
      () => {
        deviations.choose = (ready) => {
          deviations.choose = undefined
          return chosenAt(ready, chosen)
        }
      },
  },
}

/** Returns the items at `places`, from 1, that exist. */
export function chosenAt<T>(items: readonly T[], places: readonly number[]): readonly T[] {
  return places.flatMap((place) => items[place - 1] ?? [])
}

/** The faults of a devnet whose sequencer does not exist yet. The sequencer gets `chainFaults` when it is created. */
export class UnconnectedFaults {
  readonly chainFaults: DevnetDeviations
  readonly requestFaults: RequestFaults
  #sequencer: Sequencer | undefined

  constructor(clock: Clock) {
    this.requestFaults = new RequestFaults({
      startTimer: (ms, then) => clock.timeSource.timer()(ms, then),
      onSlice: (listener) => onSlice(this.#sequencer!, listener),
    })
    const { listeners } = this.requestFaults
    this.chainFaults = new DevnetDeviations((...happened) => listeners.emit('fault', ...happened))
  }

  connect(context: RpcContext): void {
    const { sequencer } = context
    const { chainFaults, requestFaults } = this
    this.#sequencer = sequencer
    sequencer.listeners.on('sealed', () => chainFaults.dropHeld())
    sequencer.listeners.on('reorged', () => chainFaults.dropHeld())
    sequencer.listeners.on('restored', () => chainFaults.forget())
    context.presealEvents.add(eventsOf(requestFaults.listeners))
    const planner = new FaultPlanner(context, chainFaults, requestFaults)
    const api = new Faults(planner, context)
    chainFaults.devnetFaults = { requestFaults, planner, api, listeners: requestFaults.listeners }
  }
}

/** Adds a listener for slices, and for blocks sealed without slices. Returns a function that removes the listener. */
function onSlice({ listeners }: Sequencer, listener: (occasion: Occasion) => void): () => void {
  return together([
    listeners.on('preconfirmed', ({ block, slices }) =>
      listener({ block: block.header.number, slice: slices }),
    ),
    listeners.on('sealed', ({ block, lastSlice }) => {
      if (lastSlice === undefined) listener({ block: block.header.number })
    }),
  ])
}

function eventsOf(listeners: Listeners<FaultEvents>): EventSource {
  return (add) =>
    together([
      listeners.on('fault', (fault, block, slice) =>
        add('fault', {
          fault: encodeFault(fault),
          blockNumber: encodeQuantity(block),
          slice: slice === undefined ? null : encodeQuantity(slice),
        }),
      ),
      listeners.on('requestFault', (fault, method) =>
        add('requestFault', { fault: encodeFault(fault), method: method ?? null }),
      ),
    ])
}
