/** Waits until an app is quiet: it makes no request, and neither an answer nor an event reaches it. */
import { nextTurn, processMs } from '../../work/eventLoop.ts'
import type { Loopback } from './loopback.ts'
import type { Requests } from './requests.ts'

export interface QuietOptions {
  /** Whether an act that was started has ended. It is waited for, but not for long: its answer may never come. */
  readonly isOver?: (() => boolean) | undefined
  /** Milliseconds without activity, if a port is open. */
  readonly quietMsOfPort?: number | undefined
}

/** Turns of the event loop without activity after which an app is quiet. */
const QUIET_TURNS = 4
/** Round trips without activity after which an app is quiet, if a port is open. */
const ROUND_TRIPS = 4
/** Turns without activity for which an act is waited for. */
const TURNS_OF_ACT = 100
/** Turns after which the wait ends although the app is not quiet. */
const MOST_TURNS = 10_000

export async function untilQuiet(
  requests: Requests,
  loopback: Loopback,
  { isOver = () => true, quietMsOfPort = 0 }: QuietOptions = {},
): Promise<void> {
  let seen = requests.activity
  let quiet = 0
  let roundTrips = 0
  let sinceMs = processMs()
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    if (quiet >= QUIET_TURNS && (isOver() || quiet >= TURNS_OF_ACT)) {
      const isLong = !requests.hasPort || processMs() - sinceMs >= quietMsOfPort
      if (isLong && (!requests.hasPort || roundTrips >= ROUND_TRIPS)) return
      // A request that left before arrives before, on a busy machine, too.
      await loopback.roundTrip()
      roundTrips++
    } else await new Promise<void>((resolve) => nextTurn(resolve))
    if (requests.activity === seen && !requests.isBusy) quiet++
    else {
      seen = requests.activity
      quiet = 0
      roundTrips = 0
      sinceMs = processMs()
    }
  }
}
