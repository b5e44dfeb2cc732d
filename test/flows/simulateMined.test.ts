/** What eth_simulateV1 says of blocks, and what becomes of the same blocks where they are really made. */
import { createBlockHeaderFromRPC } from '@ethereumjs/block'
import type { Hex } from 'viem'
import { afterEach, describe, expect, it } from 'vitest'
import { toHex } from '../../src/bytes/hex.ts'
import type { Moment } from '../../src/chain/moment.ts'
import type { Devnet } from '../../src/index.ts'
import type { Hardfork } from '../../src/model/hardfork/hardfork.ts'
import { theirCommon } from '../support/chains/headers.ts'
import { Mixture } from '../support/chains/mixture.ts'
import { ask, started } from '../support/clients/clients.ts'
import { asCall, type SimulatedBlock, simulate } from '../support/engines/simulation.ts'
import { type Random, withRandom } from '../support/random/random.ts'

const forks: Devnet[] = []
afterEach(() => Promise.all(forks.splice(0).map((fork) => fork.close())))

/** A fork whose next blocks are `seconds` after each other. */
async function forked(devnet: Devnet): Promise<Devnet> {
  const fork = devnet.fork()
  forks.push(fork)
  await ask(fork, 'anvil_setBlockTimestampInterval', 7)
  return fork
}

function latest(devnet: Devnet): Moment {
  return devnet.snapshot().mark.chain.history.latest
}

/** The newest sealed block as JSON. */
function block(devnet: Devnet, at: unknown = 'latest'): Promise<Record<string, Hex>> {
  return ask(devnet, 'eth_getBlockByNumber', at, false)
}

/** What a simulated block has to be told to be like one that was made. */
function overridesOf({ timestamp, mixHash, miner }: Record<string, Hex>): object {
  return { time: timestamp, prevRandao: mixHash, feeRecipient: miner }
}

/** Holds all against what was made, but what is made of the signatures, which nobody gave. */
async function expectSame(simulated: SimulatedBlock, fork: Devnet, at: unknown = 'latest'): Promise<void> {
  const made = await block(fork, at)
  const { hash, size, transactions, transactionsRoot, calls, ...rest } = simulated
  const { hash: _, size: __, transactions: ___, transactionsRoot: ____, ...expected } = made
  expect(rest).toEqual(expected)
  expect(calls.map(resultOf)).toEqual((await ask<Receipt[]>(fork, 'eth_getBlockReceipts', at)).map(resultOf))
}

interface Receipt {
  readonly status: Hex
  readonly gasUsed: Hex
  readonly logs: readonly Record<string, unknown>[]
}

function resultOf({ status, gasUsed, logs }: Receipt) {
  return { status, gasUsed, logs: logs.map(({ blockHash, transactionHash, ...log }) => log) }
}

/** Sends some transactions to `fork`, and makes a block of those that fit; answers them in its order. */
async function mine(random: Random, fork: Devnet, mixture: Mixture) {
  for (let left = random.between(1, 6); left > 0; left--) {
    await ask(fork, 'eth_sendRawTransaction', toHex((await mixture.next()).raw))
  }
  await fork.mine()
  return latest(fork).block.transactions
}

