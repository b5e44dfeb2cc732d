/** web3.js 4 over each of its providers: what its users do all day. */
import { type Hex, hashMessage, recoverAddress, recoverTypedDataAddress } from 'viem'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Web3, WebSocketProvider } from 'web3'
import { Emitter } from '../../fixtures/contracts/Emitter.ts'
import { Reverter } from '../../fixtures/contracts/Reverter.ts'
import { Store } from '../../fixtures/contracts/Store.ts'
import { Token } from '../../fixtures/contracts/Token.ts'
import type { Devnet, DevnetOptions } from '../../src/index.ts'
import { onWire } from '../support/clients/addresses.ts'
import { STRANGER, started, ZERO_HASH } from '../support/clients/clients.ts'
import { SOON, until } from '../support/clients/until.ts'

const TOPIC = `0x${'ab'.repeat(32)}`
const ETHER = 10n ** 18n

interface Way {
  readonly name: string
  connect(devnet: Devnet): Promise<Web3>
}

const overHttp: Way = {
  name: 'over HTTP',
  connect: async (devnet) => new Web3((await devnet.listen({ port: 0 })).url),
}
const overWebSocket: Way = {
  name: 'over WebSocket',
  connect: async (devnet) => new Web3((await devnet.listen({ port: 0 })).webSocketUrl),
}
const inProcess: Way = { name: 'in process', connect: async (devnet) => new Web3(devnet) }

type Connected = Awaited<ReturnType<typeof connected>>

/** A devnet that makes a block of each transaction; web3, which ends with the test; the first of the accounts. */
async function connected(way: Way, options: DevnetOptions = {}) {
  const devnet = await started({ rhythm: 'instant', ...options })
  const web3 = await way.connect(devnet)
  web3.setConfig({ transactionPollingInterval: 5 })
  onTestFinished(async () => {
    // web3 does not wait for the answers to what it asked last, and fails loudly if they do not come.
    for (let turn = 0; turn < 2; turn++) await web3.eth.getChainId()
    if (web3.provider instanceof WebSocketProvider) web3.provider.disconnect()
  })
  return { devnet, web3, eth: web3.eth, from: onWire(devnet.accounts[0]!.address) }
}

/** All that an error of web3 says. */
function told(error: unknown): string {
  const { message, reason } = error as { message: string; reason?: string }
  return `${message} ${reason}`
}

const deployedToken = ({ eth, from }: Connected) =>
  new eth.Contract(Token.abi).deploy({ data: Token.bytecode, arguments: ['Gold', 'GOLD'] }).send({ from })

const deployedEmitter = ({ eth, from }: Connected) =>
  new eth.Contract(Emitter.abi).deploy({ data: Emitter.bytecode }).send({ from })

