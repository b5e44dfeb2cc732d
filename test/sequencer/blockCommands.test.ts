/** Ticks, sealing and mining, and the blocks that they make one after the other. */
import { describe, expect, it } from 'vitest'
import { toHex } from '../../src/bytes/hex.ts'
import type { Moment } from '../../src/chain/moment.ts'
import { createDevnet } from '../../src/devnet/createDevnet.ts'
import type { Devnet } from '../../src/devnet/devnet.ts'
import type { Transaction } from '../../src/model/transaction/transaction.ts'
import { Mixture } from '../support/chains/mixture.ts'
import { ALICE, latest, submit, workplace } from '../support/chains/sequencers.ts'
import { sign } from '../support/chains/signing.ts'
import { withRandom } from '../support/random/random.ts'

describe('a tick', () => {
  /** After each of `ticks` ticks: the latest block, the open one and its slices. */
  async function states(ticks: number, wishes: Parameters<typeof workplace>[0]) {
    const place = await workplace(wishes)
    const seen: (readonly [bigint, bigint | undefined, number | undefined])[] = []
    for (let tick = 0; tick < ticks; tick++) {
      await place.sequencer.blocks.tick()
      const { latest, preconfirmed } = place.chain
      seen.push([latest.block.header.number, preconfirmed?.block.header.number, preconfirmed?.slices])
    }
    return seen
  }

  it('opens and pre-confirms, and seals what the tick before opened, with one slice for each block', async () => {
    expect(await states(3, { ticksPerBlock: 1 })).toEqual([
      [0n, 1n, 1],
      [1n, 2n, 1],
      [2n, 3n, 1],
    ])
  })

  it('adds a slice, and seals after ten of them, with ten for each block', async () => {
    const seen = await states(21, { ticksPerBlock: 10 })
    expect(seen.slice(0, 10)).toEqual(Array.from({ length: 10 }, (_, i) => [0n, 1n, i + 1]))
    expect(seen[10]).toEqual([1n, 2n, 1])
    expect(seen[20]).toEqual([2n, 3n, 1])
  })

  it('opens, runs and seals at once without slices, and pre-confirms nothing', async () => {
    expect(await states(2, { ticksPerBlock: 0 })).toEqual([
      [1n, undefined, undefined],
      [2n, undefined, undefined],
    ])
  })

  it('seals no empty blocks where that is turned off, but opens them anew with the time of now', async () => {
    const place = await workplace({ sealEmptyBlocks: false, tickMs: 1_000 })
    for (let tick = 0; tick < 5; tick++) await place.sequencer.blocks.tick()
    const { latest, preconfirmed } = place.chain
    expect(latest.block.header.number).toBe(0n)
    expect(preconfirmed!.block.header.timestamp).toBe(latest.block.header.timestamp + 5n)
    await submit(place, sign(ALICE))
    await place.sequencer.blocks.tick()
    await place.sequencer.blocks.tick()
    expect(place.chain.latest.block).toMatchObject({
      header: { number: 1n },
      transactions: [{ from: ALICE.address }],
    })
  })

  it('makes a block for what only the next block’s lower base fee lets in, where empty ones are not sealed', async () => {
    for (const wishes of [{ ticksPerBlock: 0, sealEmptyBlocks: false }, { rhythm: 'instant' }] as const) {
      const place = await workplace({ ...wishes, baseFeePerGas: 1_000n })
      // 875 after the empty genesis.
      await submit(place, sign(ALICE, { maxFeePerGas: 900n, maxPriorityFeePerGas: 0n }))
      await place.sequencer.blocks.tick()
      expect(place.chain.latest.block).toMatchObject({
        header: { number: 1n, baseFeePerGas: 875n },
        transactions: [{}],
      })
    }
  })
})

