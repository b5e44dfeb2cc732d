import { describe, expect, it } from 'vitest'
import type { Transaction, UnsignedTransaction } from '../../src/model/transaction/transaction.ts'
import { inGivenOrder, inOrder, type Order } from '../../src/pool/order.ts'
import { Pool } from '../../src/pool/pool.ts'
import { State } from '../../src/state/state.ts'
import { type Signer, sign, signerOf } from '../support/chains/signing.ts'
import { withRandom } from '../support/random/random.ts'

const SIGNERS = ['a1', 'b0', 'c4', 'd4', 'e5'].map((byte) => signerOf(`0x${byte.repeat(32)}`))
const [ALICE, BOB, CAROL] = SIGNERS as [Signer, Signer, Signer]

/** A transaction of a nonce whose fees are these. */
function offer(
  signer: Signer,
  nonce: number,
  maxFeePerGas: number,
  maxPriorityFeePerGas = maxFeePerGas,
): Transaction {
  const fees: Partial<UnsignedTransaction> = {
    maxFeePerGas: BigInt(maxFeePerGas),
    maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas),
  }
  return sign(signer, { nonce: BigInt(nonce), ...fees })
}

function orderOf(
  waiting: readonly Transaction[],
  { state = State.empty, baseFee = 0n, blobBaseFee = 0n } = {},
): Order {
  const pool = new Pool()
  for (const transaction of waiting) pool.add(transaction)
  return inOrder(pool.contents, state, { baseFeePerGas: baseFee, blobBaseFee })
}

/** Everything that is handed out when all of it is included. */
function all(order: Order): Transaction[] {
  const out: Transaction[] = []
  for (let next = order.next(); next !== undefined; next = order.next()) {
    out.push(next)
    order.advance()
  }
  return out
}

