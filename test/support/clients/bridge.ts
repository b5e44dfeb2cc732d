/** An L2 and its L1 with the chain ids of OP Mainnet and Ethereum, so that viem's definitions of both chains fit. */
import {
  createClient,
  type Hex,
  parseAbi,
  parseEther,
  publicActions,
  type TransactionReceipt,
  type Transport,
  walletActions,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { mainnet, optimism } from 'viem/chains'
import {
  getWithdrawals,
  publicActionsL1,
  publicActionsL2,
  walletActionsL1,
  walletActionsL2,
} from 'viem/op-stack'
import { expect, onTestFinished } from 'vitest'
import { Token } from '../../../fixtures/contracts/Token.ts'
import { createDevnet, type Devnet, type DevnetOptions } from '../../../src/index.ts'
import { inProcess, STRANGER } from './clients.ts'

/** Addresses on Ethereum (github.com/ethereum-optimism/superchain-registry). */
export const OP_ON_L1 = {
  portal: '0xbEb5Fc579115071764c7423A4f12eDde41f106Ed',
  systemConfig: '0x229047fed2591dbec1eF1118d64F7aF3dB9EB290',
  messenger: '0x25ace71c97B33Cc4729CF772ae268934F7ab5fA1',
  bridge: '0x99C9fc46f92E8a1c0deC1b1747d010903E884bE1',
} as const

/** Seconds in which an L1 block is sealed, and the L2 block derived from it. */
export const EPOCH = { seconds: 15 } as const

export async function bridged(options: DevnetOptions = {}) {
  const l2 = await createDevnet({
    ...{ profile: 'op-flashblocks', rhythm: 'manual', chainId: 10, l1: { chainId: 1 } },
    ...options,
  } as DevnetOptions & { l1: true })
  onTestFinished(() => l2.close())
  return { l2, l1: l2.l1, ...bridgeClients(l2, inProcess(l2.l1), inProcess(l2)) }
}

/** Clients of both chains, with the account 0. */
export function bridgeClients({ accounts }: Devnet, toL1: Transport, toL2: Transport) {
  const account = privateKeyToAccount(accounts[0]!.privateKey)
  const common = { account, pollingInterval: 5, cacheTime: 0 }
  const clientL1 = createClient({ ...common, chain: mainnet, transport: toL1 })
    .extend(publicActions)
    .extend(walletActions)
    .extend(publicActionsL1())
    .extend(walletActionsL1())
  const clientL2 = createClient({ ...common, chain: optimism, transport: toL2 })
    .extend(publicActions)
    .extend(walletActions)
    .extend(publicActionsL2())
    .extend(walletActionsL2())
  return { account, clientL1, clientL2 }
}

export type Bridged = Awaited<ReturnType<typeof bridged>>

/** Mines an L1 block with the waiting transactions, and the L2 block that is derived from it. */
export async function derived(l2: Devnet, hash: Hex) {
  await l2.l1!.mine()
  await l2.mine()
  return l2.l1!.request({ method: 'eth_getTransactionReceipt', params: [hash] })
}

const ERC20_FACTORY = '0x4200000000000000000000000000000000000012'
const factoryAbi = parseAbi([
  'function createOptimismMintableERC20(address remoteToken, string name, string symbol) returns (address)',
])

/** Deploys a token on L1, and the token of the L2 that stands for it. */
export async function bridgedToken({ l1, l2, clientL2 }: Bridged) {
  const deploying = l1.deploy(Token, { args: ['Gold', 'GLD'] })
  await l1.mine()
  const { address: l1Token } = await deploying
  const hash = await clientL2.writeContract({
    ...{ abi: factoryAbi, address: ERC20_FACTORY, functionName: 'createOptimismMintableERC20' },
    args: [l1Token, 'Gold', 'GLD'],
  } as never)
  await l2.mine()
  const { logs } = await clientL2.getTransactionReceipt({ hash })
  const l2Token: Hex = `0x${logs.at(-1)!.topics[1]!.slice(26)}`
  return { l1Token, l2Token }
}

const ETHER = parseEther('1')

/** Initiates a withdrawal of one ether, which the L2 seals. */
export async function initiated(
  { l2, account, clientL1, clientL2 }: Bridged,
  request: { readonly to?: Hex; readonly gas?: bigint } = {},
): Promise<TransactionReceipt> {
  const built = await clientL1.buildInitiateWithdrawal({ value: ETHER, to: STRANGER, ...request })
  const hash = await clientL2.initiateWithdrawal({ ...built, account })
  await l2.mine()
  return clientL2.getTransactionReceipt({ hash })
}

export async function proofOf({ account, clientL1, clientL2 }: Bridged, receipt: TransactionReceipt) {
  const { game, withdrawal } = await clientL1.waitToProve({ receipt, targetChain: clientL2.chain })
  return clientL2.buildProveWithdrawal({ account, game, withdrawal })
}

export async function proven(pair: Bridged, receipt: TransactionReceipt): Promise<void> {
  const { l2, clientL1 } = pair
  await l2.advance(EPOCH)
  const hash = await clientL1.proveWithdrawal(await proofOf(pair, receipt))
  await l2.advance(EPOCH)
  expect(await clientL1.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
}

export async function finalized(pair: Bridged, receipt: TransactionReceipt) {
  const { l2, account, clientL1, clientL2 } = pair
  const [withdrawal] = getWithdrawals(receipt)
  const parameters = { withdrawal: withdrawal!, account, targetChain: clientL2.chain } as const
  const hash = await clientL1.finalizeWithdrawal(parameters)
  await l2.advance(EPOCH)
  return clientL1.getTransactionReceipt({ hash })
}

export function statusOf({ clientL1, clientL2 }: Bridged, receipt: TransactionReceipt) {
  return clientL1.getWithdrawalStatus({ receipt, targetChain: clientL2.chain })
}