describe.each([overHttp, overWebSocket, inProcess])('web3 $name', (way) => {
  describe('deploys, writes and reads', () => {
    it('with an account that the devnet holds', async () => {
      const connection = await connected(way)
      const { from } = connection
      const token = await deployedToken(connection)
      expect(await token.methods.mint(STRANGER, 5n).send({ from })).toMatchObject({
        status: 1n,
        blockNumber: 2n,
        events: { Transfer: { returnValues: { to: STRANGER, value: 5n } } },
      })
      expect(await token.methods.balanceOf(STRANGER).call()).toBe(5n)
      expect(await token.methods.name().call()).toBe('Gold')
    })

    it('with an account whose key it holds', async () => {
      const connection = await connected(way)
      const { devnet, eth } = connection
      const [account] = eth.accounts.wallet.add(devnet.accounts[1]!.privateKey)
      const token = await deployedToken({ ...connection, from: account!.address as Hex })
      expect(await token.methods.owner().call()).toBe(account!.address)
      const gas = await token.methods.mint(STRANGER, 5n).estimateGas({ from: account!.address })
      const minting = token.methods.mint(STRANGER, 5n).send({ from: account!.address, gas: String(gas) })
      expect(await minting).toMatchObject({ status: 1n, gasUsed: gas })
    })

    it('and tells each step of sending', async () => {
      const { devnet, web3, eth, from } = await connected(way, { rhythm: 'manual' })
      // Until then web3 keeps asking.
      web3.setConfig({ transactionConfirmationBlocks: 3 })
      const steps: string[] = []
      const sending = eth.sendTransaction({ from, to: STRANGER, value: 1n })
      for (const step of ['sending', 'sent', 'transactionHash', 'receipt'] as const)
        sending.on(step, () => void steps.push(step))
      const confirmed = new Promise<bigint>((resolve) => {
        sending.on('confirmation', ({ confirmations }) => {
          if (confirmations >= 3n) resolve(confirmations)
        })
      })
      expect(await until(sending, () => devnet.mine())).toMatchObject({ status: 1n })
      expect(steps).toEqual(['sending', 'sent', 'transactionHash', 'receipt'])
      expect(await until(confirmed, () => devnet.mine())).toBeGreaterThanOrEqual(3n)
    })

    it('and gets the receipt of the pre-confirmation first', async () => {
      const { devnet, eth, from } = await connected(way, { rhythm: 'manual', receipts: 'preconfirmed' })
      const sending = eth.sendTransaction({ from, to: STRANGER, value: 1n })
      const ticked = new Promise((resolve) => sending.on('transactionHash', () => resolve(devnet.tick())))
      expect(await sending).toMatchObject({ status: 1n, blockHash: ZERO_HASH, blockNumber: 1n })
      await ticked
      expect(await eth.getBalance(STRANGER)).toBe(0n)
      expect(await eth.getBalance(STRANGER, 'pending')).toBe(1n)
      expect(await eth.getBlock('pending')).toMatchObject({ hash: ZERO_HASH, number: 1n })
    })
  })

  describe('looks', () => {
    it('at accounts', async () => {
      const { devnet, web3, eth, from } = await connected(way)
      expect(await eth.getAccounts()).toEqual(
        devnet.accounts.map(({ address }) => web3.utils.toChecksumAddress(address)),
      )
      expect(await eth.requestAccounts()).toHaveLength(10)
      const store = await new eth.Contract(Store.abi).deploy({ data: Store.bytecode }).send({ from })
      await store.methods.set(1n, 42n).send({ from })
      const address = store.options.address!
      expect(await eth.getCode(address)).toBe(Store.deployedBytecode)
      expect(await eth.getStorageAt(address, 1n)).toBe(web3.utils.padLeft('0x2a', 64))
      expect(await eth.getTransactionCount(from)).toBe(2n)
      expect(await eth.getTransactionCount(from, 1n)).toBe(1n)
      for (const tag of ['earliest', 'safe', 'finalized', 0n])
        expect(await eth.getBalance(from, tag)).toBe(10_000n * ETHER)
      expect(await eth.getProof(address, [web3.utils.padLeft('0x1', 64)])).toMatchObject({
        storageProof: [{ value: 42n }],
      })
    })

    it('at the chain', async () => {
      const { eth, from } = await connected(way)
      const sent = await eth.sendTransaction({ from, to: STRANGER, value: 1n })
      const [transactionHash, blockHash] = [sent.transactionHash as Hex, sent.blockHash as Hex]
      expect(await eth.getBlockNumber()).toBe(1n)
      expect(await eth.getChainId()).toBe(31337n)
      const block = await eth.getBlock('latest', true)
      expect(block).toMatchObject({ number: 1n, hash: blockHash, gasLimit: 30_000_000n })
      expect(block.transactions).toMatchObject([{ hash: transactionHash, type: 2n, value: 1n }])
      expect(await eth.getBlock(blockHash)).toMatchObject({ transactions: [transactionHash] })
      expect(await eth.getBlockTransactionCount(1n)).toBe(1n)
      expect(await eth.getBlockUncleCount(1n)).toBe(0n)
      expect(await eth.getTransactionFromBlock(blockHash, 0n)).toMatchObject({ hash: transactionHash })
      expect(await eth.getTransaction(transactionHash)).toMatchObject({ from, blockNumber: 1n })
      expect(await eth.getTransactionReceipt(transactionHash)).toMatchObject({ blockHash, gasUsed: 21_000n })
    })

    it('at fees', async () => {
      const { eth } = await connected(way)
      // The tip, and the base fee of the next block: 1 gwei less an eighth, for its parent is empty (EIP-1559).
      expect(await eth.getGasPrice()).toBe(1_875_000_000n)
      expect(await eth.getMaxPriorityFeePerGas()).toBe(1_000_000_000n)
      expect(await eth.calculateFeeData()).toEqual({
        baseFeePerGas: 1_000_000_000n,
        gasPrice: 1_875_000_000n,
        maxFeePerGas: 3_000_000_000n,
        maxPriorityFeePerGas: 1_000_000_000n,
      })
      expect(await eth.getFeeHistory(1n, 'latest', [50])).toMatchObject({ oldestBlock: 0n })
    })

    it('at the node', async () => {
      const { eth } = await connected(way)
      expect(await eth.getNodeInfo()).toContain('preseal/v')
      expect(await eth.isSyncing()).toBe(false)
      expect(await eth.isMining()).toBe(true)
      expect(await eth.getCoinbase()).toBe(`0x${'00'.repeat(20)}`)
      expect(await eth.net.getId()).toBe(31337n)
      expect(await eth.net.getPeerCount()).toBe(0n)
      expect(await eth.net.isListening()).toBe(true)
    })

    it('for what does not exist', async () => {
      const { eth } = await connected(way)
      await expect(eth.getTransaction(TOPIC)).rejects.toThrow('Transaction not found')
      await expect(eth.getTransactionReceipt(TOPIC)).rejects.toThrow('Transaction not found')
      expect(await eth.getCode(STRANGER)).toBe('0x')
    })
  })

  describe('sends transactions', () => {
    it.each([
      ['type 0', 0n, { type: '0x0', gasPrice: 2_000_000_000n }],
      ['type 1', 1n, { type: '0x1', accessList: [{ address: STRANGER, storageKeys: [TOPIC] }] }],
      ['type 2', 2n, { type: '0x2' }],
    ])('of %s', async (_, type, fields) => {
      const { devnet, eth, from } = await connected(way)
      const [account] = eth.accounts.wallet.add(devnet.accounts[1]!.privateKey)
      for (const sender of [from, account!.address]) {
        const payment = { from: sender, to: STRANGER, value: 1n, gas: 30_000n, ...fields }
        expect(await eth.sendTransaction(payment)).toMatchObject({ status: 1n, type })
      }
    })

    it('that were signed before', async () => {
      const { devnet, eth, from } = await connected(way)
      const account = eth.accounts.privateKeyToAccount(devnet.accounts[1]!.privateKey)
      const payment = { to: STRANGER, value: 1n, gas: 21_000n, gasPrice: 2_000_000_000n, nonce: 0n }
      const { rawTransaction } = await account.signTransaction({ ...payment, chainId: 31337n })
      expect(await eth.sendSignedTransaction(rawTransaction)).toMatchObject({ status: 1n })
      const { raw, tx } = await eth.signTransaction({ ...payment, from })
      expect(tx).toMatchObject({ to: STRANGER, value: 1n, nonce: 0n })
      expect(await eth.sendSignedTransaction(raw)).toMatchObject({ status: 1n, from })
      expect(await eth.getBalance(STRANGER)).toBe(2n)
    })
  })

  it('signs with an account that the devnet holds', async () => {
    const { web3, eth, from } = await connected(way)
    const address = web3.utils.toChecksumAddress(from)
    const message = web3.utils.utf8ToHex('hello')
    const hash = hashMessage('hello')
    expect(await recoverAddress({ hash, signature: (await eth.sign(message, from)) as Hex })).toBe(address)
    const signature = await eth.personal.sign(message, from, 'password')
    expect(eth.accounts.recover('hello', signature)).toBe(address)
    const data = {
      types: { EIP712Domain: [{ name: 'name', type: 'string' }], Vote: [{ name: 'yes', type: 'bool' }] },
      primaryType: 'Vote',
      domain: { name: 'Parliament' },
      message: { yes: true },
    } as const
    const typed = (await eth.signTypedData(from, data as never)) as Hex
    expect(await recoverTypedDataAddress({ ...data, signature: typed })).toBe(address)
  })

  it('finds logs by contract, event and arguments', async () => {
    const connection = await connected(way)
    const { eth, from } = connection
    const emitter = await deployedEmitter(connection)
    await emitter.methods.emitMany(3n, TOPIC).send({ from })
    await emitter.methods.touch().send({ from, value: '7' })
    const all = await emitter.getPastEvents('allEvents', { fromBlock: 'earliest' })
    expect(all.map((log) => (typeof log === 'string' ? log : log.event))).toEqual([
      'Many',
      'Many',
      'Many',
      'Touched',
    ])
    const touched = await emitter.getPastEvents('Touched', { fromBlock: 3n, toBlock: 'latest' })
    expect(touched).toMatchObject([{ returnValues: { value: 7n }, blockNumber: 3n, logIndex: 0n }])
    const matching = (topic: string) => emitter.getPastEvents('Many', { fromBlock: 0n, filter: { topic } })
    expect(await matching(TOPIC)).toHaveLength(3)
    expect(await matching(ZERO_HASH)).toHaveLength(0)
    const address = emitter.options.address!
    expect(await eth.getPastLogs({ address, fromBlock: '0x0', topics: [null, [TOPIC]] })).toHaveLength(3)
  })

  describe.each(['base', 'geth'] as const)('learns, in the dialect %s,', (dialect) => {
    it('why a call reverted', async () => {
      const { eth, from } = await connected(way, { dialect })
      const reverter = await new eth.Contract(Reverter.abi).deploy({ data: Reverter.bytecode }).send({ from })
      const { revertString, revertCustom, panicAssert, writeThenRevertString } = reverter.methods
      const cases = [
        [revertString(), { errorName: 'Error', errorArgs: { message: 'Something went wrong' } }],
        [revertCustom(7n), { errorName: 'Custom', errorArgs: { code: 7n } }],
        [panicAssert(), { errorName: 'Panic', errorArgs: { code: 1n } }],
      ] as const
      for (const [method, cause] of cases) {
        await expect(method.call({ from })).rejects.toMatchObject({ cause })
        await expect(method.send({ from })).rejects.toMatchObject({ cause })
        // Here web3 leaves the data to its users.
        const data = expect.stringMatching(/^0x[0-9a-f]{8}/)
        await expect(method.estimateGas({ from })).rejects.toMatchObject({ cause: { data } })
      }
      const failing = writeThenRevertString().send({ from, gas: '100000' })
      await expect(failing).rejects.toMatchObject({ receipt: { status: 0n, logs: [] } })
    })

    it('why a transaction was refused', async () => {
      const { eth, from } = await connected(way, { dialect })
      const used = { from, to: STRANGER, nonce: 0n, gas: 21_000n }
      await eth.sendTransaction(used)
      await expect(eth.sendTransaction(used)).rejects.toThrow('nonce too low')
      // web3 tries the call before, and over the wire takes a refusal for a revert.
      const poor = eth.sendTransaction({ from, to: STRANGER, value: 20_000n * ETHER })
      const said = await poor.then(() => expect.unreachable(), told)
      expect(said).toContain('insufficient funds')
    })
  })

  it('steers the devnet', async () => {
    const { web3, eth, from } = await connected(way, { rhythm: 'manual' })
    const send = (method: string, ...params: unknown[]) =>
      web3.requestManager.send({ method: method as never, params: params as never })
    await send('hardhat_setBalance', STRANGER, '0xde0b6b3a7640000')
    await send('hardhat_impersonateAccount', STRANGER)
    await send('evm_setAutomine', true)
    expect(await eth.sendTransaction({ from: STRANGER, to: from, value: 1n })).toMatchObject({ status: 1n })
    const snapshot = await send('evm_snapshot')
    await send('evm_mine')
    expect(await eth.getBlockNumber()).toBe(2n)
    expect(await send('evm_revert', snapshot)).toBe(true)
    expect(await eth.getBlockNumber()).toBe(1n)
  })
})

