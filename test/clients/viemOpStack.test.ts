/** viem as users of L2s have it, over HTTP: deposits, fees for L1, and the contracts that an L2 comes with. */
import {
  createClient,
  encodeDeployData,
  encodeFunctionData,
  getContract,
  type Hex,
  http,
  keccak256,
  numberToHex,
  parseAbi,
  parseEther,
  parseGwei,
  publicActions,
  toHex,
  walletActions,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { chainConfig, publicActionsL2, serializers } from 'viem/op-stack'
import { describe, expect, it } from 'vitest'
import { Token } from '../../fixtures/contracts/Token.ts'
import { WETH9 } from '../../fixtures/contracts/WETH9.ts'
import type { DevnetOptions } from '../../src/index.ts'
import { ask, devnetChain, STRANGER, started } from '../support/clients/clients.ts'
import { Random } from '../support/random/random.ts'

const { contracts } = chainConfig
const WETH = '0x4200000000000000000000000000000000000006'
const PERMIT2 = '0x000000000022d473030f116ddee9f6b43ac78ba3'

async function connected(options: DevnetOptions = {}) {
  const devnet = await started({ rhythm: 'instant', l2: 'base', ...options })
  const { url } = await devnet.listen({ port: 0 })
  const client = createClient({
    account: privateKeyToAccount(devnet.accounts[0]!.privateKey),
    chain: { ...devnetChain, ...chainConfig },
    transport: http(url, { retryCount: 0 }),
    pollingInterval: 20,
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions)
    .extend(publicActionsL2())
  return { devnet, client }
}

describe('viem', () => {
  it('reads deposits as such, and finds the hash of what it reads', async () => {
    const { client } = await connected()
    await client.waitForTransactionReceipt({ hash: await client.sendTransaction({ to: STRANGER }) })
    const { transactions } = await client.getBlock({ includeTransactions: true })
    const [deposit] = transactions
    if (deposit?.type !== 'deposit') throw new Error(`expected a deposit, got ${deposit?.type}`)
    expect(deposit).toMatchObject({ mint: 0n, nonce: 0, gasPrice: 0n, value: 0n, gas: 1_000_000n })
    const { sourceHash, from, to, gas, input, hash } = deposit
    const written = serializers.transaction({
      ...{ type: 'deposit', sourceHash, from, gas, data: input },
      ...(to === null ? {} : { to }),
    })
    expect(keccak256(written)).toBe(hash)
    expect(await client.getTransaction({ hash })).toMatchObject({ type: 'deposit', sourceHash })
    const receipt = await client.getTransactionReceipt({ hash })
    expect(receipt).toMatchObject({ type: '0x7e', depositNonce: 0n, depositReceiptVersion: 1, l1Fee: 0n })
  })

  it('foresees what L1 will cost, and its receipts say it', async () => {
    const { client } = await connected()
    const request = { account: client.account, to: STRANGER, value: parseEther('1') } as const
    const foreseen = await client.estimateL1Fee(request)
    const receipt = await client.waitForTransactionReceipt({ hash: await client.sendTransaction(request) })
    expect(receipt).toMatchObject({ l1Fee: foreseen, l1GasUsed: 1_600n, l1GasPrice: parseGwei('1') })
    expect(await client.estimateL1Gas(request)).toBe(1_600n)
    expect(await client.getL1BaseFee()).toBe(parseGwei('1'))
    expect(await client.estimateOperatorFee(request)).toBe(0n)
  })

  it('foresees it nearly, where it is more than the least: a signature is not known beforehand', async () => {
    const { client } = await connected()
    const data = new Random(7).hex(3_000)
    const request = { account: client.account, to: STRANGER, data, gas: 300_000n } as const
    const foreseen = await client.estimateL1Fee(request)
    const { l1Fee } = await client.waitForTransactionReceipt({ hash: await client.sendTransaction(request) })
    expect(l1Fee).toBeGreaterThan(10n * 10_228_912_500n)
    const difference = Number(l1Fee! - foreseen) / Number(l1Fee)
    expect(Math.abs(difference)).toBeLessThan(0.01)
  })

  it('knows beforehand all that a transfer takes', async () => {
    const { client } = await connected()
    const before = await client.getBalance(client.account)
    const fees = { maxFeePerGas: parseGwei('10'), maxPriorityFeePerGas: 1n }
    const hash = await client.sendTransaction({ to: STRANGER, gas: 21_000n, ...fees })
    const { gasUsed, effectiveGasPrice, l1Fee } = await client.waitForTransactionReceipt({ hash })
    const spent = before - (await client.getBalance(client.account))
    expect(spent).toBe(gasUsed * effectiveGasPrice + l1Fee!)
  })

  it('adds what L1 and L2 will take, for transactions and for calls of contracts', async () => {
    const { client } = await connected()
    const call = { abi: WETH9.abi, address: WETH, functionName: 'deposit' } as const
    const data = encodeFunctionData({ abi: WETH9.abi, functionName: 'deposit' })
    const request = { account: client.account, to: WETH, data } as const
    const [l1Fee, l1Gas] = [await client.estimateL1Fee(request), await client.estimateL1Gas(request)]
    expect(await client.estimateContractL1Fee(call)).toBe(l1Fee)
    expect(await client.estimateContractL1Gas(call)).toBe(l1Gas)
    const gas = await client.estimateGas(request)
    expect(await client.estimateTotalGas(request)).toBe(gas + l1Gas)
    expect(await client.estimateContractTotalGas(call)).toBe(gas + l1Gas)
    const total = await client.estimateTotalFee(request)
    expect(total).toBe(l1Fee + gas * (await client.getGasPrice()))
    expect(await client.estimateContractTotalFee(call)).toBe(total)
  })
})

describe('the contracts of an L2', () => {
  it('tell of L1: what the newest deposit said', async () => {
    const { client } = await connected()
    await client.waitForTransactionReceipt({ hash: await client.sendTransaction({ to: STRANGER }) })
    const l1Block = getContract({
      client,
      address: contracts.l1Block.address,
      abi: parseAbi([
        'function DEPOSITOR_ACCOUNT() view returns (address)',
        'function number() view returns (uint64)',
        'function timestamp() view returns (uint64)',
        'function basefee() view returns (uint256)',
        'function blobBaseFee() view returns (uint256)',
        'function baseFeeScalar() view returns (uint32)',
        'function blobBaseFeeScalar() view returns (uint32)',
        'function batcherHash() view returns (bytes32)',
        'function operatorFeeScalar() view returns (uint32)',
        'function setL1BlockValuesIsthmus()',
      ]),
    })
    const { timestamp } = await client.getBlock()
    const at = await l1Block.read.timestamp()
    expect(timestamp - at).toBeLessThan(12n)
    expect(await l1Block.read.number()).toBe(at / 12n)
    expect(await l1Block.read.basefee()).toBe(parseGwei('1'))
    expect(await l1Block.read.blobBaseFee()).toBe(parseGwei('0.0625'))
    expect(await l1Block.read.baseFeeScalar()).toBe(2_269)
    expect(await l1Block.read.blobBaseFeeScalar()).toBe(1_055_762)
    expect(await l1Block.read.operatorFeeScalar()).toBe(0)
    // Base's batcher posts from here.
    expect(await l1Block.read.batcherHash()).toBe(
      '0x0000000000000000000000005050f69a9786f081509234f1a7f4684b5e5b76c9',
    )
    expect(await l1Block.read.DEPOSITOR_ACCOUNT()).toBe('0xDeaDDEaDDeAdDeAdDEAdDEaddeAddEAdDEAd0001')
    // Nobody else can say anything.
    await expect(l1Block.simulate.setL1BlockValuesIsthmus()).rejects.toThrow()
  })

  it('say the same of L1 before the first block', async () => {
    const { client } = await connected({ rhythm: 'manual' })
    expect(await client.getL1BaseFee()).toBe(parseGwei('1'))
    expect(await client.estimateL1Fee({ account: client.account, to: STRANGER })).toBe(10_228_912_500n)
  })

  it('have ether as a token', async () => {
    const { devnet, client } = await connected()
    const weth = getContract({ client, address: WETH, abi: WETH9.abi })
    expect([await weth.read.name(), await weth.read.symbol(), await weth.read.decimals()]).toEqual([
      'Wrapped Ether',
      'WETH',
      18,
    ])
    const sent = async (hash: Hex) => {
      const { status } = await client.waitForTransactionReceipt({ hash })
      expect(status).toBe('success')
    }
    const own = client.account.address
    await sent(await weth.write.deposit({ value: 5n }))
    await sent(await client.sendTransaction({ to: WETH, value: 7n }))
    expect(await weth.read.balanceOf([own])).toBe(12n)
    expect(await weth.read.totalSupply()).toBe(12n)
    await sent(await weth.write.transfer([STRANGER, 2n]))
    expect(await weth.read.balanceOf([STRANGER])).toBe(2n)
    const before = await client.getBalance({ address: WETH })
    await sent(await weth.write.withdraw([10n]))
    expect(before - (await client.getBalance({ address: WETH }))).toBe(10n)
    await expect(weth.simulate.withdraw([1n])).rejects.toThrow()
    await expect(weth.simulate.transferFrom([STRANGER, own, 1n])).rejects.toThrow()
    await ask(devnet, 'anvil_impersonateAccount', STRANGER)
    await ask(devnet, 'anvil_setBalance', STRANGER, numberToHex(parseEther('1')))
    const approval = await ask<Hex>(devnet, 'eth_sendTransaction', {
      from: STRANGER,
      to: WETH,
      data: `0x095ea7b3${own.slice(2).padStart(64, '0')}${toHex(1, { size: 32 }).slice(2)}`,
    })
    await sent(approval)
    await sent(await weth.write.transferFrom([STRANGER, own, 1n]))
    expect(await weth.read.allowance([STRANGER, own])).toBe(0n)
    expect(await weth.read.balanceOf([own])).toBe(1n)
  })

  it('let a signature move tokens: Permit2 knows the chain', async () => {
    const { devnet, client } = await connected()
    const deployed = await client.sendTransaction({
      data: encodeDeployData({ ...Token, args: ['Gold', 'GOLD'] }),
    })
    const { contractAddress } = await client.waitForTransactionReceipt({ hash: deployed })
    const token = getContract({ client, address: contractAddress!, abi: Token.abi })
    const owner = privateKeyToAccount(devnet.accounts[1]!.privateKey)
    await client.waitForTransactionReceipt({ hash: await token.write.mint([owner.address, 100n]) })
    const approved = await client.sendRawTransaction({
      serializedTransaction: await owner.signTransaction({
        chainId: 31_337,
        nonce: 0,
        gas: 100_000n,
        maxFeePerGas: parseGwei('10'),
        to: token.address,
        data: `0x095ea7b3${PERMIT2.slice(2).padStart(64, '0')}${'ff'.repeat(32)}`,
      }),
    })
    await client.waitForTransactionReceipt({ hash: approved })
    const permit = {
      permitted: { token: token.address, amount: 30n },
      nonce: 0n,
      deadline: 2n ** 48n,
    } as const
    const signature = await owner.signTypedData({
      domain: { name: 'Permit2', chainId: 31_337, verifyingContract: PERMIT2 },
      types: {
        PermitTransferFrom: [
          { name: 'permitted', type: 'TokenPermissions' },
          { name: 'spender', type: 'address' },
          { name: 'nonce', type: 'uint256' },
          { name: 'deadline', type: 'uint256' },
        ],
        TokenPermissions: [
          { name: 'token', type: 'address' },
          { name: 'amount', type: 'uint256' },
        ],
      },
      primaryType: 'PermitTransferFrom',
      message: { ...permit, spender: client.account.address },
    })
    const moved = await client.writeContract({
      address: PERMIT2,
      abi: parseAbi([
        'struct TokenPermissions { address token; uint256 amount; }',
        'struct PermitTransferFrom { TokenPermissions permitted; uint256 nonce; uint256 deadline; }',
        'struct Details { address to; uint256 requestedAmount; }',
        'function permitTransferFrom(PermitTransferFrom permit, Details details, address owner, bytes signature)',
      ]),
      functionName: 'permitTransferFrom',
      args: [permit, { to: STRANGER, requestedAmount: 30n }, owner.address, signature],
    })
    expect(await client.waitForTransactionReceipt({ hash: moved })).toMatchObject({ status: 'success' })
    expect(await token.read.balanceOf([STRANGER])).toBe(30n)
  })
})
