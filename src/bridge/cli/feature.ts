/** The flag `--l1-port`: the port of the L1, which the flag `--l1` creates. */
import pc from 'picocolors'
import type { Devnet } from '../../devnet/devnet.ts'
import { InvalidFlag } from '../../options/flags.ts'
import type { Feature } from '../../terminal/feature.ts'
import { type FlagInput, grouped, portOf } from '../../terminal/flags.ts'
import type { RpcBridge } from '../../wire/bridgeMessages.ts'

export const bridge: Feature = {
  addFlags(command, of) {
    const meaning = 'port on which the L1 listens; 0 takes a free one'
    if (of === 'preseal') command.addOption(grouped('server', '--l1-port <port>', meaning, '8546'))
  },
  open({ l1Port }: FlagInput, options) {
    if (l1Port === undefined || options.l1 === undefined) return {}
    const port = portOf({ port: l1Port }, '--l1-port')
    let announce: (() => void) | undefined
    return {
      async begin(devnet, output, listening) {
        const l1 = devnet.l1!
        const { url } = await l1.listen({ ...listening, port }).catch((error) => {
          throw new InvalidFlag(`--l1-port: expected a free port, got ${port}: ${error.message}`)
        })
        const { print, format } = output
        const { chainId } = l1.settings
        if (format === 'json') print(JSON.stringify({ event: 'l1', url, chainId }))
        if (format !== 'text') return
        const example = await depositLines(l1, url)
        // The line is the last of the banner, where the URL of the L2 is.
        announce = () => [`L1 (chain ${chainId}) at ${url}`, ...example].forEach(print)
      },
      async onListening() {
        announce?.()
      },
    }
  },
}

/** Returns a command that deposits ether. */
async function depositLines(l1: Devnet, url: string): Promise<readonly string[]> {
  const { portal } = (await l1.request({ method: 'preseal_getBridge' })) as RpcBridge
  const [account] = l1.accounts
  if (account === undefined) return []
  const params = [{ from: account.address, to: portal, value: '0xde0b6b3a7640000' }]
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_sendTransaction', params })
  return [
    `  ${pc.dim('# deposits 1 ETH: its sender has it on the L2 after the next L1 block')}`,
    `  curl ${url} -H 'content-type: application/json' -d '${body}'`,
  ]
}
