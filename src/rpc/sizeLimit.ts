/** How long a message may be. */

export interface SizeLimits {
  /** Bytes of any message. */
  readonly bodyLimit: number
  /** Bytes of one that brings a state file. */
  readonly stateLimit: number
}

/** Bytes from the beginning of a message that tell how long it may be. */
export const BEGINNING = 1_024

/** A single request to load a state: its method stands before its parameters, as all clients write it. */
const LOADS_STATE =
  /^\s*\{(?:\s*"(?:jsonrpc|id)"\s*:\s*(?:"[^"\\]*"|-?[\d.eE+-]+|null)\s*,)*\s*"method"\s*:\s*"(?:anvil|hardhat)_loadState"\s*[,}]/

/** Bytes that a message may have which begins so. It is not parsed: it may be nothing that could be. */
export function sizeLimit(beginning: string, { bodyLimit, stateLimit }: SizeLimits): number {
  return stateLimit > bodyLimit && LOADS_STATE.test(beginning) ? stateLimit : bodyLimit
}
