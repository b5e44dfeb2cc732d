/**
 * A network and a devnet that was forked from it, side by side: the same transactions in the same blocks. The network goes on
 * while it is forked, so that what it does later must not be seen on the fork. It may be forked anew: then nothing
 * of its state is there again.
 */
import { spawnAnvil } from '../../../scripts/anvil.ts'
import type { Address, Hash, Hex } from '../../../src/bytes/hex.ts'
import { createDevnet, type Devnet, type DevnetOptions } from '../../../src/index.ts'
import type { Hardfork } from '../../../src/model/hardfork/hardfork.ts'
import type { Transaction } from '../../../src/model/transaction/transaction.ts'
import { HttpClient } from '../clients/exchange.ts'
import { accountsInDump, unpackedDump } from '../nodes/anvilFiles.ts'
import {
  type Answer,
  type Answers,
  type BlockWishes,
  batchOf,
  expectSent,
  LATEST,
  type Question,
  quantity,
  resultsOf,
  sendingOf,
  wishesOf,
} from '../nodes/besideAnvil.ts'
import type { Random } from '../random/random.ts'
import { accountsOf } from './sequencers.ts'
import { type Signer, signerOf } from './signing.ts'
import type { Companions } from './walk.ts'

/** A network, as far as the comparison needs it. */
interface Network {
  readonly url: string
  ask(questions: readonly Question[]): Promise<Answer[]>
  /** Sends transactions and mines one block of them. */
  mine(sending: readonly Question[]): Promise<void>
  /** All accounts that are anything, with their slots. */
  accounts(): Promise<
    readonly { readonly address: Address; readonly slots: readonly (readonly [bigint, bigint])[] }[]
  >
  stop(): Promise<unknown>
}

export type NetworkKind = 'anvil' | 'preseal'

/** Who sends: nobody's development account, since a fork changes the balances of those. */
const SENDERS = 8
const ENDOWMENT = quantity(10n ** 24n)

export class BesideNetwork implements Companions {
  readonly senders: readonly Signer[]
  /** How often the network was forked. */
  forks = 0
  readonly #network: Network
  readonly #options: DevnetOptions
  #devnet: Devnet | undefined
  /** Which block of the fork is meant by a hash of the network, and by its own; as quantities, for such they are on a stack. */
  readonly #ourHashes = new Map<string, string>()

  private constructor(network: Network, senders: readonly Signer[], options: DevnetOptions) {
    this.#network = network
    this.senders = senders
    this.#options = options
  }

  /** Starts a network under the rules of `hardfork`. `options` are those of the devnets that are forked from it. */
  static async start(
    kind: NetworkKind,
    hardfork: Hardfork,
    random: Random,
    options: DevnetOptions = {},
  ): Promise<BesideNetwork> {
    const network = await NETWORKS[kind](hardfork)
    const senders = random.list(SENDERS, () => signerOf(random.hex(32)))
    const beside = new BesideNetwork(network, senders, options)
    const endowing = senders.map(({ address }) => ({
      method: 'anvil_setBalance',
      params: [address, ENDOWMENT],
    }))
    await beside.tell(...endowing)
    return beside
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#devnet?.close()
    await this.#network.stop()
  }

