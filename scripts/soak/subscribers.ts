/**
 * WebSocket subscribers in a process of their own, while transactions are sealed: each receives each block and each log once and
 * in order, one that stops reading is disconnected, and no tick is late by more than a tick.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Emitter } from '../../fixtures/contracts/Emitter.ts'
import type { Address } from '../../src/bytes/hex.ts'
import { createDevnet, type Devnet } from '../../src/index.ts'
import { start, told } from '../bench/processes.ts'
import { deploy, emit, LOGS_PER_TRANSACTION, quantity } from '../bench/scenario.ts'
import { count } from '../bench/table.ts'
import { headName, logName, type Seen, type Shown, type Wanted } from './protocol.ts'
import { Broken, type Machine, Ticks } from './ticks.ts'

const SUBSCRIBERS = 200
const TRANSACTIONS_PER_SECOND = 150

/**
 * The connection that stops reading has nearly as many subscriptions as all others together: so its unread notifications
 * exceed the limit of 16 MiB, and the kernel's buffers before it, after about 300 transactions.
 */
const STALLED_SUBSCRIPTIONS = 150
const STALL_TRANSACTIONS = 500

/** How a connection that does not read is closed, according to README. */
const TOO_SLOW = { code: 1013, reason: 'too slow: notifications were not read as fast as they came' }

export async function subscribers(seconds: number, machine: Machine): Promise<string[]> {
  await using devnet = await createDevnet({ rhythm: 'interval', logRangeLimit: 0 })
  const emitter = await deploy(devnet, Emitter)
  const { webSocketUrl } = await devnet.listen({ port: 0 })
  const audience = start(new URL('audience.ts', import.meta.url))
  try {
    const wanted: Wanted = {
      url: webSocketUrl,
      subscribers: SUBSCRIBERS,
      stalledSubscriptions: STALLED_SUBSCRIPTIONS,
    }
    await told<'ready'>(audience, wanted)
    const ticks = new Ticks(devnet)
    const before = process.cpuUsage()
    const first = (await blockNumber(devnet)) + 1
    const sent = await sendFor(devnet, emitter, seconds, () => audience.send('read'))
    const { user, system } = process.cpuUsage(before)
    ticks.stop()
    const shown = await shownBy(devnet, first, sent)
    judge(await told<Seen>(audience, shown))
    if (machine === 'own') ticks.judge()
    const notifications = SUBSCRIBERS * (shown.heads.length + shown.logs.length)
    return [
      `${SUBSCRIBERS} subscribers received each of ${shown.heads.length} blocks and ${count(shown.logs.length)} logs once and in order`,
      `the one that stopped reading was disconnected`,
      `ticks came late by ${ticks}`,
      `the devnet's process was busy for ${Math.round((user + system) / (seconds * 10_000))} % of the time with ` +
        `${count(sent)} transactions and ${count(notifications)} notifications, and took ` +
        `${Math.round(process.resourceUsage().maxRSS / 1024)} MiB of memory at most`,
    ]
  } finally {
    audience.kill()
  }
}

/**
 * Sends transactions with logs, by all accounts in turn, and waits until they are sealed. Returns their number. Calls `afterStall`
 * after enough transactions to disconnect the connection that does not read.
 */
async function sendFor(
  devnet: Devnet,
  emitter: Address,
  seconds: number,
  afterStall: () => void,
): Promise<number> {
  const wanted = Math.round(seconds * TRANSACTIONS_PER_SECOND)
  const stalled = Math.min(STALL_TRANSACTIONS, wanted)
  let dueMs = performance.now()
  for (let sent = 1; sent <= wanted; sent++) {
    const nowMs = performance.now()
    // Where the process waited for a processor, it catches up by one tick: more at once would be another load.
    dueMs = Math.max(dueMs + 1_000 / TRANSACTIONS_PER_SECOND, nowMs - devnet.settings.tickMs)
    await sleep(Math.max(0, dueMs - nowMs))
    await emit(devnet, emitter, sent)
    if (sent === stalled) afterStall()
  }
  // The last of them are pre-confirmed by the next tick, and sealed by the one after it.
  for (let blocks = 0; blocks < 3; blocks++) await nextSealed(devnet)
  return wanted
}

function nextSealed(devnet: Devnet): Promise<void> {
  return new Promise((resolve) => {
    const stop = devnet.on('sealed', () => {
      stop()
      resolve()
    })
  })
}

/** The blocks and logs of the chain from `first` on. Throws unless they have all transactions. */
async function shownBy(devnet: Devnet, first: number, sent: number): Promise<Shown> {
  const last = await blockNumber(devnet)
  const ask = (method: string, ...params: unknown[]) => devnet.request({ method, params })
  const heads: string[] = []
  let sealed = 0
  for (let number = first; number <= last; number++) {
    const block = (await ask('eth_getBlockByNumber', quantity(number), false)) as Record<string, unknown>
    heads.push(headName(block))
    sealed += (block.transactions as unknown[]).length
  }
  const range = { fromBlock: quantity(first), toBlock: quantity(last) }
  const logs = (await ask('eth_getLogs', range)) as Record<string, unknown>[]
  if (sealed !== sent || logs.length !== sent * LOGS_PER_TRANSACTION) {
    throw new Broken(`of ${sent} transactions ${sealed} are sealed, with ${logs.length} logs`)
  }
  return { first, heads, logs: logs.map(logName) }
}

async function blockNumber(devnet: Devnet): Promise<number> {
  return Number(await devnet.request({ method: 'eth_blockNumber' }))
}

/** Throws where a subscriber missed something, or the stalled one was not disconnected as it should. */
function judge({ faults, stalled }: Seen): void {
  if (faults.length > 0) throw new Broken(`${faults.length} of ${SUBSCRIBERS} missed something; ${faults[0]}`)
  if (stalled === undefined) throw new Broken('the subscriber that stopped reading was not disconnected')
  if (stalled.code !== TOO_SLOW.code || stalled.reason !== TOO_SLOW.reason) {
    throw new Broken(
      `the subscriber that stopped reading was disconnected with ${stalled.code} (${stalled.reason}), ` +
        `it should be ${TOO_SLOW.code} (${TOO_SLOW.reason})`,
    )
  }
}
