/** `preseal serve`: many chains on one port; each printed line begins with the name of its chain. */
import pc from 'picocolors'
import type { Devnet } from '../devnet/devnet.ts'
import { serveChains } from '../server/many/serveChains.ts'
import type { ServedChain } from '../server/many/servedChain.ts'
import type { Format } from '../terminal/progress.ts'
import { EventPrinter, type EventPrinterOptions } from './eventPrinter.ts'
import { type Invocation, listenOptionsOf } from './invocation.ts'

/** Running chains: the addresses to print, and their end. */
export interface Serving {
  readonly url: string
  readonly host: string
  readonly port: number
  readonly pageUrl: string | undefined
  /** Closes all chains, after all their events have been printed. */
  close(): Promise<void>
}

/**
 * Serves chains that are forks of `base`. Rejects with Node's error if the port is not available.
 */
export async function serve(
  base: Devnet,
  invocation: Invocation,
  eventOptions: EventPrinterOptions,
  { print, warn }: { print: (line: string) => void; warn: (error: unknown) => void },
): Promise<Serving> {
  const printers = new WeakMap<ServedChain, EventPrinter>()
  const server = await serveChains(base, {
    ...listenOptionsOf(invocation),
    ...invocation.serve,
    onDevnet(chain, devnet) {
      const printer = new EventPrinter(devnet, eventOptions, (line) =>
        print(withName(chain.name, line, eventOptions.format)),
      )
      printer.begin(chain.pageUrl)
      printers.set(chain, printer)
      for (const part of invocation.parts) part.onListening?.(devnet).catch(warn)
    },
  })
  const { url, host, port, pageUrl } = server
  return {
    url,
    host,
    port,
    pageUrl,
    async close() {
      const open = server.chains().flatMap((chain) => printers.get(chain) ?? [])
      // A closed devnet does not return the calls of its transactions.
      await Promise.all(open.map((printer) => printer.flush()))
      await server.close()
      await Promise.all(open.map((printer) => printer.flush()))
    },
  }
}

function withName(name: string, line: string, format: Format): string {
  return format === 'json' ? `{"chain":"${name}",${line.slice(1)}` : `${pc.magenta(name)}  ${line}`
}
