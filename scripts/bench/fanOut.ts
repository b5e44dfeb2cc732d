/**
 * Notifications of a block to many subscribers: 200 WebSocket connections, all of one process, each subscribed to `newHeads` and
 * `logs`. The chain has a process of its own, as anvil has.
 *
 * One more connection requests the block with `evm_mine`. A devnet has run the transactions before, to pre-confirm
 * them; anvil runs them then.
 */
import type { ChildProcess } from 'node:child_process'
import { Emitter } from '../../fixtures/contracts/Emitter.ts'
import { contest } from './measure.ts'
import { type Anvil, besideAnvil, startAnvil } from './peers/anvil.ts'
import { start, told } from './processes.ts'
import { type Goal, type Row, rowOf, type Thoroughness } from './row.ts'
import { deploy, emit, LOGS_PER_TRANSACTION } from './scenario.ts'
import { count } from './table.ts'

/** The devnet first sends its URL, and then answers these. */
export type ToDevnet =
  /** Pre-confirms transactions; answered with 'done'. */
  | { readonly kind: 'fill'; readonly transactions: number }
  /** Answered with `Sealed`. */
  | { readonly kind: 'report' }

export interface Sealed {
  readonly sealedUs: number
  /** Processor time of the devnet's process since that block was filled. */
  readonly cpuUs: number
}

export type ToAudience =
  /** Connects and subscribes to `newHeads` and `logs`; answered with 'done'. */
  | { readonly kind: 'gather'; readonly url: string; readonly subscribers: number }
  /** Requests a block; answered with `Watched` after this many notifications of all subscribers together. */
  | { readonly kind: 'watch'; readonly notifications: number }

export interface Watched {
  readonly askedUs: number
  /** When the last notification arrived. */
  readonly lastUs: number
}

const SUBSCRIBERS = 200
/** In a block: those of a tick where fifty a second are sent. */
const TRANSACTIONS = 10
/** All notifications must arrive before the next block. */
const GOAL: Goal = { below: 200_000 }

export default async function* fanOut(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const { warm, counted } = thoroughness === 'full' ? { warm: 10, counted: 25 } : { warm: 1, counted: 3 }
  const devnet = start('./fanOut/preseal.ts')
  const audience = start('./fanOut/audience.ts')
  const anvil = await startAnvil()
  const theirs = anvil && (await audienceOf(anvil))
  try {
    await gather(audience, await told<string>(devnet))
    for (const transactions of [TRANSACTIONS, 0]) {
      const block = blockOf(transactions)
      const own: Round[] = []
      const contenders = [
        async () => {
          const round = await roundOf(devnet, audience, block)
          own.push(round)
          return round.fromAskedUs
        },
        ...(theirs === undefined ? [] : [() => theirs.round(block)]),
      ]
      await contest(contenders, warm)
      const [fromAsked, other] = await contest(contenders, counted)
      const rounds = own.slice(-counted)
      const listened = `${block.name} to ${SUBSCRIBERS} subscribers`
      yield rowOf(
        `${listened}, from its seal to the last of ${count(block.notifications)} notifications`,
        rounds.map(({ fromSealUs }) => fromSealUs),
        { goal: GOAL },
      )
      yield rowOf(`${listened}, from asking for it to the last notification`, fromAsked!, {
        peer: besideAnvil(fromAsked!, other),
      })
      yield rowOf(
        `${listened}, what a notification costs the process of the devnet`,
        rounds.map(({ cpuUs }) => cpuUs / block.notifications),
      )
    }
  } finally {
    audience.kill()
    devnet.kill()
    theirs?.audience.kill()
    await anvil?.stop()
  }
}

type Block = ReturnType<typeof blockOf>

function blockOf(transactions: number) {
  const logs = transactions * LOGS_PER_TRANSACTION
  return {
    name: logs === 0 ? 'an empty block' : `a block of ${logs} logs`,
    transactions,
    notifications: SUBSCRIBERS * (1 + logs),
  }
}

type Round = Awaited<ReturnType<typeof roundOf>>

async function roundOf(devnet: ChildProcess, audience: ChildProcess, { transactions, notifications }: Block) {
  await told(devnet, { kind: 'fill', transactions } satisfies ToDevnet)
  const { askedUs, lastUs } = await watch(audience, notifications)
  const { sealedUs, cpuUs } = await told<Sealed>(devnet, { kind: 'report' } satisfies ToDevnet)
  return { fromSealUs: lastUs - sealedUs, fromAskedUs: lastUs - askedUs, cpuUs }
}

async function audienceOf(anvil: Anvil) {
  const audience = start('./fanOut/audience.ts')
  await gather(audience, anvil.url.replace('http', 'ws'))
  const emitter = await deploy(anvil, Emitter)
  const round = async ({ transactions, notifications }: Block) => {
    for (let i = 0; i < transactions; i++) await emit(anvil, emitter, i)
    const { askedUs, lastUs } = await watch(audience, notifications)
    return lastUs - askedUs
  }
  return { audience, round }
}

function gather(audience: ChildProcess, url: string): Promise<unknown> {
  return told(audience, { kind: 'gather', url, subscribers: SUBSCRIBERS } satisfies ToAudience)
}

function watch(audience: ChildProcess, notifications: number): Promise<Watched> {
  return told(audience, { kind: 'watch', notifications } satisfies ToAudience)
}
