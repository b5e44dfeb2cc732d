import { createDevnet } from 'preseal'
import { createClient, parseEther, publicActions, walletActions } from 'viem'
import { mainnet, optimism } from 'viem/chains'
import {
  getL2TransactionHashes,
  publicActionsL1,
  publicActionsL2,
  walletActionsL1,
  walletActionsL2,
} from 'viem/op-stack'
import { expect, test } from 'vitest'

test('a deposit on L1 arrives on L2', async () => {
  await using l2 = await createDevnet({
    profile: 'op-flashblocks',
    rhythm: 'manual',
    chainId: optimism.id,
    l1: { chainId: mainnet.id },
  })
  const account = l2.accounts[0]!.address // the L1 has the same accounts
  const clientL1 = createClient({ account, chain: mainnet, transport: l2.l1.transport() })
    .extend(publicActions)
    .extend(walletActions)
    .extend(publicActionsL1())
    .extend(walletActionsL1())
  const clientL2 = createClient({ account, chain: optimism, transport: l2.transport() })
    .extend(publicActions)
    .extend(publicActionsL2())

  const to = '0x00000000000000000000000000000000000000b0'
  const deposit = await clientL2.buildDepositTransaction({ mint: parseEther('1'), to })
  const hash = await clientL1.depositTransaction({ ...deposit, account })
  await l2.advance({ seconds: 15 }) // an L1 block, and the L2 block derived from it

  const receipt = await clientL1.getTransactionReceipt({ hash })
  const [l2Hash] = getL2TransactionHashes(receipt)
  expect((await clientL2.getTransactionReceipt({ hash: l2Hash! })).status).toBe('success')
  expect(await clientL2.getBalance({ address: to })).toBe(parseEther('1'))
})

test('a withdrawal from L2 is proven, matures for a week, and pays on L1', async () => {
  await using l2 = await createDevnet({
    profile: 'op-flashblocks',
    rhythm: 'manual',
    chainId: optimism.id,
    l1: { chainId: mainnet.id },
  })
  const account = l2.accounts[0]!.address
  const clientL1 = createClient({ account, chain: mainnet, transport: l2.l1.transport() })
    .extend(publicActions)
    .extend(publicActionsL1())
    .extend(walletActionsL1())
  const clientL2 = createClient({ account, chain: optimism, transport: l2.transport() })
    .extend(publicActions)
    .extend(publicActionsL2())
    .extend(walletActionsL2())
  const targetChain = optimism

  const to = '0x00000000000000000000000000000000000000b0'
  const built = await clientL1.buildInitiateWithdrawal({ value: parseEther('1'), to })
  const hash = await clientL2.initiateWithdrawal({ ...built, account })
  await l2.advance({ seconds: 15 }) // the block of the withdrawal, and the L1 block with its output root

  const receipt = await clientL2.getTransactionReceipt({ hash })
  const { game, withdrawal } = await clientL1.waitToProve({ receipt, targetChain })
  const proof = await clientL2.buildProveWithdrawal({ account, game, withdrawal })
  await clientL1.proveWithdrawal({ ...proof, account })
  await l2.advance({ days: 7, minutes: 1 })

  expect(await clientL1.getWithdrawalStatus({ receipt, targetChain })).toBe('ready-to-finalize')
  await clientL1.finalizeWithdrawal({ withdrawal, account, targetChain })
  await l2.advance({ seconds: 15 })
  expect(await clientL1.getBalance({ address: to })).toBe(parseEther('1'))
})

test('a reorg of L1 removes a deposit from L2', async () => {
  await using l2 = await createDevnet({
    profile: 'op-flashblocks',
    rhythm: 'manual',
    chainId: optimism.id,
    l1: { chainId: mainnet.id },
  })
  const account = l2.accounts[0]!.address
  const clientL1 = createClient({ account, chain: mainnet, transport: l2.l1.transport() }).extend(
    walletActionsL1(),
  )
  const clientL2 = createClient({ account, chain: optimism, transport: l2.transport() })
    .extend(publicActions)
    .extend(publicActionsL2())

  const to = '0x00000000000000000000000000000000000000b0'
  const deposit = await clientL2.buildDepositTransaction({ mint: parseEther('1'), to })
  await clientL1.depositTransaction({ ...deposit, account })
  await l2.advance({ seconds: 15 })
  expect(await clientL2.getBalance({ address: to })).toBe(parseEther('1'))

  await l2.l1.faults.reorg({ depth: 1, transactions: 'drop' })
  expect(await clientL2.getBalance({ address: to })).toBe(0n)
})

test('a withdrawal of a network is paid on a fork of both chains', async () => {
  // Here the network is another pair of devnets. URLs are given in the same way: fork: { url: 'https://…' }
  await using network = await createDevnet({
    profile: 'op-flashblocks',
    rhythm: 'manual',
    chainId: optimism.id,
    l1: { chainId: mainnet.id },
  })
  const account = network.accounts[0]!.address
  const onNetwork = createClient({
    account,
    chain: optimism,
    transport: network.transport(),
  }).extend(walletActionsL2())
  const to = '0x00000000000000000000000000000000000000b0'
  const request = { gas: 21_000n, to, value: parseEther('1') } as const
  const hash = await onNetwork.initiateWithdrawal({ account, request })
  await network.mine()

  await using l2 = await createDevnet({
    profile: 'op-flashblocks',
    rhythm: 'manual',
    fork: { provider: network },
    l1: { fork: { provider: network.l1 } },
  })
  const clientL1 = createClient({ account, chain: mainnet, transport: l2.l1.transport() })
    .extend(publicActions)
    .extend(publicActionsL1())
    .extend(walletActionsL1())
  const clientL2 = createClient({ account, chain: optimism, transport: l2.transport() })
    .extend(publicActions)
    .extend(publicActionsL2())
  const targetChain = optimism
  await l2.advance({ seconds: 30 }) // the first L2 block, and the L1 block with its output root

  const receipt = await clientL2.getTransactionReceipt({ hash })
  const { game, withdrawal } = await clientL1.waitToProve({ receipt, targetChain })
  const proof = await clientL2.buildProveWithdrawal({ account, game, withdrawal })
  await clientL1.proveWithdrawal({ ...proof, account })
  await l2.advance({ days: 7, minutes: 1 })
  await clientL1.finalizeWithdrawal({ withdrawal, account, targetChain })
  await l2.advance({ seconds: 15 })
  expect(await clientL1.getBalance({ address: to })).toBe(parseEther('1'))
})

test('an Ethereum devnet becomes the L1 of an L2', async () => {
  const ethereum = await createDevnet({
    profile: 'ethereum',
    ticksPerBlock: 0,
    tickMs: 12_000,
    rhythm: 'manual',
    chainId: 1,
  })
  await using l2 = await createDevnet({ profile: 'op-flashblocks', rhythm: 'manual', l1: ethereum })
  await l2.advance({ minutes: 1 })
  expect(ethereum.latest.header.number).toBe(4n)
})
