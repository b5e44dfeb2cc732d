/**
 * A devnet and anvil side by side: the same beginning, then the same transactions in the same blocks.
 *
 * anvil leads, for it draws each block's prevRandao itself and cannot be told one; ours can.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AnvilProcess, spawnAnvil } from '../../../scripts/anvil.ts'
import { foundryVersion } from '../../../scripts/foundry.ts'
import { type Address, type Hash, type Hex, toHex } from '../../../src/bytes/hex.ts'
import { createDevnet, type Devnet } from '../../../src/index.ts'
import type { Hardfork } from '../../../src/model/hardfork/hardfork.ts'
import type { Transaction } from '../../../src/model/transaction/transaction.ts'
import { blobsNamedBy, withBlobs } from '../chains/blobs.ts'
import { accountsOf } from '../chains/sequencers.ts'
import { HttpClient } from '../clients/exchange.ts'
import { type Account, accountsInDump, anvilStateOf, genesisFor, unpackedDump } from './anvilFiles.ts'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export interface Question {
  readonly method: string
  readonly params: readonly unknown[]
}

export type Answer = { readonly result: Json } | { readonly error: { readonly [key: string]: Json } }

/** What both say to the same questions. */
export interface Answers {
  readonly ours: readonly Answer[]
  readonly theirs: readonly Answer[]
}

/** What a block is made with. */
export interface BlockWishes {
  /** Later than the block before: anvil takes no other. */
  readonly timestamp: number
  readonly coinbase: Address
  readonly gasLimit: number
  /** Absent: as it follows from the block before. */
  readonly baseFeePerGas?: number
}

interface Block {
  readonly hash: Hash
  readonly timestamp: Hex
  readonly mixHash: Hash
  readonly transactions: readonly Hash[]
}

/**
 * Blocks without anything after block 0. anvil makes a genesis of its own before it loads ours, and BLOCKHASH of 0 stays the
 * hash of that: after these it is out of reach.
 */
const EMPTY_BLOCKS = 257

/** Whether there is an anvil that runs here. Says so if there is none, for the tests that need it are then skipped. */
export const isAnvilHere = foundryVersion('anvil') !== undefined
if (!isAnvilHere)
  console.warn('@foundry-rs/anvil has no anvil that runs on this platform: its tests are skipped')

export class Beside {
  readonly devnet: Devnet
  readonly #anvil: AnvilProcess
  readonly #client: HttpClient
  /** Which of our blocks is meant by a hash of theirs. */
  readonly #ourHashes = new Map<string, Hash>()

  private constructor(devnet: Devnet, anvil: AnvilProcess) {
    this.devnet = devnet
    this.#anvil = anvil
    this.#client = new HttpClient(Number(new URL(anvil.url).port))
  }

  /** Starts both under the rules of `hardfork`. Throws where there is no anvil that runs. */
  static async start(hardfork: Hardfork): Promise<Beside> {
    const genesis = await genesisFor(hardfork)
    // A slice for each transaction, as many as a block may hold.
    const devnet = await createDevnet({ rhythm: 'manual', genesis, ticksPerBlock: 100_000 })
    const folder = await mkdtemp(join(tmpdir(), 'preseal-state-'))
    const file = join(folder, 'state.json')
    await writeFile(file, JSON.stringify(await anvilStateOf(devnet, genesis)))
    const anvil = await spawnAnvil([
      ...['--no-mining', '--order', 'fifo', '--load-state', file],
      ...['--chain-id', '31337', '--hardfork', hardfork, '--enable-tx-gas-limit'],
      ...['--accounts', '0', '--disable-default-create2-deployer'],
      // Blobs of one block are in one request.
      '--no-request-size-limit',
      ...['--timestamp', `${Number(genesis.timestamp)}`, '--base-fee', `${Number(genesis.baseFeePerGas)}`],
    ])
    await rm(folder, { recursive: true })
    if (anvil === undefined) {
      await devnet.close()
      throw new Error('anvil does not run')
    }
    const beside = new Beside(devnet, anvil)
    try {
      await beside.#mineEmptyBlocks()
      return beside
    } catch (error) {
      await beside[Symbol.asyncDispose]()
      throw error
    }
  }

