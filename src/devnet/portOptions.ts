/** The settings of a devnet that a port uses. */

import type { Settings } from '../options/options.ts'
import type { SizeLimits } from '../rpc/message.ts'
import { REQUEST_SECTION } from '../rpc/message.ts'
import { createRefuse, type Refuse } from '../server/handler.ts'
import type { ListenOptions } from '../server/port.ts'

/**
 * Returns the size limits of requests. Strict mode has no method that loads a state, so that its limit is not needed.
 */
export function limitsOf({ strict, bodyLimit, stateLimit }: Settings): SizeLimits {
  return { bodyLimit, stateLimit: strict ? bodyLimit : stateLimit }
}

/**
 * Returns the options of the devnet's ports. Strict mode has none of the methods that the page calls, and answers
 * a browser as the simulated service does.
 */
export function portOptionsOf(settings: Settings): Pick<ListenOptions, keyof SizeLimits | 'page'> {
  return { ...limitsOf(settings), page: !settings.strict }
}

/** Returns the function that refuses messages that are not valid requests. */
export function refuseFor({ strict }: Settings): Refuse {
  return createRefuse(strict ? REQUEST_SECTION : undefined)
}
