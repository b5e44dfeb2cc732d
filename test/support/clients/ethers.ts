/** Those who ask a devnet as users of ethers do. */
import {
  BrowserProvider,
  type Contract,
  ContractFactory,
  type ContractRunner,
  type InterfaceAbi,
  type JsonRpcApiProvider,
  JsonRpcProvider,
  Wallet,
  WebSocketProvider,
} from 'ethers'
import { onTestFinished } from 'vitest'
import type { Devnet, DevnetOptions } from '../../../src/index.ts'
import { started } from './clients.ts'

/**
 * ethers asks every four seconds for a block and remembers each answer for a quarter of one. Test suites on anvil turn
 * both down, and so do these.
 */
const QUICK = { cacheTimeout: -1, pollingInterval: 5 }

/** How ethers reaches a devnet. */
export interface EthersWay<P extends JsonRpcApiProvider = JsonRpcApiProvider> {
  readonly name: string
  connect(devnet: Devnet): Promise<P>
}

/** What is asked within some milliseconds goes into one batch, as ethers does unless it is told otherwise. */
export const overHttp: EthersWay<JsonRpcProvider> = {
  name: 'over HTTP',
  connect: async (devnet) =>
    new JsonRpcProvider((await devnet.listen({ port: 0 })).url, undefined, { ...QUICK, batchStallTime: 1 }),
}

export const overWebSocket: EthersWay<WebSocketProvider> = {
  name: 'over WebSocket',
  connect: async (devnet) =>
    new WebSocketProvider((await devnet.listen({ port: 0 })).webSocketUrl, undefined, QUICK),
}

export const inProcess: EthersWay<BrowserProvider> = {
  name: 'in process',
  connect: async (devnet) => new BrowserProvider(devnet.provider, undefined, QUICK),
}

export const ETHERS_WAYS: readonly EthersWay[] = [overHttp, overWebSocket, inProcess]

/** A devnet that makes a block of each transaction; a provider, which ends with the test; its first account's wallet. */
export async function connectedEthers<P extends JsonRpcApiProvider>(
  way: EthersWay<P>,
  options: DevnetOptions = {},
) {
  const devnet = await started({ rhythm: 'instant', ...options })
  const provider = await way.connect(devnet)
  onTestFinished(() => closed(provider))
  // A socket that is closed before it is open fails loudly.
  await provider.getNetwork()
  return { devnet, provider, wallet: new Wallet(devnet.accounts[0]!.privateKey, provider) }
}

/** Ends `provider`, which fails loudly if it still waits for an answer. */
async function closed(provider: JsonRpcApiProvider): Promise<void> {
  await provider.removeAllListeners()
  // What listening asked for last, and what its answer still asks for.
  for (let turn = 0; turn < 2; turn++) await provider.send('eth_chainId', [])
  provider.destroy()
}

/** A contract that is there when this resolves, asked through whoever deployed it. */
export async function deployed(
  { abi, bytecode }: { abi: InterfaceAbi; bytecode: string },
  runner: ContractRunner,
  ...args: unknown[]
): Promise<Contract> {
  const contract = await new ContractFactory(abi, bytecode, runner).deploy(...args)
  await contract.waitForDeployment()
  return contract as Contract
}
