/** How long a devnet's own client waits: until a transaction is accepted, pre-confirmed or sealed, under each rhythm. */
import { parseGwei } from 'viem'
import { describe, expect, it, vi } from 'vitest'
import { Token } from '../../fixtures/contracts/Token.ts'
import { type Devnet, type DevnetOptions, NotIncluded, type Until } from '../../src/index.ts'
import { ask, STRANGER, started, ZERO_HASH } from '../support/clients/clients.ts'
import { SOON } from '../support/clients/until.ts'

/** Time is the test's: a tick comes when `advance` is called. */
const NEVER_BY_ITSELF = { rhythm: 'interval', tickMs: 1_000_000 } as const

const pay = <U extends Until>(devnet: Devnet, until: U, gas?: bigint) =>
  devnet.send({ to: STRANGER, value: 1n, gas, until })

const blockNumber = async (devnet: Devnet) => Number(await ask(devnet, 'eth_blockNumber'))

/** What `promise` rejects with. */
async function whyNot(promise: Promise<unknown>): Promise<NotIncluded> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(NotIncluded)
  return error as NotIncluded
}

const RHYTHMS: readonly DevnetOptions[] = [
  { rhythm: 'manual' },
  { rhythm: 'manual', ticksPerBlock: 10 },
  { rhythm: 'manual', ticksPerBlock: 0 },
  NEVER_BY_ITSELF,
  { rhythm: 'instant' },
]

describe('until it is sealed', () => {
  it.each(RHYTHMS)('a block is mined at once: %j', async (options) => {
    const devnet = await started(options)
    const { receipt } = await pay(devnet, 'sealed')
    expect(receipt.blockHash).not.toBe(ZERO_HASH)
    expect(await ask(devnet, 'eth_getTransactionReceipt', receipt.transactionHash)).toMatchObject({
      blockHash: receipt.blockHash,
      blockNumber: '0x1',
    })
    expect(await blockNumber(devnet)).toBe(1)
  })

  it('each of several gets in, with nonces as they come and no empty blocks', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const { address } = await devnet.deploy(Token, { args: ['Gold', 'GOLD'] })
    const mints = Array.from({ length: 10 }, (_, i) =>
      devnet.write({ abi: Token.abi, address, functionName: 'mint', args: [STRANGER, BigInt(i)] }),
    )
    const receipts = (await Promise.all(mints)).map(({ receipt }) => receipt)
    expect(new Set(receipts.map(({ transactionHash }) => transactionHash)).size).toBe(10)
    const blocks = receipts.map((receipt) => Number(receipt.blockNumber))
    expect(await blockNumber(devnet)).toBe(Math.max(...blocks))
    expect(new Set(blocks).size).toBe((await blockNumber(devnet)) - 1)
    const question = { abi: Token.abi, address, functionName: 'balanceOf', args: [STRANGER] } as const
    expect(await devnet.read(question)).toBe(45n)
  })

  it('what was pre-confirmed meanwhile is sealed with it', async () => {
    const devnet = await started({ rhythm: 'manual', ticksPerBlock: 10 })
    const first = await pay(devnet, 'preconfirmed')
    const second = await pay(devnet, 'sealed')
    expect([first.receipt.blockNumber, second.receipt.blockNumber]).toEqual([1n, 1n])
  })

  it('what a tick pre-confirmed at once is not taken for sealed', async () => {
    const devnet = await started({ rhythm: 'manual', ticksPerBlock: 10 })
    devnet.on('accepted', () => void devnet.tick())
    expect((await pay(devnet, 'sealed')).receipt.blockHash).not.toBe(ZERO_HASH)
  })

  it('as many blocks are mined as the waiting ones before it fill', async () => {
    const devnet = await started({ rhythm: 'manual', gasLimit: 60_000 })
    for (let i = 0; i < 5; i++) await pay(devnet, 'accepted', 30_000n)
    expect((await pay(devnet, 'sealed', 21_000n)).receipt.blockNumber).toBeGreaterThan(1n)
  })

  it('blocks are mined for as long as they take something in, though more comes than they take', async () => {
    const devnet = await started({ rhythm: 'manual', gasLimit: 60_000 })
    for (let i = 0; i < 11; i++) await pay(devnet, 'accepted', 30_000n)
    const other = devnet.accounts[1]!.address
    devnet.on('sealed', () => {
      for (let i = 0; i < 3; i++)
        void devnet.send({ from: other, to: STRANGER, gas: 30_000n, until: 'accepted' })
    })
    expect((await pay(devnet, 'sealed', 21_000n)).receipt.status).toBe('success')
  })

  it('a fault that puts it off by a block is waited out, and one that drops it is told', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.faults.dropTransaction({ lands: 'next' })
    expect((await pay(devnet, 'sealed')).receipt.blockNumber).toBe(2n)
    await devnet.faults.dropTransaction({ lands: 'never' })
    const error = await whyNot(pay(devnet, 'sealed'))
    expect(error).toMatchObject({ name: 'NotIncluded', reason: 'a planned fault' })
    expect(error.message).toBe(`transaction ${error.hash} was dropped: a planned fault`)
  })

  it('a fault that puts it off again and again is told, too', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.faults.dropTransaction({ lands: 'next' }, { times: 9 })
    const error = await whyNot(pay(devnet, 'sealed'))
    expect(error.message).toContain('is not sealed: the next slice will include it')
    // Two blocks that took nothing in: a third would be no better.
    expect(await blockNumber(devnet)).toBe(2)
  })
})

