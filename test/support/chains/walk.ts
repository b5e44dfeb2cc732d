/** A random way that two chains go together, block by block. */

import type { Address } from '../../../src/bytes/hex.ts'
import type { Hardfork } from '../../../src/model/hardfork/hardfork.ts'
import type { Transaction, UnsignedTransaction } from '../../../src/model/transaction/transaction.ts'
import { type Answers, type BlockWishes, LATEST, type Question, resultsOf } from '../nodes/besideAnvil.ts'
import type { Random } from '../random/random.ts'
import { BLOBS, signNaming } from './blobs.ts'
import { Mixture } from './mixture.ts'
import { type Signer, sign } from './signing.ts'

const GWEI = 10 ** 9
/** A block in which there is room for any transaction. */
export const ROOMY = { gasLimit: 10_000_000 } as const

/** Two chains that go together: a devnet and anvil, a network and its fork. */
export interface Companions {
  /** Who sends transactions. */
  readonly senders: readonly Signer[]
  ask(...questions: Question[]): Promise<Answers>
  tell(...questions: Question[]): Promise<void>
  mine(transactions: readonly Transaction[], wishes: BlockWishes): Promise<void>
}

/** The blocks of a random story. */
export class Walk {
  readonly mixture: Mixture
  readonly #random: Random
  readonly #beside: Companions
  #timestamp: number
  /** Drawn and not in a block yet. */
  #held: Transaction | undefined

  private constructor(random: Random, hardfork: Hardfork, beside: Companions, timestamp: number) {
    this.#random = random
    this.#beside = beside
    this.#timestamp = timestamp
    this.mixture = new Mixture(random, hardfork, beside.senders)
  }

  static async start(random: Random, hardfork: Hardfork, beside: Companions): Promise<Walk> {
    const [latest] = resultsOf((await beside.ask(LATEST)).ours) as unknown as [{ timestamp: string }]
    const walk = new Walk(random, hardfork, beside, Number(latest.timestamp))
    // To anvil 1.7.1 every account exists, and so it refunds part of an authorization (EIP-7702) of one that does not.
    const endowing = walk.mixture.authorities.map((address) => ({
      method: 'anvil_setBalance',
      params: [address, '0x1'],
    }))
    await beside.tell(...endowing)
    return walk
  }

  /** Transactions for a block, at most so many, each changed by `change`. */
  async draw(most: number, change = (drawn: Transaction) => drawn): Promise<Transaction[]> {
    const drawn: Transaction[] = []
    const nonces = new Map<Address, bigint>()
    for (let left = this.#random.below(most + 1); left > 0; left--) {
      const transaction = this.#held ?? change(await this.mixture.next())
      this.#held = undefined
      const last = nonces.get(transaction.from)
      // Between two nonces there may be that of an authorization. anvil's pool waits for a transaction in its place.
      if (last !== undefined && transaction.nonce > last + 1n) {
        this.#held = transaction
        break
      }
      nonces.set(transaction.from, transaction.nonce)
      drawn.push(transaction)
    }
    return drawn
  }

  /** Mines a block of these transactions in both chains, later by a random while, and in random circumstances. */
  mine(transactions: readonly Transaction[], others: Partial<BlockWishes> = {}): Promise<void> {
    const random = this.#random
    this.#timestamp += random.between(1, 20)
    const gas = transactions.reduce((sum, { gasLimit }) => sum + Number(gasLimit), 0)
    return this.#beside.mine(transactions, {
      timestamp: this.#timestamp,
      coinbase: random.chance(0.5) ? random.hex(20) : random.pick(this.#beside.senders).address,
      // Blocks that are more than half full now and then, so that the base fee rises.
      gasLimit: Math.max(gas, 30_000) * random.between(1, 2),
      ...(random.chance(0.1) ? { baseFeePerGas: random.between(7, 2 * GWEI) } : {}),
      ...others,
    })
  }

  signedAnew(transaction: Transaction, fields: Partial<UnsignedTransaction>): Transaction {
    // None of them is a deposit, which nobody signs.
    return sign(this.#signerOf(transaction), { ...(transaction as UnsignedTransaction), ...fields })
  }

  /** The transaction with blobs beside it, if it can have any (EIP-4844). */
  withBlobs(transaction: Transaction): Transaction {
    const { type, to } = transaction
    if (type === 4 || to === undefined) return transaction
    const blobs = this.#random.list(this.#random.between(1, 2), () => this.#random.pick(BLOBS))
    return signNaming(this.#signerOf(transaction), blobs, { ...transaction, type: 3, chainId: 31_337n })
  }

  #signerOf({ from }: Transaction): Signer {
    return this.#beside.senders.find(({ address }) => address === from)!
  }
}
