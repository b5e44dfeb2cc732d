/** viem over WebSocket: what it watches instead of polling. */
import {
  createPublicClient,
  encodeDeployData,
  getContract,
  type Hex,
  hexToBigInt,
  type Transport,
  webSocket,
} from 'viem'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Emitter } from '../../fixtures/contracts/Emitter.ts'
import { Token } from '../../fixtures/contracts/Token.ts'
import type { DevnetOptions } from '../../src/index.ts'
import { clientOf, deploy, devnetChain, STRANGER, started } from '../support/clients/clients.ts'

const TOPIC: Hex = `0x${'ab'.repeat(32)}`

/** A devnet, and viem's clients over one WebSocket to it, which ends with the test. */
async function connected(options: DevnetOptions = {}) {
  const devnet = await started({ rhythm: 'instant', ...options })
  const { webSocketUrl } = await devnet.listen({ port: 0 })
  const transport: Transport = webSocket(webSocketUrl, { retryCount: 0, reconnect: false })
  const watcher = createPublicClient({ chain: devnetChain, transport })
  onTestFinished(async () => {
    const { getRpcClient } = watcher.transport as unknown as {
      getRpcClient(): Promise<{ close(): void }>
    }
    ;(await getRpcClient()).close()
  })
  return { devnet, client: clientOf(devnet, 0, transport), watcher }
}

/** The values that a watcher is told, and a promise of the first `count` of them. */
function collector<T>() {
  const values: T[] = []
  let check = () => {}
  return {
    values,
    add: (...more: readonly T[]) => {
      values.push(...more)
      check()
    },
    first: (count: number) =>
      new Promise<T[]>((resolve) => {
        check = () => {
          if (values.length >= count) resolve(values.slice(0, count))
        }
        check()
      }),
  }
}

/** Resolves when all that was asked over the socket before, a subscription among it, has been answered. */
async function settled({ getChainId }: { getChainId(): Promise<number> }): Promise<void> {
  await getChainId()
  await getChainId()
}

