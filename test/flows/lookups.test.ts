/** Looking things up: blocks and what is in them, by number, hash and index; as objects and as bytes. */
import { createBlockFromRLP } from '@ethereumjs/block'
import { createTxFromRLP } from '@ethereumjs/tx'
import { hexToBytes } from '@ethereumjs/util'
import {
  keccak256,
  parseTransaction,
  recoverMessageAddress,
  recoverTransactionAddress,
  recoverTypedDataAddress,
  type TransactionSerialized,
  toHex,
} from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { createDevnet, type Devnet } from '../../src/index.ts'
import { referenceCommon } from '../support/chains/referenceChain.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'

type Json = Record<string, unknown>
const NOBODY = `0x${'00'.repeat(32)}` as const

/** Block 1 with two transfers, block 2 with none, and a third transfer that is pre-confirmed. */
let devnet: Devnet
let first: Json
beforeAll(async () => {
  devnet = await createDevnet({ rhythm: 'manual' })
  const pay = () =>
    ask(devnet, 'eth_sendTransaction', { from: devnet.accounts[0]!.address, to: STRANGER, value: '0x1' })
  await pay()
  await pay()
  await devnet.mine()
  await devnet.seal()
  await pay()
  await devnet.tick()
  first = await ask<Json>(devnet, 'eth_getBlockByNumber', '0x1', true)
})

describe('a block', () => {
  it('says how many transactions and uncles it has, by number and by hash', async () => {
    for (const [by, key] of [
      ['Number', '0x1'],
      ['Hash', first.hash],
    ]) {
      expect(await ask(devnet, `eth_getBlockTransactionCountBy${by}`, key)).toBe('0x2')
      expect(await ask(devnet, `eth_getUncleCountByBlock${by}`, key)).toBe('0x0')
      expect(await ask(devnet, `eth_getUncleByBlock${by}AndIndex`, key, '0x0')).toBeNull()
    }
    expect(await ask(devnet, 'eth_getBlockTransactionCountByNumber', 'pending')).toBe('0x1')
    expect(await ask(devnet, 'eth_getBlockTransactionCountByNumber', 'latest')).toBe('0x0')
  })

  it('gives its transactions by index, as they stand in it', async () => {
    const transactions = first.transactions as Json[]
    for (const index of [0, 1]) {
      const [byNumber, byHash] = await Promise.all([
        ask(devnet, 'eth_getTransactionByBlockNumberAndIndex', '0x1', toHex(index)),
        ask(devnet, 'eth_getTransactionByBlockHashAndIndex', first.hash, toHex(index)),
      ])
      expect(byNumber).toEqual(transactions[index])
      expect(byHash).toEqual(transactions[index])
    }
    expect(await ask(devnet, 'eth_getTransactionByBlockNumberAndIndex', '0x1', '0x2')).toBeNull()
    const pending = await ask<Json>(devnet, 'eth_getTransactionByBlockNumberAndIndex', 'pending', '0x0')
    expect(pending).toMatchObject({ blockHash: null, blockNumber: '0x3', transactionIndex: '0x0' })
  })

  it('gives all its receipts at once', async () => {
    const transactions = first.transactions as { hash: string }[]
    const receipts = await Promise.all(
      transactions.map(({ hash }) => ask(devnet, 'eth_getTransactionReceipt', hash)),
    )
    for (const at of ['0x1', first.hash, { blockHash: first.hash }]) {
      expect(await ask(devnet, 'eth_getBlockReceipts', at)).toEqual(receipts)
    }
    expect(await ask(devnet, 'eth_getBlockReceipts', 'latest')).toEqual([])
    expect(await ask(devnet, 'eth_getBlockReceipts', 'pending')).toMatchObject([{ blockNumber: '0x3' }])
  })

  it('gives its header alone, and none before it is sealed', async () => {
    const { transactions, uncles, withdrawals, size, ...header } = first
    expect(await ask(devnet, 'eth_getHeaderByNumber', '0x1')).toEqual(header)
    expect(await ask(devnet, 'eth_getHeaderByHash', first.hash)).toEqual(header)
    expect(await ask(devnet, 'eth_getHeaderByNumber', 'pending')).toBeNull()
  })

  it('that never was is null everywhere', async () => {
    for (const method of [
      'eth_getBlockTransactionCountByNumber',
      'eth_getUncleCountByBlockNumber',
      'eth_getBlockReceipts',
      'eth_getHeaderByNumber',
    ]) {
      expect(await ask(devnet, method, '0x99')).toBeNull()
    }
    for (const method of [
      'eth_getBlockTransactionCountByHash',
      'eth_getUncleCountByBlockHash',
      'eth_getBlockReceipts',
      'eth_getHeaderByHash',
    ]) {
      expect(await ask(devnet, method, NOBODY)).toBeNull()
    }
    expect(await ask(devnet, 'eth_getTransactionByBlockHashAndIndex', NOBODY, '0x0')).toBeNull()
    expect(await ask(devnet, 'eth_getRawTransactionByBlockNumberAndIndex', '0x99', '0x0')).toBeNull()
  })

  it('as bytes is read back by EthereumJS, with its hash, its transactions and its receipts', async () => {
    const common = referenceCommon('osaka')
    const raw = await ask<`0x${string}`>(devnet, 'debug_getRawBlock', '0x1')
    const block = createBlockFromRLP(hexToBytes(raw), { common })
    expect(toHex(block.hash())).toBe(first.hash)
    const header = await ask<`0x${string}`>(devnet, 'debug_getRawHeader', first.hash)
    expect(keccak256(header)).toBe(first.hash)
    const hashes = (first.transactions as { hash: string }[]).map(({ hash }) => hash)
    for (const [index, hash] of hashes.entries()) {
      const bytes = await ask<`0x${string}`>(devnet, 'eth_getRawTransactionByHash', hash)
      expect(toHex(createTxFromRLP(hexToBytes(bytes), { common }).hash())).toBe(hash)
      expect(await ask(devnet, 'debug_getRawTransaction', hash)).toBe(bytes)
      const place = [first.hash, toHex(index)]
      expect(await ask(devnet, 'eth_getRawTransactionByBlockHashAndIndex', ...place)).toBe(bytes)
    }
    const receipts = await ask<`0x${string}`[]>(devnet, 'debug_getRawReceipts', '0x1')
    expect(receipts.map((receipt) => receipt.slice(0, 4))).toEqual(['0x02', '0x02'])
  })

  it('has a raw transaction while it waits, and says in its dialect that there is none', async () => {
    const fork = devnet.fork()
    const hash = await ask<string>(fork, 'eth_sendTransaction', {
      from: devnet.accounts[1]!.address,
      to: STRANGER,
    })
    expect(keccak256(await ask<`0x${string}`>(fork, 'eth_getRawTransactionByHash', hash))).toBe(hash)
    expect(await ask(devnet, 'debug_getRawTransaction', NOBODY)).toBeNull()
    const geth = await started({ rhythm: 'manual', dialect: 'geth' })
    expect(await ask(geth, 'debug_getRawTransaction', NOBODY)).toBe('0x')
  })
})

