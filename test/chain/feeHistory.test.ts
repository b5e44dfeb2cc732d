import { describe, expect, it } from 'vitest'
import { ZERO_HASH } from '../../src/bytes/hex.ts'
import { type FeeHistory, feeHistory } from '../../src/chain/feeHistory.ts'
import { History } from '../../src/chain/history.ts'
import type { Block } from '../../src/model/block/block.ts'
import { type Header, hashHeader } from '../../src/model/block/header.ts'
import {
  createForkSchedule,
  type ForkSchedule,
  FROM_THE_BEGINNING,
} from '../../src/model/hardfork/forkSchedule.ts'
import type { AnyHardfork, BlobSchedule } from '../../src/model/hardfork/hardfork.ts'
import { State } from '../../src/state/state.ts'
import { randomHeader } from '../support/chains/headers.ts'
import { Random } from '../support/random/random.ts'

const BLOB = 131_072n
/** With this the price is e to the power of the blobs in excess: 1, 2, 7, 20, 54 wei. */
const blobs = (target: number, max: number): BlobSchedule => ({ target, max, baseFeeUpdateFraction: BLOB })

/** A chain that is under each of these from a time on: 0 s, 100 s, 200 s … */
function schedule(
  hardforks: readonly AnyHardfork[],
  schedules: Partial<Record<AnyHardfork, BlobSchedule>> = {},
): ForkSchedule {
  const forks = hardforks.map((hardfork, i) => ({
    hardfork,
    activation: i === 0 ? FROM_THE_BEGINNING : { kind: 'time' as const, timestamp: BigInt(i * 100) },
  }))
  return createForkSchedule(7n, forks, { blobs: schedules })
}

interface Fields {
  readonly excess?: bigint
  readonly used?: bigint
  readonly baseFeePerGas?: bigint
}

/** The fee history of all blocks of a chain with one block for each of `blocks`, 100 s after the other. */
function historyOf(rules: ForkSchedule, blocks: readonly Fields[], count = blocks.length): FeeHistory {
  const made = blocks.map(({ excess = 0n, used = 0n, baseFeePerGas = 16n }, i): Block => {
    const position = { number: BigInt(i), timestamp: BigInt(i * 100), difficulty: 0n }
    const { hardfork, has } = rules.at(position)
    const header: Header = {
      ...randomHeader(new Random(i), hardfork),
      ...position,
      gasLimit: 1_000n,
      gasUsed: 500n,
      ...(has(1559) ? { baseFeePerGas } : {}),
      ...(has(4844) ? { blobGasUsed: used * BLOB, excessBlobGas: excess * BLOB } : {}),
    }
    const body = { transactions: [], ommers: [], withdrawals: undefined, receipts: [] }
    return { header, hash: hashHeader(header), ...body }
  })
  const [genesis, ...later] = made.map((block) => ({ block, state: State.empty }))
  const history = later.reduce(
    (sum, moment) =>
      sum.with(moment, { historyBlocks: undefined, sliceBlocks: 0, randaoSeed: ZERO_HASH }, () => {}),
    History.of(genesis!),
  )
  return feeHistory(rules, history, made.at(-1)!, count, [])
}

