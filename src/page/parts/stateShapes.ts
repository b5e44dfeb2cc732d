/** The shape of each state, beside its colour: in a square from -1 to 1. */
import type { LiveState, LiveTransaction } from '../live/transactions.ts'

/** What a transaction looks like: its state, or that it failed in its block. */
export type Look = LiveState | 'failed'

export function lookOf({ state, hasFailed }: Pick<LiveTransaction, 'state' | 'hasFailed'>): Look {
  return hasFailed && (state === 'preconfirmed' || state === 'sealed') ? 'failed' : state
}

export interface Shape {
  /** As in SVG. */
  readonly path: string
  readonly isFilled: boolean
}

export const SHAPES: Readonly<Record<Look, Shape>> = {
  waiting: { path: 'M0.8,0A0.8,0.8 0 1 1 -0.8,0A0.8,0.8 0 1 1 0.8,0Z', isFilled: false },
  preconfirmed: { path: 'M0,-1L1,0L0,1L-1,0Z', isFilled: true },
  sealed: { path: 'M-0.8,-0.8H0.8V0.8H-0.8Z', isFilled: true },
  failed: { path: 'M0,-0.9L1,0.8L-1,0.8Z', isFilled: false },
  dropped: { path: 'M-0.8,-0.8L0.8,0.8M0.8,-0.8L-0.8,0.8', isFilled: false },
  reorged: { path: 'M-0.8,-0.8H0.8V0.8H-0.8ZM-1,1L1,-1', isFilled: false },
}
