/**
 * What subscribers are told, held against what happened: nothing before its subscription's id was answered, nothing twice,
 * nothing left out, all in its order.
 */
import type { Hex } from 'viem'
import type { Devnet } from '../../../src/index.ts'

export interface LogJson {
  readonly blockNumber: Hex
  readonly blockHash: Hex
  readonly logIndex: Hex
  readonly transactionIndex: Hex
  readonly transactionHash: Hex
  readonly removed?: boolean
}

type Kind = 'newHeads' | 'logs' | 'pendingLogs'

/** One line for each thing that can be told. */
const nameOf = (number: bigint | Hex, index: bigint | number | Hex, transaction: Hex, isRemoved = false) =>
  `${isRemoved ? '-' : '+'}${Number(number)}/${Number(index)} ${transaction}`

export class NewsLedger {
  readonly #devnet: Devnet
  readonly #happened: Record<Kind, string[]> = { newHeads: [], logs: [], pendingLogs: [] }
  readonly #subscriptions: { readonly kind: Kind; readonly since: number; readonly id: string }[] = []
  readonly #answered = new Set<string>()
  readonly #early: string[] = []
  readonly #results = new Map<string, string[]>()
  #subscribing: Promise<void> = Promise.resolve()
  /** What the first subscriptions to them told, as it came. */
  readonly logs: LogJson[] = []
  readonly pendingLogs: LogJson[] = []

  constructor(devnet: Devnet) {
    this.#devnet = devnet
    const { newHeads, logs, pendingLogs } = this.#happened
    devnet.on('sealed', ({ block }) => {
      newHeads.push(block.hash)
      logs.push(...linesOf(block))
    })
    devnet.on('reorged', (removed) => {
      for (const { block } of removed) logs.push(...linesOf(block, 0, true))
    })
    devnet.on('preconfirmed', ({ block }, added) =>
      pendingLogs.push(...linesOf(block, block.transactions.length - added.length)),
    )
    devnet.on('message', ({ data: { subscription, result } }) => {
      if (!this.#answered.has(subscription)) this.#early.push(subscription)
      const lines = this.#results.get(subscription) ?? []
      this.#results.set(subscription, lines)
      lines.push(lineOf(result as LogJson & { hash: Hex }))
      if (subscription === this.#firstOf('logs')) this.logs.push(result as LogJson)
      if (subscription === this.#firstOf('pendingLogs')) this.pendingLogs.push(result as LogJson)
    })
  }

  /** Subscribes in this very turn: what happens from now on is to be told. */
  async subscribe(kind: Kind): Promise<void> {
    const since = this.#happened[kind].length
    const id = (await this.#devnet.request({ method: 'eth_subscribe', params: [kind] })) as string
    this.#answered.add(id)
    this.#subscriptions.push({ kind, since, id })
  }

  /** Subscribes while a slice is told: another may be told in the same turn, before the id can be answered. */
  subscribeWhileTold(): void {
    const end = this.#devnet.on('preconfirmed', () => {
      end()
      this.#subscribing = this.subscribe('pendingLogs')
    })
  }

  /** Ends when all subscriptions have their ids. */
  settled(): Promise<void> {
    return this.#subscribing
  }

  #firstOf(kind: Kind): string | undefined {
    return this.#subscriptions.find((one) => one.kind === kind)?.id
  }

  check(): void {
    if (this.#early.length > 0) throw new Error(`told before its id was answered: ${this.#early}`)
    for (const { kind, since, id } of this.#subscriptions) {
      const told = this.#results.get(id) ?? []
      const happened = this.#happened[kind].slice(since)
      const at = happened.findIndex((line, i) => line !== told[i])
      if (at === -1 && told.length === happened.length) continue
      const where = at === -1 ? happened.length : at
      throw new Error(
        `${kind} ${id}, number ${where} of ${happened.length}: ${happened[where]} happened, ${told[where]} was told`,
      )
    }
  }
}

interface Logged {
  readonly header: { readonly number: bigint }
  readonly transactions: readonly { readonly hash: Hex }[]
  readonly receipts: readonly { readonly logs: readonly unknown[] }[]
}

/** Counted here, from the receipts. */
function linesOf({ header, transactions, receipts }: Logged, first = 0, isRemoved = false): string[] {
  let index = 0
  return receipts.flatMap(({ logs }, i) => {
    const lines = logs.map(() => nameOf(header.number, index++, transactions[i]!.hash, isRemoved))
    return i < first ? [] : lines
  })
}

function lineOf(result: LogJson & { hash: Hex }): string {
  const { blockNumber, logIndex, transactionHash, removed, hash } = result
  return logIndex === undefined ? hash : nameOf(blockNumber, logIndex, transactionHash, removed)
}
