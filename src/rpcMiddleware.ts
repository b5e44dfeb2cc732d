/** A devnet behind a server of your own. */
import type { Devnet } from './devnet.ts'
import { limitsOf, refuseFor } from './listening.ts'
import { createHandler, type Handler } from './server/handler.ts'

/** The devnet as middleware for your own Express (or plain `node:http`) server: answers POST with JSON-RPC. */
export function rpcMiddleware(devnet: Devnet): Handler {
  const { respond, settings } = devnet
  const { bodyLimit, stateLimit } = limitsOf(settings)
  return createHandler(respond, bodyLimit, refuseFor(settings), stateLimit)
}
