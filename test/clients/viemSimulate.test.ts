/** viem's `simulateBlocks` and `simulateCalls`, over each of its ways to a devnet. */
import { type Address, encodeFunctionData, parseEther, parseGwei, zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { Reverter } from '../../fixtures/contracts/Reverter.ts'
import { Store } from '../../fixtures/contracts/Store.ts'
import { Token } from '../../fixtures/contracts/Token.ts'
import market from '../../fixtures/market.ts'
import { onWire } from '../support/clients/addresses.ts'
import { type Client, clientOf, connected, STRANGER, WAYS } from '../support/clients/clients.ts'

const OTHER: Address = '0x0000000000000000000000000000000000006666'
const ETHER: Address = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'

describe.each(WAYS)('viem $name', (way) => {
  // viem takes the i-th block of the answer for the i-th that was asked for, on every node: so none may be filled in here.
  it('simulates blocks with overrides, and calls that are encoded and decoded', async () => {
    const { client } = await connected(way)
    const call = { abi: Store.abi, to: OTHER } as const
    const [block, next] = await client.simulateBlocks({
      blocks: [
        {
          blockOverrides: { number: 1n, time: 4_000_000_000n, feeRecipient: STRANGER, prevRandao: 7n },
          stateOverrides: [{ address: OTHER, code: Store.deployedBytecode, balance: parseEther('2') }],
          calls: [
            { ...call, functionName: 'set', args: [1n, 42n] },
            { ...call, functionName: 'get', args: [1n] },
          ],
        },
        { calls: [{ account: OTHER, to: STRANGER, value: parseEther('1') }] },
      ],
      traceTransfers: true,
    })
    expect(block).toMatchObject({
      number: 1n,
      timestamp: 4_000_000_000n,
      miner: STRANGER,
      mixHash: `0x${'00'.repeat(31)}07`,
      baseFeePerGas: 0n,
    })
    expect(block!.calls).toMatchObject([
      { status: 'success', result: null },
      { status: 'success', result: 42n, data: `0x${'00'.repeat(31)}2a` },
    ])
    expect(next!.parentHash).toBe(block!.hash)
    expect(next!.calls[0]).toMatchObject({
      gasUsed: 21_000n,
      maxUsedGas: 21_000n,
      logs: [{ address: ETHER.toLowerCase(), logIndex: 0, blockHash: next!.hash, blockNumber: 2n }],
    })
  })

  it('tells why a call failed, by its ABI', async () => {
    const { client } = await connected(way)
    const call = { abi: Reverter.abi, to: OTHER } as const
    const [block] = await client.simulateBlocks({
      blocks: [
        {
          stateOverrides: [{ address: OTHER, code: Reverter.deployedBytecode }],
          calls: [
            { ...call, functionName: 'writeThenRevertCustom', args: [5n] },
            { ...call, functionName: 'writeThenRevertString' },
            { ...call, functionName: 'writeThenSucceed' },
          ],
        },
      ],
    })
    const [custom, text, fine] = block!.calls
    expect(custom).toMatchObject({ status: 'failure' })
    expect(custom!.error?.message).toMatch(/reverted with the following signature|Error: \w+\(/)
    expect(text!.error?.message).toContain('reverted')
    expect(fine!.status).toBe('success')
  })

  it('simulates calls one after the other', async () => {
    const { client } = await connected(way)
    const { results, block } = await client.simulateCalls({
      account: client.account.address,
      calls: [
        { to: STRANGER, value: parseEther('1') },
        { to: STRANGER, data: '0x1234' },
        { to: STRANGER, value: parseEther('1') },
      ],
    })
    // Two bytes for 40 each (EIP-7623).
    expect(results.map(({ status, gasUsed }) => [status, gasUsed])).toEqual([
      ['success', 21_000n],
      ['success', 21_080n],
      ['success', 21_000n],
    ])
    expect(block.number).toBe(1n)
  })

  it('sees which assets calls move', async () => {
    const { devnet, client } = await connected(way)
    const { gold } = await market(devnet)
    const buyer = clientOf(devnet, 0)
    const account = client.account.address
    await mint(buyer, gold, account)
    const before = await client.getBalance({ address: account })
    const { assetChanges, results } = await client.simulateCalls({
      account,
      calls: [
        { to: OTHER, value: parseEther('1.5') },
        { to: gold, abi: Token.abi, functionName: 'transfer', args: [OTHER, 30n] },
      ],
      traceAssetChanges: true,
    })
    expect(results.map(({ status }) => status)).toEqual(['success', 'success'])
    expect(assetChanges).toMatchObject([
      {
        token: { address: ETHER.toLowerCase(), symbol: 'ETH', decimals: 18 },
        value: { pre: before, post: before - parseEther('1.5'), diff: -parseEther('1.5') },
      },
      { token: { address: onWire(gold), symbol: 'GOLD', decimals: 18 }, value: { diff: -30n } },
    ])
  })

  it('knows what was refused', async () => {
    const { client } = await connected(way)
    const poor = client.simulateBlocks({
      blocks: [{ calls: [{ account: STRANGER, to: OTHER, value: 1n }] }],
    })
    await expect(poor).rejects.toThrow(/exceeds the balance of the account/)
    const cheap = client.simulateBlocks({
      blocks: [{ calls: [{ account: client.account, to: OTHER, maxFeePerGas: 1n }] }],
      validation: true,
    })
    await expect(cheap).rejects.toThrow(/fee cap.*cannot be lower than the block base fee/)
    const used = client.simulateBlocks({
      blocks: [
        {
          calls: [
            { account: client.account, to: OTHER, maxFeePerGas: parseGwei('5'), gas: 21_000n },
            { account: client.account, to: OTHER, maxFeePerGas: parseGwei('5'), gas: 21_000n, nonce: 0 },
          ],
        },
      ],
      validation: true,
    })
    await expect(used).rejects.toThrow(/[Nn]once provided for the transaction is lower/)
  })

  it('simulates on what is pre-confirmed', async () => {
    const { devnet, client } = await connected(way, { rhythm: 'manual' })
    const hash = await client.sendTransaction({ to: STRANGER, value: 5n, gas: 21_000n })
    await devnet.tick()
    const calls = [{ account: STRANGER, to: zeroAddress, value: 5n }]
    const [block] = await client.simulateBlocks({ blocks: [{ calls }], blockTag: 'pending' })
    expect(block!.number).toBe(2n)
    await expect(client.simulateBlocks({ blocks: [{ calls }] })).rejects.toThrow('exceeds the balance')
    await devnet.seal()
    expect((await client.getTransactionReceipt({ hash })).blockHash).toBe(block!.parentHash)
  })
})

/** Gives the account some gold. */
async function mint(client: Client, gold: Address, to: Address): Promise<void> {
  const data = encodeFunctionData({ abi: Token.abi, functionName: 'mint', args: [to, 100n] })
  const hash = await client.sendTransaction({ to: gold, data })
  await client.waitForTransactionReceipt({ hash })
}
