/** Commands, one after the other, whatever one of them does. */
import { describe, expect, it, vi } from 'vitest'
import {
  ALICE,
  BOB,
  droppedBy,
  engineAfter,
  latest,
  submit,
  workplace,
} from '../support/chains/sequencers.ts'
import { sign } from '../support/chains/signing.ts'
import { SOON } from '../support/clients/until.ts'

describe('the queue of commands', () => {
  it('goes on after a command that failed', async () => {
    const place = await workplace()
    const failing = place.sequencer.submissions.submitNext(ALICE.address, () => {
      throw new Error('no key')
    })
    const ticking = place.sequencer.blocks.tick()
    await expect(failing).rejects.toThrow('no key')
    await ticking
    await submit(place, sign(ALICE))
    await place.sequencer.blocks.mine()
    expect(latest(place)).toHaveLength(1)
  })

  it('runs one command at a time, in order', async () => {
    const place = await workplace()
    const heard: string[] = []
    place.sequencer.listeners.on('accepted', ({ nonce }) => heard.push(`accepted ${nonce}`))
    place.sequencer.listeners.on('preconfirmed', (_, added) => heard.push(`preconfirmed ${added.length}`))
    place.sequencer.listeners.on('sealed', ({ block }) => heard.push(`sealed ${block.transactions.length}`))
    await Promise.all([
      place.sequencer.submissions.submit(sign(ALICE)),
      place.sequencer.blocks.tick(),
      place.sequencer.submissions.submit(sign(ALICE, { nonce: 1n })),
      place.sequencer.blocks.tick(),
      place.sequencer.blocks.seal(),
    ])
    expect(heard).toEqual([
      'accepted 0',
      'preconfirmed 1',
      'accepted 1',
      'sealed 1',
      'preconfirmed 1',
      'sealed 1',
    ])
  })

  it('is not stopped by a transaction that breaks the machine; that one is dropped', async () => {
    const broken = new Error('the machine broke')
    const place = await workplace({
      engine: engineAfter(({ message }) => {
        if (message.from === ALICE.address) throw broken
      }),
    })
    const dropped = droppedBy(place)
    const [bad, good] = [sign(ALICE), sign(BOB)]
    await submit(place, bad, good)
    await place.sequencer.blocks.tick()
    await place.sequencer.blocks.tick()
    expect(dropped).toEqual([[bad.hash, { kind: 'defect', error: broken }]])
    expect([latest(place), place.pool.size]).toEqual([[good], 0])
    // Nor has it left the machine in a bad state for the next.
    await submit(place, sign(BOB, { nonce: 1n }))
    await place.sequencer.blocks.mine()
    expect(latest(place)).toHaveLength(1)
  })

  it('is not stopped by a listener that throws', async () => {
    const place = await workplace()
    const uncaught = vi.fn()
    const before = process.listeners('uncaughtException')
    process.removeAllListeners('uncaughtException').on('uncaughtException', uncaught)
    try {
      place.sequencer.listeners.on('sealed', () => {
        throw new Error('a listener’s own fault')
      })
      const second = vi.fn()
      place.sequencer.listeners.on('sealed', second)
      await place.sequencer.blocks.mine()
      await place.sequencer.blocks.mine()
      expect(second).toHaveBeenCalledTimes(2)
      expect(place.chain.latest.block.header.number).toBe(2n)
      await vi.waitUntil(() => uncaught.mock.calls.length === 2, SOON)
    } finally {
      process.removeAllListeners('uncaughtException')
      for (const listener of before) process.on('uncaughtException', listener)
    }
  })
})
