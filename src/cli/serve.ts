/** `preseal serve`: many chains on one port; each printed line begins with the name of its chain. */
import pc from 'picocolors'
import type { Devnet } from '../devnet/devnet.ts'
import type { FaultForm } from '../faults/faultJson.ts'
import { type ChainServer, serveChains } from '../server/many/serveChains.ts'
import type { ServedChain } from '../server/many/servedChain.ts'
import { type FixtureResult, printBanner, toldOf } from './banner.ts'
import { type Invocation, listenOptionsOf } from './invocation.ts'
import { uncontrolled } from './links.ts'
import { Reporter } from './report.ts'

/** The base of the chains: the prepared devnet, and the faults to plan on each chain. */
export interface Base {
  readonly devnet: Devnet
  readonly faults: readonly FaultForm[]
}

/** The printers, and their options. */
interface Voice {
  readonly print: (line: string) => void
  readonly warn: (error: unknown) => void
  /** Whether the terminal shows links. */
  readonly hasHyperlinks: boolean
}

/** Serves chains that are forks of `base`. Rejects with Node's error if the port is not available. */
export async function serve(
  { devnet: base, faults }: Base,
  invocation: Invocation,
  { print, warn, hasHyperlinks }: Voice,
): Promise<Serving> {
  const { serve, report, options } = invocation
  const manner = { ...invocation, hasHyperlinks, consoleLogs: options.consoleLogs !== false }
  const reporters = new WeakMap<ServedChain, Reporter>()
  const server = await serveChains(base, {
    ...listenOptionsOf(invocation),
    ...serve,
    onDevnet(chain, devnet) {
      const reporter = new Reporter(devnet, manner, (line) => print(withName(chain.name, line, report)))
      reporter.begin(chain.pageUrl)
      reporters.set(chain, reporter)
      for (const fault of faults) devnet.faults.add(fault).catch(warn)
    },
  })
  return new Serving(server, reporters)
}

/** Running chains of `preseal serve`. */
export class Serving {
  readonly server: ChainServer
  readonly #reporters: WeakMap<ServedChain, Reporter>

  constructor(server: ChainServer, reporters: WeakMap<ServedChain, Reporter>) {
    this.server = server
    this.#reporters = reporters
  }

  /** Prints the URLs of the chains and of the page, and the content of `base`: the accounts and the values of its fixtures. */
  async announce(
    base: Devnet,
    fixtures: readonly FixtureResult[],
    { report, isJson }: Invocation,
    print: (line: string) => void,
  ): Promise<void> {
    const { url, host, port, pageUrl: page } = this.server
    const chains = `${url}/c/<name>`
    if (report === 'text') {
      await printBanner(base, { host, url: `${url}/c/try` }, fixtures, (line) => print(uncontrolled(line)))
      print(`Chains at ${chains}: each is made when it is asked for the first time; ${url}/c lists them`)
      if (page !== undefined) print(`Page at ${page}, and at the URL of each chain`)
      print(`Listening on ${host}:${port}`)
    } else if (isJson) {
      print(JSON.stringify({ event: 'listening', url, host, port, page, chains, ...toldOf(base), fixtures }))
    }
  }

  /** Closes all chains, after all their events have been printed. */
  async close(): Promise<void> {
    const reporters = this.server.chains().flatMap((chain) => this.#reporters.get(chain) ?? [])
    // A closed devnet does not return the calls of its transactions.
    await Promise.all(reporters.map((reporter) => reporter.flush()))
    await this.server.close()
    await Promise.all(reporters.map((reporter) => reporter.flush()))
  }
}

function withName(name: string, line: string, report: Invocation['report']): string {
  return report === 'json' ? `{"chain":"${name}",${line.slice(1)}` : `${pc.magenta(name)}  ${line}`
}
