/** What a port needs to know of a devnet's settings. */
import type { Settings } from './options.ts'
import type { SizeLimits } from './rpc/sizeLimit.ts'
import { REQUEST_SECTION } from './rpc/strict.ts'
import { createRefuse, type Refuse } from './server/handler.ts'

/** How long requests may be. By the seed's letter no state is loaded. */
export function limitsOf({ strict, bodyLimit, stateLimit }: Settings): SizeLimits {
  return { bodyLimit, stateLimit: strict ? bodyLimit : stateLimit }
}

/** How a port refuses what never was a request. */
export function refuseFor({ strict }: Settings): Refuse {
  return createRefuse(strict ? REQUEST_SECTION : undefined)
}
