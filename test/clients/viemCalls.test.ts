/** viem's calls and estimates, over each of its ways to a devnet. */
import {
  concatHex,
  createClient,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  numberToHex,
  parseEther,
  publicActions,
} from 'viem'
import { describe, expect, it } from 'vitest'
import { Reverter } from '../../fixtures/contracts/Reverter.ts'
import { Store } from '../../fixtures/contracts/Store.ts'
import { Token } from '../../fixtures/contracts/Token.ts'
import { connected, deploy, deployToken, devnetChain, STRANGER, WAYS } from '../support/clients/clients.ts'
import { overhear } from '../support/clients/overhear.ts'

describe.each(WAYS)('viem $name', (way) => {
  describe('estimates', () => {
    it('a transfer', async () => {
      const { client } = await connected(way)
      expect(await client.estimateGas({ to: STRANGER, value: 1n })).toBe(21_000n)
    })

    it('a write, to what it then uses', async () => {
      const { client } = await connected(way)
      const write = {
        address: await deploy(client, Store),
        abi: Store.abi,
        functionName: 'set',
        args: [1n, 1n],
      } as const
      const gas = await client.estimateContractGas(write)
      const hash = await client.writeContract({ ...write, gas })
      expect(await client.getTransactionReceipt({ hash })).toMatchObject({ status: 'success', gasUsed: gas })
    })

    it('and prepares a whole transaction', async () => {
      const { client } = await connected(way)
      const request = await client.prepareTransactionRequest({ to: STRANGER, value: 1n })
      expect(request).toMatchObject({ type: 'eip1559', chainId: 31337, nonce: 0, gas: 21_000n })
    })
  })

  describe('calls', () => {
    it('a contract whose code comes along', async () => {
      const { client } = await connected(way)
      const data = encodeFunctionData({ abi: Reverter.abi, functionName: 'succeed' })
      const answer = await client.call({ code: Reverter.bytecode, data })
      expect(answer.data).toBe(numberToHex(42, { size: 32 }))
      const read = { abi: Reverter.abi, functionName: 'succeed', code: Reverter.bytecode } as const
      expect(await client.readContract(read)).toBe(42n)
    })

    it('a contract that a factory would make', async () => {
      const { client } = await connected(way)
      const salt: Hex = `0x${'00'.repeat(32)}`
      const factory = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
      const to = getContractAddress({ opcode: 'CREATE2', from: factory, salt, bytecode: Reverter.bytecode })
      const answer = await client.call({
        to,
        factory,
        factoryData: concatHex([salt, Reverter.bytecode]),
        data: encodeFunctionData({ abi: Reverter.abi, functionName: 'succeed' }),
      })
      expect(answer.data).toBe(numberToHex(42, { size: 32 }))
    })

    it('with states and blocks overridden', async () => {
      const { client } = await connected(way)
      const context = await client.readContract({
        address: STRANGER,
        abi: Store.abi,
        functionName: 'context',
        stateOverride: [{ address: STRANGER, code: Store.deployedBytecode }],
        blockOverrides: { number: 1234n, time: 5678n },
      })
      expect(context).toMatchObject({ number: 1234n, timestamp: 5678n, chainId: 31337n })
    })

    it('many contracts at once', async () => {
      const { client } = await connected(way)
      const address = await deployToken(client)
      const token = { address, abi: Token.abi } as const
      const contracts = [
        { ...token, functionName: 'name' },
        { ...token, functionName: 'decimals' },
        { ...token, functionName: 'balanceOf', args: [STRANGER] },
      ] as const
      expect(await client.multicall({ contracts, allowFailure: false })).toEqual(['Gold', 18, 0n])
      expect(await client.multicall({ contracts, allowFailure: false, deployless: true })).toEqual([
        'Gold',
        18,
        0n,
      ])
    })

    it('many contracts at once, gathered from many reads', async () => {
      const { devnet, client, transport } = await connected(way)
      const address = await deployToken(client)
      const { overheard, asked } = overhear(transport)
      const gathering = createClient({
        chain: devnetChain,
        transport: overheard,
        batch: { multicall: true },
      }).extend(publicActions)
      const token = { address, abi: Token.abi } as const
      const reads = [
        gathering.readContract({ ...token, functionName: 'name' }),
        gathering.readContract({ ...token, functionName: 'symbol' }),
        gathering.getBalance({ address: devnet.accounts[1]!.address }),
      ]
      expect(await Promise.all(reads)).toEqual(['Gold', 'GOLD', parseEther('10000')])
      expect(asked('eth_getBalance')).toBe(false)
    })

    it('many contracts at once, of which some fail', async () => {
      const { client } = await connected(way)
      const reverter = { address: await deploy(client, Reverter), abi: Reverter.abi } as const
      const results = await client.multicall({
        contracts: [
          { ...reverter, functionName: 'succeed' },
          { ...reverter, functionName: 'revertCustom', args: [3n] },
        ],
      })
      expect(results).toMatchObject([
        { status: 'success', result: 42n },
        { status: 'failure', error: { cause: { data: { errorName: 'Custom' } } } },
      ])
    })

    it('the universal verifier of signatures', async () => {
      const { client } = await connected(way)
      const message = 'hello'
      const signature = await client.signMessage({ message })
      const { address } = client.account
      expect(await client.verifyMessage({ address, message, signature })).toBe(true)
      expect(await client.verifyMessage({ address: STRANGER, message, signature })).toBe(false)
    })
  })
})