describe('until it is pre-confirmed', () => {
  it('the manual clock makes the tick that it needs', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const { receipt } = await pay(devnet, 'preconfirmed')
    expect(receipt).toMatchObject({ blockHash: ZERO_HASH, blockNumber: 1n, status: 'success' })
    expect(await blockNumber(devnet)).toBe(0)
  })

  it('several share a tick', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const many = await Promise.all(Array.from({ length: 5 }, () => pay(devnet, 'preconfirmed', 21_000n)))
    expect(many.map(({ receipt }) => receipt.blockNumber)).toEqual([1n, 1n, 1n, 1n, 1n])
    expect(await blockNumber(devnet)).toBe(0)
  })

  it('ticks are made until there is room for it', async () => {
    const devnet = await started({ rhythm: 'manual', gasLimit: 60_000, ticksPerBlock: 4 })
    await pay(devnet, 'preconfirmed', 60_000n)
    await pay(devnet, 'preconfirmed', 39_000n)
    expect((await pay(devnet, 'preconfirmed', 50_000n)).receipt.blockNumber).toBe(2n)
  })

  it('ticks are made until the last slice of the next block, which alone has the gas for it', async () => {
    // 15,000 gas are released with each slice.
    const devnet = await started({
      rhythm: 'manual',
      gasLimit: 60_000,
      ticksPerBlock: 4,
      sliceGasBudget: true,
    })
    expect((await pay(devnet, 'preconfirmed', 21_000n)).receipt.blockNumber).toBe(1n)
    expect((await pay(devnet, 'preconfirmed', 60_000n)).receipt.blockNumber).toBe(2n)
    expect(await blockNumber(devnet)).toBe(1)
  })

  it('ticks are made for as long as they take in others first', async () => {
    const devnet = await started({ rhythm: 'manual', gasLimit: 21_000, ticksPerBlock: 2 })
    for (let i = 0; i < 9; i++) await pay(devnet, 'accepted', 21_000n)
    expect((await pay(devnet, 'preconfirmed', 21_000n)).receipt.blockNumber).toBe(10n)
  })

  it('time brings the tick, under interval', async () => {
    const devnet = await started(NEVER_BY_ITSELF)
    let isThere = false
    const sending = pay(devnet, 'preconfirmed').then((sent) => {
      isThere = true
      return sent
    })
    await vi.waitUntil(
      async () => (await ask<{ pending: string }>(devnet, 'txpool_status')).pending === '0x1',
      SOON,
    )
    expect(isThere).toBe(false)
    await devnet.advance({ ms: 1_000_000 })
    expect((await sending).receipt).toMatchObject({ blockHash: ZERO_HASH, blockNumber: 1n })
  })

  it('is what the real clock does by itself', async () => {
    const devnet = await started({ tickMs: 10, ticksPerBlock: 1_000 })
    expect((await pay(devnet, 'preconfirmed')).receipt).toMatchObject({ blockHash: ZERO_HASH })
  })

  it.each([{ rhythm: 'instant' }, { rhythm: 'manual', ticksPerBlock: 0 }] as const)(
    'is sealed already where slices are blocks: %j',
    async (options) => {
      const devnet = await started(options)
      const { receipt } = await pay(devnet, 'preconfirmed')
      expect(receipt.blockHash).not.toBe(ZERO_HASH)
    },
  )

  it('ends when somebody removes it', async () => {
    const devnet = await started(NEVER_BY_ITSELF)
    const { hash } = await pay(devnet, 'accepted')
    const waiting = whyNot(pay(devnet, 'preconfirmed'))
    await vi.waitUntil(
      async () => (await ask<{ pending: string }>(devnet, 'txpool_status')).pending === '0x2',
      SOON,
    )
    await ask(devnet, 'anvil_dropAllTransactions')
    const error = await waiting
    expect(error.hash).not.toBe(hash)
    expect(error.message).toBe(`transaction ${error.hash} was dropped: removed on request`)
  })

  it('ends when the chain goes back to before it was sent', async () => {
    const devnet = await started(NEVER_BY_ITSELF)
    const before = devnet.snapshot()
    const waiting = whyNot(pay(devnet, 'preconfirmed'))
    await vi.waitUntil(
      async () => (await ask<{ pending: string }>(devnet, 'txpool_status')).pending === '0x1',
      SOON,
    )
    await devnet.restore(before)
    expect((await waiting).message).toContain('is not preconfirmed')
  })

  it('ends when the devnet is closed', async () => {
    const devnet = await started(NEVER_BY_ITSELF)
    const waiting = pay(devnet, 'preconfirmed').catch((error: unknown) => error)
    await vi.waitUntil(
      async () => (await ask<{ pending: string }>(devnet, 'txpool_status')).pending === '0x1',
      SOON,
    )
    await devnet.close()
    expect(await waiting).toMatchObject({ code: 4900 })
  })

  it('ends when the devnet is closed while it is sent', async () => {
    const devnet = await started(NEVER_BY_ITSELF)
    const sending = pay(devnet, 'preconfirmed', 21_000n).catch((error: unknown) => error)
    await devnet.close()
    expect(await sending).toMatchObject({ code: 4900 })
  })

  it('ends when one that has to come first is gone', async () => {
    const devnet = await started(NEVER_BY_ITSELF)
    const { hash } = await pay(devnet, 'accepted')
    const waiting = whyNot(pay(devnet, 'preconfirmed'))
    await vi.waitUntil(
      async () => (await ask<{ pending: string }>(devnet, 'txpool_status')).pending === '0x2',
      SOON,
    )
    await ask(devnet, 'anvil_dropTransaction', hash)
    expect((await waiting).reason).toBe('its nonce is 1; a transaction with nonce 0 must be included first')
  })

  it('is seen in its sealed block where pending is hidden', async () => {
    const devnet = await started({ rhythm: 'manual', ticksPerBlock: 3 })
    await devnet.faults.absentPending({ slices: 100 })
    // Sealed blocks are seen all the same.
    expect((await pay(devnet, 'preconfirmed')).receipt.blockHash).not.toBe(ZERO_HASH)
  })
})

