/** Who may send without a key, and what waits and is given up. */
import { type Hex, keccak256, numberToHex, parseEther } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Devnet } from '../../src/index.ts'
import { onWire } from '../support/clients/addresses.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'

const RICH = numberToHex(parseEther('10'))
const OTHER = '0x0000000000000000000000000000000000006666'

function send(devnet: Devnet, fields: object = {}, method = 'eth_sendTransaction'): Promise<Hex> {
  return ask(devnet, method, { from: STRANGER, to: OTHER, value: '0x1', ...fields })
}

const unknownAccount = { code: -32000, message: expect.stringContaining('unknown account') }

describe('an impersonated account', () => {
  it('sends until it is not impersonated any more', async () => {
    const devnet = await started({ rhythm: 'instant' })
    await ask(devnet, 'anvil_setBalance', STRANGER, RICH)
    await expect(send(devnet)).rejects.toMatchObject(unknownAccount)
    expect(await ask(devnet, 'hardhat_impersonateAccount', STRANGER)).toBe(true)
    const hash = await send(devnet)
    expect(await ask(devnet, 'eth_getTransactionReceipt', hash)).toMatchObject({
      status: '0x1',
      from: STRANGER,
    })
    expect(await ask(devnet, 'eth_getBalance', OTHER)).toBe('0x1')
    await ask(devnet, 'hardhat_stopImpersonatingAccount', STRANGER)
    await expect(send(devnet)).rejects.toMatchObject(unknownAccount)
  })

  it('is among the accounts as long as it is impersonated, once', async () => {
    const devnet = await started({ rhythm: 'manual', accounts: 1 })
    const address = onWire(devnet.accounts[0]!.address)
    for (const account of [STRANGER, STRANGER, address])
      await ask(devnet, 'anvil_impersonateAccount', account)
    expect(await ask(devnet, 'eth_accounts')).toEqual([address, STRANGER])
    expect(await ask(devnet, 'eth_requestAccounts')).toEqual([address, STRANGER])
    for (const account of [STRANGER, address]) await ask(devnet, 'anvil_stopImpersonatingAccount', account)
    expect(await ask(devnet, 'eth_accounts')).toEqual([address])
  })

  it('may be anybody, where all are', async () => {
    const devnet = await started({ rhythm: 'instant' })
    await ask(devnet, 'anvil_setBalance', STRANGER, RICH)
    await ask(devnet, 'anvil_autoImpersonateAccount', true)
    await send(devnet)
    await ask(devnet, 'anvil_autoImpersonateAccount', false)
    await expect(send(devnet)).rejects.toMatchObject(unknownAccount)
    expect(await ask(devnet, 'eth_getTransactionCount', STRANGER)).toBe('0x1')
  })

  it('may be a contract, which only then may send (EIP-3607)', async () => {
    const devnet = await started({ rhythm: 'instant' })
    await ask(devnet, 'anvil_setBalance', STRANGER, RICH)
    await ask(devnet, 'anvil_setCode', STRANGER, '0x6001')
    await ask(devnet, 'anvil_impersonateAccount', STRANGER)
    const hash = await send(devnet)
    expect(await ask(devnet, 'eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
    expect(await ask(devnet, 'eth_getCode', STRANGER)).toBe('0x6001')
    expect(await ask(devnet, 'eth_getTransactionCount', STRANGER)).toBe('0x1')
  })

  it('pays as everybody does', async () => {
    const devnet = await started({ rhythm: 'instant' })
    await ask(devnet, 'anvil_impersonateAccount', STRANGER)
    const poor = { code: -32000, message: expect.stringContaining('insufficient funds') }
    await expect(send(devnet, { value: '0x0', gas: '0x5208' })).rejects.toMatchObject(poor)
  })

  it('sends transactions that no other has the hash of, and whose bytes are what is hashed', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await ask(devnet, 'anvil_autoImpersonateAccount', true)
    const hashes: Hex[] = []
    for (const from of [STRANGER, OTHER, `0x${'00'.repeat(20)}`]) {
      await ask(devnet, 'anvil_setBalance', from, RICH)
      for (const type of ['0x0', '0x1', '0x2']) hashes.push(await send(devnet, { from, type }))
    }
    await devnet.mine()
    expect(new Set(hashes).size).toBe(9)
    const { transactions } = await ask<{ transactions: Hex[] }>(
      devnet,
      'eth_getBlockByNumber',
      'latest',
      false,
    )
    expect(transactions.toSorted()).toEqual(hashes.toSorted())
    for (const hash of hashes) {
      expect(keccak256(await ask<Hex>(devnet, 'eth_getRawTransactionByHash', hash))).toBe(hash)
    }
    expect(await ask<Hex>(devnet, 'debug_getRawBlock', 'latest')).toMatch(/^0xf9/)
  })

  it('is seen as the sender by who is called', async () => {
    const devnet = await started({ rhythm: 'instant' })
    // Keeps its caller in slot 0.
    await ask(devnet, 'anvil_setCode', OTHER, '0x33600055')
    await ask(devnet, 'anvil_setBalance', STRANGER, RICH)
    await ask(devnet, 'anvil_impersonateAccount', STRANGER)
    await send(devnet)
    expect(await ask(devnet, 'eth_getStorageAt', OTHER, '0x0')).toBe(numberToHex(0x5555, { size: 32 }))
  })

  it('keeps what it sent, though it is not impersonated any more when that runs', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await ask(devnet, 'anvil_setBalance', STRANGER, RICH)
    await ask(devnet, 'anvil_setCode', STRANGER, '0x6001')
    await ask(devnet, 'anvil_impersonateAccount', STRANGER)
    await send(devnet)
    await ask(devnet, 'anvil_stopImpersonatingAccount', STRANGER)
    await devnet.mine()
    expect(await ask(devnet, 'eth_getBalance', OTHER)).toBe('0x1')
  })

  it('can be traced, a contract too', async () => {
    const devnet = await started({ rhythm: 'instant' })
    await ask(devnet, 'anvil_setBalance', STRANGER, RICH)
    await ask(devnet, 'anvil_setCode', STRANGER, '0x6001')
    await ask(devnet, 'anvil_impersonateAccount', STRANGER)
    const hash = await send(devnet)
    const trace = await ask(devnet, 'debug_traceTransaction', hash, { tracer: 'callTracer' })
    expect(trace).toMatchObject({ type: 'CALL', from: STRANGER, to: OTHER, value: '0x1' })
  })

  it('makes a chain that is not taken in elsewhere', async () => {
    const devnet = await started({ rhythm: 'instant' })
    await ask(devnet, 'anvil_setBalance', STRANGER, RICH)
    await ask(devnet, 'anvil_impersonateAccount', STRANGER)
    await send(devnet)
    const other = await started({ rhythm: 'manual', genesis: devnet.genesis() })
    await expect(other.import(Buffer.concat([...devnet.export()]))).rejects.toThrow('import')
    expect(await ask(other, 'eth_blockNumber')).toBe('0x0')
  })
})

