/** Commands in any order, drawn one after the other, with ledgers that watch whether the devnet keeps what it promises. */
import { encodeFunctionData, type Hex } from 'viem'
import { onTestFinished } from 'vitest'
import { Emitter } from '../../../fixtures/contracts/Emitter.ts'
import { type Devnet, type DevnetOptions, InvalidFault, type Snapshot } from '../../../src/index.ts'
import { ask, clientOf, started } from '../clients/clients.ts'
import type { Random } from '../random/random.ts'
import { ChainLedger, type LedgerMark } from './chainLedger.ts'
import { NewsLedger } from './newsLedger.ts'
import { pay } from './watched.ts'

/** So deep is a block final. */
const FINAL = 8

export interface Commands {
  /** Whether accounts and times are changed by hand: what others cannot run again. */
  readonly hasCheats: boolean
  /** Whether it goes back to snapshots and on with forks, of which no event tells. */
  readonly hasReturns: boolean
  /** Whether faults may change the order of what was pre-confirmed. */
  readonly hasNewOrders: boolean
}

export class AnyOrder {
  readonly #random: Random
  readonly #commands: Commands
  readonly #emitter: Hex
  readonly #snapshots: { readonly snapshot: Snapshot; readonly mark: LedgerMark }[] = []
  /** What was forked from, and where it stood. */
  readonly #left: { readonly devnet: Devnet; readonly ledger: ChainLedger }[] = []
  readonly #lines: string[] = []
  devnet: Devnet
  ledger: ChainLedger
  news: NewsLedger
  #steps = 0

  private constructor(random: Random, commands: Commands, devnet: Devnet, emitter: Hex) {
    this.#random = random
    this.#commands = commands
    this.#emitter = emitter
    this.devnet = devnet
    this.ledger = new ChainLedger(devnet)
    this.news = new NewsLedger(devnet)
  }

  /** `watch` sees the devnet before anything was done to it. */
  static async start(
    random: Random,
    options: DevnetOptions,
    commands: Commands,
    watch: (devnet: Devnet) => unknown = () => {},
  ): Promise<AnyOrder> {
    const devnet = await started({ rhythm: 'manual', safeDistance: 2, finalizedDistance: FINAL, ...options })
    await watch(devnet)
    const client = clientOf(devnet, 9)
    const hash = await client.deployContract(Emitter)
    await devnet.mine()
    // No reorg takes the contract away.
    for (let i = 0; i < FINAL; i++) await devnet.seal()
    const { contractAddress } = await client.getTransactionReceipt({ hash })
    const order = new AnyOrder(random, commands, devnet, contractAddress!)
    await order.#subscribe()
    return order
  }

