/** How a devnet is asked from outside: by middleware, and what a port needs to know of its settings. */
import type { Devnet } from './devnet.ts'
import type { Settings } from './options.ts'
import type { SizeLimits } from './rpc/sizeLimit.ts'
import { REQUEST_SECTION } from './rpc/strict.ts'
import { createHandler, createRefuse, type Handler, type Refuse } from './server/handler.ts'

/** The devnet as middleware for your own Express (or plain `node:http`) server: answers POST with JSON-RPC. */
export function rpcMiddleware(devnet: Devnet): Handler {
  const { respond, settings } = devnet
  const { bodyLimit, stateLimit } = limitsOf(settings)
  return createHandler(respond, bodyLimit, refuseFor(settings), stateLimit)
}

/** How long requests may be. By the seed's letter no state is loaded. */
export function limitsOf({ strict, bodyLimit, stateLimit }: Settings): SizeLimits {
  return { bodyLimit, stateLimit: strict ? bodyLimit : stateLimit }
}

/** How a port refuses what never was a request. */
export function refuseFor({ strict }: Settings): Refuse {
  return createRefuse(strict ? REQUEST_SECTION : undefined)
}
