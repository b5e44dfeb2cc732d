/** The seam for a recording: learns of everything that comes to a devnet from outside, before it is carried out. */
import type { Mark } from '../sequencer/marks.ts'
import { Work, type WorkOwner } from '../work/work.ts'
import type { Answer, Dispatch, Request, StartWork } from './request.ts'
import type { Subscriptions } from './subscriptions.ts'

/** The commands that are called in the same process, without a request. */
export type CommandName =
  | 'tick'
  | 'tickUnlessFound'
  | 'mineUnlessSealed'
  | 'seal'
  | 'mine'
  | 'advance'
  | 'import'
  | 'load'
  | 'addFault'
  | 'removeFault'
  | 'clearFaults'
  | 'reorg'
  /** No change: a caller read the state of the devnet. */
  | 'look'

export interface Observer {
  /** Answers a request with `dispatch`, which is either of the two dispatchers. */
  onRequest(
    request: Request,
    subscriptions: Subscriptions | undefined,
    dispatch: Dispatch,
    faults: 'withFaults' | 'faultless',
  ): Answer | Promise<Answer>
  /** A command is called, with its arguments. */
  onCommand(name: CommandName, ...given: readonly unknown[]): void
  onLoad(mark: Mark): void
  /** A snapshot is being taken. Returns the result of `take`. */
  onSnapshot(take: () => Mark): Mark
  /** A snapshot, perhaps of another devnet, is being restored. */
  onRestore(mark: Mark): void
  end(): void
  /** Another observer is to take its place. Returns whether it may: then this one has ended. */
  giveWay(to: Successor): boolean
}

export type Successor = 'recording' | 'replay'

interface Observed extends WorkOwner {
  readonly observer: Observer | undefined
}

/** Returns a dispatch that hands each request to the observer of the devnet, if there is one, to answer with `dispatch`. */
export function observed(dispatch: Dispatch, devnet: Observed, faults: 'withFaults' | 'faultless'): Dispatch {
  const handOver = (
    observer: Observer,
    request: Request,
    subscriptions: Subscriptions | undefined,
    startWork: StartWork,
  ) => {
    const start = () => startWork().withoutPauses()
    return observer.onRequest(request, subscriptions, (asked, over) => dispatch(asked, over, start), faults)
  }
  const unlimited: StartWork = () => new Work({ owner: devnet })
  return (request, subscriptions, startWork) =>
    devnet.observer === undefined
      ? dispatch(request, subscriptions, startWork)
      : handOver(devnet.observer, request, subscriptions, startWork ?? unlimited)
}
