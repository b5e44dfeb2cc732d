/** A sequencer with its neighbours, each within reach, as a devnet wires them. */
import { expect } from 'vitest'
import { type Hash, toHex, ZERO_ADDRESS, ZERO_HASH } from '../../../src/bytes/hex.ts'
import { Chain } from '../../../src/chain/chain.ts'
import type { Moment } from '../../../src/chain/moment.ts'
import type { EngineRun } from '../../../src/engine/engine.ts'
import type { CreateEngine } from '../../../src/engine/evm.ts'
import { Evms } from '../../../src/engine/evm.ts'
import { GENESIS_CONTRACTS, PREDEPLOYS } from '../../../src/model/bytecode/predeploys.ts'
import { uniformSchedule } from '../../../src/model/hardfork/forkSchedule.ts'
import type { Hardfork } from '../../../src/model/hardfork/hardfork.ts'
import type { Transaction } from '../../../src/model/transaction/transaction.ts'
import { Pool } from '../../../src/pool/pool.ts'
import { Clock, type Rhythm } from '../../../src/sequencer/clock.ts'
import type { DropReason } from '../../../src/sequencer/events.ts'
import { createGenesis } from '../../../src/sequencer/genesis.ts'
import { Sequencer } from '../../../src/sequencer/sequencer.ts'
import type { State } from '../../../src/state/state.ts'
import * as trie from '../../../src/state/trie.ts'
import { assemble, creationOf } from '../compilers/assembly.ts'
import { createEngine } from '../engines/engineOfRun.ts'
import type { Random } from '../random/random.ts'
import { type Signer, sign, signerOf } from './signing.ts'

/** Four people with a hundred ether each. */
export const PEOPLE = ['a1', 'b0', 'c4', 'd4'].map((byte) => signerOf(`0x${byte.repeat(32)}`)) as [
  Signer,
  Signer,
  Signer,
  Signer,
]
export const [ALICE, BOB, CAROL, DAVE] = PEOPLE

interface Wishes {
  readonly rhythm?: Rhythm
  readonly tickMs?: number
  readonly ticksPerBlock?: number
  readonly sealEmptyBlocks?: boolean
  readonly sliceGasBudget?: boolean
  readonly gasLimit?: bigint
  readonly baseFeePerGas?: bigint
  readonly hardfork?: Hardfork
  /** Makes the engine; by default an ordinary one. */
  readonly engine?: CreateEngine
  /** Who learns of broken ticks; by default nobody expects any. */
  readonly onDefect?: (error: unknown) => void
  readonly systemContracts?: boolean
  /** Makes the first moment of the chain from the usual one. */
  readonly first?: (usual: Moment) => Moment
}

export interface Workplace {
  readonly sequencer: Sequencer
  readonly chain: Chain
  readonly pool: Pool
  readonly clock: Clock
}

/** A sequencer that was not started: only an `interval` needs that. */
export async function workplace(wishes: Wishes = {}): Promise<Workplace> {
  const { hardfork = 'osaka', engine = createEngine, rhythm = 'manual', tickMs = 200 } = wishes
  const schedule = uniformSchedule(hardfork, 31_337n)
  const clock = new Clock(rhythm, tickMs)
  const block = { coinbase: ZERO_ADDRESS, randaoSeed: ZERO_HASH }
  const genesis = createGenesis(schedule.at({ number: 0n, timestamp: 0n, difficulty: 0n }), {
    ...block,
    number: 0n,
    gasLimit: wishes.gasLimit ?? 30_000_000n,
    baseFeePerGas: wishes.baseFeePerGas ?? 10n ** 9n,
    timestamp: clock.seconds,
    accounts: PEOPLE.map(({ address }) => address),
    balance: 100n * 10n ** 18n,
    contracts: wishes.systemContracts ? GENESIS_CONTRACTS : PREDEPLOYS,
  })
  const chain = Chain.of(wishes.first?.(genesis) ?? genesis, {
    safeDistance: 32,
    finalizedDistance: 64,
    historyBlocks: undefined,
    sliceBlocks: 10,
    randaoSeed: block.randaoSeed,
  })
  const pool = new Pool()
  const { ticksPerBlock = 1, sealEmptyBlocks = true } = wishes
  const sequencer = new Sequencer(new Evms(schedule, engine), chain, pool, clock, {
    ticksPerBlock,
    sealEmptyBlocks,
    finalizedDistance: 64,
    sliceGasBudget: wishes.sliceGasBudget ?? false,
    pendingHash: 'zero',
    block,
    onDefect: wishes.onDefect ?? unexpected,
    onConsole: () => {},
  })
  return { sequencer, chain, pool, clock }
}

/** An ordinary engine that does each run after `first`. */
export function engineAfter(first: (run: EngineRun) => unknown): CreateEngine {
  return (rules) => {
    const engine = createEngine(rules)
    return {
      rules,
      async transact(run) {
        await first(run)
        return engine.transact(run)
      },
    }
  }
}

function unexpected(error: unknown): never {
  throw error
}

/** All that a moment says, as plain values: its block, and each account with code and slots. */
export function described({ block, state }: Moment): unknown {
  return structuredClone({ block, accounts: accountsOf(state) })
}

/** Each account of a state as plain values. */
export function accountsOf(state: State): unknown[] {
  return [...state.records()].map(({ slots, code, ...account }) => ({
    ...account,
    code: toHex(code),
    slots: [...trie.entries(slots)].map(([, { slot, value }]) => [slot, value]),
  }))
}

/** Submits transactions that have to be accepted. */
export async function submit({ sequencer }: Workplace, ...transactions: Transaction[]): Promise<void> {
  for (const transaction of transactions) {
    expect(await sequencer.submissions.submit(transaction)).toMatchObject({ kind: 'accepted' })
  }
}

/** What was dropped and why, as it happens. */
export function droppedBy({ sequencer }: Workplace): (readonly [Hash, DropReason])[] {
  const dropped: (readonly [Hash, DropReason])[] = []
  sequencer.listeners.on('dropped', (transaction, reason) => dropped.push([transaction.hash, reason]))
  return dropped
}

/** The transactions of the latest block. */
export function latest({ chain }: Workplace): readonly Transaction[] {
  return chain.latest.block.transactions
}

/** Those of the pre-confirmed block. */
export function preconfirmed({ chain }: Workplace): readonly Transaction[] {
  return chain.preconfirmed?.block.transactions ?? []
}

/** A command that gives the same whenever it is given in the same situation. */
export function randomCommand(random: Random, sequencer: Workplace['sequencer']): () => Promise<unknown> {
  const signer = random.pick(PEOPLE)
  const value = random.bigint(60)
  const fee = BigInt(random.between(20, 40)) * 10n ** 9n
  const ms = random.between(1, 900)
  const creates = random.chance(0.3)
  const data = creationOf(assemble('STOP'), assemble(random.below(3), random.below(3), 'SSTORE'))
  return random.pick([
    () =>
      sequencer.submissions.submitNext(signer.address, (nonce) =>
        sign(signer, {
          nonce,
          value,
          maxPriorityFeePerGas: fee,
          ...(creates ? { to: undefined, data, gasLimit: 150_000n } : { to: BOB.address }),
        }),
      ),
    () => sequencer.blocks.tick(),
    () => sequencer.blocks.mine(),
    () => sequencer.blocks.seal(),
    () => sequencer.blocks.advance(ms),
  ])
}