describe.each([overWebSocket, inProcess])('web3 $name hears', (way) => {
  it('blocks', async () => {
    const { devnet, eth } = await connected(way, { rhythm: 'manual' })
    const numbers: unknown[] = []
    const subscription = await eth.subscribe('newBlockHeaders')
    subscription.on('data', ({ number }) => void numbers.push(number))
    for (let block = 0; block < 3; block++) await devnet.mine()
    await vi.waitUntil(() => numbers.length >= 3, SOON)
    expect(numbers).toEqual([1n, 2n, 3n])
    await subscription.unsubscribe()
    await devnet.mine()
    await eth.getBlockNumber()
    expect(numbers).toHaveLength(3)
  })

  it('events of a contract', async () => {
    const connection = await connected(way)
    const { from } = connection
    const emitter = await deployedEmitter(connection)
    const heard: unknown[] = []
    const subscription = emitter.events.Many({ filter: { topic: TOPIC } })
    const isReady = new Promise((resolve) => subscription.on('connected', resolve))
    subscription.on(
      'data',
      ({ returnValues, blockNumber }) => void heard.push([returnValues.index, blockNumber]),
    )
    await isReady
    await emitter.methods.touch().send({ from })
    await emitter.methods.emitMany(2n, TOPIC).send({ from })
    await vi.waitUntil(() => heard.length >= 2, SOON)
    expect(heard).toEqual([
      [0n, 3n],
      [1n, 3n],
    ])
    await subscription.unsubscribe()
  })

  it('logs and waiting transactions', async () => {
    const connection = await connected(way)
    const { eth, from } = connection
    const emitter = await deployedEmitter(connection)
    const logs: unknown[] = []
    const hashes: unknown[] = []
    const ofLogs = await eth.subscribe('logs', { topics: [null, TOPIC] } as never)
    ofLogs.on('data', ({ logIndex }) => void logs.push(logIndex))
    const ofTransactions = await eth.subscribe('pendingTransactions')
    ofTransactions.on('data', (hash) => void hashes.push(hash))
    const { transactionHash } = await emitter.methods.emitMany(1n, TOPIC).send({ from })
    await vi.waitUntil(() => logs.length > 0 && hashes.length > 0, SOON)
    expect(logs).toEqual([0n])
    expect(hashes).toEqual([transactionHash])
    await eth.clearSubscriptions()
  })
})