  /** Forks the network at its newest block; what was forked before is closed. */
  async fork(): Promise<Devnet> {
    await this.#devnet?.close()
    this.#ourHashes.clear()
    this.forks++
    const fork = { ...this.#options.fork, url: this.#network.url }
    this.#devnet = await createDevnet({
      rhythm: 'manual',
      ticksPerBlock: 100_000,
      ...this.#options,
      fork,
    } as DevnetOptions)
    return this.#devnet
  }

  /**
   * Asks both; before the first fork the network alone. Hashes of the network's blocks are replaced by those of the fork's,
   * and have no leading zeros in either.
   */
  async ask(...questions: Question[]): Promise<Answers> {
    const theirs = this.#translated(await this.#network.ask(questions))
    const devnet = this.#devnet
    return {
      ours: devnet === undefined ? theirs : this.#translated(await askedOf(devnet, questions)),
      theirs,
    }
  }

  /** Tells both. Throws where one of them refuses. */
  async tell(...questions: Question[]): Promise<void> {
    const { ours, theirs } = await this.ask(...questions)
    for (const answers of [ours, theirs]) resultsOf(answers)
  }

  /** Mines a block of exactly these transactions in both, in the order of the network. */
  async mine(transactions: readonly Transaction[], wishes: BlockWishes): Promise<void> {
    const wish = wishesOf(wishes)
    const sending = new Map(transactions.map((transaction) => [transaction.hash, sendingOf(transaction)]))
    resultsOf(await this.#network.ask(wish))
    await this.#network.mine([...sending.values()])
    const theirs = await this.#latest(await this.#network.ask([LATEST]))
    expectSent(theirs.transactions, sending)
    const devnet = this.#devnet
    if (devnet === undefined) return
    const prevRandao = { method: 'hardhat_setPrevRandao', params: [theirs.mixHash] }
    resultsOf(await askedOf(devnet, [...wish, prevRandao]))
    for (const hash of theirs.transactions) {
      resultsOf(await askedOf(devnet, [sending.get(hash)!]))
      await devnet.tick()
    }
    await devnet.mine()
    const ours = await this.#latest(await askedOf(devnet, [LATEST]))
    expectSent(ours.transactions, sending)
    if (this.#options.fork?.proofs === true && ours.hash !== theirs.hash) {
      throw new Error(`the network's block is ${theirs.hash}, that of the fork with proofs ${ours.hash}`)
    }
    const hash = asQuantity(ours.hash)
    this.#ourHashes.set(asQuantity(theirs.hash), hash)
    this.#ourHashes.set(hash, hash)
  }

  /** Returns the questions for all accounts of the network: balance, nonce, code, and each slot that is not zero. */
  async questionsOfAccounts(): Promise<readonly Question[]> {
    const known = await this.#network.accounts()
    return known.flatMap(({ address, slots }) => [
      ...['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode'].map((method) => ({
        method,
        params: [address, 'latest'],
      })),
      ...slots.map(([slot]) => ({ method: 'eth_getStorageAt', params: [address, quantity(slot), 'latest'] })),
    ])
  }

  #latest(answers: readonly Answer[]): { hash: Hash; mixHash: Hash; transactions: readonly Hash[] } {
    return resultsOf(answers)[0] as never
  }

  #translated(answers: readonly Answer[]): Answer[] {
    if (this.#ourHashes.size === 0) return [...answers]
    const text = JSON.stringify(answers).replace(
      /0x[0-9a-f]{56,64}/g,
      (word) => this.#ourHashes.get(asQuantity(word)) ?? word,
    )
    return JSON.parse(text)
  }
}

const asQuantity = (word: string): string => word.replace(/^0x0+/, '0x')

async function askedOf(devnet: Devnet, questions: readonly Question[]): Promise<Answer[]> {
  return questions.length === 0 ? [] : JSON.parse((await devnet.respond(batchOf(questions)))!)
}

const NETWORKS: Readonly<Record<NetworkKind, (hardfork: Hardfork) => Promise<Network>>> = {
  async preseal(hardfork) {
    const devnet = await createDevnet({ rhythm: 'manual', hardfork, ticksPerBlock: 100_000 })
    const { url } = await devnet.listen({ port: 0 })
    return {
      url,
      ask: (questions) => askedOf(devnet, questions),
      async mine(sending) {
        for (const question of sending) {
          resultsOf(await askedOf(devnet, [question]))
          await devnet.tick()
        }
        await devnet.mine()
      },
      async accounts() {
        const { state } = devnet.snapshot().mark.chain.history.latest
        return accountsOf(state) as Awaited<ReturnType<Network['accounts']>>
      },
      stop: () => devnet.close(),
    }
  },
  async anvil(hardfork) {
    const anvil = await spawnAnvil([
      ...['--no-mining', '--order', 'fifo', '--hardfork', hardfork, '--enable-tx-gas-limit'],
    ])
    if (anvil === undefined) throw new Error('anvil does not run')
    const client = new HttpClient(Number(new URL(anvil.url).port))
    const ask = async (questions: readonly Question[]): Promise<Answer[]> =>
      questions.length === 0 ? [] : JSON.parse((await client.send({ body: batchOf(questions) })).body)
    return {
      url: anvil.url,
      ask,
      async mine(sending) {
        // One after the other: what comes in one batch is done at once.
        resultsOf(await ask(sending))
        resultsOf(await ask([{ method: 'evm_mine', params: [] }]))
      },
      async accounts() {
        const [dump] = resultsOf(await ask([{ method: 'anvil_dumpState', params: [] }]))
        return accountsInDump(unpackedDump(dump as Hex))
      },
      stop() {
        client.close()
        return anvil.stop()
      },
    }
  },
}
