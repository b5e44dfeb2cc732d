/** Faults of the chain as they are planned: when they happen, how they are taken back, listed, and planned over JSON-RPC. */
import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Devnet } from '../../src/index.ts'
import { flashblocks, ticks } from '../support/chains/faultScenes.ts'
import { heard, pay, seen } from '../support/chains/watched.ts'
import { ask, clientOf, STRANGER } from '../support/clients/clients.ts'

describe('when a fault happens', () => {
  async function omissions(devnet: Devnet, count: number): Promise<string[]> {
    const lines = heard(devnet)
    await ticks(devnet, count)
    return lines.filter((line) => line.startsWith('fault')).map((line) => line.split(' ')[2]!)
  }

  it('is the next time, once, if nothing is said', async () => {
    const devnet = await flashblocks()
    await devnet.faults.omitSlice()
    expect(await omissions(devnet, 6)).toEqual(['1.1'])
  })

  it('is so many times', async () => {
    const devnet = await flashblocks()
    await devnet.faults.omitSlice({ times: 4 })
    expect(await omissions(devnet, 6)).toEqual(['1.1', '1.2', '1.3', '2.1'])
  })

  it('is always', async () => {
    const devnet = await flashblocks()
    await devnet.faults.duplicateSlice('always')
    expect(await omissions(devnet, 5)).toEqual(['1.1', '1.2', '1.3', '2.1', '2.2'])
    expect(devnet.faults.list()).toEqual([{ id: 1, kind: 'duplicateSlice', when: 'always' }])
  })

  it('is in a block, at its first slice', async () => {
    const devnet = await flashblocks()
    await devnet.faults.omitSlice({ block: 2 })
    expect(await omissions(devnet, 9)).toEqual(['2.1'])
  })

  it('is in a slice, and never if that has gone by', async () => {
    const devnet = await flashblocks()
    await devnet.tick()
    await devnet.faults.omitSlice({ block: 2, slice: 3 })
    await devnet.faults.omitSlice({ block: 1, slice: 1 })
    expect(await omissions(devnet, 9)).toEqual(['2.3'])
    expect(devnet.faults.list()).toEqual([])
  })

  it('is as chance will have it, the same with the same seed, with others otherwise', async () => {
    const chosen = async (seed?: number) => {
      const devnet = await flashblocks()
      await devnet.faults.duplicateSlice(
        seed === undefined ? { probability: 0.3 } : { probability: 0.3, seed },
      )
      return omissions(devnet, 60)
    }
    const [first, again, other, one] = [await chosen(7), await chosen(7), await chosen(8), await chosen()]
    expect(first.length).toBeGreaterThan(5)
    expect(first.length).toBeLessThan(40)
    expect(again).toEqual(first)
    expect(other).not.toEqual(first)
    expect(await chosen()).toEqual(one)
  })

  it('is not the same for two that chance decides, though nobody gave them seeds', async () => {
    const devnet = await flashblocks()
    const lines = heard(devnet)
    await devnet.faults.duplicateSlice({ probability: 0.5 })
    await devnet.faults.planReorg({ depth: 1, transactions: 'keep' }, { probability: 0.5 })
    await ticks(devnet, 60)
    const blocks = (kind: string) => lines.filter((line) => line.startsWith(`fault ${kind}`)).length
    expect(blocks('duplicateSlice')).toBeGreaterThan(0)
    expect(blocks('reorg')).toBeGreaterThan(0)
  })

  it('is one at a time: of two that want a slice the second waits', async () => {
    const devnet = await flashblocks()
    await devnet.faults.duplicateSlice()
    await devnet.faults.omitSlice()
    expect(await omissions(devnet, 3)).toEqual(['1.1', '1.2'])
  })
})

describe('a fault that is taken back', () => {
  it('does not happen', async () => {
    const devnet = await flashblocks()
    const lines = heard(devnet)
    const id = await devnet.faults.omitSlice({ block: 1, slice: 2 })
    await devnet.tick()
    expect(await devnet.faults.remove(id)).toBe(true)
    expect(await devnet.faults.remove(id)).toBe(false)
    await ticks(devnet, 2)
    expect(lines).toEqual(['slice 1.1 +0', 'slice 1.2 +0', 'slice 1.3 +0'])
  })

  it.each([
    ['absent', 'absentPending', 'latest 0 pending -'],
    ['stale', 'stalePending', 'latest 0 pending 1:0'],
    ['delayed', 'delaySlice', 'latest 0 pending 1:0'],
  ] as const)('shows at once what was %s', async (_, kind, before) => {
    const devnet = await flashblocks()
    await devnet.tick()
    const id = await devnet.faults.add({ kind, slices: 9 })
    await pay(devnet)
    await devnet.tick()
    expect(await seen(devnet)).toBe(before)
    expect(devnet.faults.list()).toEqual([])
    expect(await devnet.faults.remove(id)).toBe(true)
    expect(await seen(devnet)).toBe('latest 0 pending 1:1')
    await devnet.tick()
    expect(await seen(devnet)).toBe('latest 0 pending 1:1')
  })

  it('tells what was held back', async () => {
    const devnet = await flashblocks({ ticksPerBlock: 9 })
    const lines = heard(devnet)
    const id = await devnet.faults.delaySlice({ slices: 5 })
    await ticks(devnet, 2)
    await devnet.faults.remove(id)
    expect(lines).toEqual(['fault delaySlice 1.1', 'slice 1.1 +0', 'slice 1.2 +0'])
  })

  it('leaves alone what another fault hides', async () => {
    const devnet = await flashblocks()
    const [first, second] = [
      await devnet.faults.duplicateSlice({ block: 5 }),
      await devnet.faults.absentPending({ slices: 9 }),
    ]
    await devnet.tick()
    expect(await devnet.faults.remove(first)).toBe(true)
    expect(await seen(devnet)).toBe('latest 0 pending -')
    expect(await devnet.faults.remove(second)).toBe(true)
    expect(await seen(devnet)).toBe('latest 0 pending 1:0')
  })

  it('may be all of them', async () => {
    const devnet = await flashblocks()
    await devnet.faults.stalePending({ slices: 9 })
    await devnet.faults.omitSlice('always')
    await devnet.faults.latency({ ms: 60_000 })
    await devnet.faults.planCut({}, { block: 9 })
    await devnet.tick()
    expect(devnet.faults.list()).toHaveLength(3)
    await devnet.faults.clear()
    expect(devnet.faults.list()).toEqual([])
    expect(await seen(devnet)).toBe('latest 0 pending 1:0')
  })

  it('is gone with the chain that it happened on, where that is restored', async () => {
    const devnet = await flashblocks()
    const lines = heard(devnet)
    const mark = devnet.snapshot()
    await devnet.faults.delaySlice({ slices: 5 })
    await pay(devnet)
    await ticks(devnet, 2)
    await devnet.restore(mark)
    await devnet.tick()
    expect(await seen(devnet)).toBe('latest 0 pending 1:0')
    expect(lines).toEqual(['fault delaySlice 1.1', 'slice 1.1 +0'])
  })

  it('is no part of a fork', async () => {
    const devnet = await flashblocks()
    await devnet.faults.omitSlice('always')
    await devnet.tick()
    const fork = devnet.fork()
    await fork.tick()
    expect([await seen(fork), fork.faults.list()]).toEqual(['latest 0 pending 1:0', []])
    await fork.close()
  })
})

