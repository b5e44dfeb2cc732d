/** How far a transaction has come: the matchers look, and make nothing run. */
import { describe } from 'vitest'
import { expect, testWith } from '../../src/testing/vitest/index.ts'
import { complaint, stall } from '../support/chains/stall.ts'

const test = testWith({ ticksPerBlock: 3 })

describe('a transaction', () => {
  test('is pre-confirmed, then sealed', async ({ devnet, client, accounts }) => {
    const hash = await client.sendTransaction({ to: accounts[1]!.address, value: 1n })
    await expect(hash).not.toBePreconfirmed(devnet)
    await expect(hash).not.toBeSealed(devnet)
    await devnet.tick()
    await expect(hash).toBePreconfirmed(devnet)
    await expect(hash).not.toBeSealed()
    await devnet.seal()
    await expect(hash).not.toBePreconfirmed()
    await expect(hash).toBeSealed(devnet)
    await expect(client.getTransactionReceipt({ hash })).toBeSealed(devnet)
  })

  test('is said to be where it is', async ({ devnet, client, accounts }) => {
    const hash = await client.sendTransaction({ to: accounts[1]!.address, value: 1n })
    expect(await complaint(expect(hash).toBePreconfirmed(devnet))).toBe(
      `expected the transaction ${hash} to be pre-confirmed, but the next slice will include it; under the rhythm manual a command makes slices: devnet.tick(), devnet.mine(), evm_mine`,
    )
    await devnet.tick()
    expect(await complaint(expect(hash).toBeSealed(devnet))).toBe(
      `expected the transaction ${hash} to be sealed, but it is pre-confirmed in block 1, transaction 0, and sealed with it`,
    )
    expect(await complaint(expect(hash).not.toBePreconfirmed(devnet))).toBe(
      `expected the transaction ${hash} not to be pre-confirmed, but it is pre-confirmed in block 1, transaction 0, and sealed with it`,
    )
  })

  test('is given by its hash', async ({ devnet, accounts }) => {
    expect(await complaint(expect(accounts[0]!.address).not.toBeSealed(devnet))).toBe(
      `expected a transaction: its hash, or an answer or receipt with it; got ${accounts[0]!.address}`,
    )
  })
})

describe('what was planned to go wrong with requests', () => {
  const testAtStall = testWith(stall)

  testAtStall('is left to the client under test', async ({ devnet, bob, reverter, accounts }) => {
    const paid = await devnet.send({ to: bob, value: 7n, until: 'accepted' })
    const failed = await devnet.send({ to: reverter, data: '0x12345678', gas: 100_000n, until: 'accepted' })
    await devnet.faults.rpcError({ code: -32005, message: 'on purpose' })
    await expect(paid.hash).toChangeBalance(devnet, bob, 7n)
    await expect(failed.hash).toRevert()
    await expect(paid.hash).toBeSealed()
    const request = { method: 'eth_getBalance', params: [accounts[0]!.address, 'latest'] }
    await expect(devnet.request(request)).rejects.toMatchObject({ code: -32005 })
  })
})
