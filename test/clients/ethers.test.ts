/** ethers 6 over each of its providers: what its users do all day. */
import {
  getAddress,
  type JsonRpcApiProvider,
  JsonRpcProvider,
  NonceManager,
  parseEther,
  parseUnits,
  recoverAddress,
  Transaction,
  toBeHex,
  verifyMessage,
  verifyTypedData,
  Wallet,
  ZeroHash,
} from 'ethers'
import { describe, expect, it } from 'vitest'
import { Emitter } from '../../fixtures/contracts/Emitter.ts'
import { Store } from '../../fixtures/contracts/Store.ts'
import { Token } from '../../fixtures/contracts/Token.ts'
import { STRANGER } from '../support/clients/clients.ts'
import { connectedEthers, deployed, ETHERS_WAYS, inProcess, overHttp } from '../support/clients/ethers.ts'

const TOPIC = `0x${'ab'.repeat(32)}`

describe.each(ETHERS_WAYS)('ethers $name', (way) => {
  describe('deploys, writes and reads', () => {
    it('with a wallet whose key it holds', async () => {
      const { wallet } = await connectedEthers(way)
      const token = await deployed(Token, wallet, 'Gold', 'GOLD')
      const sent = await token.mint!(STRANGER, 5n)
      expect(await sent.wait()).toMatchObject({ status: 1, blockNumber: 2, from: wallet.address })
      expect(await token.balanceOf!(STRANGER)).toBe(5n)
      expect(await token.name!()).toBe('Gold')
      expect(await token.owner!()).toBe(wallet.address)
    })

    it('with an account that the devnet holds', async () => {
      const { devnet, provider } = await connectedEthers(way)
      const signers = await provider.listAccounts()
      expect(signers.map(({ address }) => address)).toEqual(
        devnet.accounts.map(({ address }) => getAddress(address)),
      )
      const signer = await provider.getSigner(1)
      const token = await deployed(Token, signer, 'Gold', 'GOLD')
      expect(await token.deploymentTransaction()!.wait()).toMatchObject({ contractAddress: token.target })
      await (await token.mint!(signer, 5n)).wait()
      expect(await token.balanceOf!(signer)).toBe(5n)
      const sent = await signer.sendTransaction({ to: STRANGER, value: parseEther('1') })
      expect(sent).toMatchObject({ from: signer.address, nonce: 2, type: 2, blockNumber: 3 })
      expect(await provider.getBalance(STRANGER)).toBe(parseEther('1'))
    })

    it('after it has tried the call and estimated its gas', async () => {
      const { wallet } = await connectedEthers(way)
      const token = await deployed(Token, wallet, 'Gold', 'GOLD')
      await token.mint!(wallet, 10n)
      expect(await token.transfer!.staticCall(STRANGER, 9n)).toBe(true)
      const gasLimit = await token.transfer!.estimateGas(STRANGER, 9n)
      const sent = await token.transfer!(STRANGER, 9n, { gasLimit })
      const receipt = await sent.wait()
      expect(receipt).toMatchObject({ status: 1, gasUsed: gasLimit })
      expect(receipt.fee).toBe(receipt.gasUsed * receipt.gasPrice)
    })

    it('and sends money to a contract', async () => {
      const { provider, wallet } = await connectedEthers(way)
      const emitter = await deployed(Emitter, wallet)
      await emitter.touch!({ value: 7n })
      expect(await provider.getBalance(emitter)).toBe(7n)
    })
  })

  describe('looks', () => {
    it('at accounts, now and then', async () => {
      const { provider, wallet } = await connectedEthers(way)
      const store = await deployed(Store, wallet)
      await store.set!(1n, 42n)
      expect(await provider.getCode(store)).toBe(Store.deployedBytecode)
      expect(await provider.getStorage(store, 1n)).toBe(toBeHex(42, 32))
      expect(await provider.getStorage(store, 1n, 1)).toBe(ZeroHash)
      expect(await provider.getTransactionCount(wallet)).toBe(2)
      expect(await wallet.getNonce(1)).toBe(1)
      // ethers counts negative blocks from the newest one.
      expect(await provider.getTransactionCount(wallet, -2)).toBe(0)
      for (const tag of ['earliest', 'safe', 'finalized', 0, '0x0']) {
        expect(await provider.getBalance(wallet, tag)).toBe(parseEther('10000'))
      }
      expect(await store.get!(1n, { blockTag: 2 })).toBe(42n)
      expect(await store.get!(1n, { blockTag: 1 })).toBe(0n)
    })

    it('at the chain', async () => {
      const { provider, wallet } = await connectedEthers(way)
      await deployed(Store, wallet)
      expect(await provider.getNetwork()).toMatchObject({ chainId: 31337n })
      expect(await provider.getBlockNumber()).toBe(1)
      const block = (await provider.getBlock('latest', true))!
      expect(block).toMatchObject({ number: 1, baseFeePerGas: 875_000_000n, gasLimit: 30_000_000n })
      expect(block.prefetchedTransactions).toMatchObject([{ blockHash: block.hash, type: 2, to: null }])
      expect(await provider.getBlock(block.hash!)).toMatchObject({
        number: 1,
        transactions: block.transactions,
      })
      expect(await block.getTransaction(0)).toMatchObject({ from: wallet.address })
    })

    it('for what does not exist', async () => {
      const { provider } = await connectedEthers(way)
      expect(await provider.getBlock(5)).toBe(null)
      expect(await provider.getBlock(TOPIC)).toBe(null)
      expect(await provider.getTransaction(TOPIC)).toBe(null)
      expect(await provider.getTransactionReceipt(TOPIC)).toBe(null)
      expect(await provider.getCode(STRANGER)).toBe('0x')
      expect(await provider.getBalance(STRANGER)).toBe(0n)
    })

    it('at fees', async () => {
      const { provider } = await connectedEthers(way)
      const gwei = (amount: string) => parseUnits(amount, 'gwei')
      expect(await provider.getFeeData()).toMatchObject({
        // The tip, and the base fee of the next block: 1 gwei less an eighth, for its parent is empty (EIP-1559).
        gasPrice: gwei('1.875'),
        maxPriorityFeePerGas: gwei('1'),
        // ethers' own reckoning: twice the base fee, and the tip.
        maxFeePerGas: gwei('3'),
      })
    })
  })

  describe('sends transactions', () => {
    const accessList = [{ address: STRANGER, storageKeys: [TOPIC] }]

    it.each([
      ['type 0', 0, { type: 0 }],
      ['type 1', 1, { type: 1, accessList }],
      ['type 2', 2, { type: 2, accessList }],
      ['type 2, because nothing else was said', 2, {}],
    ])('of %s', async (_, type, fields) => {
      const { provider, wallet } = await connectedEthers(way)
      for (const runner of [wallet, await provider.getSigner(1)]) {
        const sent = await runner.sendTransaction({ ...fields, to: STRANGER, value: 1n })
        expect(await sent.wait()).toMatchObject({ status: 1, type })
        const found = (await provider.getTransaction(sent.hash))!
        expect(found).toMatchObject({ type, value: 1n, chainId: 31337n, from: await runner.getAddress() })
        expect(recoverAddress(Transaction.from(found).unsignedHash, found.signature)).toBe(found.from)
        if ('accessList' in fields) expect(found.accessList).toEqual(accessList)
      }
    })

    it('of type 4, which give an account code', async () => {
      const { devnet, provider, wallet } = await connectedEthers(way)
      const store = await deployed(Store, wallet)
      const guest = new Wallet(devnet.accounts[1]!.privateKey, provider)
      const authorization = await guest.authorize({ address: store.target as string })
      const sent = await wallet.sendTransaction({
        to: guest,
        data: store.interface.encodeFunctionData('set', [1n, 42n]),
        authorizationList: [authorization],
      })
      expect(await sent.wait()).toMatchObject({ status: 1, type: 4 })
      expect(await provider.getCode(guest)).toBe(`0xef0100${(store.target as string).slice(2).toLowerCase()}`)
      expect(await provider.getStorage(guest, 1n)).toBe(toBeHex(42, 32))
      const { authorizationList } = (await provider.getTransaction(sent.hash))!
      expect(authorizationList).toMatchObject([{ address: store.target, nonce: 0n, chainId: 31337n }])
    })

    it('that were signed elsewhere', async () => {
      const { provider, wallet } = await connectedEthers(way)
      const request = await wallet.populateTransaction({ to: STRANGER, value: 1n })
      expect(request).toMatchObject({ type: 2, nonce: 0, gasLimit: 21_000n, chainId: 31337n })
      const sent = await provider.broadcastTransaction(await wallet.signTransaction(request))
      expect(await sent.wait()).toMatchObject({ status: 1 })
    })

    it('that the devnet signs, and does not send', async () => {
      const { provider } = await connectedEthers(way)
      const signer = await provider.getSigner(1)
      const raw = await signer.signTransaction({ to: STRANGER, value: 1n })
      expect(Transaction.from(raw)).toMatchObject({ from: signer.address, value: 1n, nonce: 0 })
      expect(await provider.getBlockNumber()).toBe(0)
      await (await provider.broadcastTransaction(raw)).wait()
      expect(await provider.getBalance(STRANGER)).toBe(1n)
    })

    it('many at once', async () => {
      const { devnet, provider, wallet } = await connectedEthers(way, { rhythm: 'manual' })
      const manager = new NonceManager(wallet)
      const signer = await provider.getSigner(1)
      const payment = { to: STRANGER, value: 1n }
      await Promise.all(
        [manager, signer].flatMap((runner) =>
          Array.from({ length: 8 }, () => runner.sendTransaction(payment)),
        ),
      )
      await devnet.mine()
      expect(await provider.getBalance(STRANGER)).toBe(16n)
    })

    it('one after another without waiting', async () => {
      const { devnet, provider, wallet } = await connectedEthers(way, { rhythm: 'manual' })
      for (let i = 0; i < 5; i++) await wallet.sendTransaction({ to: STRANGER, value: 1n })
      await devnet.mine()
      expect((await provider.getBlock('latest'))!.transactions).toHaveLength(5)
    })
  })

  describe('signs with an account that the devnet holds', () => {
    it('messages', async () => {
      const { provider } = await connectedEthers(way)
      const signer = await provider.getSigner(1)
      for (const message of ['hello', '', '0x68656c6c6f', 'ünïcödé', new Uint8Array([0, 255])]) {
        expect(verifyMessage(message, await signer.signMessage(message))).toBe(signer.address)
        expect(verifyMessage(message, await signer._legacySignMessage(message))).toBe(signer.address)
      }
    })

    it('typed data', async () => {
      const { provider, wallet } = await connectedEthers(way)
      const signer = await provider.getSigner(0)
      const domain = { name: 'Mail', version: '1', chainId: 31337n, verifyingContract: STRANGER }
      const types = {
        Person: [
          { name: 'name', type: 'string' },
          { name: 'wallets', type: 'address[]' },
        ],
        Mail: [
          { name: 'from', type: 'Person' },
          { name: 'to', type: 'Person[]' },
          { name: 'amount', type: 'uint256' },
          { name: 'change', type: 'int64' },
          { name: 'salt', type: 'bytes32' },
          { name: 'data', type: 'bytes' },
          { name: 'urgent', type: 'bool' },
        ],
      }
      const person = { name: 'Ann', wallets: [STRANGER, wallet.address] }
      const mail = {
        from: person,
        to: [person, { name: 'Bob', wallets: [] }],
        amount: 2n ** 255n,
        change: -7n,
        salt: TOPIC,
        data: '0x1234',
        urgent: true,
      }
      const signature = await signer.signTypedData(domain, types, mail)
      expect(verifyTypedData(domain, types, mail, signature)).toBe(signer.address)
      // The same key, and RFC 6979 leaves nothing to chance.
      expect(signature).toBe(await wallet.signTypedData(domain, types, mail))
    })
  })

  describe('finds logs', () => {
    it('by contract, event and arguments', async () => {
      const { provider, wallet } = await connectedEthers(way)
      const emitter = await deployed(Emitter, wallet)
      await emitter.emitMany!(3n, TOPIC)
      await emitter.touch!({ value: 7n })
      const all = await emitter.queryFilter('*')
      expect(all.map((log) => ('eventName' in log ? [log.eventName, log.index] : []))).toEqual([
        ['Many', 0],
        ['Many', 1],
        ['Many', 2],
        ['Touched', 0],
      ])
      expect(await emitter.queryFilter(emitter.filters.Many!(TOPIC))).toHaveLength(3)
      expect(await emitter.queryFilter(emitter.filters.Many!(ZeroHash))).toEqual([])
      expect(await emitter.queryFilter('Touched', 3, 3)).toMatchObject([{ args: [wallet.address, 7n] }])
      expect(await emitter.queryFilter('Touched', -1)).toHaveLength(1)
      const { hash } = (await provider.getBlock(2))!
      expect(await provider.getLogs({ blockHash: hash! })).toHaveLength(3)
      expect(await provider.getLogs({ address: [emitter, STRANGER], fromBlock: 'earliest' })).toHaveLength(4)
    })

    it('in receipts', async () => {
      const { wallet } = await connectedEthers(way)
      const emitter = await deployed(Emitter, wallet)
      const receipt = await (await emitter.emitMany!(2n, TOPIC)).wait()
      expect(receipt.logs).toMatchObject([{ args: [TOPIC, 0n] }, { args: [TOPIC, 1n] }])
      expect(await (await receipt.getBlock()).getTransaction(0)).toMatchObject({ hash: receipt.hash })
    })
  })

  describe('steers the devnet', () => {
    it('as an account whose key nobody has', async () => {
      const { provider, wallet } = await connectedEthers(way)
      const token = await deployed(Token, wallet, 'Gold', 'GOLD')
      await token.mint!(STRANGER, 5n)
      await provider.send('hardhat_setBalance', [STRANGER, toBeHex(parseEther('1'))])
      await expect(provider.getSigner(STRANGER)).rejects.toThrow('invalid account')
      await provider.send('hardhat_impersonateAccount', [STRANGER])
      const whale = await provider.getSigner(STRANGER)
      const sent = await token.connect(whale).getFunction('transfer')(wallet.address, 5n)
      expect(await sent.wait()).toMatchObject({ status: 1, from: STRANGER })
      expect(await token.balanceOf!(wallet)).toBe(5n)
      await provider.send('hardhat_stopImpersonatingAccount', [STRANGER])
      await expect(provider.getSigner(STRANGER)).rejects.toThrow('invalid account')
    })

    it('to blocks, times and snapshots', async () => {
      const { provider } = await connectedEthers(way, { rhythm: 'manual' })
      const { timestamp } = (await provider.getBlock('latest'))!
      const snapshot = await provider.send('evm_snapshot', [])
      await provider.send('evm_increaseTime', [3600])
      await provider.send('evm_mine', [])
      await provider.send('hardhat_mine', ['0x5'])
      expect(await provider.getBlock(1)).toMatchObject({ timestamp: timestamp + 3600 })
      expect(await provider.getBlockNumber()).toBe(6)
      expect(await provider.send('evm_revert', [snapshot])).toBe(true)
      expect(await provider.getBlockNumber()).toBe(0)
    })
  })
})

