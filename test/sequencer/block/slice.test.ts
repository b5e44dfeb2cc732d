import { RLP } from '@ethereumjs/rlp'
import { describe, expect, it } from 'vitest'
import { type Address, toHex, ZERO_ADDRESS, ZERO_HASH } from '../../../src/bytes/hex.ts'
import { LogIndex } from '../../../src/chain/logIndex.ts'
import type { Preconfirmed } from '../../../src/chain/moment.ts'
import { type BlockContext, blockContext } from '../../../src/engine/blockContext.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { Evm } from '../../../src/engine/evm.ts'
import { PREDEPLOYS } from '../../../src/model/bytecode/predeploys.ts'
import { createRules } from '../../../src/model/hardfork/hardfork.ts'
import { EMPTY_BLOOM } from '../../../src/model/receipt/log.ts'
import type { Transaction } from '../../../src/model/transaction/transaction.ts'
import { inOrder } from '../../../src/pool/order.ts'
import { Pool } from '../../../src/pool/pool.ts'
import { nextHeader, nextPosition, openBlock } from '../../../src/sequencer/block/openBlock.ts'
import { runSlice, type Slice } from '../../../src/sequencer/block/slice.ts'
import { createGenesis } from '../../../src/sequencer/genesis.ts'
import type { AccountChange } from '../../../src/state/state.ts'
import { ALICE, accountsOf, BOB, CAROL, DAVE, PEOPLE } from '../../support/chains/sequencers.ts'
import { authorize, sign } from '../../support/chains/signing.ts'
import { assemble } from '../../support/compilers/assembly.ts'
import { createEngine } from '../../support/engines/engineOfRun.ts'

const rules = createRules('osaka', 31_337n)
const ETHER = 10n ** 18n
const CONTRACT: Address = `0x${'c0'.repeat(20)}`
/** Emits a log with its calldata's first byte, so that logs can be told apart. */
const LOGGER: AccountChange = {
  address: CONTRACT,
  code: assemble(0, 'CALLDATALOAD', 0, 'MSTORE', 1, 0, 'LOG0'),
}

/** An open block without transactions, and its context. People have a hundred ether each. */
function opened(
  gasLimit = 30_000_000n,
  ...more: AccountChange[]
): { open: Preconfirmed; context: BlockContext } {
  const settings = { coinbase: ZERO_ADDRESS, randaoSeed: ZERO_HASH }
  const { block, state } = createGenesis(rules, {
    ...settings,
    number: 0n,
    gasLimit,
    baseFeePerGas: 8n,
    timestamp: 0n,
    accounts: PEOPLE.map(({ address }) => address),
    balance: 100n * ETHER,
    contracts: PREDEPLOYS,
  })
  const position = nextPosition(block.header, 0n)
  const header = nextHeader(rules, block.header, block.hash, position, settings)
  return {
    open: openBlock(header, state.with(more), LogIndex.empty),
    context: blockContext(rules, header, () => undefined),
  }
}

function waiting(...transactions: Transaction[]): Pool {
  const pool = new Pool()
  for (const transaction of transactions) pool.add(transaction)
  return pool
}

function run(
  { open, context }: ReturnType<typeof opened>,
  pool: Pool,
  evm = new Evm(createEngine(rules)),
): Promise<Slice> {
  const order = inOrder(pool.contents, open.state, {
    baseFeePerGas: context.baseFeePerGas ?? 0n,
    blobBaseFee: context.blobBaseFee ?? 0n,
  })
  return runSlice(evm, open, order, context)
}

describe('the size of a block', () => {
  it('stays below 8,388,608 bytes of RLP (EIP-7934); what does not fit waits', async () => {
    // Each takes 100 kB of zeros: 84 of them are more.
    const fields = { type: 2, gasLimit: 1_100_000n, data: new Uint8Array(100_000) } as const
    const sent = Array.from({ length: 84 }, (_, i) => sign(ALICE, { ...fields, nonce: BigInt(i) }))
    const place = opened(200_000_000n)
    const { open, added, dropped } = await run(place, waiting(...sent))
    expect([added.length, dropped]).toEqual([83, []])
    const bytes = (count: number) => RLP.encode([[], sent.slice(0, count).map(({ raw }) => raw), []]).length
    // A header has a little over 600 bytes.
    expect(bytes(83) + 1_000).toBeLessThan(8_388_608)
    expect(bytes(84)).toBeGreaterThan(8_388_608)
    // What the block has already counts.
    const again = await run({ open, context: place.context }, waiting(sent[83]!))
    expect(again.added).toEqual([])
    const other = await run({ open, context: place.context }, waiting(sign(BOB)))
    expect(other.added).toHaveLength(1)
  })
})

