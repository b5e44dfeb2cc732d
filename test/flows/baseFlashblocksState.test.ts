/**
 * Base's own tests of the pre-confirmed state, with their numbers: each bears the name of theirs (base/base,
 * `crates/execution/flashblocks-node/tests/state.rs`). Where theirs look into what a node keeps over its latest block, these
 * ask for balances at `pending`.
 *
 * Not played are those about a node that is fed: Flashblocks that come before their block's parent, from far ahead, or with
 * an index left out (`…_if_non_zero_index`, `test_non_sequential_payload_…`, `test_flashblock_cached_…`,
 * `test_cached_flashblock_…`, `test_flashblock_far_ahead_…`). Here the chain makes its own Flashblocks; those that are lost on
 * the way to a reader are faults.
 */
import type { Hex } from 'viem'
import { expect, it } from 'vitest'
import { ask } from '../support/clients/clients.ts'
import { baseHarness, ETHER, type Person } from '../support/nodes/baseHarness.ts'

/** Their setup, with transfers of 21,000 gas. */
async function testHarness() {
  const harness = await baseHarness({ baseFee: 100 })
  const pay = (from: Person, to: Person, value: bigint, nonce: number) =>
    from.sign({ nonce, to: to.address, value, gas: 21_000n })
  /** The number of the pending block and how many transactions it has. */
  const pending = async () => {
    const { number, transactions } = await harness.block('pending')
    return [Number(number), transactions.length]
  }
  return { ...harness, pay, pending }
}

it('test_state_overrides_persisted_across_flashblocks', async () => {
  const { alice, bob, pay, flashblock, balance, pending } = await testHarness()
  const before = await balance(bob, 'latest')
  await flashblock()
  expect(await pending()).toEqual([1, 1])
  await flashblock(await pay(alice, bob, 100_000n, 0))
  expect(await pending()).toEqual([1, 2])
  expect(await balance(bob)).toBe(before + 100_000n)
  await flashblock()
  expect(await balance(bob)).toBe(before + 100_000n)
})

it('test_state_overrides_persisted_across_blocks', async () => {
  const { devnet, alice, bob, pay, flashblock, balance, pending } = await testHarness()
  const before = await balance(bob, 'latest')
  await flashblock()
  await flashblock(await pay(alice, bob, 100_000n, 0))
  expect(await pending()).toEqual([1, 2])
  expect(await balance(bob)).toBe(before + 100_000n)
  await devnet.seal()
  await flashblock()
  expect(await pending()).toEqual([2, 1])
  await flashblock(await pay(alice, bob, 100_000n, 1))
  expect(await balance(bob)).toBe(before + 200_000n)
})

it('test_only_current_pending_state_cleared_upon_canonical_block_reorg', async () => {
  const { devnet, alice, bob, pay, flashblock, balance, pending } = await testHarness()
  const before = await balance(bob, 'latest')
  await flashblock(await pay(alice, bob, 100_000n, 0))
  await devnet.seal()
  await flashblock(await pay(alice, bob, 100_000n, 1))
  expect(await pending()).toEqual([2, 2])
  expect(await balance(bob)).toBe(before + 200_000n)
  // Block 1 turns out to be another.
  const other = await pay(alice, bob, 100n, 0)
  await ask(devnet, 'preseal_reorg', { depth: 1, transactions: [[other]] })
  await flashblock()
  expect(await pending()).toEqual([2, 2])
  expect(await balance(bob, 'latest')).toBe(before + 100n)
  expect(await balance(bob)).toBe((await balance(bob, 'latest')) + 100_000n)
})

it('test_nonce_uses_pending_canon_block_instead_of_latest', async () => {
  const { devnet, alice, bob, pay, flashblock, count } = await testHarness()
  await flashblock(await pay(alice, bob, 100n, 0))
  expect(await count(alice.address)).toBe(1)
  // At no moment does it count twice.
  await devnet.seal()
  expect(await count(alice.address)).toBe(1)
  await flashblock()
  expect(await count(alice.address)).toBe(1)
})

