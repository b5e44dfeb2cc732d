/** A transport to a node: JSON-RPC calls go out, parsed JSON or a problem comes back. */
import type { UpstreamFailureKind } from './upstream.ts'

export interface RpcCall {
  readonly jsonrpc: '2.0'
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

/** The reason why an attempt gave no answer. */
export interface Problem {
  readonly kind: UpstreamFailureKind
  /** The text received instead of an answer, without API keys. */
  readonly came: string
  readonly isTransient: boolean
  /** The wait that the node asked for, in milliseconds. */
  readonly waitMs?: number
  /** Whether the node takes no batches, or rejected this one for its size or that of the answer. */
  readonly batch?: 'refused' | 'tooLarge'
}

/** The outcome of one exchange. `refusal`: the HTTP status of failure that came with the JSON. */
export type Reply =
  | { readonly kind: 'json'; readonly value: unknown; readonly refusal?: Problem }
  | { readonly kind: 'failed'; readonly problem: Problem }

export interface Transport {
  /** The host of the node. */
  readonly name: string
  readonly takesBatches: boolean
  /** Returns `text` without anything that may be an API key. */
  scrub(text: string): string
  /** Sends a call or a batch. Never rejects. Ends soon after `signal` is aborted. */
  exchange(payload: RpcCall | readonly RpcCall[], signal: AbortSignal): Promise<Reply>
  close(): void
}

export function failed(problem: Problem): Reply {
  return { kind: 'failed', problem }
}

/** A reply for a connection that failed, or an exchange that was aborted. */
export function unreachable(came: string): Reply {
  return failed({ kind: 'unreachable', came, isTransient: true })
}

export function tooLarge(limit: number): Reply {
  const came = `an answer of more than ${limit} bytes`
  return failed({ kind: 'wrongAnswer', came, isTransient: false, batch: 'tooLarge' })
}

/** Returns the beginning of a text from a node, on one line, for a message. */
export function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 120 ? `${line.slice(0, 119)}…` : line
}
