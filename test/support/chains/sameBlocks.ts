/** Expects the newest blocks of two chains to be the same, with all that belongs to them. */
import { expect } from 'vitest'
import type { Address } from '../../../src/bytes/hex.ts'
import { type Answer, type Json, type Question, quantity, resultsOf } from '../nodes/besideAnvil.ts'
import type { Random } from '../random/random.ts'
import type { Companions } from './walk.ts'

type Fields = { readonly [member: string]: Json }

/** What is left out of answers before they are compared. */
export interface Difference {
  readonly why: string
  isIn(answer: Fields): boolean
  readonly members: readonly string[]
}

const isBlock = (answer: Fields) => 'parentHash' in answer
const isReceipt = (answer: Fields) => 'cumulativeGasUsed' in answer
const hasBlobs = (answer: Fields) => answer.type === '0x3'

/** What anvil has otherwise. */
export const OF_ANVIL: readonly Difference[] = [
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

/** The newest block and its transactions. */
const LATEST: Question = { method: 'eth_getBlockByNumber', params: ['latest', true] }

export interface Receipt {
  readonly status: string
  readonly type: string
  readonly transactionHash: string
  readonly contractAddress: Address | null
  readonly from: Address
  readonly to: Address | null
  readonly logs: readonly { readonly address: Address }[]
}

/** The newest block with all that belongs to it, and the accounts that it is about. Answers its receipts. */
export async function expectSameBlock(
  random: Random,
  beside: Companions,
  differences = OF_ANVIL,
): Promise<Receipt[]> {
  const { ours, theirs } = await beside.ask(
    LATEST,
    { method: 'eth_getBlockReceipts', params: ['latest'] },
    { method: 'eth_getLogs', params: [{ fromBlock: 'latest', toBlock: 'latest' }] },
  )
  expectSame(ours, theirs, differences)
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
  expectSame(found.ours, found.theirs, differences)
  return receipts
}

function addressesIn({ from, to, contractAddress, logs }: Receipt): Address[] {
  return [from, to, contractAddress, ...logs.map(({ address }) => address)].filter((it) => it !== null)
}

function expectSame(
  ours: readonly Answer[],
  theirs: readonly Answer[],
  differences: readonly Difference[],
): void {
  const [one, other] = [ours, theirs].map((answers) => comparable(resultsOf(answers), differences))
  expect(one).toEqual(other)
}

/** An answer without what may differ. */
export function comparable(value: Json, differences: readonly Difference[]): Json {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => comparable(item, differences))
  const leftOut = new Set(differences.filter(({ isIn }) => isIn(value)).flatMap(({ members }) => members))
  const kept = Object.entries(value).filter(([key]) => !leftOut.has(key))
  return Object.fromEntries(kept.map(([key, member]) => [key, comparable(member, differences)]))
}