describe('steering', () => {
  it('seals the open block as it is, and leaves what waits', async () => {
    const place = await workplace()
    await submit(place, sign(ALICE))
    await place.sequencer.blocks.tick()
    await submit(place, sign(ALICE, { nonce: 1n }))
    await place.sequencer.blocks.seal()
    expect([latest(place).length, place.pool.size, place.chain.preconfirmed]).toEqual([1, 1, undefined])
    await place.sequencer.blocks.seal()
    expect([latest(place).length, place.pool.size]).toEqual([0, 1])
  })

  it('mines what waits into the open block and seals it', async () => {
    const place = await workplace()
    await submit(place, sign(ALICE))
    await place.sequencer.blocks.tick()
    await submit(place, sign(ALICE, { nonce: 1n }))
    await place.sequencer.blocks.mine()
    expect([place.chain.latest.block.header.number, latest(place).length]).toEqual([1n, 2])
  })

  it('advances time with each tick that falls due on the way, and no further', async () => {
    const place = await workplace()
    const start = place.clock.nowMs
    await place.sequencer.blocks.advance(999)
    expect(place.clock.nowMs).toBe(start + 999)
    // Ticks at 200, 400, 600 and 800.
    expect(place.chain.latest.block.header.number).toBe(3n)
    await place.sequencer.blocks.advance(1)
    expect(place.chain.latest.block.header.number).toBe(4n)
  })

  it('under the instant rhythm seals what is ready as soon as it comes, and moves only time', async () => {
    const place = await workplace({ rhythm: 'instant' })
    await submit(place, sign(ALICE))
    await submit(place, sign(ALICE, { nonce: 2n }))
    await place.sequencer.blocks.advance(10_000)
    expect(place.chain.latest.block.header.number).toBe(1n)
    await submit(place, sign(ALICE, { nonce: 1n }))
    expect(latest(place).map(({ nonce }) => nonce)).toEqual([1n, 2n])
    const [second, first] = [2n, 1n].map((number) => place.chain.at({ kind: 'number', number }) as Moment)
    expect(second!.block.header.timestamp - first!.block.header.timestamp).toBeGreaterThanOrEqual(10n)
  })
})

describe('block after block', () => {
  it('the base fee follows EIP-1559: by an eighth down for empty and up for full blocks, and by what lies between', async () => {
    const place = await workplace({ gasLimit: 84_000n, baseFeePerGas: 1_000n })
    const fees: (bigint | undefined)[] = []
    let nonce = 0n
    const mine = async (transfers: number) => {
      for (let i = 0; i < transfers; i++) await submit(place, sign(ALICE, { nonce: nonce++ }))
      await place.sequencer.blocks.mine()
      fees.push(place.chain.latest.block.header.baseFeePerGas)
    }
    for (const transfers of [0, 0, 4, 4, 2, 3, 1, 0]) await mine(transfers)
    // Each is the one before, moved by an eighth for a block that was empty or full, by a sixteenth for one that was a
    // quarter off, and not at all for one that was half full.
    expect(fees).toEqual([875n, 766n, 671n, 754n, 848n, 848n, 901n, 845n])
  })

  it('the price that a transaction pays is that of its own block', async () => {
    const place = await workplace({ baseFeePerGas: 1_000n })
    await submit(place, sign(ALICE, { maxFeePerGas: 5_000n, maxPriorityFeePerGas: 7n }))
    await place.sequencer.blocks.mine()
    expect(place.chain.latest.block.receipts).toMatchObject([{ effectiveGasPrice: 882n }])
  })

  it('timestamps are whole seconds that never go back, whatever the clock does', async () => {
    const place = await workplace({ tickMs: 300 })
    const timestamps: bigint[] = []
    place.sequencer.listeners.on('sealed', ({ block }) => timestamps.push(block.header.timestamp))
    const { clock } = place.sequencer.marks.now
    for (let tick = 0; tick < 10; tick++) await place.sequencer.blocks.tick()
    // The clock alone is set back, as by a snapshot of another devnet.
    place.clock.restore(clock)
    for (let tick = 0; tick < 10; tick++) await place.sequencer.blocks.tick()
    expect(timestamps.length).toBeGreaterThan(15)
    expect(timestamps).toEqual([...timestamps].sort((a, b) => Number(a - b)))
  })

  it('time runs on from the first block’s, where that was given', async () => {
    const timestamp = 4_000_000_000
    await using devnet = await createDevnet({ rhythm: 'manual', timestamp, tickMs: 1_000 })
    const seen: bigint[] = []
    devnet.on('sealed', ({ block }) => seen.push(block.header.timestamp))
    await devnet.advance({ ms: 4_000 })
    expect(seen).toEqual([1n, 2n, 3n].map((seconds) => BigInt(timestamp) + seconds))
  })

  it('what was pre-confirmed is sealed with the same receipts and the same state', async () => {
    await withRandom(async (random) => {
      await using devnet = await createDevnet({ rhythm: 'manual', ticksPerBlock: 3 })
      const mixture = new Mixture(random, 'osaka', devnet.accounts)
      let last: Moment | undefined
      devnet.on('preconfirmed', (moment) => {
        last = moment
      })
      let compared = 0
      devnet.on('sealed', ({ block, state }) => {
        expect(block.receipts).toEqual(last!.block.receipts)
        expect(block.transactions).toEqual(last!.block.transactions)
        expect(state).toBe(last!.state)
        compared++
      })
      for (let i = 0; i < 30; i++) {
        for (let waiting = random.below(3); waiting > 0; waiting--) await send(devnet, await mixture.next())
        await devnet.tick()
      }
      expect(compared).toBe(9)
    })()
  })
})

/** Sends signed bytes, as a user would. */
async function send(devnet: Devnet, { raw }: Transaction): Promise<void> {
  await devnet.request({ method: 'eth_sendRawTransaction', params: [toHex(raw)] })
}
