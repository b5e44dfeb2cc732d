/** Size limits of messages. */

export interface SizeLimits {
  /** The maximum size of any message in bytes. */
  readonly bodyLimit: number
  /** The maximum size of a message with a state file in bytes. */
  readonly stateLimit: number
}

/** Number of bytes at the beginning of a message that determine its limit. */
export const BEGINNING = 1_024

/** A single request that loads a state: its method precedes its parameters, as all clients write it. */
const LOADS_STATE =
  /^\s*\{(?:\s*"(?:jsonrpc|id)"\s*:\s*(?:"[^"\\]*"|-?[\d.eE+-]+|null)\s*,)*\s*"method"\s*:\s*"(?:anvil|hardhat)_loadState"\s*[,}]/

/**
 * Returns the size limit in bytes of a message with this beginning. The text is not parsed, since it may be invalid.
 */
export function sizeLimit(beginning: string, { bodyLimit, stateLimit }: SizeLimits): number {
  return stateLimit > bodyLimit && LOADS_STATE.test(beginning) ? stateLimit : bodyLimit
}