describe('a signature of an unlocked account', () => {
  it('of a message is recovered by viem', async () => {
    const { address } = devnet.accounts[0]!
    for (const [message, raw] of [
      ['hello', '0x68656c6c6f'],
      ['', '0x'],
    ] as const) {
      const signature = await ask<`0x${string}`>(devnet, 'personal_sign', raw, address)
      expect(await recoverMessageAddress({ message, signature })).toBe(address)
      expect(await ask(devnet, 'eth_sign', address, raw)).toBe(signature)
      expect(await ask(devnet, 'personal_sign', raw, address, 'password')).toBe(signature)
    }
  })

  it('of typed data is recovered by viem', async () => {
    const { address } = devnet.accounts[0]!
    const data = {
      types: {
        Vote: [
          { name: 'proposal', type: 'uint256' },
          { name: 'inFavour', type: 'bool' },
        ],
      },
      primaryType: 'Vote',
      domain: { name: 'Parliament', chainId: 31337 },
      message: { proposal: '7', inFavour: true },
    } as const
    const signature = await ask<`0x${string}`>(devnet, 'eth_signTypedData_v4', address, JSON.stringify(data))
    const typed = { ...data, message: { ...data.message, proposal: 7n } }
    expect(await recoverTypedDataAddress({ ...typed, signature })).toBe(address)
    for (const name of ['eth_signTypedData', 'eth_signTypedData_v3']) {
      expect(await ask(devnet, name, address, data)).toBe(signature)
    }
  })

  it('of a transaction is what sending it would have made, and can be sent', async () => {
    const fork = devnet.fork()
    const wish = { from: devnet.accounts[2]!.address, to: STRANGER, value: '0x5' }
    const raw = await ask<TransactionSerialized<'eip1559'>>(fork, 'eth_signTransaction', wish)
    expect(await recoverTransactionAddress({ serializedTransaction: raw })).toBe(wish.from)
    expect(parseTransaction(raw)).toMatchObject({ to: STRANGER, value: 5n })
    const hash = keccak256(raw)
    expect(await ask(fork.fork(), 'eth_sendTransaction', wish)).toBe(hash)
    expect(await ask(fork, 'eth_sendRawTransaction', raw)).toBe(hash)
    const next = await ask<TransactionSerialized<'eip1559'>>(fork, 'eth_signTransaction', wish)
    expect(parseTransaction(next).nonce).toBe(1)
    await expect(ask(fork, 'eth_signTransaction', { ...wish, from: STRANGER })).rejects.toMatchObject({
      code: -32000,
    })
  })

  it('of a transaction comes with the transaction in the dialect geth (execution-apis SignTransactionResult)', async () => {
    const geth = await started({ rhythm: 'manual', dialect: 'geth' })
    const wish = { from: geth.accounts[2]!.address, to: STRANGER, value: '0x5' }
    const { raw, tx } = await ask<{ raw: `0x${string}`; tx: object }>(geth, 'eth_signTransaction', wish)
    expect(await ask(geth, 'eth_sendRawTransaction', raw)).toBe(keccak256(raw))
    expect(await ask(geth, 'eth_getTransactionByHash', keccak256(raw))).toEqual(tx)
  })

  it('is refused for who is not unlocked, and for data that does not fit its types', async () => {
    await expect(ask(devnet, 'personal_sign', '0x00', STRANGER)).rejects.toMatchObject({ code: -32000 })
    const data = { types: { T: [{ name: 'x', type: 'uint8' }] }, primaryType: 'T', message: { x: 256 } }
    await expect(
      ask(devnet, 'eth_signTypedData_v4', devnet.accounts[0]!.address, data),
    ).rejects.toMatchObject({
      code: -32602,
      message: 'invalid argument 1: params[1].message.x: expected a number that uint8 can hold, got 256',
    })
  })
})

