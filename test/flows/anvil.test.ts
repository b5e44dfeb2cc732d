/**
 * The chain beside anvil's: the same random transactions, in the same blocks, on the same accounts. What may differ stands
 * in `DIFFERENCES`, with the reason; what has to be avoided, where it is avoided. `PRESEAL_TRANSACTIONS=5000` plays more
 * than usual.
 */
import { describe, expect, it } from 'vitest'
import type { Address } from '../../src/model/bytes/hex.ts'
import type { Hardfork } from '../../src/model/hardfork/hardfork.ts'
import {
  type Answer,
  Beside,
  isAnvilHere,
  type Json,
  type Question,
  quantity,
  resultsOf,
} from '../support/besideAnvil.ts'
import { type Random, withRandom } from '../support/random.ts'
import { Walk } from '../support/walk.ts'

type Fields = { readonly [member: string]: Json }

/** What is left out of answers before they are compared. */
interface Difference {
  readonly why: string
  isIn(answer: Fields): boolean
  readonly members: readonly string[]
}

const isBlock = (answer: Fields) => 'parentHash' in answer
const isReceipt = (answer: Fields) => 'cumulativeGasUsed' in answer
const hasBlobs = (answer: Fields) => answer.type === '0x3'

const DIFFERENCES: readonly Difference[] = [
  {
    why: 'with anvil, accounts that are empty or were destroyed count in the root; it lies in the hash, which `Beside` replaces by ours wherever it stands',
    isIn: isBlock,
    members: ['stateRoot'],
  },
  {
    why: 'anvil forgets the list of withdrawals: it is a byte of each block since Shanghai',
    isIn: isBlock,
    members: ['size'],
  },
  {
    why: 'execution-apis and geth tell no total difficulty any more; anvil tells 0',
    isIn: isBlock,
    members: ['totalDifficulty'],
  },
  {
    why: 'execution-apis have a price of blobs in the receipts of transactions that have blobs; anvil in all',
    isIn: (answer) => isReceipt(answer) && !hasBlobs(answer),
    members: ['blobGasPrice'],
  },
  {
    why: 'execution-apis have the time of the block in logs; anvil has it in receipts too, as a JSON number',
    isIn: isReceipt,
    members: ['blockTimestamp'],
  },
  {
    why: 'blobs are not part of the chain (EIP-4844): they come beside a transaction, and anvil shows them in it',
    isIn: (answer) => !isReceipt(answer) && hasBlobs(answer),
    members: ['blobs', 'commitments', 'proofs'],
  },
  {
    why: 'anvil counts them into the root of transactions, too',
    isIn: (answer) => isBlock(answer) && (answer.transactions as Fields[]).some(hasBlobs),
    members: ['transactionsRoot'],
  },
]

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

/** The newest block and its transactions. */
const LATEST: Question = { method: 'eth_getBlockByNumber', params: ['latest', true] }

interface Receipt {
  readonly status: string
  readonly type: string
  readonly transactionHash: string
  readonly contractAddress: Address | null
  readonly from: Address
  readonly to: Address | null
  readonly logs: readonly { readonly address: Address }[]
}

/** The newest block with all that belongs to it, and the accounts that it is about. Answers its receipts. */
async function expectSameBlock(random: Random, beside: Beside): Promise<Receipt[]> {
  const { ours, theirs } = await beside.ask(
    LATEST,
    { method: 'eth_getBlockReceipts', params: ['latest'] },
    { method: 'eth_getLogs', params: [{ fromBlock: 'latest', toBlock: 'latest' }] },
  )
  expectSame(ours, theirs)
  const [block, receipts] = resultsOf(ours) as unknown as [{ miner: Address }, Receipt[]]
  const touched = new Set([block.miner, ...receipts.flatMap(addressesIn)])
  const looking: Question[] = [...touched].flatMap((address) => [
    { method: 'eth_getBalance', params: [address, 'latest'] },
    { method: 'eth_getTransactionCount', params: [address, 'latest'] },
  ])
  if (receipts.length > 0) {
    const { transactionHash, to } = random.pick(receipts)
    looking.push(
      { method: 'eth_getTransactionByHash', params: [transactionHash] },
      { method: 'eth_getTransactionReceipt', params: [transactionHash] },
      { method: 'eth_getCode', params: [to ?? block.miner, 'latest'] },
      { method: 'eth_getStorageAt', params: [to ?? block.miner, quantity(random.below(4)), 'latest'] },
    )
  }
  const found = await beside.ask(...looking)
  expectSame(found.ours, found.theirs)
  return receipts
}

function addressesIn({ from, to, contractAddress, logs }: Receipt): Address[] {
  return [from, to, contractAddress, ...logs.map(({ address }) => address)].filter((it) => it !== null)
}

function expectSame(ours: readonly Answer[], theirs: readonly Answer[]): void {
  expect(comparable(resultsOf(ours))).toEqual(comparable(resultsOf(theirs)))
}

/** An answer without what may differ. */
function comparable(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(comparable)
  const leftOut = new Set(DIFFERENCES.filter(({ isIn }) => isIn(value)).flatMap(({ members }) => members))
  const kept = Object.entries(value).filter(([key]) => !leftOut.has(key))
  return Object.fromEntries(kept.map(([key, member]) => [key, comparable(member)]))
}

/** Everything that the comparison is about was there. That contracts were destroyed, `roots.test.ts` sees in the same mixture. */
function expectWorthwhile(receipts: readonly Receipt[]): void {
  const of = (holds: (receipt: Receipt) => boolean) => receipts.filter(holds).length / receipts.length
  expect(of(({ status }) => status === '0x0')).toBeGreaterThan(0.05)
  expect(of(({ status }) => status === '0x1')).toBeGreaterThan(0.3)
  expect(of(({ logs }) => logs.length > 0)).toBeGreaterThan(0.02)
  expect(of(({ contractAddress }) => contractAddress !== null)).toBeGreaterThan(0.02)
}