describe('a slice', () => {
  it('without anything to run is a slice all the same', async () => {
    const place = opened()
    const { open, added, dropped } = await run(place, waiting())
    expect([open.slices, added, dropped]).toEqual([1, [], []])
    expect(open.block).toBe(place.open.block)
    expect(open.state).toBe(place.open.state)
  })

  it('takes in what is ready, in order, each on the state that the one before left', async () => {
    const first = sign(ALICE, { to: BOB.address, value: 60n * ETHER })
    const second = sign(ALICE, { nonce: 1n, to: CAROL.address, value: 30n * ETHER })
    const { open, added } = await run(opened(), waiting(second, first))
    expect(added).toEqual([first, second])
    expect(open.block.transactions).toEqual([first, second])
    expect(open.state.account(BOB.address)?.balance).toBe(160n * ETHER)
    expect(open.state.account(ALICE.address)?.nonce).toBe(2n)
  })

  it('counts gas and logs through the whole block', async () => {
    const place = opened(30_000_000n, LOGGER)
    const log = (nonce: bigint, byte: number) =>
      sign(ALICE, { nonce, to: CONTRACT, data: Uint8Array.of(byte), gasLimit: 50_000n })
    const first = await run(place, waiting(log(0n, 1), log(1n, 2)))
    const second = await run({ ...place, open: first.open }, waiting(log(2n, 3)))
    const { receipts, header } = second.open.block
    expect(receipts.map(({ firstLogIndex }) => firstLogIndex)).toEqual([0, 1, 2])
    expect(receipts.map(({ logs }) => toHex(logs[0]!.data))).toEqual(['0x01', '0x02', '0x03'])
    const used = receipts.map(({ gasUsed }) => gasUsed)
    expect(receipts.map(({ cumulativeGasUsed }) => cumulativeGasUsed)).toEqual([
      used[0],
      used[0]! + used[1]!,
      used[0]! + used[1]! + used[2]!,
    ])
    expect(header.gasUsed).toBe(receipts[2]!.cumulativeGasUsed)
    expect(second.open.slices).toBe(2)
    expect(second.added).toHaveLength(1)
    expect([...second.open.positions.entries()].map(([, index]) => index).sort()).toEqual([0, 1, 2])
  })

  it('includes what fails: it pays, and has no logs', async () => {
    const failing = { address: CONTRACT, code: assemble(0, 0, 'LOG0', 0, 0, 'REVERT') }
    const transaction = sign(ALICE, { to: CONTRACT, gasLimit: 50_000n, value: 5n })
    const { open } = await run(opened(30_000_000n, failing), waiting(transaction))
    const [receipt] = open.block.receipts
    expect(receipt).toMatchObject({
      status: 'failure',
      logs: [],
      logsBloom: EMPTY_BLOOM,
      contractAddress: undefined,
    })
    const paid = receipt!.gasUsed * receipt!.effectiveGasPrice
    expect(open.state.account(ALICE.address)?.balance).toBe(100n * ETHER - paid)
    expect(open.state.account(CONTRACT)?.balance).toBe(0n)
  })

  it('holds back what does not fit into the block any more, and what its sender has after it', async () => {
    const large = { gasLimit: 30_000n, maxPriorityFeePerGas: 5n }
    const [alice0, alice1] = [sign(ALICE, large), sign(ALICE, { nonce: 1n, maxPriorityFeePerGas: 5n })]
    const [bob0, bob1] = [sign(BOB, { ...large, gasLimit: 40_000n }), sign(BOB, { nonce: 1n })]
    const carol = sign(CAROL, { maxPriorityFeePerGas: 1n })
    // Alice's two use 42,000 of 63,000; Bob's asks for 40,000, which is more than is left; Carol's for 21,000.
    const { added, dropped } = await run(opened(63_000n), waiting(alice0, alice1, bob0, bob1, carol))
    expect(added).toEqual([alice0, alice1, carol])
    expect(dropped).toEqual([])
  })

  it('counts what was used, not what was asked for, against the block’s gas', async () => {
    const asking = sign(ALICE, { gasLimit: 60_000n, maxPriorityFeePerGas: 2n * 10n ** 9n })
    const after = sign(BOB, { gasLimit: 42_000n })
    expect((await run(opened(63_000n), waiting(asking, after))).added).toEqual([asking, after])
  })

  it('drops what its sender can no longer pay, with the numbers, and lets the others go on', async () => {
    const gift = sign(ALICE, { to: DAVE.address, value: 99n * ETHER })
    const tooMuch = sign(ALICE, { nonce: 1n, to: DAVE.address, value: 2n * ETHER })
    const after = sign(ALICE, { nonce: 2n })
    const other = sign(BOB, { maxPriorityFeePerGas: 1n })
    const { open, added, dropped } = await run(opened(), waiting(gift, tooMuch, after, other))
    expect(added).toEqual([gift, other])
    const have = open.state.account(ALICE.address)!.balance
    const want = 2n * ETHER + 21_000n * tooMuch.maxFeePerGas
    expect(dropped).toEqual([[tooMuch, { kind: 'insufficientFunds', address: ALICE.address, have, want }]])
  })

  it('drops what comes from an account that got code since (EIP-3607)', async () => {
    const place = opened(30_000_000n, { address: ALICE.address, code: Uint8Array.of(0) })
    const { dropped } = await run(place, waiting(sign(ALICE)))
    expect(dropped).toMatchObject([[{ from: ALICE.address }, { kind: 'senderIsContract' }]])
  })

  it('drops what breaks the machine, and lets the others go on', async () => {
    const broken = new Error('the machine broke')
    const engine = createEngine(rules)
    const fragile: Engine = {
      rules,
      transact: (run) => (run.message.from === ALICE.address ? Promise.reject(broken) : engine.transact(run)),
    }
    const [alice0, alice1] = [sign(ALICE, { maxPriorityFeePerGas: 9n }), sign(ALICE, { nonce: 1n })]
    const bob = sign(BOB)
    const { open, added, dropped } = await run(opened(), waiting(alice0, alice1, bob), new Evm(fragile))
    expect(added).toEqual([bob])
    expect(dropped).toEqual([[alice0, { kind: 'defect', error: broken }]])
    expect(open.state.account(ALICE.address)?.nonce).toBe(0n)
  })

  it('changes nothing outside: neither the open block, nor its state, nor the pool', async () => {
    const place = opened(30_000_000n, LOGGER)
    const pool = waiting(sign(ALICE, { to: CONTRACT, gasLimit: 50_000n }), sign(BOB, { value: 200n * ETHER }))
    const { contents } = pool
    const before = structuredClone([place.open.block, accountsOf(place.open.state)])
    await run(place, pool)
    expect([place.open.block, accountsOf(place.open.state)]).toEqual(before)
    expect(pool.contents).toBe(contents)
    expect(pool.size).toBe(2)
    expect(place.open.positions.size).toBe(0)
  })
})

