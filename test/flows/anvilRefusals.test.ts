/** Transactions that break a rule, beside anvil. What each does with them if it does not refuse them stands in `FAULTS`. */
import { describe, expect, it } from 'vitest'
import { createRules } from '../../src/model/hardfork/hardfork.ts'
import { minimumGas } from '../../src/model/transaction/intrinsicGas.ts'
import type { Transaction, UnsignedTransaction } from '../../src/model/transaction/transaction.ts'
import { ROOMY, Walk } from '../support/chains/walk.ts'
import { type Answer, Beside, isAnvilHere, sendingOf } from '../support/nodes/besideAnvil.ts'
import { withRandom } from '../support/random/random.ts'

/** What can be wrong with a transaction. */
interface Fault {
  readonly what: string
  /** What has to be changed about a good one; `undefined`: it cannot have this fault. */
  fields(transaction: Transaction): Partial<UnsignedTransaction> | undefined
  /** What happens with it if it is not refused, and why. */
  readonly ours?: string
  readonly theirs?: string
}

const OSAKA = createRules('osaka', 31_337n)

const DROPPED = 'is dropped when a block is made: anvil does not look at it before'

const FAULTS: readonly Fault[] = [
  {
    what: 'a nonce that was used',
    fields: ({ nonce }) => (nonce === 0n ? undefined : { nonce: nonce - 1n }),
  },
  {
    what: 'more value than its sender has',
    fields: () => ({ value: 10n ** 23n }),
  },
  {
    what: 'gas that costs more than its sender has',
    fields: () => ({ maxFeePerGas: 10n ** 19n }),
  },
  {
    what: 'less gas than any transaction costs',
    fields: () => ({ gasLimit: 20_999n }),
  },
  {
    what: 'less gas than its data, creation, access list or authorizations cost',
    fields: (transaction) => ({ gasLimit: minimumGas(OSAKA, transaction) - 1n }),
    theirs: DROPPED,
  },
  {
    what: 'more gas than a block has',
    fields: () => ({ gasLimit: BigInt(ROOMY.gasLimit) + 1n }),
  },
  {
    what: 'more gas than EIP-7825 allows',
    fields: () => ({ gasLimit: 2n ** 24n + 1n }),
  },
  {
    what: 'another chain',
    fields: ({ type }) => (type === 0 ? undefined : { chainId: 1n }),
  },
  {
    what: 'another chain, in a legacy transaction',
    fields: ({ type }) => (type === 0 ? { chainId: 1n } : undefined),
    theirs: DROPPED,
  },
  {
    what: 'a tip above its fee',
    fields: ({ type, maxFeePerGas }) => (type < 2 ? undefined : { maxPriorityFeePerGas: maxFeePerGas + 1n }),
  },
  {
    what: 'too much init code',
    fields: ({ type }) =>
      type === 4 ? undefined : { to: undefined, data: new Uint8Array(49_153), gasLimit: 3_000_000n },
  },
  {
    what: 'a fee below the base fee',
    fields: () => ({ maxFeePerGas: 1n, maxPriorityFeePerGas: 0n }),
    ours: 'waits for a lower base fee, as with geth and RETH',
  },
]

describe.skipIf(!isAnvilHere)('beside anvil', () => {
  it(
    'neither includes a transaction that breaks a rule',
    withRandom(async (random) => {
      await using beside = await Beside.start('osaka')
      const walk = await Walk.start(random, 'osaka', beside)
      await walk.mine([], ROOMY)
      for (let i = 0; i < 40; i++) {
        const fault = FAULTS[i % FAULTS.length]!
        const transaction = await walk.mixture.next()
        const fields = fault.fields(transaction)
        if (fields !== undefined) await expectRefused(beside, fault, walk.signedAnew(transaction, fields))
        // Nothing is left of it, and the right one is welcome.
        await walk.mine([], ROOMY)
        await walk.mine([transaction], ROOMY)
      }
      const { ours, theirs } = await beside.accounts()
      expect(ours).toEqual(theirs)
    }),
  )
})

async function expectRefused(
  beside: Beside,
  { what, ours, theirs }: Fault,
  transaction: Transaction,
): Promise<void> {
  const answers = await beside.ask(sendingOf(transaction))
  const expected = (exception?: string) => (exception === undefined ? 'refused' : expect.any(String))
  expect({ what, ours: verdict(answers.ours[0]!), theirs: verdict(answers.theirs[0]!) }).toEqual({
    what,
    ours: expected(ours),
    theirs: expected(theirs),
  })
}

function verdict(answer: Answer): 'taken' | 'refused' {
  return 'error' in answer ? 'refused' : 'taken'
}