describe('web3 over HTTP', () => {
  it('asks many things in one batch, of which some may fail', async () => {
    const { web3, from } = await connected(overHttp)
    const batch = new web3.BatchRequest()
    const asked = [
      batch.add<string>({ method: 'eth_blockNumber', params: [] } as never),
      batch.add<string>({ method: 'eth_getTransactionCount', params: [from, 'latest'] } as never),
      batch.add<string>({ method: 'eth_misspelt', params: [] } as never).catch(() => 'refused'),
    ]
    await batch.execute()
    expect(await Promise.all(asked)).toEqual(['0x0', '0x0', 'refused'])
  })
})

describe('web3 over WebSocket', () => {
  it('comes back to a devnet that listens again', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const { webSocketUrl, port, close } = await devnet.listen({ port: 0 })
    const provider = new WebSocketProvider(
      webSocketUrl,
      {},
      { autoReconnect: true, delay: 5, maxAttempts: 100 },
    )
    const web3 = new Web3(provider)
    onTestFinished(() => provider.disconnect())
    expect(await web3.eth.getBlockNumber()).toBe(0n)
    await close()
    await devnet.mine()
    await devnet.listen({ port })
    expect(await web3.eth.getBlockNumber()).toBe(1n)
  })

  it('ends with its socket', async () => {
    const devnet = await started()
    const provider = new WebSocketProvider((await devnet.listen({ port: 0 })).webSocketUrl)
    await new Web3(provider).eth.subscribe('newBlockHeaders')
    provider.disconnect()
    await vi.waitUntil(() => provider.getStatus() === 'disconnected', SOON)
    await devnet.close()
  })
})