describe('a slice in which an authorization takes a nonce that a waiting transaction has (EIP-7702)', () => {
  const taken = (next: bigint, got: bigint) => ({ kind: 'nonceTooLow', next, got })

  /** Bob sends Alice's authorization of this nonce, ahead of all others. */
  async function authorizing(nonce: bigint): Promise<Transaction> {
    return sign(BOB, {
      type: 4,
      gasLimit: 100_000n,
      maxPriorityFeePerGas: 50n * 10n ** 9n,
      authorizationList: [await authorize(ALICE, { address: CONTRACT, nonce })],
    })
  }

  it('drops that transaction, and runs the sender’s next one', async () => {
    const [alice0, alice1] = [sign(ALICE), sign(ALICE, { nonce: 1n })]
    const bob = await authorizing(0n)
    const { added, dropped } = await run(opened(), waiting(alice0, alice1, bob))
    expect(added).toEqual([bob, alice1])
    expect(dropped).toEqual([[alice0, taken(1n, 0n)]])
  })

  it('drops what follows a sender’s own authorization with the nonce that this took', async () => {
    const authorizationList = [await authorize(ALICE, { address: CONTRACT, nonce: 1n })]
    const own = sign(ALICE, { type: 4, gasLimit: 100_000n, authorizationList })
    const [alice1, alice2] = [sign(ALICE, { nonce: 1n }), sign(ALICE, { nonce: 2n })]
    const { added, dropped } = await run(opened(), waiting(own, alice1, alice2))
    expect(added).toEqual([own, alice2])
    expect(dropped).toEqual([[alice1, taken(2n, 1n)]])
  })

  it('drops what was left behind by a slice before', async () => {
    const { dropped, added } = await run(
      opened(30_000_000n, { address: ALICE.address, nonce: 2n }),
      waiting(sign(ALICE), sign(ALICE, { nonce: 1n }), sign(ALICE, { nonce: 2n })),
    )
    expect(dropped.map(([{ nonce }, reason]) => [nonce, reason])).toEqual([
      [0n, taken(2n, 0n)],
      [1n, taken(2n, 1n)],
    ])
    expect(added).toMatchObject([{ nonce: 2n }])
  })
})
