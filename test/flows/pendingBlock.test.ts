/** The option `pendingBlock: 'pool'`, which the profile `hardhat` sets. Expected: answers of Hardhat 3.9's network (EDR) without automine. */
import { getContractAddress, type Hex, keccak256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import type { Devnet } from '../../src/index.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'
import { withRandom } from '../support/random/random.ts'

const CODE: Hex = '0x000000000000000000000000000000000000c0de'
/** Emits a log with the gas price. */
const LOGGER = '0x3a5f5260205fa0'
/** Returns NUMBER, TIMESTAMP, PREVRANDAO and BASEFEE. */
const CONTEXT = '0x435f5242602052446040524860605260805ff3'
const GWEI = 10n ** 9n
const TIME = 1_800_000_000

async function withoutAutomine(): Promise<Devnet> {
  const devnet = await started({ profile: 'hardhat', timestamp: TIME })
  await ask(devnet, 'evm_setAutomine', false)
  return devnet
}

function send(devnet: Devnet, fields: object = {}, account = 0): Promise<Hex> {
  const from = devnet.accounts[account]!.address
  const fees = { maxFeePerGas: quantity(100n * GWEI), maxPriorityFeePerGas: '0x1' }
  return ask(devnet, 'eth_sendTransaction', {
    from,
    to: STRANGER,
    value: '0x1',
    gas: '0x5208',
    ...fees,
    ...fields,
  })
}

const quantity = (value: bigint | number) => `0x${value.toString(16)}`

function rawTransfer(devnet: Devnet): Promise<Hex> {
  const fees = { maxFeePerGas: 100n * GWEI, maxPriorityFeePerGas: 1n }
  const transfer = {
    type: 'eip1559',
    chainId: 31_337,
    nonce: 0,
    to: STRANGER,
    gas: 21_000n,
    ...fees,
  } as const
  return privateKeyToAccount(devnet.accounts[0]!.privateKey).signTransaction(transfer)
}

interface BlockJson {
  readonly number: Hex
  readonly timestamp: Hex
  readonly baseFeePerGas: Hex
  readonly miner: Hex
  readonly mixHash: Hex
  readonly transactions: readonly Hex[]
}

const block = (devnet: Devnet, tag = 'pending') => ask<BlockJson>(devnet, 'eth_getBlockByNumber', tag, false)
const pendingBalance = (devnet: Devnet) => ask<Hex>(devnet, 'eth_getBalance', STRANGER, 'pending')

describe('without automine, pending', () => {
  it('is the next block with the waiting transactions, and latest has none of them', async () => {
    const devnet = await withoutAutomine()
    const hash = await send(devnet)
    expect(await block(devnet)).toMatchObject({ number: '0x1', gasUsed: '0x5208', transactions: [hash] })
    expect(await ask(devnet, 'eth_getBlockTransactionCountByNumber', 'pending')).toBe('0x1')
    expect(await pendingBalance(devnet)).toBe('0x1')
    expect(await block(devnet, 'latest')).toMatchObject({ number: '0x0', transactions: [] })
    expect(await ask(devnet, 'eth_getBalance', STRANGER, 'latest')).toBe('0x0')
    expect(await ask(devnet, 'eth_blockNumber')).toBe('0x0')
  })

  it('contains transactions that still wait: without receipt and block', async () => {
    const devnet = await withoutAutomine()
    const { address } = devnet.accounts[0]!
    const hash = await send(devnet)
    expect(await ask(devnet, 'eth_getTransactionReceipt', hash)).toBeNull()
    expect(await ask(devnet, 'eth_getTransactionByHash', hash)).toMatchObject({
      blockHash: null,
      blockNumber: null,
      transactionIndex: null,
    })
    expect(await ask(devnet, 'eth_pendingTransactions')).toMatchObject([{ hash }])
    expect(await ask(devnet, 'eth_getTransactionCount', address, 'pending')).toBe('0x1')
    expect(await ask(devnet, 'eth_getTransactionCount', address, 'latest')).toBe('0x0')
  })

  it('has the code and the storage of a contract that waits', async () => {
    const devnet = await withoutAutomine()
    const { address: from } = devnet.accounts[0]!
    // Stores 42 in slot 0, and deploys the code 0x01.
    await send(devnet, { to: undefined, value: '0x0', data: '0x602a5f5560015f5360015ff3', gas: '0x186a0' })
    const address = getContractAddress({ from, nonce: 0n })
    expect(await ask(devnet, 'eth_getCode', address, 'pending')).toBe('0x01')
    expect(await ask(devnet, 'eth_getCode', address, 'latest')).toBe('0x')
    expect(Number(await ask(devnet, 'eth_getStorageAt', address, '0x0', 'pending'))).toBe(42)
  })

  it('is run anew when a transaction is dropped or replaced', async () => {
    const devnet = await withoutAutomine()
    const first = await send(devnet)
    const other = await send(devnet, { value: '0x10' }, 1)
    expect(await pendingBalance(devnet)).toBe('0x11')
    expect(await ask(devnet, 'hardhat_dropTransaction', other)).toBe(true)
    expect(await block(devnet)).toMatchObject({ transactions: [first] })
    expect(await pendingBalance(devnet)).toBe('0x1')
    const fees = { maxFeePerGas: quantity(200n * GWEI), maxPriorityFeePerGas: '0x64' }
    const second = await send(devnet, { ...fees, nonce: '0x0', value: '0x7' })
    expect(await block(devnet)).toMatchObject({ transactions: [second] })
    expect(await pendingBalance(devnet)).toBe('0x7')
    expect(await ask(devnet, 'eth_getTransactionByHash', first)).toBeNull()
  })

  it('has the transaction with the higher tip first, and none with a later nonce or a fee below the base fee', async () => {
    const devnet = await withoutAutomine()
    const low = await send(devnet)
    const high = await send(devnet, { maxPriorityFeePerGas: quantity(GWEI) }, 1)
    await send(devnet, { nonce: '0x5' })
    await send(devnet, { maxFeePerGas: '0x1' }, 2)
    expect(await block(devnet)).toMatchObject({ transactions: [high, low] })
  })

  it('has the values that are set for the next block, and so has the block when it is mined', async () => {
    const devnet = await withoutAutomine()
    await ask(devnet, 'hardhat_setCode', CODE, CONTEXT)
    const hash = await send(devnet)
    const randao = `0x${'77'.repeat(32)}`
    await ask(devnet, 'hardhat_setPrevRandao', randao)
    await ask(devnet, 'evm_setNextBlockTimestamp', TIME + 5_000)
    await ask(devnet, 'hardhat_setCoinbase', STRANGER)
    await ask(devnet, 'hardhat_setNextBlockBaseFeePerGas', quantity(5n * GWEI))
    const expected = {
      timestamp: quantity(TIME + 5_000),
      miner: STRANGER,
      baseFeePerGas: quantity(5n * GWEI),
      transactions: [hash],
    }
    expect(await block(devnet)).toMatchObject(expected)
    const words = await ask<Hex>(devnet, 'eth_call', { to: CODE }, 'pending')
    const word = (index: number) => `0x${words.slice(2 + 64 * index, 66 + 64 * index)}`
    expect([word(0), word(1)].map(Number)).toEqual([1, TIME + 5_000])
    expect(word(2)).toBe(randao)
    await ask(devnet, 'evm_mine')
    expect(await block(devnet, 'latest')).toMatchObject({ ...expected, number: '0x1', mixHash: randao })
  })

  it('follows balances that are set, and snapshots', async () => {
    const devnet = await withoutAutomine()
    await send(devnet)
    await ask(devnet, 'hardhat_setBalance', STRANGER, '0x1000')
    expect(await pendingBalance(devnet)).toBe('0x1001')
    const snapshot = await ask(devnet, 'evm_snapshot')
    await send(devnet, { value: '0x10' }, 1)
    expect(await pendingBalance(devnet)).toBe('0x1011')
    await ask(devnet, 'evm_revert', snapshot)
    expect(await pendingBalance(devnet)).toBe('0x1001')
    await ask(devnet, 'evm_mine')
    expect(await pendingBalance(devnet)).toBe('0x1001')
    expect(await ask(devnet, 'eth_pendingTransactions')).toEqual([])
  })

  it('tells filters of a transaction once, when it is sent', async () => {
    const devnet = await withoutAutomine()
    const filter = await ask(devnet, 'eth_newPendingTransactionFilter')
    const changes = () => ask(devnet, 'eth_getFilterChanges', filter)
    const hash = await send(devnet)
    expect(await changes()).toEqual([hash])
    await ask(devnet, 'evm_increaseTime', 100)
    expect(await changes()).toEqual([])
    await ask(devnet, 'evm_mine')
    expect(await changes()).toEqual([])
  })

  it('does not confirm them: a request that waits for a confirmation waits on', async () => {
    const devnet = await withoutAutomine()
    const raw = await rawTransfer(devnet)
    await expect(ask(devnet, 'eth_sendRawTransactionSync', raw, 10)).rejects.toMatchObject({ code: 4 })
    expect(await block(devnet)).toMatchObject({ number: '0x1', transactions: [keccak256(raw)] })
  })

  it('is explained', async () => {
    const devnet = await withoutAutomine()
    await send(devnet)
    expect(await ask(devnet, 'preseal_explain')).toMatchObject({ status: 'preview' })
  })

  it('is saved as waiting transactions', async () => {
    const devnet = await withoutAutomine()
    const hash = await send(devnet)
    const other = await withoutAutomine()
    await other.load(devnet.dump())
    expect(await block(other)).toMatchObject({ transactions: [hash] })
    await ask(other, 'evm_mine')
    expect(await block(other, 'latest')).toMatchObject({ transactions: [hash] })
  })

  it(
    'is the same whether transactions were added one by one or the block was built at once',
    withRandom(async (random) => {
      const devnet = await withoutAutomine()
      await ask(devnet, 'hardhat_setCode', CODE, LOGGER)
      const coinbase = (await block(devnet)).miner
      const contents = async () => [
        await ask(devnet, 'eth_getBlockByNumber', 'pending', true),
        await ask(devnet, 'eth_getLogs', { fromBlock: 'pending', toBlock: 'pending' }),
        await pendingBalance(devnet),
      ]
      const sent: Hex[] = []
      for (let i = 0; i < 80; i++) {
        const account = random.below(4)
        const nonce = BigInt(
          await ask<Hex>(devnet, 'eth_getTransactionCount', devnet.accounts[account]!.address, 'pending'),
        )
        const tip = { maxPriorityFeePerGas: quantity(random.below(3)) }
        const call = { to: random.pick([CODE, STRANGER]), gas: '0xc350', ...tip }
        if (random.chance(0.1) && sent.length > 0) {
          await ask(devnet, 'hardhat_dropTransaction', random.pick(sent)).catch(() => {})
        } else if (random.chance(0.1)) {
          await send(devnet, { ...call, nonce: quantity(nonce + 1n) }, account).catch(() => {})
        } else sent.push(await send(devnet, call, account))
        if (random.chance(0.05)) await ask(devnet, 'evm_mine')
        const before = await contents()
        // Some blocks grow by several transactions. Then a cheat makes the sequencer build the block anew.
        if (random.chance(0.6)) continue
        await ask(devnet, 'hardhat_setCoinbase', coinbase)
        expect(await contents()).toEqual(before)
      }
    }),
  )
})

it('by default, pending has no transactions that wait', async () => {
  const devnet = await started({ rhythm: 'manual' })
  await send(devnet)
  expect(await block(devnet)).toMatchObject({ number: '0x0', transactions: [] })
})
