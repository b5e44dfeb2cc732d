/** viem over `devnet.transport()`: what is special about it. All else of viem is tested over it and over HTTP alike. */
import {
  createClient,
  createPublicClient,
  createTestClient,
  createWalletClient,
  fallback,
  MethodNotFoundRpcError,
  MethodNotSupportedRpcError,
  publicActions,
  TransactionRejectedRpcError,
  walletActions,
} from 'viem'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Token } from '../../fixtures/contracts/Token.ts'
import { devnetChain, STRANGER, started } from '../support/clients/clients.ts'
import { SOON } from '../support/clients/until.ts'

describe('devnet.transport()', () => {
  it('serves each of viem’s clients in one line', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const wallet = createWalletClient({ transport: devnet.transport() })
    const [account] = await wallet.getAddresses()
    const hash = await wallet.sendTransaction({ account: account!, chain: null, to: STRANGER, value: 1n })
    await createTestClient({ mode: 'anvil', transport: devnet.transport() }).mine({ blocks: 1 })
    const reader = createPublicClient({ transport: devnet.transport() })
    expect(await reader.waitForTransactionReceipt({ hash })).toMatchObject({ blockNumber: 1n })
  })

  it('tells errors as viem’s own, from the first request on', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const client = createClient({ transport: devnet.transport() }).extend(publicActions)
    const unknown = { method: 'eth_unknown' } as never
    await expect(client.request(unknown)).rejects.toBeInstanceOf(MethodNotFoundRpcError)
    await expect(client.request(unknown)).rejects.toBeInstanceOf(MethodNotFoundRpcError)
    const tooMuch = { account: STRANGER, to: STRANGER, value: 1n } as const
    await expect(client.call(tooMuch)).rejects.toSatisfy(
      (error: { walk(is: (one: unknown) => boolean): unknown }) =>
        error.walk((one) => one instanceof TransactionRejectedRpcError) !== null,
    )
  })

  it('asks once, unless it is told otherwise', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const busy = { method: 'eth_chainId', code: -32005, message: 'busy' } as const
    await devnet.faults.rpcError(busy)
    const once = createPublicClient({ transport: devnet.transport() })
    await expect(once.getChainId()).rejects.toThrow('busy')
    await devnet.faults.rpcError(busy)
    const twice = createPublicClient({ transport: devnet.transport({ retryCount: 1, retryDelay: 0 }) })
    expect(await twice.getChainId()).toBe(31337)
  })

  it('lets nothing through that it is told to keep out', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const transport = devnet.transport({ methods: { exclude: ['eth_chainId'] } })
    const client = createPublicClient({ transport })
    await expect(client.getChainId()).rejects.toBeInstanceOf(MethodNotSupportedRpcError)
    expect(await client.getBlockNumber()).toBe(0n)
  })

  it('bears the names that it is given', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const { transport } = createClient({ transport: devnet.transport({ key: 'here', name: 'Here' }) })
    expect(transport).toMatchObject({ key: 'here', name: 'Here', type: 'custom', retryCount: 0 })
  })

  it('can be one of several to fall back to', async () => {
    const [closed, open] = [await started({ rhythm: 'manual' }), await started({ rhythm: 'manual' })]
    await closed.close()
    const transport = fallback([closed.transport(), open.transport()], { retryCount: 0 })
    expect(await createPublicClient({ transport }).getBlockNumber()).toBe(0n)
  })

  it('lets viem watch what happens', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const transport = devnet.transport()
    const client = createClient({ chain: devnetChain, transport, pollingInterval: 5 }).extend(publicActions)
    const { address } = await devnet.deploy(Token, { args: ['Gold', 'GOLD'] })
    const values: unknown[] = []
    onTestFinished(
      client.watchContractEvent({
        address,
        abi: Token.abi,
        eventName: 'Transfer',
        fromBlock: 0n,
        onLogs: (logs) => values.push(...logs.map(({ args }) => args.value)),
      }),
    )
    const mint = { abi: Token.abi, address, functionName: 'mint', args: [STRANGER, 5n] } as const
    await devnet.write(mint)
    await vi.waitUntil(() => values.length > 0, SOON)
    expect(values).toEqual([5n])
  })

  it('goes well with the devnet’s own client', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const client = createClient({ chain: devnetChain, transport: devnet.transport() })
      .extend(publicActions)
      .extend(walletActions)
    const { address, hash } = await devnet.deploy(Token, { args: ['Gold', 'GOLD'] })
    const token = { abi: Token.abi, address } as const
    await devnet.write({ ...token, functionName: 'mint', args: [STRANGER, 5n] })
    expect(await client.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
    expect(await client.readContract({ ...token, functionName: 'balanceOf', args: [STRANGER] })).toBe(5n)
  })
})
