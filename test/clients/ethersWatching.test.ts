/** What ethers waits for and hears, over each of its providers: by polling filters, and by subscriptions. */
import {
  type Contract,
  type ContractEventPayload,
  type JsonRpcApiProvider,
  parseUnits,
  WebSocketProvider,
  ZeroAddress,
  ZeroHash,
} from 'ethers'
import { describe, expect, it, vi } from 'vitest'
import { Emitter } from '../../fixtures/contracts/Emitter.ts'
import { Token } from '../../fixtures/contracts/Token.ts'
import { STRANGER, started, ZERO_HASH } from '../support/clients/clients.ts'
import { connectedEthers, deployed, ETHERS_WAYS, overWebSocket } from '../support/clients/ethers.ts'
import { SOON, until } from '../support/clients/until.ts'

const TOPIC = `0x${'ab'.repeat(32)}`
const payment = { to: STRANGER, value: 1n }

/** What each method that `provider` asks for was answered last. */
function overheard(provider: JsonRpcApiProvider): Map<string, { result?: unknown; error?: unknown }> {
  const methods = new Map<number, string>()
  const answers = new Map<string, { result?: unknown; error?: unknown }>()
  type Message = { id: number; method: string; result?: unknown; error?: unknown }
  void provider.on('debug', (event: { action: string; payload: Message | Message[]; result: Message[] }) => {
    if (event.action === 'sendRpcPayload')
      for (const { id, method } of [event.payload].flat()) methods.set(id, method)
    if (event.action === 'receiveRpcResult')
      for (const { id, result, error } of event.result)
        answers.set(methods.get(id)!, error === undefined ? { result } : { error })
  })
  return answers
}

describe.each(ETHERS_WAYS)('ethers $name', (way) => {
  describe('waits', () => {
    it('for a receipt', async () => {
      const { devnet, wallet } = await connectedEthers(way, { rhythm: 'manual' })
      const sent = await wallet.sendTransaction(payment)
      expect(await sent.wait(0)).toBe(null)
      const receipt = await until(sent.wait(), () => devnet.mine())
      expect(receipt).toMatchObject({ status: 1, blockNumber: 1 })
    })

    it('for a receipt, and gets that of the pre-confirmation first', async () => {
      const { devnet, provider, wallet } = await connectedEthers(way, {
        rhythm: 'manual',
        receipts: 'preconfirmed',
      })
      const sent = await wallet.sendTransaction(payment)
      await devnet.tick()
      for (const confirmations of [undefined, 0, 1]) {
        const receipt = (await sent.wait(confirmations))!
        expect(receipt).toMatchObject({ status: 1, blockHash: ZERO_HASH, blockNumber: 1 })
        expect(await receipt.confirmations()).toBe(0)
      }
      expect(await provider.getTransaction(sent.hash)).toMatchObject({ blockHash: null, blockNumber: 1 })
      expect(await provider.getBlock('pending')).toMatchObject({ hash: ZERO_HASH, transactions: [sent.hash] })
    })

    it('for confirmations, and gets the sealed receipt', async () => {
      const { devnet, provider, wallet } = await connectedEthers(way, { rhythm: 'manual' })
      const sent = await wallet.sendTransaction(payment)
      await devnet.tick()
      const waiting = Promise.all([sent.wait(3), provider.waitForTransaction(sent.hash)])
      const receipts = await until(waiting, () => devnet.mine())
      const { hash: blockHash } = (await provider.getBlock(1))!
      expect(receipts).toMatchObject([{ blockHash }, { blockHash }])
    })

    it('no longer than it is told to', async () => {
      const { wallet } = await connectedEthers(way, { rhythm: 'manual' })
      const sent = await wallet.sendTransaction(payment)
      await expect(sent.wait(1, 1)).rejects.toMatchObject({ code: 'TIMEOUT' })
    })

    it('for a transaction that is replaced', async () => {
      const { devnet, wallet } = await connectedEthers(way, { rhythm: 'manual' })
      const tip = parseUnits('1', 'gwei')
      const fees = { maxFeePerGas: 10n * tip, maxPriorityFeePerGas: tip }
      const better = { maxFeePerGas: 20n * tip, maxPriorityFeePerGas: 2n * tip }
      const sent = await wallet.sendTransaction({ ...payment, ...fees, nonce: 0 })
      const waiting = sent.wait().catch((error) => error)
      const winner = await wallet.sendTransaction({ ...payment, ...better, nonce: 0 })
      const replaced = await until(waiting, () => devnet.mine())
      expect(replaced).toMatchObject({
        code: 'TRANSACTION_REPLACED',
        reason: 'repriced',
        hash: winner.hash,
        receipt: { blockNumber: 1 },
      })
    })

    it('and reads what is pre-confirmed by asking for pending', async () => {
      const { provider, wallet } = await connectedEthers(way, { rhythm: 'interval', tickMs: 20 })
      const token = await deployed(Token, wallet, 'Gold', 'GOLD')
      const minting = await token.mint!(STRANGER, 5n, { gasLimit: 100_000n })
      await minting.wait()
      expect(await token.balanceOf!(STRANGER, { blockTag: 'pending' })).toBe(5n)
      await provider.waitForTransaction(minting.hash)
      expect(await token.balanceOf!(STRANGER)).toBe(5n)
    })
  })

  describe('hears', () => {
    it('events of a contract, until it listens no more', async () => {
      const { provider, wallet } = await connectedEthers(way)
      const answers = overheard(provider)
      const emitter = await deployed(Emitter, wallet)
      const heard: unknown[] = []
      const listener = (topic: string, index: bigint, { log }: ContractEventPayload) =>
        heard.push([topic, index, log.blockNumber])
      await emitter.on('Many', listener)
      await vi.waitUntil(() => answers.has('eth_getFilterChanges') || answers.has('eth_subscribe'), SOON)
      await emitter.touch!({ value: 7n })
      await emitter.emitMany!(2n, TOPIC)
      await vi.waitUntil(() => heard.length >= 2, SOON)
      expect(heard).toEqual([
        [TOPIC, 0n, 3],
        [TOPIC, 1n, 3],
      ])
      await emitter.off('Many', listener)
      await vi.waitUntil(() => answers.has('eth_uninstallFilter') || answers.has('eth_unsubscribe'), SOON)
      expect(answers.get('eth_uninstallFilter') ?? answers.get('eth_unsubscribe')).toEqual({ result: true })
      await emitter.emitMany!(2n, TOPIC)
      expect(heard).toHaveLength(2)
    })

    it('events by their arguments, once', async () => {
      const { provider, wallet } = await connectedEthers(way)
      const answers = overheard(provider)
      const token = await deployed(Token, wallet, 'Gold', 'GOLD')
      const heard = new Promise((resolve) => {
        const listener = (event: ContractEventPayload) => resolve(event.args.toObject())
        void token.once(token.filters.Transfer!(null, STRANGER), listener)
      })
      await vi.waitUntil(() => answers.has('eth_getFilterChanges') || answers.has('eth_subscribe'), SOON)
      await token.mint!(wallet, 1n)
      await token.mint!(STRANGER, 2n)
      expect(await heard).toEqual({ from: ZeroAddress, to: STRANGER, value: 2n })
    })

    it('logs of any contract', async () => {
      const { provider, wallet } = await connectedEthers(way)
      const answers = overheard(provider)
      const emitter = await deployed(Emitter, wallet)
      const heard = vi.fn()
      await provider.on({ topics: [null, [TOPIC, ZeroHash]] }, heard)
      await vi.waitUntil(() => answers.has('eth_getFilterChanges') || answers.has('eth_subscribe'), SOON)
      await emitter.emitMany!(1n, TOPIC)
      await vi.waitUntil(() => heard.mock.calls.length === 1, SOON)
      const log = { address: emitter.target, blockNumber: 2, index: 0, topics: [expect.anything(), TOPIC] }
      expect(heard.mock.calls[0]![0]).toMatchObject(log)
    })

    it('blocks, each once', async () => {
      const { devnet, provider } = await connectedEthers(way, { rhythm: 'manual' })
      const answers = overheard(provider)
      const numbers: number[] = []
      await provider.on('block', (number: number) => numbers.push(number))
      await vi.waitUntil(() => answers.has('eth_blockNumber') || answers.has('eth_subscribe'), SOON)
      for (let block = 0; block < 3; block++) await devnet.mine()
      await vi.waitUntil(() => numbers.length >= 3, SOON)
      expect(numbers).toEqual([1, 2, 3])
    })

    it('waiting transactions', async () => {
      const { devnet, provider, wallet } = await connectedEthers(way, { rhythm: 'manual' })
      const answers = overheard(provider)
      const hashes: string[] = []
      await provider.on('pending', (hash: string) => hashes.push(hash))
      await vi.waitUntil(() => answers.has('eth_getFilterChanges') || answers.has('eth_subscribe'), SOON)
      const sent = [await wallet.sendTransaction(payment), await wallet.sendTransaction(payment)]
      // By polling ethers asks for them with each block.
      const heard = vi.waitUntil(() => hashes.length >= 2, SOON)
      await until(heard, () => devnet.mine())
      expect(hashes).toEqual(sent.map(({ hash }) => hash))
    })

    it('of a transaction, once it is sealed or pre-confirmed', async () => {
      const { devnet, provider, wallet } = await connectedEthers(way, { rhythm: 'manual' })
      const sent = await wallet.sendTransaction(payment)
      const heard = new Promise((resolve) => void provider.once(sent.hash, resolve))
      expect(await until(heard, () => devnet.mine())).toMatchObject({ hash: sent.hash, blockNumber: 1 })
    })
  })
})

