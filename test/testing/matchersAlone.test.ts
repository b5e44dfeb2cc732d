/** The matchers without vitest: those who take them elsewhere, and those who have no `expect`. */
import assert from 'node:assert/strict'
import { describe, expect, it } from 'vitest'
import { Shop } from '../../fixtures/contracts/Shop.ts'
import { assertThat, matchers } from '../../src/testing/index.ts'
import { stall } from '../support/chains/stall.ts'
import { clientOf } from '../support/clients/clients.ts'

const order = { abi: Shop.abi, functionName: 'buy', args: [5n, 'please'], gas: 300_000n } as const

describe('assertThat', () => {
  it('says nothing where all is as asserted', async () => {
    const { devnet, shop, bob } = await stall.use()
    const client = clientOf(devnet)
    const hash = await client.writeContract({ ...order, address: shop })
    await assertThat(hash).toRevert({ devnet })
    await assertThat(hash).toRevertWith(Shop.abi, 'InsufficientStock', [3n, 5n], { devnet })
    const pay = () => client.sendTransaction({ to: bob, value: 5n })
    await assertThat(pay).toChangeBalance(devnet, bob, 5n)
    await assertThat(pay).not.toRevert({ devnet })
  })

  it('rejects as node:assert does', async () => {
    const { devnet, shop } = await stall.use()
    const simulated = clientOf(devnet).simulateContract({ ...order, address: shop })
    await assert.rejects(assertThat(simulated).toRevertWith('sold out'), {
      name: 'AssertionError',
      code: 'ERR_ASSERTION',
      message: /^expected a revert with "sold out", but it reverted with 0x\w+, an error of no known ABI/,
    })
    await assert.rejects(assertThat(simulated).not.toRevert(), { code: 'ERR_ASSERTION' })
  })

  it('asks for the devnet where there is only a hash', async () => {
    const { devnet, bob } = await stall.use()
    const hash = await clientOf(devnet).sendTransaction({ to: bob, value: 5n })
    await assert.rejects(assertThat(hash).toRevert(), {
      message: `the outcome of the transaction ${hash} is unknown without its devnet: give { devnet }, or use the test of preseal/vitest`,
    })
    await assert.rejects(assertThat(hash).toBeSealed(), {
      message: `expected the devnet of the transaction ${hash}, got none`,
    })
  })
})

describe('the table of matchers', () => {
  it('has functions as Jest and Playwright call them', async () => {
    const { devnet, bob } = await stall.use()
    const pay = clientOf(devnet).sendTransaction({ to: bob, value: 5n })
    const { pass, message } = await matchers.toChangeBalance.call({ isNot: true }, pay, devnet, bob, 5n)
    expect(pass).toBe(true)
    expect(message()).toContain('not to change by 5 wei, but it changed by 5 wei')
  })
})
