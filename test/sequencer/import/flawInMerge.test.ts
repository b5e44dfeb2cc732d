/** Mining ends with the block that reaches the terminal total difficulty (EIP-3675), and with no other. */

import { describe, expect, it } from 'vitest'
import { ZERO_HASH } from '../../../src/bytes/hex.ts'
import { History } from '../../../src/chain/history.ts'
import type { Moment } from '../../../src/chain/moment.ts'
import type { Header } from '../../../src/model/block/header.ts'
import { createForkSchedule, FROM_THE_BEGINNING } from '../../../src/model/hardfork/forkSchedule.ts'
import { flawInMerge } from '../../../src/sequencer/import/flawInHeader.ts'
import { State } from '../../../src/state/state.ts'
import { randomHeader } from '../../support/chains/headers.ts'
import { Random } from '../../support/random/random.ts'

const random = new Random(1)

/** A chain whose blocks have these difficulties, block 0 first. */
function chainOf(...difficulties: bigint[]): History {
  const moments = difficulties.map((difficulty, number): Moment => {
    const header: Header = { ...randomHeader(random, 'london'), number: BigInt(number), difficulty }
    const block = {
      header,
      hash: random.hex(32),
      transactions: [],
      ommers: [],
      withdrawals: undefined,
      receipts: [],
    }
    return { block, state: State.empty }
  })
  const [genesis, ...others] = moments as [Moment, ...Moment[]]
  const kept = { historyBlocks: undefined, sliceBlocks: 0, randaoSeed: ZERO_HASH }
  return others.reduce((history, moment) => history.with(moment, kept, () => {}), History.of(genesis))
}

/** What is wrong with a block of `difficulty` after `history`. */
function flaw(history: History, difficulty: bigint, terminalTotalDifficulty: bigint | undefined) {
  const merges = terminalTotalDifficulty !== undefined
  const schedule = createForkSchedule(
    1n,
    [
      { hardfork: 'london', activation: FROM_THE_BEGINNING },
      ...(merges ? [{ hardfork: 'paris', activation: { kind: 'merge' } } as const] : []),
    ],
    merges ? { terminalTotalDifficulty } : {},
  )
  const header = { ...randomHeader(random, 'london'), difficulty }
  const under = (rules: 'ethereum' | 'devnet') => {
    const found = flawInMerge(schedule, rules, history, header)
    return found?.kind === 'invalid' ? found.rule : found
  }
  return { ethereum: under('ethereum'), devnet: under('devnet') }
}

const RIGHT = { ethereum: undefined, devnet: undefined }

describe('the merge', () => {
  it('is with the block after the one that reaches the terminal total difficulty', () => {
    const reached = chainOf(100n, 30n, 20n)
    expect(flaw(reached, 0n, 150n)).toEqual(RIGHT)
    expect(flaw(reached, 0n, 131n)).toEqual(RIGHT)
    expect(flaw(reached, 7n, 150n)).toEqual({ ethereum: 'minedAfterMerge', devnet: 'minedAfterMerge' })
  })

  it('is not before: one that nobody mined is a devnet’s', () => {
    const early = chainOf(100n, 30n, 20n)
    expect(flaw(early, 7n, 151n)).toEqual(RIGHT)
    expect(flaw(early, 0n, 151n)).toEqual({ ethereum: 'unminedBeforeMerge', devnet: undefined })
  })

  it('is over once a block was not mined', () => {
    expect(flaw(chainOf(100n, 0n), 0n, 1_000n)).toEqual(RIGHT)
    expect(flaw(chainOf(0n), 0n, undefined)).toEqual(RIGHT)
  })

  it('never comes where the chain has none', () => {
    expect(flaw(chainOf(100n), 7n, undefined)).toEqual(RIGHT)
    expect(flaw(chainOf(100n), 0n, undefined)).toEqual({ ethereum: 'unminedBeforeMerge', devnet: undefined })
  })

  it('counts each block once, however often it is asked', () => {
    let chain = chainOf(100n)
    for (let number = 1; number <= 4; number++) {
      expect(flaw(chain, 7n, 105n).ethereum).toBe(number <= 3 ? undefined : 'minedAfterMerge')
      const { block, state } = chain.latest
      const header = { ...block.header, number: BigInt(number), difficulty: 2n }
      const next = { block: { ...block, header, hash: random.hex(32) }, state }
      chain = chain.with(next, { historyBlocks: undefined, sliceBlocks: 0, randaoSeed: ZERO_HASH }, () => {})
    }
  })
})