describe('until it is accepted', () => {
  it('nothing is done but to let it wait', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const sent = await pay(devnet, 'accepted')
    expect(sent).toEqual({ hash: expect.any(String) })
    expect(await ask(devnet, 'txpool_status')).toEqual({ pending: '0x1', queued: '0x0' })
    expect(await blockNumber(devnet)).toBe(0)
  })
})

describe('a transaction that cannot come', () => {
  it('makes no block, and its sender learns what it waits for', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const { hash } = await pay(devnet, 'accepted')
    await ask(devnet, 'anvil_setNextBlockBaseFeePerGas', parseGwei('100').toString())
    const error = await whyNot(pay(devnet, 'sealed'))
    expect(error.reason).toBe(
      `${hash}, its sender’s with nonce 0, has to be included first, and that transaction waits, too: it offers 2750000000 wei per gas, and the base fee is 100000000000: it waits until the base fee falls`,
    )
    expect(error.message).toBe(`transaction ${error.hash} is not sealed: ${error.reason}`)
    expect(await blockNumber(devnet)).toBe(0)
  })

  it('makes no block where the base fee rose above its fee once it was accepted', async () => {
    const devnet = await started({ rhythm: 'manual' })
    devnet.on('accepted', () => {
      void ask(devnet, 'anvil_setNextBlockBaseFeePerGas', parseGwei('100').toString())
    })
    const error = await whyNot(pay(devnet, 'sealed'))
    expect(error.reason).toBe(
      'it offers 2750000000 wei per gas, and the base fee is 100000000000: it waits until the base fee falls',
    )
    expect(await blockNumber(devnet)).toBe(0)
  })
})
