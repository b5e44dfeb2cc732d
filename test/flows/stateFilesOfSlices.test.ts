/** State files of chains that pre-confirm in slices: while faults hide what is built, and on an L2. */
import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Devnet } from '../../src/index.ts'
import { dumped, loaded } from '../support/chains/stateFiles.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'

function pay(devnet: Devnet): Promise<Hex> {
  const from = devnet.accounts[0]!.address
  return ask(devnet, 'eth_sendTransaction', { from, to: STRANGER, value: '0x1', gas: '0x5208' })
}

describe('a state file', () => {
  it('has what a fault hides, which the loaded chain shows and seals', async () => {
    const devnet = await started({ rhythm: 'manual', ticksPerBlock: 4 })
    await devnet.faults.absentPending({ slices: 3 })
    const hash = await pay(devnet)
    await devnet.tick()
    const copy = await loaded(dumped(devnet), { ticksPerBlock: 4, receipts: 'preconfirmed' })
    expect(await ask(copy, 'eth_getTransactionByHash', hash)).toMatchObject({ blockNumber: '0x1' })
    await copy.seal()
    expect(await ask(copy, 'eth_getBalance', STRANGER, 'latest')).toBe('0x1')
  })

  it('is whole while pending is behind latest', async () => {
    const devnet = await started({ rhythm: 'manual', ticksPerBlock: 2 })
    await pay(devnet)
    await devnet.tick()
    await devnet.faults.stalePending({ slices: 5 })
    for (let i = 0; i < 4; i++) await devnet.tick()
    const copy = await loaded(dumped(devnet), { ticksPerBlock: 2 })
    expect(await ask(copy, 'eth_getBlockByNumber', 'latest', false)).toEqual(
      await ask(devnet, 'eth_getBlockByNumber', 'latest', false),
    )
    expect(dumped(copy).equals(dumped(devnet))).toBe(true)
  })

  it('of an L2 has deposits, and what L1 was paid', async () => {
    const devnet = await started({ rhythm: 'manual', profile: 'base-flashblocks' })
    const hash = await pay(devnet)
    await devnet.tick()
    await devnet.seal()
    await devnet.tick()
    const file = dumped(devnet)
    const copy = await loaded(file, { profile: 'base-flashblocks' })
    expect(dumped(copy).equals(file)).toBe(true)
    for (const one of [hash, 'latest'] as const) {
      const method = one === 'latest' ? 'eth_getBlockReceipts' : 'eth_getTransactionReceipt'
      expect(await ask(copy, method, one)).toEqual(await ask(devnet, method, one))
    }
    expect(await ask(copy, 'eth_getTransactionReceipt', hash)).toHaveProperty('l1Fee')
  })
})
