/** The flag `--l1-port`: the port of the L1, which the flag `--l1` creates. */
import { InvalidFlag } from '../../options/flags.ts'
import type { Feature } from '../../terminal/feature.ts'
import { type FlagInput, grouped, portOf } from '../../terminal/flags.ts'

export const bridge: Feature = {
  addFlags(command, of) {
    const meaning = 'port on which the L1 listens; 0 takes a free one'
    if (of === 'preseal') command.addOption(grouped('server', '--l1-port <port>', meaning, '8546'))
  },
  open({ l1Port, host }: FlagInput, options) {
    if (l1Port === undefined || options.l1 === undefined) return {}
    const port = portOf({ port: l1Port }, '--l1-port')
    return {
      async begin(devnet, { format, print }) {
        const l1 = devnet.l1!
        const { url } = await l1.listen({ port, host: host as string }).catch((error) => {
          throw new InvalidFlag(`--l1-port: expected a free port, got ${port}: ${error.message}`)
        })
        if (format === 'text') print(`L1 (chain ${l1.settings.chainId}) at ${url}`)
        else if (format === 'json') print(JSON.stringify({ event: 'l1', url, chainId: l1.settings.chainId }))
      },
    }
  },
}