describe('a transaction', () => {
  it('is found by its sender and nonce wherever it stands', async () => {
    const from = devnet.accounts[0]!.address
    const by = (nonce: string, sender: string = from) =>
      ask<Json | null>(devnet, 'eth_getTransactionBySenderAndNonce', sender, nonce)
    expect(await by('0x0')).toEqual((first.transactions as Json[])[0])
    expect(await by('0x1')).toEqual((first.transactions as Json[])[1])
    expect(await by('0x2')).toMatchObject({ nonce: '0x2', blockHash: null, blockNumber: null })
    expect(await by('0x3')).toBeNull()
    expect(await by('0x0', STRANGER)).toBeNull()

    const fork = devnet.fork()
    const hash = await ask(fork, 'eth_sendTransaction', { from, to: STRANGER, nonce: '0x7' })
    const waiting = await ask(fork, 'eth_getTransactionBySenderAndNonce', from, '0x7')
    expect(waiting).toMatchObject({ hash, blockNumber: null })
    expect(await ask(fork, 'eth_pendingTransactions')).toEqual([waiting])
    expect(await ask(devnet, 'eth_pendingTransactions')).toEqual([])
  })

  it('is not found in a block that was pruned', async () => {
    const fresh = await started({ rhythm: 'manual', history: { blocks: 1 } })
    const from = fresh.accounts[0]!.address
    await ask(fresh, 'eth_sendTransaction', { from, to: STRANGER })
    for (let i = 0; i < 3; i++) await fresh.mine()
    expect(await ask(fresh, 'eth_getTransactionBySenderAndNonce', from, '0x0')).toBeNull()
  })
})

describe('the base fee', () => {
  it('is that of the block that is being made, and before there is one that of the next', async () => {
    const fresh = await started({ rhythm: 'manual' })
    const feeOf = async (at: string) =>
      (await ask<Json>(fresh, 'eth_getBlockByNumber', at, false)).baseFeePerGas
    for (let i = 0; i < 2; i++) {
      const next = await ask(fresh, 'eth_baseFee')
      await fresh.tick()
      expect([await ask(fresh, 'eth_baseFee'), await feeOf('pending')]).toEqual([next, next])
      await fresh.seal()
      expect(await feeOf('latest')).toBe(next)
    }
    await ask(fresh, 'anvil_setNextBlockBaseFeePerGas', '0x7')
    expect(await ask(fresh, 'eth_baseFee')).toBe('0x7')
  })

  it('is none before London', async () => {
    expect(await ask(await started({ hardfork: 'berlin' }), 'eth_baseFee')).toBeNull()
  })
})

describe('the network', () => {
  it.each([
    ['net_listening', [], true],
    ['net_peerCount', [], '0x0'],
    ['eth_syncing', [], false],
    ['eth_mining', [], false],
    ['eth_hashrate', [], '0x0'],
    ['eth_networkId', [], '31337'],
    ['eth_protocolVersion', [], '0x45'],
    ['eth_coinbase', [], `0x${'00'.repeat(20)}`],
    ['eth_blobBaseFee', [], '0x1'],
    ['web3_clientVersion', [], expect.stringMatching(/^anvil\/preseal\/v\d/)],
    ['web3_sha3', ['0x68656c6c6f'], keccak256('0x68656c6c6f')],
  ])('answers %s', async (method, params, answer) => {
    expect(await ask(devnet, method, ...params)).toEqual(answer)
  })

  it('names the namespaces of its methods', async () => {
    expect(Object.keys(await ask<object>(devnet, 'rpc_modules'))).toEqual(
      expect.arrayContaining(['eth', 'txpool']),
    )
  })

  it('knows no price of blobs before Cancun', async () => {
    const old = await started({ rhythm: 'manual', hardfork: 'shanghai' })
    expect(await ask(old, 'eth_blobBaseFee')).toBeNull()
  })
})
