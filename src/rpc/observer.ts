/** The interface of a recording, which is informed of all inputs of a devnet before they are processed. */
import type { Mark } from '../sequencer/marks.ts'
import { Work, type WorkOwner } from '../work/work.ts'
import type { Answer, Dispatch, Request, StartWork } from './request.ts'
import type { Subscriptions } from './subscriptions.ts'

/** Commands that are called in the same process, without a request. Features add their own. */
export type CommandName =
  | 'tick'
  | 'tickUnlessFound'
  | 'mineUnlessSealed'
  | 'seal'
  | 'mine'
  | 'advance'
  | 'import'
  | 'load'
  | 'reorg'
  /** Reads the state of the devnet and changes nothing. */
  | 'look'

export interface Observer {
  /** Answers a request by `dispatch`. `faults` states whether faults affect the answers of `dispatch`. */
  onRequest(
    request: Request,
    subscriptions: Subscriptions | undefined,
    dispatch: Dispatch,
    faults: 'withFaults' | 'faultless',
  ): Answer | Promise<Answer>
  onCommand(name: string, ...given: readonly unknown[]): void
  onLoad(mark: Mark): void
  onSnapshot(take: () => Mark): Mark
  /** Called before a snapshot is restored. The snapshot may be from another devnet. */
  onRestore(mark: Mark): void
  end(): void
  /** Called before another recording or a replay begins. Returns whether this observer has ended. */
  endForSuccessor(to: Successor): boolean
}

export type Successor = 'recording' | 'replay'

/** Returns a dispatch that passes each request to the observer of the devnet, if there is one. */
export function observed(
  dispatch: Dispatch,
  devnet: WorkOwner & { readonly observer: Observer | undefined },
  faults: 'withFaults' | 'faultless',
): Dispatch {
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
