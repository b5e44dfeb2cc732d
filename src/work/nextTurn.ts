/** The next turn of the event loop. */

/** An end of a `MessageChannel`, as far as it is used. */
interface End {
  onmessage?: ((event: never) => unknown) | null
  postMessage(message: unknown): void
}

interface Channel {
  readonly port1: End
  readonly port2: End
}

/** What an environment has for it. */
export interface Turns {
  readonly setImmediate?: ((next: () => void) => unknown) | undefined
  readonly MessageChannel?: (new () => Channel) | undefined
  readonly setTimeout: (next: () => void) => unknown
}

/**
 * Returns a function that calls `next` after timers and sockets were served, in the order of its calls. Node has `setImmediate`. A browser
 * gets a message of its own: its timers within timers wait for 4 ms or longer (HTML, "timer initialization steps"), which was four fifths of a
 * replay.
 */
export function turnsOf({ setImmediate, MessageChannel, setTimeout }: Turns): (next: () => void) => unknown {
  if (setImmediate !== undefined) return setImmediate
  if (MessageChannel === undefined) return (next) => setTimeout(next)
  const waiting: (() => void)[] = []
  let end: End | undefined
  return (next) => {
    waiting.push(next)
    end ??= endOf(new MessageChannel(), () => waiting.shift()!())
    end.postMessage(undefined)
  }
}

/** Returns the end of a channel at which a message calls `then`. */
function endOf({ port1, port2 }: Channel, then: () => void): End {
  port1.onmessage = then
  return port2
}

/** Calls its argument in the next turn; by the environment's own functions, which fake timers of a test that are installed later do not replace. */
export const nextTurn: (next: () => void) => unknown = turnsOf(globalThis)