describe('ethers over HTTP', () => {
  /** How many calls were in each message that `provider` sent. */
  function sizes(provider: JsonRpcApiProvider): number[] {
    const found: number[] = []
    void provider.on('debug', ({ action, payload }: { action: string; payload: unknown }) => {
      if (action === 'sendRpcPayload') found.push([payload].flat().length)
    })
    return found
  }

  const ask = (provider: JsonRpcApiProvider) =>
    Promise.all([
      provider.send('eth_blockNumber', []),
      provider.send('eth_chainId', []),
      provider.send('eth_getBalance', ['0x12']).catch(({ error }) => error.code),
      provider.send('eth_gasPrice', []),
    ])

  it('asks many things in one batch, of which some may fail', async () => {
    const { provider } = await connectedEthers(overHttp)
    const messages = sizes(provider)
    expect(await ask(provider)).toEqual(['0x0', '0x7a69', -32602, '0x6fc23ac0'])
    expect(messages).toHaveLength(1)
  })

  it('asks one by one where it is told to', async () => {
    const { provider } = await connectedEthers({
      name: 'one by one',
      connect: async (devnet) =>
        new JsonRpcProvider((await devnet.listen({ port: 0 })).url, undefined, { batchMaxCount: 1 }),
    })
    const messages = sizes(provider)
    expect(await ask(provider)).toEqual(['0x0', '0x7a69', -32602, '0x6fc23ac0'])
    expect(new Set(messages)).toEqual(new Set([1]))
  })
})

describe('ethers in process', () => {
  it('asks for accounts where it does not find the one it wants', async () => {
    const { provider } = await connectedEthers(inProcess, { accounts: 2 })
    expect(await provider.hasSigner(1)).toBe(true)
    expect(await provider.hasSigner(2)).toBe(false)
    await expect(provider.getSigner(2)).rejects.toThrow('no such account')
    expect(await provider.send('eth_requestAccounts', [])).toHaveLength(2)
  })
})
