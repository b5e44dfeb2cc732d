/** The seam for a recording: learns of everything that comes to a devnet from outside, before it is carried out. */
import type { Mark } from '../sequencer/marks.ts'
import type { Answer, Dispatch, Request } from './request.ts'
import type { Subscriptions } from './subscriptions.ts'

/** The commands that are given in process, and not by a request. */
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
  /** Nothing is done: where the devnet is was read. */
  | 'look'

export interface Observer {
  /** Answers a request with `dispatch`, whose requests meet faults or do not. */
  onRequest(
    request: Request,
    subscriptions: Subscriptions | undefined,
    dispatch: Dispatch,
    faults: 'withFaults' | 'faultless',
  ): Answer | Promise<Answer>
  /** A command comes, with its arguments. */
  onCommand(name: CommandName, ...given: readonly unknown[]): void
  /** A state is to be loaded. */
  onLoad(mark: Mark): void
  /** A snapshot is taken; returns what `take` returns. */
  onSnapshot(take: () => Mark): Mark
  /** A snapshot, perhaps one of another devnet, is to be restored. */
  onRestore(mark: Mark): void
  /** The devnet is closed. */
  end(): void
}