describe('a transaction that nobody signed', () => {
  it('may come from anybody, impersonated or not', async () => {
    const devnet = await started({ rhythm: 'instant' })
    await ask(devnet, 'anvil_setBalance', STRANGER, RICH)
    const unsigned = await send(devnet, {}, 'eth_sendUnsignedTransaction')
    expect(await ask(devnet, 'eth_getTransactionReceipt', unsigned)).toMatchObject({ from: STRANGER })
    const from = onWire(devnet.accounts[0]!.address)
    const signed = await send(devnet, { from }, 'eth_sendUnsignedTransaction')
    expect(await ask(devnet, 'eth_getTransactionReceipt', signed)).toMatchObject({ from })
  })
})

describe('a waiting transaction', () => {
  async function withWaiting() {
    const devnet = await started({ rhythm: 'manual' })
    const dropped: string[] = []
    devnet.on('dropped', ({ hash }, { kind }) => dropped.push(`${hash} ${kind}`))
    const [one, two] = devnet.accounts
    const hashes = [
      await send(devnet, { from: one!.address }),
      await send(devnet, { from: one!.address }),
      await send(devnet, { from: two!.address }),
    ]
    return { devnet, hashes, dropped, one: one!.address }
  }

  it('is dropped by its hash', async () => {
    const { devnet, hashes, dropped } = await withWaiting()
    const [first, second, third] = hashes
    expect(await ask(devnet, 'anvil_dropTransaction', second)).toBe(second)
    expect(await ask(devnet, 'anvil_dropTransaction', second)).toBe(null)
    expect(await ask(devnet, 'hardhat_dropTransaction', third)).toBe(true)
    expect(await ask(devnet, 'hardhat_dropTransaction', third)).toBe(false)
    expect(dropped).toEqual([`${second} removed`, `${third} removed`])
    expect(await ask(devnet, 'eth_getTransactionByHash', second)).toBe(null)
    await devnet.mine()
    expect(await ask(devnet, 'eth_getBlockByNumber', 'latest', false)).toMatchObject({
      transactions: [first],
    })
  })

  it('is not dropped once it is in a block', async () => {
    const { devnet, hashes } = await withWaiting()
    await devnet.tick()
    expect(await ask(devnet, 'hardhat_dropTransaction', hashes[0])).toBe(false)
  })

  it('is dropped with those of its sender', async () => {
    const { devnet, hashes, one } = await withWaiting()
    await ask(devnet, 'anvil_removePoolTransactions', one)
    await devnet.mine()
    expect(await ask(devnet, 'eth_getBlockByNumber', 'latest', false)).toMatchObject({
      transactions: [hashes[2]],
    })
  })

  it('is dropped with all', async () => {
    const { devnet, dropped } = await withWaiting()
    await ask(devnet, 'anvil_dropAllTransactions')
    expect(dropped).toHaveLength(3)
    expect(await ask(devnet, 'txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
  })
})
