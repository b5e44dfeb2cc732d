/** What a test gives to `expect`, before anything is said of it. */
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { attend, hashIn, outcomeOf, settled } from '../../src/testing/matchers/outcome.ts'

const HASH = `0x${'ab'.repeat(32)}` as const
const failing = () => Promise.reject(new Error('no'))

describe('a promise that fails', () => {
  it('is nobody’s fault while something else is read first', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown) => unhandled.push(reason)
    const others = process.listeners('unhandledRejection')
    process.removeAllListeners('unhandledRejection')
    process.on('unhandledRejection', note)
    onTestFinished(() => {
      process.removeListener('unhandledRejection', note)
      for (const other of others) process.on('unhandledRejection', other)
    })
    const given = failing()
    attend(given)
    await setTimeout(5)
    expect(unhandled).toEqual([])
    expect(await settled(given)).toMatchObject({ error: { message: 'no' } })
  })
})

describe('what was given', () => {
  it('is settled: a value, a promise of it, or a function that makes either', async () => {
    for (const given of [5, Promise.resolve(5), () => 5, async () => 5]) {
      expect(await settled(given)).toEqual({ value: 5 })
    }
    expect(await settled(failing)).toMatchObject({ error: { message: 'no' } })
  })

  it('has a hash where it is one, or an answer or receipt of any library', () => {
    // viem and JSON-RPC; ethers' receipts and answers.
    for (const value of [HASH, { transactionHash: HASH }, { hash: HASH }]) expect(hashIn(value)).toBe(HASH)
    for (const value of [5, '0x12', {}, null, undefined]) expect(hashIn(value)).toBeUndefined()
  })
})

describe('the outcome without a devnet', () => {
  const receipt = (status: unknown) => ({ transactionHash: HASH, status, logs: [] })

  // JSON-RPC '0x0', viem 'reverted', ethers 0, web3.js 0n, web3.js 1 false.
  it.each(['0x0', 'reverted', 0, 0n, false])(
    'of a receipt with the status %s is a failure',
    async (status) => {
      expect(await outcomeOf(receipt(status), {})).toMatchObject({ kind: 'failed', failure: { hash: HASH } })
    },
  )

  it.each(['0x1', 'success', 1, 1n, true])('of a receipt with the status %s is success', async (status) => {
    expect(await outcomeOf(receipt(status), {})).toEqual({ kind: 'included', hash: HASH, logs: [] })
  })

  it('is that of a receipt beside the hash, as devnet.write and devnet.send answer', async () => {
    const sent = { hash: HASH, receipt: receipt('success') }
    expect(await outcomeOf(sent, {})).toEqual({ kind: 'included', hash: HASH, logs: [] })
  })

  it('is an answer where there is neither receipt nor hash, be there logs', async () => {
    for (const value of [5, { logs: [] }, undefined]) {
      expect(await outcomeOf(value, {})).toEqual({ kind: 'answered', value })
    }
  })

  it('of an answer of ethers is waited for', async () => {
    const sent = { hash: HASH, wait: async () => receipt(1) }
    expect(await outcomeOf(sent, {})).toEqual({ kind: 'included', hash: HASH, logs: [] })
  })

  it('cannot be told of a hash alone', async () => {
    await expect(outcomeOf(HASH, {})).rejects.toThrow(
      `the outcome of the transaction ${HASH} is unknown without its devnet`,
    )
  })
})
