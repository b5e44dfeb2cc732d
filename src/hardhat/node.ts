/** The task `hardhat node` for networks of the type `preseal`: prints what the command `preseal` prints. */
import type { EdrNetworkConfigOverride } from 'hardhat/types/config'
import type { HardhatRuntimeEnvironment } from 'hardhat/types/hre'
import type { TaskArguments } from 'hardhat/types/tasks'
import { announce } from '../cli/banner.ts'
import { EventPrinter } from '../cli/eventPrinter.ts'
import { hostOr } from './server.ts'

interface NodeArguments {
  readonly hostname?: string
  readonly port: number
  readonly chainType?: string
  /** -1: that of the network. */
  readonly chainId: number
  readonly fork?: string
  /** -1: the latest block. */
  readonly forkBlockNumber: number
}

/** Starts the node, which runs until the process ends. Networks of other types get the task of Hardhat. */
export default async function node(
  args: TaskArguments,
  hre: HardhatRuntimeEnvironment,
  runSuper: (args: TaskArguments) => Promise<unknown>,
): Promise<unknown> {
  const network = hre.globalOptions.network ?? 'node'
  const config = hre.config.networks[network]
  if (config === undefined || !('devnet' in config)) return runSuper(args)
  const {
    hostname,
    port,
    chainType,
    chainId,
    fork: url,
    forkBlockNumber: blockNumber,
  } = args as unknown as NodeArguments
  if (url === undefined && blockNumber !== -1) {
    throw new TypeError('--fork-block-number: expected --fork with the URL of a node, too')
  }
  const override: EdrNetworkConfigOverride = {
    ...(chainId === -1 ? {} : { chainId }),
    ...(url === undefined ? {} : { forking: { url, ...(blockNumber === -1 ? {} : { blockNumber }) } }),
    // The printer prints the output of `console.log`, in order with other events.
    ...{ consoleLogs: false },
  }
  const { preseal: devnet } = await hre.network.create({
    network,
    override,
    ...(chainType === undefined ? {} : { chainType }),
  })
  const options = { format: 'text', isJson: false, trace: false, consoleLogs: true } as const
  const print = (line: string) => console.log(line)
  const printer = new EventPrinter(devnet, { ...options, requests: 'all' }, print)
  const listener = await devnet.listen({ port, host: hostOr(hostname) })
  await announce(devnet, listener, [], options, { print, hasHyperlinks: false })
  printer.begin(listener.pageUrl)
  return new Promise(() => {})
}
