/** `preseal_getAccountHistory`: each change of an account, its values before and after, part by part. */
import { describe, expect, it } from 'vitest'
import { Token } from '../../fixtures/contracts/Token.ts'
import type { Devnet } from '../../src/index.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'

interface Change extends Record<string, unknown> {
  readonly blockNumber: string
  readonly slice: string | null
  readonly transactions: string[]
  readonly balance?: { before: string; after: string }
}
interface History {
  readonly changes: Change[]
  readonly next: string | null
}

function send(devnet: Devnet, more: object = {}): Promise<string> {
  const from = devnet.accounts[0]!.address
  return ask(devnet, 'eth_sendTransaction', { from, to: STRANGER, value: '0x1', ...more })
}

function historyOf(devnet: Devnet, address: string, part?: object): Promise<History> {
  return ask(devnet, 'preseal_getAccountHistory', address, ...(part === undefined ? [] : [part]))
}

describe('preseal_getAccountHistory', () => {
  it('tells the changes slice by slice, the newest first, with the transactions that name the account', async () => {
    const devnet = await started({ profile: 'base-flashblocks', rhythm: 'manual' })
    const first = await send(devnet)
    await devnet.tick()
    const second = await send(devnet, { value: '0x2' })
    await devnet.tick()
    await devnet.seal()
    const third = await send(devnet, { value: '0x4' })
    await devnet.tick()
    const { changes, next } = await historyOf(devnet, STRANGER)
    expect(next).toBe(null)
    const { timestamp } = await ask<{ timestamp: string }>(devnet, 'eth_getBlockByNumber', '0x1', false)
    expect(changes).toEqual([
      {
        blockNumber: '0x2',
        slice: '0x1',
        timestamp: expect.any(String),
        isSealed: false,
        transactions: [third],
        balance: { before: '0x3', after: '0x7' },
      },
      {
        blockNumber: '0x1',
        slice: '0x2',
        timestamp,
        isSealed: true,
        transactions: [second],
        balance: { before: '0x1', after: '0x3' },
      },
      {
        blockNumber: '0x1',
        slice: '0x1',
        timestamp,
        isSealed: true,
        transactions: [first],
        balance: { before: '0x0', after: '0x1' },
      },
    ])
  })

  it('begins with what the first block gave', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const { address } = devnet.accounts[0]!
    await send(devnet)
    await devnet.mine(3)
    const { changes } = await historyOf(devnet, address)
    expect(changes.map(({ blockNumber }) => blockNumber)).toEqual(['0x1', '0x0'])
    expect(changes[0]).toMatchObject({ nonce: { before: '0x0', after: '0x1' } })
    const balance = await ask(devnet, 'eth_getBalance', address, '0x0')
    expect(changes[1]!.balance).toEqual({ before: '0x0', after: balance })
  })

  it('tells code and slots', async () => {
    const devnet = await started({ rhythm: 'instant' })
    const { address, abi, hash } = await devnet.deploy(Token, { args: ['Gold', 'GOLD'] })
    const bob = devnet.accounts[1]!.address
    const { hash: minted } = await devnet.write({ abi, address, functionName: 'mint', args: [bob, 5n] })
    const { changes } = await historyOf(devnet, address)
    expect(changes.map(({ transactions }) => transactions)).toEqual([[minted], [hash]])
    const size = ((await ask<string>(devnet, 'eth_getCode', address)).length - 2) / 2
    expect(changes[1]).toMatchObject({
      code: { before: { size: '0x0' }, after: { size: `0x${size.toString(16)}` } },
    })
    const { slots, isCut } = changes[0]!.storage as { slots: Record<string, string>[]; isCut: boolean }
    expect(isCut).toBe(false)
    expect(slots).toHaveLength(2)
    for (const { slot, before, after } of slots) {
      expect(before).toBe(`0x${'0'.repeat(64)}`)
      expect(after).toBe(await ask(devnet, 'eth_getStorageAt', address, slot, 'latest'))
    }
  })

  it('is read part by part', async () => {
    const devnet = await started({ rhythm: 'manual' })
    for (let i = 0; i < 5; i++) {
      await send(devnet)
      await devnet.mine(2)
    }
    const all = (await historyOf(devnet, STRANGER)).changes
    expect(all.map(({ blockNumber }) => blockNumber)).toEqual(['0x9', '0x7', '0x5', '0x3', '0x1'])
    const parts: Change[] = []
    let before: string | null = null
    do {
      const part: History = await historyOf(devnet, STRANGER, {
        limit: 2,
        ...(before === null ? {} : { before }),
      })
      expect(part.changes.length).toBeLessThanOrEqual(2)
      parts.push(...part.changes)
      before = part.next
    } while (before !== null)
    expect(parts).toEqual(all)
  })

  it('shows what a cheat has set, which no transaction names', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.mine()
    await ask(devnet, 'anvil_setBalance', STRANGER, '0x9')
    const { changes } = await historyOf(devnet, STRANGER)
    expect(changes).toMatchObject([
      { blockNumber: '0x1', transactions: [], balance: { before: '0x0', after: '0x9' } },
    ])
  })

  it('is empty for an account that never was', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.mine(3)
    expect(await historyOf(devnet, STRANGER)).toEqual({ changes: [], next: null })
  })

  it('ends where states are no longer kept', async () => {
    const devnet = await started({ rhythm: 'manual', history: { blocks: 2 } })
    for (let i = 0; i < 4; i++) {
      await send(devnet)
      await devnet.mine()
    }
    const { changes, next } = await historyOf(devnet, STRANGER)
    expect([changes.map(({ blockNumber }) => blockNumber), next]).toEqual([['0x4'], null])
  })

  it.each([
    [{ limit: 0 }, /params\[1\]\.limit: expected a number from 1 to 100, got 0/],
    [{ limit: 101 }, /params\[1\]\.limit/],
    [{ before: 'latest' }, /params\[1\]\.before: expected a quantity/],
    [{ after: '0x1' }, /params\[1\]\.after: expected nothing but limit and before/],
  ])('refuses %j', async (part, message) => {
    const devnet = await started({ rhythm: 'manual' })
    await expect(historyOf(devnet, STRANGER, part)).rejects.toThrow(message)
  })
})
