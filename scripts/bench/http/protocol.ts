/** What the client is asked to do and what it answers: both of its sides know this file alone. */

export interface Load {
  readonly url: string
  /** Asked by turns. In the later ones `FIRST_RESULT` may stand for the result of the first. */
  readonly bodies: readonly string[]
  readonly connections: number
  /** When to stop: after some time, or when each connection went through all bodies so many times. */
  readonly until: { readonly ms: number } | { readonly times: number }
}

export interface Done {
  /** Requests that were answered. */
  readonly answered: number
  readonly ms: number
}

/** No server was found to answer as it should: what it said. */
export interface Failed {
  readonly failed: string
}

/** A parameter that the client replaces by the result of the first request. */
export const FIRST_RESULT = '$firstResult'
