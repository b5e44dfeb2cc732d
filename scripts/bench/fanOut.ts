/**
 * What a block costs that many listen to: 200 WebSocket connections, all of one process, each subscribed to `newHeads` and
 * `logs`. The chain has a process of its own, as anvil has.
 *
 * One connection more asks for the block with `evm_mine`. Ours has run the transactions before, for a devnet pre-confirms
 * them; anvil runs them then.
 */
import type { ChildProcess } from 'node:child_process'
import { deployEmitter, fill, LOGS_PER_TRANSACTION } from './fanOut/blocks.ts'
import type { Done, Sealed, ToAudience, ToDevnet, Watched } from './fanOut/protocol.ts'
import { contest, summary } from './measure.ts'
import { ANVIL_IS_ABSENT, type Anvil, startAnvil } from './peers/anvil.ts'
import { start, told } from './processes.ts'
import { beside, type Goal, type Row, type Thoroughness } from './row.ts'
import { count } from './table.ts'

const SUBSCRIBERS = 200
/** In a block: as many as a tick brings where fifty are sent in a second. */
const TRANSACTIONS = 10
/** All have to know of a block before the next one comes. */
const GOALS: readonly Goal[] = [{ kind: 'under', microseconds: 200_000 }]

export async function* fanOut(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const { warm, counted } = thoroughness === 'full' ? { warm: 10, counted: 25 } : { warm: 1, counted: 3 }
  const devnet = start('./fanOut/preseal.ts')
  const audience = start('./fanOut/audience.ts')
  const anvil = await startAnvil()
  const theirs = anvil && (await besideAnvil(anvil))
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
      yield {
        what: `${listened}, from its seal to the last of ${count(block.notifications)} notifications`,
        ours: summary(rounds.map(({ fromSealUs }) => fromSealUs)),
        unit: 'microseconds',
        goals: GOALS,
      }
      yield {
        what: `${listened}, from asking for it to the last notification`,
        ours: summary(fromAsked!),
        unit: 'microseconds',
        peer: other === undefined ? ANVIL_IS_ABSENT : beside('anvil', fromAsked!, other),
      }
      yield {
        what: `${listened}, what a notification costs the process of the devnet`,
        ours: summary(rounds.map(({ cpuUs }) => cpuUs / block.notifications)),
        unit: 'microseconds',
      }
    }
  } finally {
    audience.kill()
    devnet.kill()
    theirs?.audience.kill()
    await anvil?.stop()
  }
}

interface Told {
  readonly name: string
  readonly transactions: number
  /** What all subscribers together are told of it. */
  readonly notifications: number
}

function blockOf(transactions: number): Told {
  const logs = transactions * LOGS_PER_TRANSACTION
  return {
    name: logs === 0 ? 'an empty block' : `a block of ${logs} logs`,
    transactions,
    notifications: SUBSCRIBERS * (1 + logs),
  }
}

/** What a block of ours took. */
interface Round {
  readonly fromSealUs: number
  readonly fromAskedUs: number
  readonly cpuUs: number
}

async function roundOf(
  devnet: ChildProcess,
  audience: ChildProcess,
  { transactions, notifications }: Told,
): Promise<Round> {
  await ask<Done>(devnet, { kind: 'fill', transactions })
  const { askedUs, lastUs } = await watch(audience, notifications)
  const { sealedUs, cpuUs } = await ask<Sealed>(devnet, { kind: 'report' })
  return { fromSealUs: lastUs - sealedUs, fromAskedUs: lastUs - askedUs, cpuUs }
}

async function besideAnvil(anvil: Anvil) {
  const audience = start('./fanOut/audience.ts')
  await gather(audience, anvil.url.replace('http', 'ws'))
  const emitter = await deployEmitter(anvil)
  const round = async ({ transactions, notifications }: Told) => {
    await fill(anvil, emitter, transactions)
    const { askedUs, lastUs } = await watch(audience, notifications)
    return lastUs - askedUs
  }
  return { audience, round }
}

function gather(audience: ChildProcess, url: string): Promise<Done> {
  return ask(audience, { kind: 'gather', url, subscribers: SUBSCRIBERS })
}

function watch(audience: ChildProcess, notifications: number): Promise<Watched> {
  return ask(audience, { kind: 'watch', notifications })
}

function ask<Answer>(child: ChildProcess, message: ToDevnet | ToAudience): Promise<Answer> {
  child.send(message)
  return told<Answer>(child)
}
