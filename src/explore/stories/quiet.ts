/** Waits until an app is quiet: it makes no request, and neither an answer nor an event reaches it. */
import { nextTurn, processMs } from '../../work/eventLoop.ts'
import type { Requests } from './requests.ts'

export interface QuietOptions {
  /** Whether an act that was started has ended. It is waited for, but not for long: its answer may never come. */
  readonly isOver?: (() => boolean) | undefined
  /** Milliseconds without activity, if a port is open. */
  readonly quietMsOfPort?: number | undefined
}

/** Turns of the event loop without activity after which an app is quiet: in process, and with a port. */
const QUIET_TURNS = 4
const QUIET_TURNS_OF_PORT = 40
const QUIET_MS_OF_PORT = 1
/** Turns without activity for which an act is waited for. */
const TURNS_OF_ACT = 100
/** Turns after which the wait ends although the app is not quiet. */
const MOST_TURNS = 10_000

export async function untilQuiet(requests: Requests, options: QuietOptions = {}): Promise<void> {
  const { isOver = () => true, quietMsOfPort = QUIET_MS_OF_PORT } = options
  let seen = requests.activity
  let quiet = 0
  let sinceMs = processMs()
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const { hasPort } = requests
    const enough = hasPort ? QUIET_TURNS_OF_PORT : QUIET_TURNS
    const isEnough = quiet >= enough && (!hasPort || processMs() - sinceMs >= quietMsOfPort)
    if (isEnough && (isOver() || quiet >= TURNS_OF_ACT)) return
    await new Promise<void>((resolve) => nextTurn(resolve))
    if (requests.activity === seen && !requests.isBusy) quiet++
    else {
      seen = requests.activity
      quiet = 0
      sinceMs = processMs()
    }
  }
}
