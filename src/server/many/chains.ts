/**
 * Many chains on one port. Each is at `/c/<name>`, and is created at its first request:
 *
 *     POST   /c/<name>         JSON-RPC; WebSocket at the same path
 *     GET    /c                lists all chains
 *     GET    /c/<name>         describes the chain
 *     PUT    /c/<name>         creates the chain, from JSON: the chain to fork, and the rhythm
 *     POST   /c/<name>/reset   returns the chain to its first state
 *     GET    /c/<name>/report.html   a report of the chain, if chains are recorded
 *     DELETE /c/<name>         deletes the chain
 *
 * Browsers get the page of the chain at and below `/c/<name>`, and the page of all chains at `/`.
 */

import type { Devnet } from '../../devnet/devnet.ts'
import type { Endpoint } from '../port.ts'

/** An impossible request to a server of many chains. The message says what is possible; the status is that of HTTP. */
export class ChainRefused extends Error {
  readonly status: number

  constructor(status: 400 | 404 | 409 | 503, message: string) {
    super(message)
    this.name = 'ChainRefused'
    this.status = status
  }
}

/** One of the chains. */
export interface PortChain {
  readonly endpoint: Endpoint
  /** Returns the description of the chain for JSON. */
  describe(): object
  /** Resolves to an HTML report of the chain. Rejects with `ChainRefused` if there is none. */
  report(title?: string): Promise<string>
}

/**
 * Begins a report of a new chain, which has the name `chain`. The returned function resolves to an HTML document with the
 * heading `title`, or rejects with `ChainRefused`.
 */
export type BeginReport = (devnet: Devnet, chain: string) => (title: string) => Promise<string>

/** The owner of the chains. It throws `ChainRefused` for impossible requests. */
export interface PortChains {
  chain(name: string): PortChain
  chains(): readonly PortChain[]
  find(name: string): PortChain | undefined
  /** Creates a chain. Returns an existing one if it matches the request. */
  create(name: string, request: unknown): PortChain
  reset(name: string): Promise<PortChain>
  delete(name: string): Promise<boolean>
}