describe('a simulated block, with validation', () => {
  it.each<[Hardfork, boolean]>([
    ['osaka', true],
    ['prague', false],
    ['cancun', false],
    ['shanghai', false],
    ['london', false],
    ['istanbul', false],
  ])(
    'is what the same transactions make under the rules of %s (system contracts: %s)',
    (hardfork, systemContracts) =>
      withRandom(async (random) => {
        const devnet = await started({
          rhythm: 'manual',
          hardfork,
          systemContracts,
          coinbase: random.hex(20),
        })
        const mixture = new Mixture(random, hardfork, devnet.accounts, systemContracts)
        let parent = await forked(devnet)
        for (let number = 1; number <= 12; number++) {
          const fork = await forked(parent)
          const transactions = await mine(random, fork, mixture)
          const before = await block(parent)
          const [simulated, ...more] = await simulate(
            parent,
            [{ blockOverrides: overridesOf(await block(fork)), calls: transactions.map(asCall) }],
            { validation: true },
          )
          expect(more).toEqual([])
          await expectSame(simulated!, fork)
          expect(simulated!.hash).toBe(hashOf(simulated!, hardfork))
          // Nothing of it was on the chain.
          expect(await block(parent)).toEqual(before)
          parent = fork
        }
      })(),
  )

  it(
    'goes on where the one before it ended, as blocks that are made do',
    withRandom(async (random) => {
      const devnet = await started({ rhythm: 'manual' })
      // Without random programs, of which some note the hashes of blocks: those are others here.
      const senders = devnet.accounts.map(({ address }) => address)
      const fork = await forked(devnet)
      const calls: object[][] = []
      for (let number = 0; number < 8; number++) {
        const payments = random.list(random.below(5), () => ({
          from: senders[number]!,
          to: random.pick([...senders, random.hex(20)]),
          value: `0x${random.bigint(60).toString(16)}`,
          gas: '0x5208',
          maxFeePerGas: '0x77359400',
          maxPriorityFeePerGas: '0x1',
        }))
        for (const payment of payments) await ask(fork, 'eth_sendTransaction', payment)
        await fork.mine()
        calls.push(payments)
      }
      const wishes = await Promise.all(
        calls.map(async (those, i) => ({
          blockOverrides: overridesOf(await block(fork, `0x${(i + 1).toString(16)}`)),
          calls: those,
        })),
      )
      const simulated = await simulate(devnet, wishes, { validation: true })
      const roots = []
      for (let number = 1; number <= 8; number++) {
        const made = await block(fork, `0x${number.toString(16)}`)
        roots.push([made.stateRoot, made.receiptsRoot, made.baseFeePerGas, made.gasUsed])
      }
      expect(
        simulated.map(({ stateRoot, receiptsRoot, baseFeePerGas, gasUsed }) => [
          stateRoot,
          receiptsRoot,
          baseFeePerGas,
          gasUsed,
        ]),
      ).toEqual(roots)
    }),
  )

  it('without transactions is the block that is made, its hash and all, and so are those after it', async () => {
    const devnet = await started({ rhythm: 'manual', systemContracts: true })
    const fork = await forked(devnet)
    const wishes = []
    for (let number = 1; number <= 5; number++) {
      await fork.mine()
      wishes.push({ blockOverrides: overridesOf(await block(fork)) })
    }
    const simulated = await simulate(devnet, wishes, { validation: true })
    for (const [i, { calls, ...rest }] of simulated.entries()) {
      expect(calls).toEqual([])
      expect(rest).toEqual(await block(fork, `0x${(i + 1).toString(16)}`))
    }
  })
})

describe('on pending, a simulated block', () => {
  it(
    'comes after the pre-confirmed one as if that were sealed now',
    withRandom(async (random) => {
      const devnet = await started({ rhythm: 'manual', ticksPerBlock: 5, systemContracts: true })
      const mixture = new Mixture(random, 'osaka', devnet.accounts, true)
      for (let tick = 0; tick < 12; tick++) {
        for (let left = random.below(4); left > 0; left--) {
          await ask(devnet, 'eth_sendRawTransaction', toHex((await mixture.next()).raw))
        }
        await devnet.tick()
        const fork = devnet.fork()
        forks.push(fork)
        await fork.seal()
        const parentHash = `0x5f5260015f5360205ff3`
        const wishes = [
          {
            calls: [
              { from: devnet.accounts[0]!.address, to: random.hex(20), value: '0x1' },
              { input: parentHash },
            ],
          },
          {},
        ]
        expect(await simulate(devnet, wishes, { at: 'pending' })).toEqual(await simulate(fork, wishes))
      }
    }),
  )

  it('comes after the latest where nothing is pre-confirmed', async () => {
    const devnet = await started({ rhythm: 'instant' })
    await devnet.mine()
    const wishes = [{ calls: [{}] }]
    expect(await simulate(devnet, wishes, { at: 'pending' })).toEqual(await simulate(devnet, wishes))
  })
})

/** The hash of a block as EthereumJS makes it of the answer. */
function hashOf({ calls, ...rest }: SimulatedBlock, hardfork: Hardfork): Hex {
  const header = createBlockHeaderFromRPC(rest as never, {
    common: theirCommon(hardfork),
    skipConsensusFormatValidation: true,
  })
  return toHex(header.hash())
}