describe('the order of waiting transactions', () => {
  it('is by nonce for each sender, whatever they pay', () => {
    const [first, second, third] = [offer(ALICE, 0, 1), offer(ALICE, 1, 9), offer(ALICE, 2, 5)]
    expect(all(orderOf([third, second, first]))).toEqual([first, second, third])
  })

  it('is by price between senders', () => {
    const [low, middle, high] = [offer(ALICE, 0, 1), offer(BOB, 0, 2), offer(CAROL, 0, 3)]
    expect(all(orderOf([low, high, middle]))).toEqual([high, middle, low])
  })

  it('is by arrival where the price is the same', () => {
    const [alice, bob, carol] = [offer(ALICE, 0, 2), offer(BOB, 0, 2), offer(CAROL, 0, 2)]
    expect(all(orderOf([carol, alice, bob]))).toEqual([carol, alice, bob])
  })

  it('counts what is paid above the base fee, not what is offered at most', () => {
    // Above a base fee of 10: Alice pays 3, Bob min(20 − 10, 5) = 5, Carol 12 − 10 = 2.
    const [alice, bob, carol] = [offer(ALICE, 0, 100, 3), offer(BOB, 0, 20, 5), offer(CAROL, 0, 12, 12)]
    expect(all(orderOf([alice, bob, carol], { baseFee: 10n }))).toEqual([bob, alice, carol])
  })

  it('lets a sender’s dear transaction wait behind its cheap one', () => {
    const [cheap, dear] = [offer(ALICE, 0, 1), offer(ALICE, 1, 100)]
    const [bob] = [offer(BOB, 0, 50)]
    expect(all(orderOf([cheap, dear, bob]))).toEqual([bob, cheap, dear])
  })

  it('leaves out what does not cover the base fee, and what its sender has after it', () => {
    const [alice, after] = [offer(ALICE, 0, 9), offer(ALICE, 1, 100)]
    const bob = offer(BOB, 0, 10)
    expect(all(orderOf([alice, after, bob], { baseFee: 10n }))).toEqual([bob])
  })

  it('has what covers the base fee exactly', () => {
    const [alice, bob] = [offer(ALICE, 0, 10), offer(BOB, 0, 12)]
    expect(all(orderOf([alice, bob], { baseFee: 10n }))).toEqual([bob, alice])
  })

  // EIP-4844: the fee for blobs must cover the price of blobs of the block.
  it('leaves out what does not cover the price of blobs, and what its sender has after it', () => {
    const withBlob = (signer: Signer, maxFeePerBlobGas: bigint) =>
      sign(signer, { type: 3, maxFeePerBlobGas, blobVersionedHashes: [`0x01${'00'.repeat(31)}`] })
    const [alice, after, bob, carol] = [
      withBlob(ALICE, 9n),
      offer(ALICE, 1, 100),
      withBlob(BOB, 10n),
      offer(CAROL, 0, 1),
    ]
    expect(all(orderOf([alice, after, bob, carol], { blobBaseFee: 10n }))).toEqual([bob, carol])
  })

  it('ends for each sender where a nonce is missing', () => {
    const state = State.empty.with([{ address: BOB.address, nonce: 4n }])
    const [alice0, alice2] = [offer(ALICE, 0, 1), offer(ALICE, 2, 1)]
    const [bob4, bob5, bob7] = [offer(BOB, 4, 1), offer(BOB, 5, 1), offer(BOB, 7, 1)]
    const carol1 = offer(CAROL, 1, 1)
    expect(all(orderOf([alice0, alice2, bob4, bob5, bob7, carol1], { state }))).toEqual([alice0, bob4, bob5])
  })

  it('passes over a sender whose transaction was held, and goes on with the others', () => {
    const order = orderOf([offer(ALICE, 0, 9), offer(ALICE, 1, 9), offer(BOB, 0, 1)])
    expect(order.next()?.from).toBe(ALICE.address)
    order.hold()
    expect(order.next()?.from).toBe(BOB.address)
    order.advance()
    expect(order.next()).toBeUndefined()
  })

  it('names those whose nonce is taken, and hands out what follows them', () => {
    const state = State.empty.with([{ address: ALICE.address, nonce: 2n }])
    const [zero, one, two] = [offer(ALICE, 0, 1), offer(ALICE, 1, 1), offer(ALICE, 2, 1)]
    const order = orderOf([zero, one, two], { state })
    expect(order.passed).toEqual([zero, one])
    expect(all(order)).toEqual([two])
  })

  it(
    'is what picking the best of all that can run, again and again, would give',
    withRandom((random) => {
      for (let round = 0; round < 30; round++) {
        const baseFee = BigInt(random.below(6))
        const nonces = new Map(SIGNERS.map(({ address }) => [address, BigInt(random.below(2))]))
        const state = State.empty.with([...nonces].map(([address, nonce]) => ({ address, nonce })))
        const waiting = random.list(15, () =>
          offer(random.pick(SIGNERS), random.below(4), random.between(4, 9), random.below(5)),
        )
        const pool = new Pool()
        for (const transaction of waiting) pool.add(transaction)
        const arrived = [...pool.contents.byHash.entries()].map(([, pooled]) => pooled)
        const tip = ({ maxFeePerGas, maxPriorityFeePerGas }: Transaction) =>
          maxFeePerGas - baseFee < maxPriorityFeePerGas ? maxFeePerGas - baseFee : maxPriorityFeePerGas
        const expected: Transaction[] = []
        for (;;) {
          const ready = arrived.filter(
            ({ transaction }) =>
              transaction.nonce === nonces.get(transaction.from) && transaction.maxFeePerGas >= baseFee,
          )
          const [best] = ready.sort(
            (a, b) => Number(tip(b.transaction) - tip(a.transaction)) || a.arrival - b.arrival,
          )
          if (best === undefined) break
          expected.push(best.transaction)
          nonces.set(best.transaction.from, best.transaction.nonce + 1n)
        }
        expect(all(inOrder(pool.contents, state, { baseFeePerGas: baseFee, blobBaseFee: 0n }))).toEqual(
          expected,
        )
      }
    }),
  )
})

describe('the given order', () => {
  it('is that in which the transactions are given, whatever they pay', () => {
    const given = [offer(ALICE, 1, 1), offer(BOB, 0, 9), offer(ALICE, 0, 5)]
    expect(all(inGivenOrder(given))).toEqual(given)
  })

  it('passes over what a sender has after a transaction that was held', () => {
    const [first, bob, second, carol] = [
      offer(ALICE, 0, 1),
      offer(BOB, 0, 1),
      offer(ALICE, 1, 1),
      offer(CAROL, 0, 1),
    ]
    const order = inGivenOrder([first, bob, second, carol])
    expect(order.next()).toBe(first)
    order.hold()
    expect(all(order)).toEqual([bob, carol])
  })
})
