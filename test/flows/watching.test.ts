/** What became of a transaction, and why it is not where somebody expects it. */
import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Devnet } from '../../src/index.ts'
import { onWire } from '../support/clients/addresses.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'

interface Explained {
  readonly status: string
  readonly reason: string
}

function pay(devnet: Devnet, fields: Record<string, unknown> = {}): Promise<Hex> {
  const from = onWire(devnet.accounts[0]!.address)
  return ask(devnet, 'eth_sendTransaction', { from, to: STRANGER, value: '0x1', gas: '0x5208', ...fields })
}

const explained = (devnet: Devnet, hash: Hex) => ask<Explained>(devnet, 'preseal_explain', hash)
const START = 1_735_689_600_000

describe('the timeline of a transaction', () => {
  it('tells when it was pooled, pre-confirmed, sealed, safe and final', async () => {
    const devnet = await started({
      rhythm: 'manual',
      ticksPerBlock: 2,
      safeDistance: 1,
      finalizedDistance: 3,
    })
    await devnet.tick()
    const hash = await pay(devnet)
    for (let i = 0; i < 8; i++) await devnet.tick()
    const { hash: blockHash } = await ask<{ hash: Hex }>(devnet, 'eth_getBlockByNumber', '0x1', false)
    expect(await ask(devnet, 'preseal_getTimeline', hash)).toEqual([
      { step: 'pooled', time: START + 200 },
      { step: 'preconfirmed', time: START + 400, blockNumber: '0x1', slice: '0x2', transactionIndex: '0x0' },
      { step: 'sealed', time: START + 600, blockNumber: '0x1', blockHash, transactionIndex: '0x0' },
      { step: 'safe', since: '0x2' },
      { step: 'finalized', since: '0x4' },
    ])
  })

  it('tells why it was dropped', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const hash = await pay(devnet)
    await ask(devnet, 'hardhat_dropTransaction', hash)
    expect(await ask(devnet, 'preseal_getTimeline', hash)).toEqual([
      { step: 'pooled', time: START },
      { step: 'dropped', time: START, reason: 'removed on request' },
    ])
    expect(await explained(devnet, hash)).toEqual({ status: 'dropped', reason: 'removed on request' })
  })

  it('is empty for one that never was', async () => {
    const devnet = await started({ rhythm: 'manual' })
    expect(await ask(devnet, 'preseal_getTimeline', `0x${'12'.repeat(32)}`)).toEqual([])
  })
})

describe('an explanation', () => {
  it('says where an included transaction is', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const hash = await pay(devnet)
    await devnet.tick()
    expect(await explained(devnet, hash)).toEqual({
      status: 'preconfirmed',
      reason: 'it is pre-confirmed in block 1, transaction 0, and sealed with it',
    })
    await devnet.seal()
    expect(await explained(devnet, hash)).toEqual({
      status: 'sealed',
      reason: 'it is sealed in block 1, transaction 0',
    })
  })

  it.each([
    [
      'a nonce that comes later',
      { nonce: '0x2' },
      'its nonce is 2; a transaction with nonce 0 must be included first',
    ],
    [
      'a fee below the base fee',
      { maxFeePerGas: '0x5', maxPriorityFeePerGas: '0x0' },
      'it offers 5 wei per gas, and the base fee is 875000000: it waits until the base fee falls',
    ],
    [
      'nobody who makes a slice',
      {},
      'the next slice will include it; under the rhythm manual a command makes slices: devnet.tick(), devnet.mine(), evm_mine',
    ],
  ])('says that a transaction waits for %s', async (_, fields, reason) => {
    const devnet = await started({ rhythm: 'manual' })
    expect(await explained(devnet, await pay(devnet, fields))).toEqual({ status: 'waiting', reason })
  })

  it('says which other transaction of its sender has to come first, and cannot', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const first = await pay(devnet, { maxFeePerGas: '0x5', maxPriorityFeePerGas: '0x0' })
    await pay(devnet)
    expect(await explained(devnet, await pay(devnet))).toEqual({
      status: 'waiting',
      reason: `${first}, its sender’s with nonce 0, has to be included first, and that transaction waits, too: it offers 5 wei per gas, and the base fee is 875000000: it waits until the base fee falls`,
    })
  })

  it('says when the next slice is due', async () => {
    const devnet = await started({ tickMs: 60_000 })
    const { reason } = await explained(devnet, await pay(devnet))
    expect(reason).toMatch(/^the next slice will include it, in (5\d|60)\d{3} ms$/)
  })

  it('says that the block is full', async () => {
    const devnet = await started({ rhythm: 'manual', gasLimit: 50_000, ticksPerBlock: 2 })
    for (let i = 0; i < 2; i++) await pay(devnet)
    await devnet.tick()
    expect(await explained(devnet, await pay(devnet))).toMatchObject({
      reason: 'its gas limit is 21000, and the block has 8000 gas left: it waits for the next block',
    })
  })

  it('says that a transaction can no longer be paid', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const hash = await pay(devnet)
    await ask(devnet, 'anvil_setBalance', devnet.accounts[0]!.address, '0x1')
    expect((await explained(devnet, hash)).reason).toMatch(/^it will be dropped: insufficient funds for gas/)
  })

  it('says that an earlier state was restored, where a transaction was in a block or waited', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const snapshot = await ask(devnet, 'evm_snapshot')
    const hash = await pay(devnet)
    await devnet.mine()
    const waiting = await pay(devnet)
    await ask(devnet, 'evm_revert', snapshot)
    const lost = 'but is no longer on this chain: another state was restored or loaded in the meantime'
    expect(await explained(devnet, hash)).toEqual({ status: 'unknown', reason: `it was in block 1, ${lost}` })
    expect(await explained(devnet, waiting)).toEqual({
      status: 'unknown',
      reason: `it was in the pool, ${lost}`,
    })
  })

  it('says that a reorg removed a transaction, which was dropped with it', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const hash = await pay(devnet)
    await devnet.mine()
    await ask(devnet, 'preseal_reorg', { depth: 1, transactions: 'drop' })
    expect((await explained(devnet, hash)).reason).toMatch(/reorg/)
  })

  it('knows nothing of what was refused', async () => {
    const devnet = await started({ rhythm: 'manual' })
    expect(await explained(devnet, `0x${'12'.repeat(32)}`)).toMatchObject({ status: 'unknown' })
  })

  it('says what pending contains', async () => {
    const devnet = await started({ rhythm: 'manual', ticksPerBlock: 3 })
    expect(await ask(devnet, 'preseal_explain')).toEqual({
      status: 'absent',
      reason: 'no block is under construction: pending is latest, block 0',
      waiting: '0x0',
      faults: 0,
    })
    const hash = await pay(devnet)
    await devnet.tick()
    await pay(devnet)
    expect(await ask(devnet, 'preseal_explain')).toEqual({
      status: 'preconfirmed',
      reason: 'pending is block 1 with 1 transactions after slice 1',
      blockNumber: '0x1',
      slice: '0x1',
      transactions: [hash],
      waiting: '0x1',
      faults: 0,
    })
  })
})