describe('ethers over WebSocket', () => {
  it('subscribes to what it has no name for', async () => {
    const { devnet, provider, wallet } = await connectedEthers(overWebSocket, { rhythm: 'manual' })
    const emitter = (await until(deployed(Emitter, wallet), () => devnet.mine())).connect(wallet) as Contract
    const heard: { blockHash: string; blockNumber: string }[] = []
    const id = await provider.send('eth_subscribe', ['pendingLogs', { address: emitter.target }])
    // What ethers calls a subscriber is anything that takes messages.
    provider._register(id, { _handleMessage: (log: (typeof heard)[0]) => heard.push(log) } as never)
    await emitter.emitMany!(1n, TOPIC, { gasLimit: 100_000n })
    await devnet.tick()
    await vi.waitUntil(() => heard.length > 0, SOON)
    expect(heard).toMatchObject([{ blockHash: ZERO_HASH }])
    expect(await provider.send('eth_unsubscribe', [id])).toBe(true)
  })

  it('ends with its sockets, whoever closes them', async () => {
    const devnet = await started()
    const { webSocketUrl } = await devnet.listen({ port: 0 })
    const opened = async () => {
      const provider = new WebSocketProvider(webSocketUrl)
      await provider.getNetwork()
      const { websocket } = provider
      const closed = new Promise((resolve) => {
        ;(websocket as WebSocket).onclose = resolve
      })
      return { provider, closed }
    }
    const [left, stayed] = [await opened(), await opened()]
    await left.provider.destroy()
    await left.closed
    expect(await stayed.provider.getBlockNumber()).toBe(0)
    await devnet.close()
    await stayed.closed
    await stayed.provider.destroy()
  })
})
