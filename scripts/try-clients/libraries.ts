/** ethers, viem and web3.js with their defaults: no polling interval, no block tag, no gas is given to any of them. */
import { Contract, ContractFactory, JsonRpcProvider, Wallet } from 'ethers'
import { createPublicClient, createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { Web3 } from 'web3'
import { Token } from '../../fixtures/contracts/Token.ts'
import type { RunningCli } from '../startCli.ts'

export interface Round {
  readonly url: string
  readonly account: RunningCli['accounts'][number]
  readonly folder: string
}

export function expectEqual(what: string, received: unknown, expected: unknown): void {
  if (received !== expected) throw new Error(`${what}: expected ${expected}, got ${received}`)
}

const NAMES = ['Gold', 'GOLD'] as const

export async function tryEthers({ url, account }: Round): Promise<void> {
  const provider = new JsonRpcProvider(url)
  try {
    const wallet = new Wallet(account.privateKey, provider)
    const deployed = await new ContractFactory(Token.abi, Token.bytecode, wallet).deploy(...NAMES)
    await deployed.waitForDeployment()
    const token = new Contract(await deployed.getAddress(), Token.abi, wallet)
    const minting = await token.getFunction('mint')(account.address, 5n)
    const receipt = await minting.wait()
    expectEqual('status of the transaction', receipt?.status, 1)
    expectEqual('balance', await token.getFunction('balanceOf')(account.address), 5n)
  } finally {
    provider.destroy()
  }
}

export async function tryViem({ url, account }: Round): Promise<void> {
  const chain = { ...foundry, rpcUrls: { default: { http: [url] } } }
  const wallet = createWalletClient({
    account: privateKeyToAccount(account.privateKey),
    chain,
    transport: http(),
  })
  const reader = createPublicClient({ chain, transport: http() })
  const deployment = await wallet.deployContract({ ...Token, args: NAMES })
  const { contractAddress } = await reader.waitForTransactionReceipt({ hash: deployment })
  const token = { address: contractAddress!, abi: Token.abi } as const
  const hash = await wallet.writeContract({ ...token, functionName: 'mint', args: [account.address, 5n] })
  const { status } = await reader.waitForTransactionReceipt({ hash })
  expectEqual('status of the transaction', status, 'success')
  const balance = await reader.readContract({ ...token, functionName: 'balanceOf', args: [account.address] })
  expectEqual('balance', balance, 5n)
}

export async function tryWeb3({ url, account }: Round): Promise<void> {
  const web3 = new Web3(url)
  const [{ address: from }] = web3.eth.accounts.wallet.add(account.privateKey) as unknown as [
    { address: string },
  ]
  const token = await new web3.eth.Contract(Token.abi)
    .deploy({ data: Token.bytecode, arguments: NAMES as never })
    .send({ from })
  const receipt = await token.methods.mint!(from, 5n).send({ from })
  expectEqual('status of the transaction', receipt.status, 1n)
  expectEqual('balance', await token.methods.balanceOf!(from).call(), 5n)
}
