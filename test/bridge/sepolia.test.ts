/** An L2 and its L1 with the chain ids of OP Sepolia or Base Sepolia and Sepolia, on ports: the scripts of viem's guides with other URLs. */
import {
  type Address,
  type Chain,
  createPublicClient,
  createWalletClient,
  http,
  type PublicClient,
  parseAbi,
  parseEther,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { baseSepolia, optimismSepolia, sepolia } from 'viem/chains'
import {
  getL2TransactionHashes,
  publicActionsL1,
  publicActionsL2,
  walletActionsL1,
  walletActionsL2,
} from 'viem/op-stack'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createDevnet } from '../../src/index.ts'

const L2_MESSENGER = '0x4200000000000000000000000000000000000007'
const L2_BRIDGE = '0x4200000000000000000000000000000000000010'
const L2_ERC721_BRIDGE = '0x4200000000000000000000000000000000000014'
const abi = parseAbi([
  'function systemConfig() view returns (address)',
  'function disputeGameFactory() view returns (address)',
  'function otherMessenger() view returns (address)',
  'function otherBridge() view returns (address)',
  'function portal() view returns (address)',
])

type Getter = (typeof abi)[number]['name']

/** Early enough that `waitToFinalize`, which compares with the clock of the machine, need not wait. */
const TIMESTAMP = 1_735_689_600

async function served(profile: 'op-flashblocks' | 'base-flashblocks', chainId: number) {
  const l2 = await createDevnet({
    ...{ profile, rhythm: 'instant', chainId, timestamp: TIMESTAMP },
    l1: { chainId: sepolia.id },
  })
  onTestFinished(() => l2.close())
  const ports = await Promise.all([l2.listen({ port: 0 }), l2.l1.listen({ port: 0 })])
  return { l2, urlOfL2: ports[0].url, urlOfL1: ports[1].url }
}

/** The clients of the guides (viem.sh/op-stack/guides), with a short polling interval. */
async function clients() {
  const { l2, urlOfL1, urlOfL2 } = await served('op-flashblocks', optimismSepolia.id)
  const account = privateKeyToAccount(l2.accounts[0]!.privateKey)
  const onL1 = { chain: sepolia, transport: http(urlOfL1), pollingInterval: 20 }
  const onL2 = { chain: optimismSepolia, transport: http(urlOfL2), pollingInterval: 20 }
  return {
    l2,
    account,
    publicClientL1: createPublicClient(onL1).extend(publicActionsL1()),
    walletClientL1: createWalletClient({ ...onL1, account }).extend(walletActionsL1()),
    publicClientL2: createPublicClient(onL2).extend(publicActionsL2()),
    walletClientL2: createWalletClient({ ...onL2, account }).extend(walletActionsL2()),
  }
}

function read(client: PublicClient, address: Address, functionName: Getter): Promise<Address> {
  return client.readContract({ abi, address, functionName })
}

describe('the L1 with the chain id of Sepolia', () => {
  it.each<[string, 'op-flashblocks' | 'base-flashblocks', Chain & typeof optimismSepolia, Address]>([
    // superchain-registry: the proxies of L1CrossDomainMessenger.
    ['OP Sepolia', 'op-flashblocks', optimismSepolia, '0x58Cc85b8D04EA49cC6DBd3CbFFd00B4B8D6cb3ef'],
    ['Base Sepolia', 'base-flashblocks', baseSepolia as never, '0xC34855F4De64F1840e5686e64278da901e261f20'],
  ])("has the addresses of viem's definition of %s, on the L2 also", async (_, profile, chain, messenger) => {
    const { urlOfL1, urlOfL2 } = await served(profile, chain.id)
    const onL1 = createPublicClient({ chain: sepolia, transport: http(urlOfL1) })
    const onL2 = createPublicClient({ chain, transport: http(urlOfL2) }) as PublicClient
    const { portal, disputeGameFactory, l1StandardBridge } = chain.contracts
    const [portalAddress, factory, bridge] = [portal, disputeGameFactory, l1StandardBridge].map((contract) =>
      contract[sepolia.id].address.toLowerCase(),
    )
    expect((await read(onL2, L2_MESSENGER, 'otherMessenger')).toLowerCase()).toBe(messenger.toLowerCase())
    expect((await read(onL2, L2_BRIDGE, 'otherBridge')).toLowerCase()).toBe(bridge)
    expect((await read(onL1, messenger, 'portal')).toLowerCase()).toBe(portalAddress)
    expect((await read(onL1, portalAddress as Address, 'disputeGameFactory')).toLowerCase()).toBe(factory)
    expect(await read(onL1, bridge as Address, 'otherBridge')).toBe(L2_BRIDGE)
    const otherERC721Bridge = await read(onL2, L2_ERC721_BRIDGE, 'otherBridge')
    expect(await read(onL1, otherERC721Bridge, 'otherBridge')).toBe(L2_ERC721_BRIDGE)
  })

  it("runs viem's guide to deposits", async () => {
    const { account, publicClientL1, publicClientL2, walletClientL1 } = await clients()
    const before = await publicClientL2.getBalance(account)

    const args = await publicClientL2.buildDepositTransaction({ mint: parseEther('1'), to: account.address })
    const hash = await walletClientL1.depositTransaction(args)
    const receipt = await publicClientL1.waitForTransactionReceipt({ hash })
    const [l2Hash] = getL2TransactionHashes(receipt)
    const l2Receipt = await publicClientL2.waitForTransactionReceipt({ hash: l2Hash! })

    expect(l2Receipt.status).toBe('success')
    expect(await publicClientL2.getBalance(account)).toBe(before + parseEther('1'))
  })

  it("runs viem's guide to withdrawals, while time passes", async () => {
    const { l2, account, publicClientL1, publicClientL2, walletClientL1, walletClientL2 } = await clients()

    const args = await publicClientL1.buildInitiateWithdrawal({ to: account.address, value: parseEther('1') })
    const hash = await walletClientL2.initiateWithdrawal(args)
    const receipt = await publicClientL2.waitForTransactionReceipt({ hash })
    await l2.advance({ seconds: 15 })
    const { game, withdrawal } = await publicClientL1.waitToProve({
      receipt,
      targetChain: walletClientL2.chain,
    })
    const proveArgs = await publicClientL2.buildProveWithdrawal({ game, withdrawal })
    const proveHash = await walletClientL1.proveWithdrawal(proveArgs)
    const proveReceipt = await publicClientL1.waitForTransactionReceipt({ hash: proveHash })
    await l2.advance({ days: 7, minutes: 1 })
    await publicClientL1.waitToFinalize({
      targetChain: walletClientL2.chain,
      withdrawalHash: withdrawal.withdrawalHash,
    })
    const finalizeHash = await walletClientL1.finalizeWithdrawal({
      targetChain: walletClientL2.chain,
      withdrawal,
    })
    const finalizeReceipt = await publicClientL1.waitForTransactionReceipt({ hash: finalizeHash })

    expect([proveReceipt.status, finalizeReceipt.status]).toEqual(['success', 'success'])
    const { chain: targetChain } = walletClientL2
    expect(await publicClientL1.getWithdrawalStatus({ receipt, targetChain })).toBe('finalized')
  })
})
