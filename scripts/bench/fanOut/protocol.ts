/** What the processes of the fan-out are told and what they answer: all sides know this file alone. */

/** The devnet says where it listens, and then answers each of these. */
export type ToDevnet =
  /** Pre-confirms so many transactions; answered with `Done`. */
  | { readonly kind: 'fill'; readonly transactions: number }
  /** Answered with `Sealed`. */
  | { readonly kind: 'report' }

export interface Sealed {
  /** When the newest block was. */
  readonly sealedUs: number
  /** How long the processors were busy with the devnet's process since that block was filled. */
  readonly cpuUs: number
}

export type ToAudience =
  /** Connects and subscribes to `newHeads` and `logs`; answered with `Done`. */
  | { readonly kind: 'gather'; readonly url: string; readonly subscribers: number }
  /** Asks for a block; answered with `Watched` when all of them together were told so often. */
  | { readonly kind: 'watch'; readonly notifications: number }

export interface Watched {
  readonly askedUs: number
  /** When the last notification was there. */
  readonly lastUs: number
}

export interface Done {
  readonly kind: 'done'
}

export const DONE: Done = { kind: 'done' }

/** Microseconds of a clock that is the same for all processes of the machine. */
export function nowUs(): number {
  return Number(process.hrtime.bigint() / 1_000n)
}
