/** Those who send, in a process of their own: each account has a connection, so that its transfers arrive in their order. */

import type { Hex } from '../../../src/bytes/hex.ts'
import { createDevnet } from '../../../src/index.ts'
import { single } from '../http/load.ts'
import { ask } from '../peers/ask.ts'
import { addressOf } from '../scenario.ts'
import { signed } from '../signed.ts'
import { Connection } from './connection.ts'
import { pace } from './pace.ts'
import { type Done, SENDERS, type ToSenders } from './protocol.ts'

/** Of the same words as those of any devnet. */
const { accounts } = await createDevnet({ rhythm: 'manual', accounts: SENDERS })
let connections: readonly Connection[] = []
let bodies: readonly string[] = []
let paid = 0

process.once('disconnect', () => process.exit())
process.on('message', async (message: ToSenders) => {
  const started = performance.now()
  switch (message.kind) {
    case 'sign':
      await sign(message.url, message.transfers)
      break
    case 'send':
      await pace(bodies.length, 1000 / message.perSecond, (i) =>
        connections[i % connections.length]!.ask(bodies[i]!),
      )
      break
  }
  process.send!({ ms: performance.now() - started } satisfies Done)
})

async function sign(url: string, transfers: number): Promise<void> {
  for (const connection of connections) connection.close()
  connections = await Promise.all(accounts.map(() => Connection.to(url)))
  const request = (question: { method: string; params?: unknown }) => ask(url, question)
  // Nonces are counted from the latest block: it has to have all that was sent before.
  const mine = async () => void (await request({ method: 'evm_mine' }))
  await mine()
  const raws = await signed({ accounts, request, mine }, transfers, () => ({
    to: addressOf(paid++),
    value: 1n,
    gas: 21_000,
  }))
  bodies = raws.map(sending)
}

function sending(raw: Hex): string {
  return single({ method: 'eth_sendRawTransaction', params: [raw] })
}
