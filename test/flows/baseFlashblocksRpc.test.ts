/**
 * Base's own tests of what a node answers while a block is pre-confirmed, with their numbers: each bears the name of theirs
 * (base/base, `crates/execution/flashblocks-node/tests/flashblocks_rpc.rs`).
 *
 * Their second Flashblock has a deposit too, of which they know the hash and the gas, 24,770: nobody can send one to a
 * node, so another transaction stands in its place, and their deposits' sender has the nonce 1 where theirs has 2.
 */
import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { keccakHash } from '../../src/crypto/keccak.ts'
import { ask } from '../support/clients/clients.ts'
import {
  baseHarness,
  counting,
  DEPOSIT_SENDER,
  PENDING_BALANCE,
  secondPayload,
  TEST_ADDRESS,
  TEST_LOG_TOPIC_0,
  TEST_LOG_TOPIC_1,
} from '../support/nodes/baseHarness.ts'

interface LogJson {
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly transactionHash: Hex
}

interface SimulatedJson {
  readonly calls: readonly { readonly returnData: Hex }[]
}

/** Their setup: `sendFirst` is the Flashblock with the deposit alone, `sendSecond` the one with nine transactions. */
async function testSetup() {
  const harness = await baseHarness()
  const payload = await secondPayload(harness)
  const sendFirst = () => harness.flashblock()
  const sendSecond = () => harness.flashblock(...payload.transactions)
  return {
    ...harness,
    ...payload,
    aliceTransferHash: hashOf(payload.aliceTransfer),
    logTriggerHash: hashOf(payload.logTrigger),
    sendFirst,
    sendSecond,
    async sendTestPayloads() {
      await sendFirst()
      await sendSecond()
    },
    logs: (filter: object) => ask<LogJson[]>(harness.devnet, 'eth_getLogs', filter),
  }
}

