import { Option } from 'commander'
import type { Devnet } from '../../../devnet/devnet.ts'
import type { BeginDevnet, Feature, PrintedDevnet, Serving } from '../../../terminal/feature.ts'
import { wholeNumberOf } from '../../../terminal/flags.ts'
import { type ServeOptions, serveChains } from '../serveChains.ts'
import type { ServedChain } from '../servedChain.ts'

export const chains: Feature = {
  serveCommand: {
    name: 'serve',
    description: 'Many chains on one port: each is created at /c/<name> on first use, as a fork of one base.',
    flags: [
      new Option('--max-chains <count>', 'maximum number of chains at a time').default('1000'),
      new Option('--no-create-on-request', 'only PUT /c/<name> creates chains; other requests need one'),
    ],
    parse({ maxChains: text, createOnRequest }) {
      const maxChains = wholeNumberOf('--max-chains', 'chains', text as string, 1, 1_000_000)
      return (base, options, begin) =>
        serve(base, { ...options, maxChains, createOnRequest: createOnRequest as boolean }, begin)
    },
  },
}

async function serve(base: Devnet, options: ServeOptions, begin: BeginDevnet): Promise<Serving> {
  const printed = new WeakMap<ServedChain, PrintedDevnet>()
  const server = await serveChains(base, {
    ...options,
    onDevnet: (chain, devnet) => void printed.set(chain, begin(devnet, chain)),
  })
  const { url, host, port, pageUrl } = server
  return {
    url,
    host,
    port,
    pageUrl,
    chainUrl: `${url}/c/<name>`,
    l1Url: base.l1 && `${url}/c/<name>/l1`,
    async close() {
      const open = server.chains().flatMap((chain) => printed.get(chain) ?? [])
      // Call trees can only be printed while the devnets are open.
      await Promise.all(open.map((events) => events.flush()))
      await server.close()
      await Promise.all(open.map((events) => events.flush()))
    },
  }
}