  get senders(): Devnet['accounts'] {
    return this.devnet.accounts
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#client.close()
    await Promise.all([this.devnet.close(), this.#anvil.stop()])
  }

  /** Asks both. Where a hash of a block of theirs stands in an answer, it is replaced by that of ours. */
  async ask(...questions: Question[]): Promise<Answers> {
    const [ours, theirs] = await Promise.all([this.#askOurs(questions), this.#askTheirs(questions)])
    return { ours, theirs }
  }

  /** Tells both. Throws where one of them refuses. */
  async tell(...questions: Question[]): Promise<void> {
    const { ours, theirs } = await this.ask(...questions)
    for (const answers of [ours, theirs]) resultsOf(answers)
  }

  /**
   * Mines a block of exactly these transactions in both chains, in the order in which anvil took them. Throws where one of
   * them leaves any out, or takes another that waited there.
   */
  async mine(transactions: readonly Transaction[], wishes: BlockWishes): Promise<void> {
    const wish = wishesOf(wishes)
    const sending = new Map(transactions.map((transaction) => [transaction.hash, sendingOf(transaction)]))
    // One after the other: what comes in one batch is done at once.
    for (const questions of [wish, [...sending.values()], [MINE]]) resultsOf(await this.#askTheirs(questions))
    const [theirs] = resultsOf(await this.#askTheirs([LATEST])) as unknown as [Block]
    expectSent(theirs.transactions, sending)
    resultsOf(await this.#askOurs([...wish, setPrevRandao(theirs)]))
    for (const hash of theirs.transactions) {
      resultsOf(await this.#askOurs([sending.get(hash)!]))
      await this.devnet.tick()
    }
    await this.devnet.mine()
    const [ours] = resultsOf(await this.#askOurs([LATEST])) as unknown as [Block]
    expectSent(ours.transactions, sending)
    this.#ourHashes.set(theirs.hash, ours.hash)
  }

  /** All accounts of both that are anything, by address. */
  async accounts(): Promise<{ ours: Accounts; theirs: Accounts }> {
    const [dump] = resultsOf(await this.#askTheirs([{ method: 'anvil_dumpState', params: [] }]))
    const theirs = accountsInDump(this.#translated(unpackedDump(dump as Hex)))
    const { state } = this.devnet.snapshot().mark.chain.history.latest
    return { ours: byAddress(accountsOf(state) as Account[]), theirs: byAddress(theirs) }
  }

  async #askOurs(questions: readonly Question[]): Promise<Answer[]> {
    return questions.length === 0 ? [] : JSON.parse((await this.devnet.respond(batchOf(questions)))!)
  }

  async #askTheirs(questions: readonly Question[]): Promise<Answer[]> {
    if (questions.length === 0) return []
    const { body } = await this.#client.send({ body: batchOf(questions) })
    return JSON.parse(this.#translated(body))
  }

  #translated(text: string): string {
    return text.replace(/0x[0-9a-f]{64}/g, (word) => this.#ourHashes.get(word) ?? word)
  }

  async #mineEmptyBlocks(): Promise<void> {
    await this.#askTheirs([{ method: 'anvil_mine', params: [quantity(EMPTY_BLOCKS), '0x1'] }])
    const looking = Array.from({ length: EMPTY_BLOCKS }, (_, i) => blockAt(i + 1))
    const blocks = resultsOf(await this.#askTheirs(looking)) as unknown as Block[]
    const making = blocks.flatMap((block) => [
      setPrevRandao(block),
      { method: 'evm_mine', params: [block.timestamp] },
    ])
    resultsOf(await this.#askOurs(making))
    const own = resultsOf(await this.#askOurs([LATEST])) as unknown as Block[]
    // So far nothing is different.
    if (own[0]!.hash !== blocks.at(-1)!.hash) throw new Error('the empty blocks are not the same')
  }
}

const MINE: Question = { method: 'evm_mine', params: [] }
export const LATEST: Question = { method: 'eth_getBlockByNumber', params: ['latest', false] }

function blockAt(number: number): Question {
  return { method: 'eth_getBlockByNumber', params: [quantity(number), false] }
}

function setPrevRandao({ mixHash }: Block): Question {
  return { method: 'hardhat_setPrevRandao', params: [mixHash] }
}

export function sendingOf(transaction: Transaction): Question {
  const blobs = blobsNamedBy(transaction)
  // With a proof for each blob, which both take under all hardforks: those of cells take long to verify.
  const wire = blobs.length === 0 ? toHex(transaction.raw) : withBlobs(transaction, blobs, 0)
  return { method: 'eth_sendRawTransaction', params: [wire] }
}

/** Returns the requests that set what the next block is made with. */
export function wishesOf({ timestamp, coinbase, gasLimit, baseFeePerGas }: BlockWishes): Question[] {
  const wish = [
    { method: 'evm_setBlockGasLimit', params: [quantity(gasLimit)] },
    { method: 'anvil_setCoinbase', params: [coinbase] },
    { method: 'evm_setNextBlockTimestamp', params: [quantity(timestamp)] },
  ]
  if (baseFeePerGas === undefined) return wish
  return [...wish, { method: 'anvil_setNextBlockBaseFeePerGas', params: [quantity(baseFeePerGas)] }]
}

/** Throws unless exactly what was sent is included. */
export function expectSent(included: readonly Hash[], sent: ReadonlyMap<Hash, unknown>): void {
  if (included.length === sent.size && included.every((hash) => sent.has(hash))) return
  throw new Error(`sent ${[...sent.keys()].join(' ')}, included ${included.join(' ')}`)
}

export function batchOf(questions: readonly Question[]): string {
  return JSON.stringify(questions.map((question, id) => ({ jsonrpc: '2.0', id, ...question })))
}

/** What was answered. Throws where anything was refused. */
export function resultsOf(answers: readonly Answer[]): Json[] {
  return answers.map((answer) => {
    if ('error' in answer) throw new Error(`refused: ${JSON.stringify(answer.error)}`)
    return answer.result
  })
}

export function quantity(value: number | bigint): Hex {
  return `0x${value.toString(16)}`
}

/** Accounts that are something, by address. */
type Accounts = Readonly<Record<Address, unknown>>

function byAddress(accounts: readonly Account[]): Accounts {
  return Object.fromEntries(
    accounts
      .filter(({ nonce, balance, code }) => nonce > 0n || balance > 0n || code !== '0x')
      .map(({ address, nonce, balance, code, slots }) => {
        const set = slots.filter(([, value]) => value !== 0n).sort(([a], [b]) => (a < b ? -1 : 1))
        return [address, { nonce, balance, code, slots: set }]
      }),
  )
}
