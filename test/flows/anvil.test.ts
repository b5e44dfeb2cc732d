/**
 * The chain beside anvil's: the same random transactions, in the same blocks, on the same accounts. What may differ stands
 * in `sameBlocks.ts`, with the reason; what has to be avoided, where it is avoided. `PRESEAL_TRANSACTIONS=5000` plays more
 * than usual.
 */
import { describe, expect, it } from 'vitest'
import type { Hardfork } from '../../src/model/hardfork/hardfork.ts'
import { expectSameBlock, type Receipt } from '../support/chains/sameBlocks.ts'
import { Walk } from '../support/chains/walk.ts'
import { Beside, isAnvilHere } from '../support/nodes/besideAnvil.ts'
import { withRandom } from '../support/random/random.ts'

const { PRESEAL_TRANSACTIONS } = process.env
const LENGTH = Number(PRESEAL_TRANSACTIONS ?? 500)

/**
 * Older hardforks cannot be compared: to anvil 1.7.1 a cold slot costs more before Berlin, and SELFDESTRUCT earns nothing
 * before London.
 */
const WALKS: readonly (readonly [Hardfork, number])[] = [
  ['osaka', LENGTH],
  ['prague', 50],
  ['cancun', 50],
  ['shanghai', 50],
  ['paris', 50],
  ['london', 50],
]

describe.skipIf(!isAnvilHere)('beside anvil', () => {
  it.each(WALKS)(
    'blocks, transactions, receipts, logs and accounts are the same under the rules of %s after %i random transactions',
    (hardfork, length) =>
      withRandom(async (random) => {
        await using beside = await Beside.start(hardfork)
        const walk = await Walk.start(random, hardfork, beside)
        const receipts: Receipt[] = []
        while (receipts.length < length) {
          await walk.mine(await walk.draw(8))
          receipts.push(...(await expectSameBlock(random, beside)))
        }
        const { ours, theirs } = await beside.accounts()
        expect(ours).toEqual(theirs)
        if (length >= 500) expectWorthwhile(receipts)
      })(),
    300_000 + 50 * LENGTH,
  )

  // anvil needs three seconds for the first blob, of which there may be better use.
  it.skipIf(PRESEAL_TRANSACTIONS === undefined)(
    'transactions with blobs end the same, as long as blobs cost next to nothing',
    withRandom(async (random) => {
      await using beside = await Beside.start('osaka')
      const walk = await Walk.start(random, 'osaka', beside)
      for (let i = 0; i < 6; i++) await walk.mine(await walk.draw(10))
      const receipts: Receipt[] = []
      while (receipts.filter(({ type }) => type === '0x3').length < 3) {
        await walk.mine(await walk.draw(4, (drawn) => walk.withBlobs(drawn)))
        receipts.push(...(await expectSameBlock(random, beside)))
      }
      const { ours, theirs } = await beside.accounts()
      expect(ours).toEqual(theirs)
    }),
  )
})

/** Everything that the comparison is about was there. That contracts were destroyed, `roots.test.ts` sees in the same mixture. */
function expectWorthwhile(receipts: readonly Receipt[]): void {
  const of = (holds: (receipt: Receipt) => boolean) => receipts.filter(holds).length / receipts.length
  expect(of(({ status }) => status === '0x0')).toBeGreaterThan(0.05)
  expect(of(({ status }) => status === '0x1')).toBeGreaterThan(0.3)
  expect(of(({ logs }) => logs.length > 0)).toBeGreaterThan(0.02)
  expect(of(({ contractAddress }) => contractAddress !== null)).toBeGreaterThan(0.02)
}
