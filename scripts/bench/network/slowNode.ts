/** A remote node: a server that passes requests on to a devnet after a delay, and counts them. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Devnet } from '../../../src/index.ts'
import { answerOf } from '../../ask.ts'

export interface SlowNode {
  readonly url: string
  /** HTTP requests so far; a batch is one. */
  readonly exchanges: number
  /** Methods that it reports as missing. */
  lacks: ReadonlySet<string>
  /** Holds all answers back until it resolves. */
  gate: Promise<void> | undefined
  close(): Promise<void>
}

export async function slowNode(devnet: Devnet, delayMs: number): Promise<SlowNode> {
  let exchanges = 0
  const { url, close } = await devnet.listen({ port: 0 })
  const server = createServer(async (request, response) => {
    let body = await text(request)
    exchanges++
    await sleep(delayMs)
    await node.gate
    // The devnet has no method of this other name, and reports it as missing.
    for (const method of node.lacks) body = body.replaceAll(`"${method}"`, `"absent_${method}"`)
    response.setHeader('content-type', 'application/json')
    response.end(await answerOf(url, body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const node: SlowNode = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get exchanges() {
      return exchanges
    },
    lacks: new Set(),
    gate: undefined,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
      await close()
    },
  }
  return node
}
