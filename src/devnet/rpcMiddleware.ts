/** A devnet as middleware of an existing server. */

import { createHandler, type Handler } from '../server/handler.ts'
import type { Devnet } from './devnet.ts'
import { limitsOf, refuseFor } from './ports.ts'

/**
 * Returns the devnet as middleware for an Express (or plain `node:http`) server: it answers POST requests with
 * JSON-RPC.
 */
export function rpcMiddleware(devnet: Devnet): Handler {
  const { respond, settings } = devnet
  const { bodyLimit, stateLimit } = limitsOf(settings)
  return createHandler(respond, bodyLimit, refuseFor(settings), stateLimit)
}
