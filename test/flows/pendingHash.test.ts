/** What the hash of the pre-confirmed block is: zeros, or on OP Mainnet that of its header, which no block will ever have. */
import { createBlockHeader } from '@ethereumjs/block'
import { bytesToHex } from '@ethereumjs/util'
import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { DevnetOptions } from '../../src/index.ts'
import { theirCommon } from '../support/chains/headers.ts'
import { onWire } from '../support/clients/addresses.ts'
import { ask, STRANGER, started, ZERO_HASH } from '../support/clients/clients.ts'

type Json = Record<string, Hex>

/** Logs, and nothing else: PUSH0, PUSH0, LOG0. */
const LOGGING: Hex = '0x5f5fa0'
const LOGGER = '0x00000000000000000000000000000000000000a0'

/** A devnet as OP Mainnet is, with one transaction that waits and will log. */
async function waiting(options: DevnetOptions = {}) {
  const devnet = await started({ profile: 'op-flashblocks', rhythm: 'manual', ...options })
  await ask(devnet, 'anvil_setCode', LOGGER, LOGGING)
  const send = () => {
    const from = onWire(devnet.accounts[0]!.address)
    return ask<Hex>(devnet, 'eth_sendTransaction', { from, to: LOGGER, gas: '0xc350' })
  }
  const pending = () => ask<Json>(devnet, 'eth_getBlockByNumber', 'pending', false)
  return { devnet, send, pending, hash: await send() }
}

/** The hash of a header in JSON, by EthereumJS. */
function hashOf({ sha3Uncles, miner, transactionsRoot, receiptsRoot, ...header }: Json): Hex {
  const theirs = createBlockHeader(
    {
      ...header,
      uncleHash: sha3Uncles!,
      coinbase: miner!,
      transactionsTrie: transactionsRoot!,
      receiptTrie: receiptsRoot!,
    },
    { common: theirCommon('osaka'), skipConsensusFormatValidation: true },
  )
  return bytesToHex(theirs.hash())
}

describe('the pre-confirmed block of OP Mainnet', () => {
  it('has the hash of its header as it stands, over a zero state root', async () => {
    const { devnet, pending } = await waiting()
    await devnet.tick()
    const block = await pending()
    expect(block.stateRoot).toBe(ZERO_HASH)
    expect(block.hash).toBe(hashOf(block))
  })

  it('gives that hash to its transactions, receipts and logs', async () => {
    const { devnet, pending, hash } = await waiting()
    await devnet.tick()
    const { hash: blockHash } = await pending()
    expect(await ask(devnet, 'eth_getTransactionByHash', hash)).toMatchObject({ blockHash })
    expect(await ask(devnet, 'eth_getTransactionReceipt', hash)).toMatchObject({
      blockHash,
      logs: [{ blockHash }],
    })
    const logs = await ask(devnet, 'eth_getLogs', { fromBlock: 'pending', toBlock: 'pending' })
    expect(logs).toMatchObject([{ blockHash }])
  })

  it('has another with each slice that brings something, and in the end another yet', async () => {
    const { devnet, send, pending, hash } = await waiting()
    await devnet.tick()
    const first = await pending()
    await devnet.tick()
    expect(await pending()).toEqual(first)
    await send()
    await devnet.tick()
    const last = await pending()
    expect(last.hash).toBe(hashOf(last))
    await devnet.seal()
    const { hash: sealed } = await ask<Json>(devnet, 'eth_getBlockByNumber', 'latest', false)
    expect(new Set([ZERO_HASH, first.hash, last.hash, sealed]).size).toBe(4)
    expect(await ask(devnet, 'eth_getTransactionReceipt', hash)).toMatchObject({ blockHash: sealed })
  })

  it('is not found under it', async () => {
    const { devnet, pending } = await waiting()
    await devnet.tick()
    const { hash: blockHash } = await pending()
    expect(await ask(devnet, 'eth_getBlockByHash', blockHash, false)).toBeNull()
    const unknown = { code: -32001, message: `block not found: hash ${blockHash}` }
    await expect(ask(devnet, 'eth_getLogs', { blockHash })).rejects.toMatchObject(unknown)
    await expect(ask(devnet, 'eth_getBalance', STRANGER, { blockHash })).rejects.toMatchObject(unknown)
  })

  it('has it before anything was sent, and where the chain is no L2', async () => {
    const devnet = await started({ rhythm: 'manual', pendingHash: 'real' })
    await devnet.tick()
    const block = await ask<Json>(devnet, 'eth_getBlockByNumber', 'pending', false)
    expect(block.transactions).toEqual([])
    expect(block.hash).toBe(hashOf(block))
  })

  it('is sealed as it would be under a hash of zeros', async () => {
    const sealed = await Promise.all(
      (['zero', 'real'] as const).map(async (pendingHash) => {
        const { devnet, send } = await waiting({ pendingHash })
        await devnet.tick()
        await send()
        for (let i = 0; i < 9; i++) await devnet.tick()
        return ask(devnet, 'eth_getBlockByNumber', '0x1', true)
      }),
    )
    expect(sealed[0]).toMatchObject({ number: '0x1', transactions: { length: 3 } })
    expect(sealed[1]).toEqual(sealed[0])
  })
})
