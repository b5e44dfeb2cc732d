/** What no fault breaks: the sealed chain is one that any node accepts, and no accepted transaction is lost without a word. */
import { encodeFunctionData, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { Emitter } from '../../fixtures/contracts/Emitter.ts'
import type { Devnet, DevnetOptions } from '../../src/index.ts'
import { type GenesisJson, Verifier } from '../support/chains/miner.ts'
import { heard, pay } from '../support/chains/watched.ts'
import { ask, clientOf, started } from '../support/clients/clients.ts'
import { type Random, withRandom } from '../support/random/random.ts'

/** Holds everything that was accepted and not given up against what can be found. */
class Ledger {
  readonly #devnet: Devnet
  readonly #alive = new Set<Hex>()

  constructor(devnet: Devnet) {
    this.#devnet = devnet
    devnet.on('accepted', ({ hash }) => this.#alive.add(hash))
    devnet.on('dropped', ({ hash }, reason) => {
      if (reason.kind !== 'fault' || reason.lands === 'never') this.#alive.delete(hash)
    })
    // Those that came back with a reorg.
    devnet.on('sealed', ({ block }) => {
      for (const { hash } of block.transactions) this.#alive.add(hash)
    })
    // Before anybody can ask, all that there is to say has been said.
    for (const event of ['preconfirmed', 'sealed', 'reorged', 'fault', 'dropped'] as const) {
      devnet.on(event, () => queueMicrotask(() => this.check()))
    }
  }

  /** What is asked in process is answered from the chain of this moment, in whatever turn the answer arrives. */
  readonly lost: Promise<Hex | undefined>[] = []

  check(): void {
    for (const hash of this.#alive) {
      const found = ask(this.#devnet, 'eth_getTransactionByHash', hash)
      this.lost.push(found.then((transaction) => (transaction === null ? hash : undefined)))
    }
  }
}

/** Every fault of the chain, by chance. */
async function planAll(devnet: Devnet, random: Random): Promise<void> {
  const { faults } = devnet
  const often = () => ({ probability: 0.05 + random.fraction() * 0.2, seed: random.below(2 ** 32) })
  await faults.omitSlice(often())
  await faults.duplicateSlice(often())
  await faults.delaySlice({ slices: random.between(1, 4) }, often())
  await faults.absentPending({ slices: random.between(1, 4) }, often())
  await faults.stalePending({ slices: random.between(1, 4) }, often())
  await faults.dropTransaction({ lands: 'next' }, often())
  await faults.dropTransaction({ lands: 'never' }, often())
  await faults.sealDifferently({ order: 'reversed' }, often())
  await faults.sealDifferently({ laterSeconds: random.between(1, 9) }, often())
  await faults.sealDifferently({ prevRandao: random.hex(32) }, often())
  for (const transactions of ['keep', 'wait', 'drop'] as const) {
    await faults.planReorg({ depth: random.between(1, 4), transactions, blocks: random.below(6) }, often())
  }
}

async function someTransaction(devnet: Devnet, emitter: Hex, random: Random): Promise<void> {
  const sender = random.below(4)
  const data = encodeFunctionData({
    abi: Emitter.abi,
    functionName: 'emitMany',
    args: [BigInt(random.below(4)), random.hex(32)],
  })
  const fields = random.pick([
    { value: `0x${random.between(1, 9).toString(16)}` },
    { to: emitter, value: '0x0', data, gas: '0x30d40' },
    // Fees that a base fee may outgrow.
    { gasPrice: `0x${(10n ** 9n + BigInt(random.below(10 ** 8))).toString(16)}` },
  ])
  // A fee may be too low by now, as any client finds out.
  await pay(devnet, sender, fields).catch((error) => expect(error.code).toBe(-32000))
}

async function troubled(random: Random, options: DevnetOptions, rounds: number): Promise<Devnet> {
  const devnet = await started({ rhythm: 'manual', safeDistance: 2, finalizedDistance: 5, ...options })
  const emitter = await deployed(devnet)
  await planAll(devnet, random)
  for (let i = 0; i < rounds; i++) {
    for (let left = random.below(4); left > 0; left--) await someTransaction(devnet, emitter, random)
    if (random.chance(0.1)) await devnet.mine()
    else await devnet.tick()
  }
  return devnet
}

async function deployed(devnet: Devnet): Promise<Hex> {
  const client = clientOf(devnet, 9)
  const hash = await client.deployContract(Emitter)
  await devnet.mine()
  return (await client.getTransactionReceipt({ hash })).contractAddress!
}

/** The hashes of all sealed blocks. */
async function hashes(devnet: Devnet): Promise<Hex[]> {
  const length = Number(await ask(devnet, 'eth_blockNumber'))
  const blocks = Array.from({ length }, (_, i) =>
    ask<{ hash: Hex }>(devnet, 'eth_getBlockByNumber', `0x${(i + 1).toString(16)}`, false),
  )
  return (await Promise.all(blocks)).map(({ hash }) => hash)
}

async function expectAccepted(devnet: Devnet): Promise<void> {
  const verifier = await Verifier.start(JSON.parse(JSON.stringify(devnet.genesis())) as GenesisJson)
  const accepted: Hex[] = []
  for (const block of devnet.export()) accepted.push(await verifier.accept(block))
  expect(accepted).toEqual(await hashes(devnet))
}

describe('a chain on which everything goes wrong', () => {
  it.each([0, 1, 4])(
    'is accepted, block by block, by EthereumJS, with %i slices in a block',
    async (ticksPerBlock) => {
      await withRandom(async (random) => {
        const options = { ticksPerBlock, systemContracts: random.chance(0.5) }
        await expectAccepted(await troubled(random, options, 150))
      })()
    },
  )

  it(
    'keeps to its rules where a later time would bring others',
    withRandom(async (random) => {
      const time = 1_735_689_600 // where the manual clock begins
      const later = (seconds: number) => time + seconds
      const genesis = {
        config: {
          chainId: 31_337,
          homesteadBlock: 0,
          eip150Block: 0,
          eip155Block: 0,
          eip158Block: 0,
          byzantiumBlock: 0,
          constantinopleBlock: 0,
          petersburgBlock: 0,
          istanbulBlock: 0,
          berlinBlock: 0,
          londonBlock: 0,
          mergeNetsplitBlock: 0,
          terminalTotalDifficulty: 0,
          terminalTotalDifficultyPassed: true,
          shanghaiTime: later(5),
          cancunTime: later(12),
          pragueTime: later(20),
          blobSchedule: {
            cancun: { target: 3, max: 6, baseFeeUpdateFraction: 3_338_477 },
            prague: { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 },
          },
        },
        timestamp: `0x${time.toString(16)}`,
        gasLimit: '0x1c9c380',
        difficulty: '0x0',
        baseFeePerGas: '0x3b9aca00',
        alloc: Object.fromEntries(
          (await started({ rhythm: 'manual' })).accounts.map(({ address }) => [
            address,
            { balance: '0x21e19e0c9bab2400000' },
          ]),
        ),
      }
      const devnet = await started({ genesis, rhythm: 'manual', ticksPerBlock: 1, finalizedDistance: 32 })
      await devnet.faults.sealDifferently({ laterSeconds: 4 }, { probability: 0.2, seed: random.below(99) })
      await devnet.faults.planReorg({ depth: 2, transactions: 'keep' }, { probability: 0.1 })
      for (let i = 0; i < 130; i++) {
        await pay(devnet)
        await devnet.tick()
      }
      await expectAccepted(devnet)
    }),
  )

  it(
    'loses no accepted transaction without a word, at any instant',
    withRandom(async (random) => {
      const ticksPerBlock = random.pick([1, 3])
      const devnet = await started({ rhythm: 'manual', ticksPerBlock })
      const emitter = await deployed(devnet)
      const ledger = new Ledger(devnet)
      await planAll(devnet, random)
      for (let i = 0; i < 60; i++) {
        for (let left = random.below(3); left > 0; left--) await someTransaction(devnet, emitter, random)
        await devnet.tick()
        ledger.check()
      }
      const lost = (await Promise.all(ledger.lost)).filter((hash) => hash !== undefined)
      expect([...new Set(lost)]).toEqual([])
      expect(ledger.lost.length).toBeGreaterThan(1_000)
    }),
  )

  it('is the same chain, and meets the same faults, where all seeds are the same', async () => {
    const played = async () => {
      const devnet = await started({ rhythm: 'manual', ticksPerBlock: 3, finalizedDistance: 32 })
      const lines = heard(devnet)
      await devnet.faults.dropTransaction({ lands: 'next' }, { probability: 0.3, seed: 5 })
      await devnet.faults.omitSlice({ probability: 0.2 })
      await devnet.faults.sealDifferently({ order: 'reversed', laterSeconds: 1 }, { probability: 0.3 })
      await devnet.faults.planReorg({ depth: 2, transactions: 'keep' }, { probability: 0.1 })
      for (let i = 0; i < 60; i++) {
        await pay(devnet, i % 4)
        await devnet.tick()
      }
      return { lines, hashes: await hashes(devnet) }
    }
    const [first, second] = [await played(), await played()]
    expect(second).toEqual(first)
    for (const kind of ['dropTransaction', 'omitSlice', 'sealDifferently', 'reorg']) {
      expect(first.lines.some((line) => line.startsWith(`fault ${kind}`))).toBe(true)
    }
  })

  it(
    'answers every question about it without a defect, whatever is hidden',
    withRandom(async (random) => {
      const devnet = await started({
        rhythm: 'manual',
        ticksPerBlock: 3,
        safeDistance: 2,
        finalizedDistance: 8,
      })
      const emitter = await deployed(devnet)
      await planAll(devnet, random)
      const { address } = devnet.accounts[0]!
      for (let i = 0; i < 60; i++) {
        for (let left = random.below(3); left > 0; left--) await someTransaction(devnet, emitter, random)
        await devnet.tick()
        for (const at of ['pending', 'latest', 'safe', 'finalized']) {
          await ask(devnet, 'eth_getBlockByNumber', at, true)
          await ask(devnet, 'eth_getBlockReceipts', at)
          await ask(devnet, 'eth_call', { to: emitter, data: '0x' }, at).catch((error) =>
            expect(error.message).toBe('execution reverted'),
          )
          await ask(devnet, 'eth_estimateGas', { from: address, to: address }, at)
          await ask(devnet, 'eth_getTransactionCount', address, at)
          await ask(devnet, 'eth_feeHistory', '0x4', at, [50])
          await ask(devnet, 'preseal_getSlices', at)
          await ask(devnet, 'eth_getProof', address, [], at)
        }
        const from = { fromBlock: '0x0' }
        const sealed = await ask<unknown[]>(devnet, 'eth_getLogs', { ...from, toBlock: 'latest' })
        const all = await ask<unknown[]>(devnet, 'eth_getLogs', { ...from, toBlock: 'pending' })
        expect(all.slice(0, sealed.length)).toEqual(sealed)
        await ask(devnet, 'eth_getLogs', { fromBlock: 'pending', toBlock: 'pending' })
        await ask(devnet, 'preseal_explain')
        await ask(devnet, 'txpool_content')
      }
    }),
  )
})
