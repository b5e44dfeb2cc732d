/** What the processes of the rush are told and what they answer: all sides know this file alone. */
import type { Market } from '../../../fixtures/market.ts'

/** How many accounts send, each over a connection of its own. The chain has one more, which is left alone. */
export const SENDERS = 10

/** What the chain says when it listens. */
export interface Place {
  readonly url: string
  readonly market: Market
}

/** To the chain: watch ticks for so long. Answered with `Watched`. */
export interface Watch {
  readonly ms: number
}

export interface Watched {
  readonly lateMs: Lateness
  /** The processor time of the chain's process meanwhile, in all its threads. */
  readonly cpuMs: number
}

/** By how many milliseconds each tick came too late. */
export type Lateness = readonly number[]

/** To the timer: run out so often for so long. Answered with `Lateness`. */
export interface Tick {
  readonly everyMs: number
  readonly ms: number
}

/** To the readers: ask these by turns. Answered with how many microseconds each answer took. */
export interface Read {
  readonly url: string
  readonly bodies: readonly string[]
  readonly everyMs: number
  readonly ms: number
}

export type ToSenders =
  /** Signs so many transfers that the chain will take; answered with `Done`. */
  | { readonly kind: 'sign'; readonly url: string; readonly transfers: number }
  /** Sends what was signed; answered with `Done` when all of it was accepted. */
  | { readonly kind: 'send'; readonly perSecond: number }

export interface Done {
  readonly ms: number
}