describe('the price of blobs in a fee history', () => {
  it('is each block’s own, under its own hardfork, and 0 before there were blobs', () => {
    const changing = schedule(['london', 'cancun', 'prague', 'bpo1'], {
      cancun: blobs(1, 2),
      prague: { ...blobs(1, 2), baseFeeUpdateFraction: BLOB / 2n },
      bpo1: { ...blobs(1, 2), baseFeeUpdateFraction: BLOB * 2n },
    })
    const excess = 4n
    const { baseFeePerBlobGas } = historyOf(changing, [{}, { excess }, { excess }, { excess, used: 1n }])
    // e to the power of 4, 8 and 2; the next block has the excess of the last.
    expect(baseFeePerBlobGas).toEqual([0n, 54n, 2_980n, 7n, 7n])
  })

  it('has the share of the blobs that each block’s hardfork allowed', () => {
    const changing = schedule(['london', 'cancun', 'prague', 'osaka', 'bpo1', 'bpo2'], {
      prague: blobs(2, 4),
    })
    const used = 3n
    const ratios = historyOf(changing, [
      {},
      { used },
      { used },
      { used },
      { used },
      { used: 21n },
    ]).blobGasUsedRatio
    // 6 (EIP-4844), 4 (the chain's own, in Osaka too), 15 and 21 (EIP-7892).
    expect(ratios).toEqual([0, 3 / 6, 3 / 4, 3 / 4, 3 / 15, 1])
  })

  it('has no share where no blobs are allowed', () => {
    const none = schedule(['cancun'], { cancun: blobs(0, 0) })
    expect(historyOf(none, [{}])).toMatchObject({ blobGasUsedRatio: [0], baseFeePerBlobGas: [1n, 1n] })
  })

  // EIP-4844: the excess grows by what goes beyond the target. EIP-7918: where 8,192 gas of execution cost more than a
  // blob (beyond 16 wei each while blobs cost 1), it grows by (max − target) / max of what was used.
  it.each<[string, AnyHardfork, Fields, next: bigint]>([
    ['e³ after 3 blobs in excess and as many as the target', 'cancun', { excess: 3n, used: 2n }, 20n],
    ['e⁴ after one more than the target', 'cancun', { excess: 3n, used: 3n }, 54n],
    ['e² after one less', 'cancun', { excess: 3n, used: 1n }, 7n],
    ['1 where there is no excess left', 'cancun', { excess: 1n, used: 0n }, 1n],
    ['e after 3 in Osaka, where execution is no dearer', 'osaka', { used: 3n, baseFeePerGas: 16n }, 2n],
    ['e to the power of 1.5 where it is', 'osaka', { used: 3n, baseFeePerGas: 17n }, 4n],
    [
      'e after 3 before Osaka, whatever execution costs',
      'prague',
      { used: 3n, baseFeePerGas: 10n ** 9n },
      2n,
    ],
  ])('is of the next block %s', (_, hardfork, fields, next) => {
    const own = schedule([hardfork], { [hardfork]: blobs(2, 4) })
    expect(historyOf(own, [fields]).baseFeePerBlobGas.at(-1)).toBe(next)
  })

  it('is of the next block alone where no block was asked for', () => {
    const own = schedule(['cancun'], { cancun: blobs(2, 4) })
    const { baseFeePerBlobGas, blobGasUsedRatio } = historyOf(own, [{ excess: 2n, used: 2n }], 0)
    expect(baseFeePerBlobGas).toEqual([7n])
    expect(blobGasUsedRatio).toEqual([])
  })
})

describe('the base fee in a fee history', () => {
  const london = (number: bigint) =>
    createForkSchedule(
      7n,
      [
        { hardfork: 'berlin', activation: FROM_THE_BEGINNING },
        { hardfork: 'london', activation: { kind: 'block', number } },
      ],
      {},
    )

  it('is 0 before London, and 1 gwei with the block that begins it (EIP-1559), even while that is the next', () => {
    const GWEI = 10n ** 9n
    expect(historyOf(london(9n), [{}, {}]).baseFeePerGas).toEqual([0n, 0n, 0n])
    expect(historyOf(london(2n), [{}, {}]).baseFeePerGas).toEqual([0n, 0n, GWEI])
    const after = historyOf(london(1n), [{}, { baseFeePerGas: GWEI }])
    expect(after.baseFeePerGas).toEqual([0n, GWEI, GWEI])
  })

  it('stays for the next block where half of the gas limit was used', () => {
    expect(historyOf(london(0n), [{ baseFeePerGas: 80n }]).baseFeePerGas).toEqual([80n, 80n])
  })
})