  /** Everything that happened, as lines: with the hashes of blocks and transactions. */
  get lines(): readonly string[] {
    return [...this.#lines, ...this.ledger.lines]
  }

  /** So many commands; each is followed by a look at what it left. */
  async take(steps: number): Promise<void> {
    for (let i = 0; i < steps; i++) {
      await this.#step()
      await this.news.settled()
      await this.ledger.check(this.#steps)
      if (++this.#steps % 100 === 0) await this.checkAll()
    }
  }

  async checkAll(): Promise<void> {
    await this.ledger.checkAll()
    this.news.check()
    // What goes on in a fork is not seen in what it was forked from.
    for (const { ledger } of this.#left) await ledger.checkAll()
    for (const { ledger } of this.#left) await ledger.check(0)
  }

  #step(): Promise<unknown> {
    const { devnet } = this
    const random = this.#random
    const kind = random.below(1000)
    if (kind < 330) return this.#send()
    if (kind < 700) return devnet.tick()
    if (kind < 740) return devnet.seal()
    if (kind < 790) return devnet.mine()
    if (kind < 880) return this.#plan()
    if (kind < 910) return this.#takeBack()
    if (kind < 935) return this.#reorg()
    if (kind < 945) return this.#subscribe()
    if (kind < 960) return this.#setNextTimestamp()
    // Things at once: they are done in the order in which they were asked for.
    if (kind < 970) return this.#atOnce()
    if (kind < 980) return this.#commands.hasCheats ? this.#enrich() : devnet.tick()
    if (!this.#commands.hasReturns) return devnet.tick()
    if (kind < 988) return this.#remember()
    if (kind < 996) return this.#goBack()
    return this.#fork()
  }

  async #send(): Promise<void> {
    const random = this.#random
    const sender = random.below(5)
    const args = [BigInt(random.below(4)), random.hex(32)] as const
    const data = encodeFunctionData({ abi: Emitter.abi, functionName: 'emitMany', args })
    const fields = random.pick([
      { value: `0x${random.between(1, 9).toString(16)}` },
      { to: this.#emitter, value: '0x0', data, gas: '0x30d40' },
      // The fee may be too low by now, as any client finds out.
      { gasPrice: `0x${(10n ** 9n + BigInt(random.below(10 ** 8))).toString(16)}` },
    ])
    await pay(this.devnet, sender, fields).catch((error) => {
      if (error.code !== -32000) throw error
    })
  }

  #plan(): Promise<unknown> {
    const { faults } = this.devnet
    const random = this.#random
    const slices = random.between(1, 4)
    const block = FINAL + 2 + this.ledger.chain.length + random.below(3)
    const when = random.pick([
      { times: 1 },
      { times: random.between(2, 3) },
      { block },
      { probability: random.fraction() / 4, seed: random.below(2 ** 32) },
    ])
    const lands = random.pick(['next', 'never'] as const)
    const transactions = random.pick(['keep', 'wait', 'drop'] as const)
    const reorg = { depth: random.between(1, 5), transactions, blocks: random.below(6) }
    const laterSeconds = random.between(1, 9)
    const prevRandao = random.hex(32)
    const order = this.#commands.hasNewOrders ? ({ order: 'reversed' } as const) : {}
    switch (random.below(8)) {
      case 0:
        return faults.omitSlice(when)
      case 1:
        return faults.duplicateSlice(when)
      case 2:
        return faults.delaySlice({ slices }, when)
      case 3:
        return faults.absentPending({ slices }, when)
      case 4:
        return faults.stalePending({ slices }, when)
      case 5:
        return faults.dropTransaction({ lands }, when)
      case 6:
        return faults.sealDifferently(random.pick([{ laterSeconds, ...order }, { prevRandao }]), when)
      default:
        return faults.planReorg(reorg, when)
    }
  }

  #takeBack(): Promise<unknown> {
    const { faults } = this.devnet
    const planned = faults.list()
    return planned.length === 0 || this.#random.chance(0.3)
      ? faults.clear()
      : faults.remove(this.#random.pick(planned).id)
  }

  async #reorg(): Promise<void> {
    const random = this.#random
    const transactions = random.pick(['keep', 'wait', 'drop'] as const)
    const depth = random.between(1, 5)
    const blocks = random.chance(0.5) ? {} : { blocks: random.below(7) }
    await this.devnet.faults.reorg({ depth, transactions, ...blocks }).catch((error) => {
      if (!(error instanceof InvalidFault)) throw error
    })
  }

  async #subscribe(): Promise<void> {
    const { news } = this
    await Promise.all([news.subscribe('newHeads'), news.subscribe('logs'), news.subscribe('pendingLogs')])
  }

  /** Somebody subscribes in the middle of a command, while others wait for their turn. */
  async #atOnce(): Promise<void> {
    const { devnet } = this
    this.news.subscribeWhileTold()
    const busy = [devnet.tick(), this.#send(), devnet.mine()]
    for (let turns = this.#random.below(80); turns > 0; turns--) await undefined
    await Promise.all([...busy, this.#subscribe()])
  }

  async #setNextTimestamp(): Promise<void> {
    const { timestamp } = await ask<{ timestamp: Hex }>(this.devnet, 'eth_getBlockByNumber', 'pending', false)
    this.ledger.bent()
    const time = Number(timestamp) + this.#random.between(1, 20)
    // What is hidden may be later than what is seen.
    await ask(this.devnet, 'evm_setNextBlockTimestamp', time).catch((error) => {
      if (typeof error.code !== 'number') throw error
    })
    this.ledger.bent()
  }

  async #enrich(): Promise<void> {
    this.ledger.bent()
    const { address } = this.#random.pick(this.devnet.accounts)
    await ask(
      this.devnet,
      'anvil_setBalance',
      address,
      `0x${(10n ** 22n + this.#random.bigint(60)).toString(16)}`,
    )
  }

  async #remember(): Promise<void> {
    const one = { snapshot: this.devnet.snapshot(), mark: this.ledger.mark }
    if (this.#snapshots.length < 8) this.#snapshots.push(one)
    else this.#snapshots[this.#random.below(8)] = one
  }

  async #goBack(): Promise<void> {
    if (this.#snapshots.length === 0) return
    const { snapshot, mark } = this.#random.pick(this.#snapshots)
    await this.devnet.restore(snapshot)
    this.ledger.goTo(mark)
  }

  /** Goes on with the fork, or with what it was forked from. */
  async #fork(): Promise<void> {
    const fork = this.devnet.fork()
    onTestFinished(() => fork.close())
    const ledger = new ChainLedger(fork, this.ledger.mark)
    if (this.#random.chance(0.5)) {
      this.#leave(fork, ledger)
      return
    }
    this.news.check()
    this.#leave(this.devnet, this.ledger)
    this.#lines.push(...this.ledger.lines)
    this.devnet = fork
    this.ledger = ledger
    this.news = new NewsLedger(fork)
    await this.#subscribe()
  }

  #leave(devnet: Devnet, ledger: ChainLedger): void {
    this.#left.push({ devnet, ledger })
    if (this.#left.length > 3) this.#left.shift()!.ledger.end()
  }
}
