import * as v from 'valibot'
import type { Devnet } from '../../devnet/devnet.ts'
import type { Rhythm } from '../../sequencer/clock.ts'
import { shown } from '../../wire/parser.ts'
import type { Listener } from '../port.ts'
import { ChainRefused, ServedChain, type ServeSettings } from './servedChain.ts'
import type { ServedPath } from './servedPath.ts'

/** Options of a new chain. */
export interface ChainRequest {
  /** Name of the chain to fork. Default: the base of the server. */
  readonly from?: string
  /** The rhythm of the new chain. Default: the rhythm of the forked chain. */
  readonly rhythm?: Rhythm
}

/** The named chains of one port (`serveChains`). Methods throw `ChainRefused` for impossible requests. */
export class ChainServer {
  readonly #origin: Devnet
  readonly #settings: ServeSettings
  readonly #chains = new Map<string, ServedChain>()
  #listener: Listener | undefined

  /** @internal Use `serveChains`. */
  constructor(origin: Devnet, settings: ServeSettings) {
    this.#origin = origin
    this.#settings = settings
  }

  /** @internal */
  begin(listener: Listener): void {
    this.#listener = listener
  }

  get url(): string {
    return this.#listener!.url
  }

  /** The URL of the port for WebSocket connections. A chain has its own (`ServedChain.webSocketUrl`). */
  get webSocketUrl(): string {
    return this.#listener!.webSocketUrl
  }

  /** The URL of the page that lists the chains. `undefined` if no page is served. */
  get pageUrl(): string | undefined {
    return this.#listener!.pageUrl
  }

  get host(): string {
    return this.#listener!.host
  }

  get port(): number {
    return this.#listener!.port
  }

  /** Returns the chain with this name. Creates it if it does not exist. */
  chain(name: string): ServedChain {
    const chain = this.#chains.get(name) ?? this.create(name)
    chain.touch()
    return chain
  }

  /** @internal Returns the chain that a request names. Throws `ChainRefused` if the request may not create it. */
  requested(name: string): ServedChain {
    if (this.#settings.createOnRequest || this.#chains.has(name)) return this.chain(name)
    const why = 'it was not created, or its process has ended'
    throw new ChainRefused(404, `there is no chain ${name} here: ${why}; PUT /c/${name} creates one`)
  }

  /** @internal Returns the L1 of the chain that a request names. Throws `ChainRefused` without such an L1. */
  requestedL1(name: string): ServedPath {
    if (this.#origin.settings.l1 === undefined) {
      throw new ChainRefused(404, `the chain ${name} has no L1; serve an L2 with the option l1 (--l1)`)
    }
    return this.requested(name).l1!
  }

  /** Returns all chains, oldest first. */
  chains(): readonly ServedChain[] {
    return [...this.#chains.values()]
  }

  find(name: string): ServedChain | undefined {
    return this.#chains.get(name)
  }

  /** Creates or returns a chain. Throws `ChainRefused` if it exists with other options, or `maxChains` chains exist. */
  create(name: string, request: ChainRequest = {}): ServedChain {
    requireName(name)
    const { from, rhythm } = parsedRequest(request)
    const there = this.#chains.get(name)
    if (there !== undefined) {
      if (there.from === from && (rhythm ?? there.rhythm) === there.rhythm) return there
      const was = `of ${there.from ?? 'the base'}, rhythm ${there.rhythm}`
      throw new ChainRefused(
        409,
        `the chain ${name} already exists (${was}); delete it first, or choose another name`,
      )
    }
    const { maxChains } = this.#settings
    if (this.#chains.size >= maxChains) {
      const room = `there are ${maxChains} chains, which is the limit`
      throw new ChainRefused(503, `${room}; delete unused ones (DELETE /c/<name>), or raise maxChains`)
    }
    const chain = new ServedChain(name, from, this.#originOf(from, rhythm), this, this.#settings)
    this.#chains.set(name, chain)
    chain.announce()
    return chain
  }

  /** Replaces a chain's devnet by a new fork, or creates the chain. Closes subscribed connections (code 1012). */
  async reset(name: string): Promise<ServedChain> {
    const chain = this.#chains.get(name)
    if (chain === undefined) return this.requested(name)
    await chain.reset()
    return chain
  }

  /** Deletes a chain, but not its forks, and closes its connections. Resolves to whether the chain existed. */
  async delete(name: string): Promise<boolean> {
    const chain = this.#chains.get(name)
    if (chain === undefined) return false
    this.#chains.delete(name)
    await chain.close()
    return true
  }

  /** Stops listening and closes all chains. Does not affect the base. */
  async close(): Promise<void> {
    await this.#listener!.close()
    await Promise.all([...this.#chains.keys()].map((name) => this.delete(name)))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #originOf(from: string | undefined, rhythm: Rhythm | undefined): Devnet {
    const other = this.#forkable(from)
    const isTheirs = rhythm === undefined || rhythm === other.settings.rhythm
    return other === this.#origin && isTheirs ? other : originOf(other, rhythm ?? other.settings.rhythm)
  }

  #forkable(from: string | undefined): Devnet {
    const devnet = from === undefined ? this.#origin : this.#chains.get(from)?.current
    if (devnet !== undefined) return devnet
    throw new ChainRefused(404, `from: there is no chain ${from} to fork; leave it out to fork the base`)
  }
}

/** Returns a fork of `devnet`, to fork the chains from. The fork is closed: its clock runs, but it seals no blocks. */
export function originOf(devnet: Devnet, rhythm: Rhythm): Devnet {
  const origin = devnet.fork({ rhythm })
  void origin.close()
  return origin
}

/** Matches names of chains, none of which needs escaping in a URL. */
const NAME = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}$/

function requireName(name: string): void {
  if (NAME.test(name)) return
  const right = '1 to 64 letters, digits, _, . or -, not beginning with a dot'
  throw new ChainRefused(400, `a chain's name has ${right}; got ${shown(name)}`)
}

export const rhythms = v.optional(
  v.picklist(['interval', 'manual', 'instant'], 'one of interval, manual, instant'),
)

const FORM = 'an object {from, rhythm}'
const requests = v.pipe(
  v.custom<object>((request) => !Array.isArray(request), FORM),
  v.strictObject({ from: v.optional(v.string('the name of a chain')), rhythm: rhythms }, FORM),
)

function parsedRequest(request: unknown): v.InferOutput<typeof requests> {
  const result = v.safeParse(requests, request)
  if (result.success) return result.output
  const [issue] = result.issues
  const path = v.getDotPath(issue) ?? 'request'
  const expected = issue.expected === 'never' ? 'nothing: a request has from and rhythm' : issue.message
  throw new ChainRefused(400, `${path}: expected ${expected}, got ${shown(issue.input)}`)
}