describe('the list of faults', () => {
  it('has what is planned, as it can be given again', async () => {
    const devnet = await flashblocks()
    const forms = [
      { kind: 'delaySlice', slices: 2, when: { block: 5, slice: 1 } },
      { kind: 'httpStatus', method: 'eth_*', status: 429, when: { times: 3 } },
      { kind: 'cutWebSockets', code: 1011, when: { block: 9 } },
      { kind: 'reorg', depth: 1, transactions: 'wait', when: { probability: 0.5, seed: 3 } },
      { kind: 'contextLag', blocks: [1, 5], when: 'always' },
    ] as const
    for (const form of forms) await devnet.faults.add(form)
    expect(devnet.faults.list()).toEqual(forms.map((form, i) => ({ id: i + 1, ...form })))
  })

  it('has raw transactions as their bytes', async () => {
    const devnet = await flashblocks()
    const client = clientOf(devnet)
    const raw = await client.signTransaction(
      await client.prepareTransactionRequest({ to: STRANGER, value: 1n }),
    )
    await devnet.faults.planReorg({ depth: 1, transactions: [[raw]] }, { block: 3 })
    expect(devnet.faults.list()).toMatchObject([{ transactions: [[raw]] }])
  })

  it('counts down what happens several times', async () => {
    const devnet = await flashblocks()
    await devnet.faults.omitSlice({ times: 3 })
    await devnet.tick()
    expect(devnet.faults.list()).toEqual([{ id: 1, kind: 'omitSlice', when: { times: 2 } }])
  })
})

describe('faults over JSON-RPC', () => {
  it('are planned, listed and taken back by id', async () => {
    const devnet = await flashblocks()
    const id = await ask(devnet, 'preseal_addFault', { kind: 'omitSlice', when: { block: 7 } })
    expect(id).toBe('0x1')
    expect(await ask(devnet, 'preseal_listFaults')).toEqual([{ id, kind: 'omitSlice', when: { block: 7 } }])
    expect(await ask(devnet, 'preseal_removeFault', id)).toBe(true)
    expect(await ask(devnet, 'preseal_removeFault', id)).toBe(false)
    await ask(devnet, 'preseal_addFault', { kind: 'omitSlice' })
    expect(await ask(devnet, 'preseal_clearFaults')).toBe(true)
    expect(await ask(devnet, 'preseal_listFaults')).toEqual([])
  })

  it('take blocks off, and answer their hashes', async () => {
    const devnet = await flashblocks()
    await devnet.mine()
    const { hash } = await ask<{ hash: Hex }>(devnet, 'eth_getBlockByNumber', 'latest', false)
    expect(await ask(devnet, 'preseal_reorg', { depth: 1, transactions: 'keep' })).toEqual([hash])
    expect(await ask(devnet, 'eth_getBlockByHash', hash, false)).toMatchObject({ number: '0x1' })
  })

  it.each([
    [[{ kind: 'omitSlize' }], 'params[0].kind: expected one of omitSlice, '],
    [[{ kind: 'omitSlice', slices: 2 }], 'params[0].slices: expected one of the members kind, when, got 2'],
    [[{ kind: 'delaySlice' }], 'params[0].slices: expected a whole number from 1 to 1000000, got nothing'],
    [[{ kind: 'omitSlice', when: 'never' }], 'params[0].when: expected "always", {times}, {block, slice?}'],
    [[], 'params[0]: expected a fault: an object {kind, …, when?}, got nothing'],
  ])('refuse %j', async (params, message) => {
    const devnet = await flashblocks()
    await expect(devnet.request({ method: 'preseal_addFault', params })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(message),
    })
  })

  it('refuse a reorg that is too deep, naming the parameter', async () => {
    const devnet = await flashblocks()
    await expect(ask(devnet, 'preseal_reorg', { depth: 1, transactions: 'keep' })).rejects.toMatchObject({
      code: -32602,
      message:
        'invalid argument 0: params[0].depth: expected at most 0 blocks, which are not final yet, got 1',
    })
  })
})
