import type { UpstreamFailureKind } from './upstream.ts'

export interface RpcCall {
  readonly jsonrpc: '2.0'
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

export interface Problem {
  readonly kind: UpstreamFailureKind
  /** Describes the unusable answer for the error message, such as `HTTP 503`, without API keys. */
  readonly came: string
  readonly isTransient: boolean
  readonly waitMs?: number
  /** `refused` if the node takes no batches, `tooLarge` if the batch or its answer exceeded a limit. */
  readonly batch?: 'refused' | 'tooLarge'
}

/** The outcome of one exchange. `refusal` is present if JSON was received with an HTTP error status. */
export type Reply =
  | { readonly kind: 'json'; readonly value: unknown; readonly refusal?: Problem }
  | { readonly kind: 'failed'; readonly problem: Problem }

export interface Transport {
  readonly name: string
  readonly takesBatches: boolean
  scrub(text: string): string
  /** Sends a request or a batch. Never rejects. Resolves soon after `signal` is aborted. */
  exchange(payload: RpcCall | readonly RpcCall[], signal: AbortSignal): Promise<Reply>
  close(): void
}

export function failed(problem: Problem): Reply {
  return { kind: 'failed', problem }
}

export function unreachable(came: string): Reply {
  return failed({ kind: 'unreachable', came, isTransient: true })
}

export function tooLarge(limit: number): Reply {
  const came = `an answer of more than ${limit} bytes`
  return failed({ kind: 'wrongAnswer', came, isTransient: false, batch: 'tooLarge' })
}

export function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 120 ? `${line.slice(0, 119)}…` : line
}