// geth (eth/gasprice/feehistory.go): the gas of the transactions is added up from the lowest tip on, and the tip at a percentile is
// that of the first with which the sum is at least so much of the block's gas, which is cut to a whole number.
describe('the tips in a fee history', () => {
  const BASE_FEE = 16n

  /** The tips at `percentiles` of a block with transactions that use `gas` and pay `tip` above the base fee. */
  function tipsOf(
    transactions: readonly { readonly gas: bigint; readonly tip: bigint; readonly deposit?: object }[],
    percentiles: readonly number[],
  ): readonly bigint[] {
    const header: Header = {
      ...randomHeader(new Random(1), 'osaka'),
      number: 0n,
      baseFeePerGas: BASE_FEE,
      gasUsed: transactions.reduce((sum, { gas }) => sum + gas, 0n),
    }
    const block = {
      header,
      hash: hashHeader(header),
      transactions: transactions.map(({ tip, deposit }) => ({
        maxFeePerGas: BASE_FEE + tip,
        maxPriorityFeePerGas: 1_000n,
        deposit,
      })),
      receipts: transactions.map(({ gas, tip }) => ({
        gasUsed: gas,
        effectiveGasPrice: BASE_FEE + tip,
        logs: [],
        firstLogIndex: 0,
      })),
    } as unknown as Block
    const history = History.of({ block, state: State.empty })
    return feeHistory(schedule(['osaka']), history, block, 1, percentiles).reward![0]!
  }

  it('are of the transaction whose gas reaches the percentile, be it exactly', () => {
    const block = [
      { gas: 10_000n, tip: 1n },
      { gas: 30_000n, tip: 2n },
      { gas: 60_000n, tip: 3n },
    ]
    expect(tipsOf(block, [0, 10, 10.5, 40, 40.5, 100])).toEqual([1n, 1n, 2n, 2n, 3n, 3n])
  })

  it('count whole gas: a percentile between two units is the lower one', () => {
    const block = [
      { gas: 21_000n, tip: 1n },
      { gas: 21_001n, tip: 2n },
    ]
    // 50 % of 42,001 is 21,000.5.
    expect(tipsOf(block, [50])).toEqual([1n])
  })

  it('are in the order of the tips, not in that of the block', () => {
    const block = [
      { gas: 50_000n, tip: 9n },
      { gas: 50_000n, tip: 4n },
    ]
    expect(tipsOf(block, [50, 51])).toEqual([4n, 9n])
  })

  it('are 0 in a block without transactions', () => {
    expect(tipsOf([], [0, 50, 100])).toEqual([0n, 0n, 0n])
  })

  it('are 0 for a deposit, which pays nothing', () => {
    expect(tipsOf([{ gas: 50_000n, tip: -BASE_FEE, deposit: {} }], [50])).toEqual([0n])
  })
})

describe('the blocks of a fee history', () => {
  const own = schedule(['osaka'])

  it('are as many as were asked for, the newest last, or as many as there are', () => {
    const three = historyOf(own, [{ baseFeePerGas: 5n }, { baseFeePerGas: 6n }, { baseFeePerGas: 7n }], 2)
    expect(three).toMatchObject({ oldestBlock: 1n, gasUsedRatio: [0.5, 0.5], reward: undefined })
    expect(three.baseFeePerGas.slice(0, 2)).toEqual([6n, 7n])
    expect(historyOf(own, [{}, {}], 9)).toMatchObject({ oldestBlock: 0n, gasUsedRatio: [0.5, 0.5] })
  })

  it('begin with the oldest that is kept', () => {
    const headers = [0, 1, 2, 3, 4].map((i) => ({
      ...randomHeader(new Random(i), 'osaka'),
      number: BigInt(i),
    }))
    const moments = headers.map((header) => {
      const body = { transactions: [], ommers: [], withdrawals: undefined, receipts: [] }
      return { block: { header, hash: hashHeader(header), ...body }, state: State.empty }
    })
    const [genesis, ...later] = moments
    const history = later.reduce(
      (sum, moment) =>
        sum.with(moment, { historyBlocks: 2, sliceBlocks: 0, randaoSeed: ZERO_HASH }, () => {}),
      History.of(genesis!),
    )
    expect(feeHistory(own, history, history.latest.block, 9, []).oldestBlock).toBe(3n)
    expect(feeHistory(own, history, genesis!.block, 9, []).oldestBlock).toBe(0n)
  })

  it('are none where none was asked for, and the newest is named', () => {
    expect(historyOf(own, [{}, {}, {}], 0)).toMatchObject({ oldestBlock: 2n, gasUsedRatio: [] })
  })
})