const hashOf = (raw: Hex): Hex => keccakHash(Buffer.from(raw.slice(2), 'hex'))
const PENDING = { fromBlock: 'pending', toBlock: 'pending' }
const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`

describe('flashblocks_rpc.rs', () => {
  it('test_get_pending_block', async () => {
    const { block, sendFirst, sendSecond } = await testSetup()
    const latest = await block('latest')
    expect(latest.number).toBe('0x0')
    expect(await block('pending')).toEqual(latest)
    await sendFirst()
    const first = await block('pending')
    expect([first.number, first.transactions.length]).toEqual(['0x1', 1])
    await sendSecond()
    const second = await block('pending')
    expect([second.number, second.transactions.length]).toEqual(['0x1', 10])
  })

  it('test_get_balance_pending', async () => {
    const { devnet, sendTestPayloads } = await testSetup()
    await sendTestPayloads()
    expect(await ask(devnet, 'eth_getBalance', TEST_ADDRESS, 'latest')).toBe('0x0')
    expect(Number(await ask(devnet, 'eth_getBalance', TEST_ADDRESS, 'pending'))).toBe(4660)
    expect(PENDING_BALANCE).toBe(4660n)
  })

  it('test_get_transaction_by_hash_pending', async () => {
    const { devnet, alice, bob, block, aliceTransferHash, sendTestPayloads } = await testSetup()
    expect(await ask(devnet, 'eth_getTransactionByHash', aliceTransferHash)).toBeNull()
    await sendTestPayloads()
    const [deposit] = (await block('pending')).transactions
    expect(await ask(devnet, 'eth_getTransactionByHash', deposit)).toMatchObject({
      hash: deposit,
      from: DEPOSIT_SENDER,
    })
    expect(await ask(devnet, 'eth_getTransactionByHash', aliceTransferHash)).toMatchObject({
      hash: aliceTransferHash,
      from: alice.address,
      to: bob.address,
      type: '0x2',
    })
  })

  it('test_get_transaction_receipt_pending', async () => {
    const { devnet, block, aliceTransferHash, sendTestPayloads } = await testSetup()
    expect(await ask(devnet, 'eth_getTransactionReceipt', aliceTransferHash)).toBeNull()
    await sendTestPayloads()
    const gasUsed = async (hash: unknown) => {
      const receipt = await ask<{ gasUsed: Hex }>(devnet, 'eth_getTransactionReceipt', hash)
      return Number(receipt.gasUsed)
    }
    expect(await gasUsed(aliceTransferHash)).toBe(21_000)
    expect(await gasUsed((await block('pending')).transactions[0])).toBeGreaterThan(21_000)
  })

  it('test_get_transaction_count', async () => {
    const { count, deployer, alice, sendTestPayloads } = await testSetup()
    for (const address of [DEPOSIT_SENDER, deployer.address, alice.address]) {
      expect(await count(address)).toBe(0)
    }
    await sendTestPayloads()
    expect(await count(DEPOSIT_SENDER)).toBe(1)
    expect(await count(deployer.address)).toBe(6)
    expect(await count(alice.address)).toBe(2)
  })

  it('test_eth_call', async () => {
    const { devnet, alice, bob, counter, sendTestPayloads } = await testSetup()
    const bigSpend = { ...transfer(alice.address, bob.address, 9_999_999_999_849_942_300_000n), nonce: '0x0' }
    expect(await ask(devnet, 'eth_call', bigSpend, 'pending')).toBe('0x')
    await sendTestPayloads()
    await expect(ask(devnet, 'eth_call', { ...bigSpend, nonce: '0x2' }, 'pending')).rejects.toThrow(
      'insufficient funds for gas',
    )
    for (const count of ['count1', 'count2'] as const) {
      const call = { to: counter, data: counting(count) }
      expect(await ask(devnet, 'eth_call', call, 'pending')).toBe(word(2n))
    }
  })

  it('test_eth_estimate_gas', async () => {
    const { devnet, alice, bob, sendTestPayloads } = await testSetup()
    const spend = { ...transfer(alice.address, bob.address, 9_999_999_999_849_942_300_000n), input: '0x' }
    expect(await ask(devnet, 'eth_estimateGas', spend, 'pending')).toBe('0x5208')
    await sendTestPayloads()
    await expect(ask(devnet, 'eth_estimateGas', { ...spend, nonce: '0x2' }, 'pending')).rejects.toThrow(
      'insufficient funds for gas',
    )
  })

  it('test_eth_simulate_v1', async () => {
    const { devnet, deployer, counter, sendTestPayloads } = await testSetup()
    await sendTestPayloads()
    const count1 = { to: counter, input: counting('count1'), gas: '0x186a0' }
    const increment = {
      from: deployer.address,
      type: '0x0',
      gas: '0x30d40',
      to: counter,
      input: counting('increment'),
    }
    const simulation = {
      blockStateCalls: [{ calls: [count1, increment, count1] }],
      traceTransfers: false,
      validation: true,
      returnFullTransactions: true,
    }
    const blocks = await ask<SimulatedJson[]>(devnet, 'eth_simulateV1', simulation, 'pending')
    const answers = blocks.map(({ calls }) => calls.map(({ returnData }) => returnData))
    expect(answers).toEqual([[word(2n), '0x', word(3n)]])
  })

  it('test_send_raw_transaction_sync', async () => {
    const { devnet, aliceTransfer, aliceTransferHash, sendFirst } = await testSetup()
    await sendFirst()
    const sent = ask<{ transactionHash: Hex }>(devnet, 'eth_sendRawTransactionSync', aliceTransfer)
    await devnet.tick()
    expect((await sent).transactionHash).toBe(aliceTransferHash)
  })

  it('test_send_raw_transaction_sync_timeout', async () => {
    const { devnet, aliceTransfer } = await testSetup()
    await expect(ask(devnet, 'eth_sendRawTransactionSync', aliceTransfer, 0)).rejects.toMatchObject({
      code: 4,
    })
  })

  it('test_get_logs_pending', async () => {
    const { logs, emitterA, emitterB, logTriggerHash, sendTestPayloads } = await testSetup()
    expect(await logs(PENDING)).toEqual([])
    await sendTestPayloads()
    expect(await logs(PENDING)).toMatchObject([
      { address: emitterA, topics: [TEST_LOG_TOPIC_0, TEST_LOG_TOPIC_1], transactionHash: logTriggerHash },
      { address: emitterB, topics: [TEST_LOG_TOPIC_0], transactionHash: logTriggerHash },
    ])
  })

  it('test_get_logs_filter_by_address', async () => {
    const { logs, emitterA, emitterB, logTriggerHash, sendTestPayloads } = await testSetup()
    await sendTestPayloads()
    for (const address of [emitterA, emitterB]) {
      const found = await logs({ ...PENDING, address })
      expect(found).toHaveLength(1)
      expect(found).toMatchObject([{ address, transactionHash: logTriggerHash }])
    }
  })

  it('test_get_logs_topic_filtering', async () => {
    const { logs, emitterA, sendTestPayloads } = await testSetup()
    await sendTestPayloads()
    expect(await logs({ ...PENDING, topics: [TEST_LOG_TOPIC_0] })).toHaveLength(2)
    const both = await logs({ ...PENDING, topics: [null, TEST_LOG_TOPIC_1] })
    expect(both).toHaveLength(1)
    expect(both).toMatchObject([{ address: emitterA, topics: [TEST_LOG_TOPIC_0, TEST_LOG_TOPIC_1] }])
  })

  it.each(['0x0', 'latest', 'earliest'])('test_get_logs_mixed_block_ranges from %s', async (fromBlock) => {
    const { logs, logTriggerHash, sendTestPayloads } = await testSetup()
    await sendTestPayloads()
    const found = await logs({ fromBlock, toBlock: 'pending' })
    expect(found.map(({ transactionHash }) => transactionHash)).toEqual([logTriggerHash, logTriggerHash])
  })

  it('test_get_block_transaction_count_by_number_pending', async () => {
    const { devnet, sendFirst, sendSecond } = await testSetup()
    const count = async (at: string) => Number(await ask(devnet, 'eth_getBlockTransactionCountByNumber', at))
    expect(await count('pending')).toBe(0)
    await sendFirst()
    expect(await count('pending')).toBe(1)
    await sendSecond()
    expect(await count('pending')).toBe(10)
    expect(await count('latest')).toBe(0)
  })

  it('test_pending_block_header_fields', async () => {
    const { block, sendTestPayloads } = await testSetup()
    await sendTestPayloads()
    expect(await block('pending')).toMatchObject({
      withdrawals: [],
      // Theirs comes with the Flashblock; ours is zero, as there is no beacon chain.
      parentBeaconBlockRoot: word(0n),
      // The root of the empty trie, and the hash of no requests: EMPTY_WITHDRAWALS and EMPTY_REQUESTS_HASH of alloy.
      withdrawalsRoot: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
      requestsHash: '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    })
  })
})

/** A legacy call that moves `value`. */
function transfer(from: Hex, to: Hex, value: bigint) {
  return { from, to, value: `0x${value.toString(16)}`, gas: '0x30d40', type: '0x0' }
}
