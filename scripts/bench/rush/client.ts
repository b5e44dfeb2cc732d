/** A process of clients: senders, readers, or a timer with nothing to do, which shows the lateness that the machine causes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { loadSecp256k1 } from '../../../src/crypto/secp256k1.ts'
import { Connection } from '../http/exchange.ts'
import { single } from '../http/load.ts'
import { chainAt } from '../peers/anvil.ts'
import { addressOf, signed } from '../scenario.ts'
import { SENDERS, type Task } from './scene.ts'

let connections: readonly Connection[] = []
let transfers: readonly string[] = []
let paid = 0

process.once('disconnect', () => process.exit())
process.on('message', async (task: Task) => process.send!(await answerTo(task)))

async function answerTo(task: Task): Promise<number | number[]> {
  switch (task.kind) {
    case 'sign':
      await sign(task.url, task.transfers)
      return transfers.length
    case 'send': {
      const started = performance.now()
      await pace(transfers.length, 1000 / task.perSecond, (i) => ask(transfers, i))
      return performance.now() - started
    }
    case 'read': {
      const { url, bodies, everyMs, ms } = task
      await connect(url, bodies.length)
      return pace(Math.floor(ms / everyMs), everyMs, (i) => ask(bodies, i))
    }
    case 'idle':
      return idle(task.everyMs, task.ms)
  }
}

async function connect(url: string, count: number): Promise<void> {
  for (const connection of connections) connection.close()
  connections = await Promise.all(Array.from({ length: count }, () => Connection.to(url)))
}

/** Sends the `i`th body: always over the same connection, so that the transfers of an account arrive in order. */
function ask(bodies: readonly string[], i: number): Promise<number> {
  return connections[i % connections.length]!.ask(bodies[i % bodies.length]!)
}

async function sign(url: string, count: number): Promise<void> {
  await loadSecp256k1()
  await connect(url, SENDERS)
  const chain = await chainAt(url)
  // Nonces are counted at the latest block, which must have all earlier transfers.
  await chain.mine()
  const raws = await signed(chain, count, () => ({ to: addressOf(paid++), value: 1n, gas: 21_000 }))
  transfers = raws.map((raw) => single({ method: 'eth_sendRawTransaction', params: [raw] }))
}

/** Calls `act` `times` times, `everyMs` apart, without waiting for earlier calls. Resolves with the results of all. */
async function pace<T>(times: number, everyMs: number, act: (i: number) => Promise<T>): Promise<T[]> {
  const start = performance.now()
  const acts: Promise<T>[] = []
  for (let i = 0; i < times; ) {
    const earlyMs = start + i * everyMs - performance.now()
    // Calls that are due at once start at once.
    if (earlyMs > 0) await sleep(earlyMs)
    else acts.push(act(i++))
  }
  return Promise.all(acts)
}

async function idle(everyMs: number, ms: number): Promise<number[]> {
  const found: number[] = []
  // In whole milliseconds, like the chain's clock.
  const start = Date.now()
  for (let due = start + everyMs; due <= start + ms; due += everyMs) {
    await sleep(Math.max(0, due - Date.now()))
    found.push(Math.max(0, Date.now() - due))
  }
  return found
}
