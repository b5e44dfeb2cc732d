import { describe, expect, it } from 'vitest'
import { type Address, ZERO_ADDRESS, ZERO_HASH } from '../../../src/bytes/hex.ts'
import type { BlockContext } from '../../../src/engine/blockContext.ts'
import { blockContext } from '../../../src/engine/blockContext.ts'
import type { Outcome } from '../../../src/engine/engine.ts'
import { PREDEPLOYS } from '../../../src/model/bytecode/predeploys.ts'
import { createRules } from '../../../src/model/hardfork/hardfork.ts'
import type { Log } from '../../../src/model/receipt/log.ts'
import type { Transaction } from '../../../src/model/transaction/transaction.ts'
import {
  IncludedTransactions,
  type TransactionRun,
} from '../../../src/sequencer/block/includedTransactions.ts'
import { nextHeader, nextPosition } from '../../../src/sequencer/block/openBlock.ts'
import { createGenesis } from '../../../src/sequencer/genesis.ts'
import type { State } from '../../../src/state/state.ts'
import { ALICE } from '../../support/chains/sequencers.ts'
import { sign } from '../../support/chains/signing.ts'

const rules = createRules('osaka', 31_337n)
const LOG: Log = { address: `0x${'c0'.repeat(20)}` as Address, topics: [], data: new Uint8Array() }

/** A block without transactions, the context that its transactions run in, and a state. */
function begun() {
  const settings = { coinbase: ZERO_ADDRESS, randaoSeed: ZERO_HASH }
  const { block, state } = createGenesis(rules, {
    ...settings,
    number: 0n,
    gasLimit: 30_000_000n,
    baseFeePerGas: 8n,
    timestamp: 0n,
    accounts: [],
    balance: 0n,
    contracts: PREDEPLOYS,
  })
  const header = nextHeader(rules, block.header, block.hash, nextPosition(block.header, 0n), settings)
  const context: BlockContext = blockContext(rules, header, () => undefined)
  return { block: { ...block, header }, state, context }
}

/** How a transaction ended that used `gasUsed` and emitted so many logs. */
function run(state: State, gasUsed: bigint, logs = 0): TransactionRun {
  const outcome: Outcome = {
    kind: 'success',
    gasUsed,
    gasBeforeRefund: gasUsed,
    console: undefined,
    gasNeeded: undefined,
    returnData: new Uint8Array(),
    logs: Array.from({ length: logs }, () => LOG),
    createdAddress: undefined,
  }
  return { outcome, state }
}

function transaction(nonce: bigint, blobs = 0): Transaction {
  const signed = sign(ALICE, { nonce })
  return blobs === 0 ? signed : { ...signed, blobVersionedHashes: Array(blobs).fill(ZERO_HASH) }
}

describe('the transactions of a block', () => {
  it('are kept with their receipts, in the order in which they were added', () => {
    const { state, context } = begun()
    const included = new IncludedTransactions(rules, context)
    const [first, second] = [transaction(0n), transaction(1n)]
    const receipts = [included.add(first, run(state, 21_000n)), included.add(second, run(state, 30_000n))]
    expect(included.transactions).toEqual([first, second])
    expect(included.receipts).toEqual(receipts)
  })

  it('have receipts with the gas of all before them', () => {
    const { state, context } = begun()
    const included = new IncludedTransactions(rules, context)
    included.add(transaction(0n), run(state, 21_000n))
    expect(included.add(transaction(1n), run(state, 30_000n))).toMatchObject({
      gasUsed: 30_000n,
      cumulativeGasUsed: 51_000n,
    })
    expect(included.gasUsed).toBe(51_000n)
  })

  it('number their logs over the whole block', () => {
    const { state, context } = begun()
    const included = new IncludedTransactions(rules, context)
    const firstIndices = [2, 0, 3].map(
      (logs, i) => included.add(transaction(BigInt(i)), run(state, 21_000n, logs)).firstLogIndex,
    )
    expect(firstIndices).toEqual([0, 2, 2])
  })

  it('add up 131,072 gas for each blob (EIP-4844)', () => {
    const { state, context } = begun()
    const included = new IncludedTransactions(rules, context)
    included.add(transaction(0n, 2), run(state, 21_000n))
    included.add(transaction(1n), run(state, 21_000n))
    included.add(transaction(2n, 1), run(state, 21_000n))
    expect(included.blobGasUsed).toBe(3n * 131_072n)
  })

  it('take at least the bytes of their encodings (EIP-7934)', () => {
    const { state, context } = begun()
    const included = new IncludedTransactions(rules, context)
    const both = [transaction(0n), transaction(1n)]
    for (const one of both) included.add(one, run(state, 21_000n))
    const least = both.reduce((sum, { raw }) => sum + raw.length, 0)
    expect(included.bytes).toBeGreaterThanOrEqual(least)
    expect(included.bytes).toBeLessThan(least + 20)
  })

  it('go on from those that the block has already, which are counted and not kept', () => {
    const { block, state, context } = begun()
    const earlier = new IncludedTransactions(rules, context)
    earlier.add(transaction(0n, 1), run(state, 50_000n, 2))
    const before = {
      ...block,
      header: { ...block.header, gasUsed: 50_000n, blobGasUsed: 131_072n },
      transactions: earlier.transactions,
      receipts: earlier.receipts,
    }
    const included = new IncludedTransactions(rules, context, before)
    expect(included.bytes).toBe(earlier.bytes)
    const later = transaction(1n, 2)
    const receipt = included.add(later, run(state, 21_000n, 1))
    expect(receipt).toMatchObject({ cumulativeGasUsed: 71_000n, firstLogIndex: 2 })
    expect(included).toMatchObject({ gasUsed: 71_000n, blobGasUsed: 3n * 131_072n, transactions: [later] })
  })
})
