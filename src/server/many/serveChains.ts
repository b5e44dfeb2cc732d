import * as v from 'valibot'
import type { Devnet } from '../../devnet/devnet.ts'
import { LISTEN_NAMES, portOptionsOf, refuseFor } from '../../devnet/ports.ts'
import { namesOf, requireOptions } from '../../model/api/arguments.ts'
import { InvalidOption, whole } from '../../options/values.ts'
import type { Rhythm } from '../../sequencer/clock.ts'
import type { Refuse } from '../handler.ts'
import type { Site } from '../listen.ts'
import type { ListenOptions } from '../port.ts'
import { beginReport } from './chainReport.ts'
import { addChainRoutes, METHODS } from './chainRoutes.ts'
import { ChainServer, originOf, rhythms } from './chainServer.ts'
import { ChainRefused, type ServedChain } from './servedChain.ts'

export interface ServeOptions extends ListenOptions {
  /** The rhythm of the chains. Default: the rhythm of the base. */
  readonly rhythm?: Rhythm
  /** Maximum number of chains that exist at the same time. Default: 1,000. */
  readonly maxChains?: number
  /**
   * Whether the first request to a name creates its chain. Default: true. If false, only `PUT /c/<name>` does: behind a
   * router, requests to a chain whose process has ended then fail, and do not find a new, empty chain.
   */
  readonly createOnRequest?: boolean
  /** Milliseconds without use after which a chain's interval ticks pause until the next request. Default: 30,000. */
  readonly restAfterMs?: number
  /** Whether to record chains in memory for reports (`/c/<name>/report.html`, `chain.report()`). Default: false. */
  readonly reports?: boolean
  /** Called with the devnet of a chain when the chain is created, and with the new devnet when the chain is reset. */
  readonly onDevnet?: (chain: ServedChain, devnet: Devnet) => void
}

/**
 * Serves many chains on one port, at `/c/<name>`. The first request to a name creates its chain, as a fork of the
 * state that `base` has when `serveChains` is called. Later changes to `base`, including `close`, do not affect the
 * chains. Rejects with `InvalidOption`, or with Node's error if the port is not available.
 */
export async function serveChains(base: Devnet, options: ServeOptions = {}): Promise<ChainServer> {
  requireOptions('serveChains', options, SERVE_OPTIONS, serveChains)
  const { rhythm = base.settings.rhythm, reports, ...settings } = parsedOptions(options)
  const origin = originOf(base, rhythm)
  const { createEndpoint, listenTo } = await import('../listen.ts')
  const listening = { ...portOptionsOf(base.settings), ...options }
  const refuse = refuseFor(base.settings)
  const server = new ChainServer(origin, {
    ...settings,
    beginReport: reports ? beginReport : undefined,
    onDevnet: options.onDevnet ?? (() => {}),
    createEndpoint: (answers) => createEndpoint(answers, listening, refuse),
  })
  server.begin(await listenTo(siteOf(server, refuse), listening, refuse))
  return server
}

const PATH = /^\/c\/([^/?]+)\/?(?:\?.*)?$/

export function siteOf(chains: ChainServer, refuse: Refuse, pageFolder?: string): Site {
  return {
    where: '/c/<name>, which creates the chain at its first request',
    methods: METHODS.split(', '),
    hasManyChains: true,
    endpointAt(url) {
      const name = PATH.exec(url)?.[1]
      try {
        return name === undefined ? undefined : chains.requested(name).endpoint
      } catch (error) {
        if (error instanceof ChainRefused) return [error.status, error.message]
        throw error
      }
    },
    addRoutes: (app) => addChainRoutes(app, chains, refuse),
    close: () => Promise.all(chains.chains().map(({ endpoint }) => endpoint.webSockets.close())),
    pageFolder,
  }
}

const SERVE_OPTIONS = namesOf<ServeOptions>({
  rhythm: true,
  maxChains: true,
  createOnRequest: true,
  restAfterMs: true,
  reports: true,
  onDevnet: true,
  ...LISTEN_NAMES,
})

const serveOptions = v.object({
  rhythm: rhythms,
  maxChains: v.optional(whole('chains', 1, 1_000_000), 1_000),
  createOnRequest: v.optional(v.boolean('true or false'), true),
  restAfterMs: v.optional(whole('milliseconds', 0, 86_400_000), 30_000),
  reports: v.optional(v.boolean('true or false'), false),
})

function parsedOptions(options: ServeOptions): v.InferOutput<typeof serveOptions> {
  const result = v.safeParse(serveOptions, options)
  if (result.success) return result.output
  const [issue] = result.issues
  throw new InvalidOption(v.getDotPath(issue) ?? 'options', issue.message, issue.input)
}