it('test_metadata_receipts_are_optional', async () => {
  const { devnet, flashblock, pending } = await testHarness()
  await flashblock()
  expect(await pending()).toEqual([1, 1])
  const { transactions } = await ask<{ transactions: object[] }>(
    devnet,
    'eth_getBlockByNumber',
    'pending',
    true,
  )
  // Theirs has the nonce of the deposit's sender, as its receipt has.
  expect(transactions).toMatchObject([{ type: '0x7e', nonce: '0x0' }])
})

it('test_flashblock_for_new_canonical_block_works_if_sequential', async () => {
  const { devnet, flashblock, pending } = await testHarness()
  await flashblock()
  expect(await pending()).toEqual([1, 1])
  await devnet.seal()
  await flashblock()
  expect(await pending()).toEqual([2, 1])
})

it('test_duplicate_flashblock_ignored', async () => {
  const { devnet, alice, bob, pay, flashblock, block } = await testHarness()
  const told: Hex[] = []
  devnet.on('preconfirmed', (_, added) => told.push(...added.map(({ hash }) => hash)))
  await flashblock()
  await ask(devnet, 'preseal_addFault', { kind: 'duplicateSlice' })
  const [hash] = await flashblock(await pay(alice, bob, 100_000n, 0))
  expect(told.filter((one) => one === hash)).toHaveLength(2)
  expect((await block('pending')).transactions.slice(1)).toEqual([hash])
})

it('test_eth_call_sees_flashblock_state_changes', async () => {
  const { devnet, alice, bob, charlie, pay, flashblock, balance } = await testHarness()
  const before = await balance(bob, 'latest')
  await flashblock()
  await flashblock(await pay(alice, bob, ETHER, 0))
  expect(await balance(bob)).toBe(before + ETHER)
  const value: Hex = `0x${(before + 100_000n).toString(16)}`
  const call = { from: bob.address, to: charlie.address, value, gas: '0x5208', input: '0x' }
  expect(await ask(devnet, 'eth_call', call, 'pending')).toBe('0x')
  await expect(ask(devnet, 'eth_call', call, 'latest')).rejects.toThrow('insufficient funds')
})

it('test_sequential_nonces_across_flashblocks', async () => {
  const { alice, bob, charlie, pay, flashblock, count, balance } = await testHarness()
  const [bobs, charlies] = [await balance(bob, 'latest'), await balance(charlie, 'latest')]
  await flashblock()
  await flashblock(await pay(alice, bob, 1000n, 0))
  expect(await count(alice.address)).toBe(1)
  await flashblock(await pay(alice, charlie, 2000n, 1))
  expect(await count(alice.address)).toBe(2)
  expect([await balance(bob), await balance(charlie)]).toEqual([bobs + 1000n, charlies + 2000n])
})

it('test_progress_canonical_blocks_without_flashblocks', async () => {
  const { devnet, alice, bob, charlie, pay, block } = await testHarness()
  const canonical = async (...transactions: readonly Hex[]) => {
    for (const raw of transactions) await ask(devnet, 'eth_sendRawTransaction', raw)
    await devnet.mine()
    const { number, transactions: included } = await block('latest')
    return [Number(number), included.length]
  }
  const nothingIsPending = async () => expect(await block('pending')).toEqual(await block('latest'))
  const { number, transactions } = await block('latest')
  expect([Number(number), transactions.length]).toEqual([0, 0])
  await nothingIsPending()
  expect(await canonical(await pay(alice, bob, 100n, 0))).toEqual([1, 2])
  await nothingIsPending()
  expect(await canonical(await pay(bob, charlie, 100n, 0), await pay(charlie, alice, 1000n, 0))).toEqual([
    2, 3,
  ])
  await nothingIsPending()
})