describe('viem over WebSocket', () => {
  it('deploys, writes and reads', async () => {
    const { client } = await connected()
    const address = await deploy(client, Emitter)
    const emitter = getContract({ address, abi: Emitter.abi, client })
    const hash = await emitter.write.emitMany([2n, TOPIC])
    expect(await client.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
    expect(await client.getContractEvents({ address, abi: Emitter.abi })).toHaveLength(2)
    await expect(client.readContract({ address, abi: Token.abi, functionName: 'name' })).rejects.toThrow()
  })

  it('watches blocks', async () => {
    const { devnet, watcher } = await connected({ rhythm: 'manual' })
    const { add, first } = collector<bigint>()
    const unwatch = watcher.watchBlocks({
      onBlock: ({ number }) => add(number),
      onError: (error) => expect.unreachable(error.message),
    })
    await settled(watcher)
    // viem asks for the whole block when it is told of a head, so it is let have each before the next.
    for (let number = 1; number <= 3; number++) {
      await devnet.mine()
      expect(await first(number)).toHaveLength(number)
    }
    expect(await first(3)).toEqual([1n, 2n, 3n])
    unwatch()
  })

  it('watches block numbers', async () => {
    const { devnet, watcher } = await connected({ rhythm: 'manual' })
    const { add, first } = collector<bigint>()
    const unwatch = watcher.watchBlockNumber({ onBlockNumber: (number) => add(number) })
    await settled(watcher)
    for (let i = 0; i < 3; i++) await devnet.mine()
    expect(await first(3)).toEqual([1n, 2n, 3n])
    unwatch()
  })

  it('watches events, by contract and by arguments', async () => {
    const { client, watcher } = await connected()
    const address = await deploy(client, { bytecode: encodeDeployData({ ...Token, args: ['Gold', 'GOLD'] }) })
    const all = collector<unknown>()
    const some = collector<unknown>()
    const unwatchAll = watcher.watchEvent({ address, onLogs: (logs) => all.add(...logs) })
    const [event] = Token.abi.filter((one) => one.type === 'event' && one.name === 'Transfer')
    const unwatchSome = watcher.watchEvent({
      address,
      event: event as never,
      args: { to: STRANGER } as never,
      onLogs: (logs) => some.add(...logs.map((log) => (log as { args: unknown }).args)),
    })
    await settled(watcher)
    const mint = (to: Hex, amount: bigint) =>
      client.writeContract({ address, abi: Token.abi, functionName: 'mint', args: [to, amount] })
    await mint(client.account.address, 1n)
    await mint(STRANGER, 2n)
    expect(await all.first(2)).toMatchObject([{ blockNumber: 2n }, { blockNumber: 3n }])
    expect(await some.first(1)).toMatchObject([{ to: STRANGER, value: 2n }])
    unwatchAll()
    unwatchSome()
  })

  it('watches contract events', async () => {
    const { client, watcher } = await connected()
    const address = await deploy(client, Emitter)
    const { add, first } = collector<string>()
    const unwatch = watcher.watchContractEvent({
      address,
      abi: Emitter.abi,
      onLogs: (logs) => add(...logs.map(({ eventName }) => eventName as string)),
    })
    await settled(watcher)
    await client.writeContract({ address, abi: Emitter.abi, functionName: 'emitMany', args: [3n, TOPIC] })
    await client.writeContract({ address, abi: Emitter.abi, functionName: 'touch', value: 7n })
    expect(await first(4)).toEqual(['Many', 'Many', 'Many', 'Touched'])
    unwatch()
  })

  it('watches waiting transactions', async () => {
    const { client, watcher } = await connected({ rhythm: 'manual' })
    const { add, first } = collector<Hex>()
    const unwatch = watcher.watchPendingTransactions({ onTransactions: (hashes) => add(...hashes) })
    await settled(watcher)
    const sent = [
      await client.sendTransaction({ to: STRANGER, value: 1n }),
      await client.sendTransaction({ to: STRANGER, value: 2n }),
    ]
    expect(await first(2)).toEqual(sent)
    unwatch()
  })

  it('stops watching', async () => {
    const { devnet, watcher } = await connected({ rhythm: 'manual' })
    const stopped = collector<bigint>()
    const { add, first } = collector<bigint>()
    const unwatchStopped = watcher.watchBlockNumber({ onBlockNumber: (number) => stopped.add(number) })
    await settled(watcher)
    await devnet.mine()
    await stopped.first(1)
    unwatchStopped()
    const unwatch = watcher.watchBlockNumber({ onBlockNumber: (number) => add(number) })
    await settled(watcher)
    await devnet.mine()
    await first(1)
    expect(stopped.values).toEqual([1n])
    unwatch()
  })

  it('subscribes to what it has no name for', async () => {
    const { devnet, client, watcher } = await connected({ rhythm: 'manual' })
    const hash = await client.deployContract({ ...Emitter, args: [] })
    await devnet.mine()
    const { contractAddress } = await client.getTransactionReceipt({ hash })
    const { add, first } = collector<{ blockNumber: Hex; blockHash: Hex }>()
    const { subscribe } = watcher.transport as unknown as {
      subscribe(args: {
        params: unknown[]
        onData(data: { result: { blockNumber: Hex; blockHash: Hex } }): void
      }): Promise<{ unsubscribe(): Promise<void> }>
    }
    const { unsubscribe } = await subscribe({
      params: ['pendingLogs', { address: contractAddress }],
      onData: ({ result }) => add(result),
    })
    await client.writeContract({
      address: contractAddress!,
      abi: Emitter.abi,
      functionName: 'emitMany',
      args: [1n, TOPIC],
      gas: 100_000n,
    })
    await devnet.tick()
    const [log] = await first(1)
    expect(hexToBigInt(log!.blockHash)).toBe(0n)
    expect(log!.blockNumber).toBe('0x2')
    await unsubscribe()
  })
})
