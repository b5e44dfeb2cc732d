/** A remote node: a server that passes requests on to a devnet after a delay, and counts them. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Devnet } from '../../../src/index.ts'

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

interface Asked {
  readonly id: unknown
  readonly method: string
  readonly params?: readonly unknown[]
}

export async function slowNode(devnet: Devnet, delayMs: number): Promise<SlowNode> {
  let exchanges = 0
  const answerTo = async ({ id, method, params = [] }: Asked) => {
    const head = { jsonrpc: '2.0', id }
    if (node.lacks.has(method)) {
      return { ...head, error: { code: -32601, message: `the method ${method} does not exist` } }
    }
    try {
      return { ...head, result: await devnet.request({ method, params } as never) }
    } catch (error) {
      const { code, message } = error as { code: number; message: string }
      return { ...head, error: { code, message } }
    }
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      exchanges++
      setTimeout(async () => {
        await node.gate
        const asked = JSON.parse(Buffer.concat(chunks).toString()) as Asked | Asked[]
        const answers = Array.isArray(asked) ? await Promise.all(asked.map(answerTo)) : await answerTo(asked)
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify(answers))
      }, delayMs)
    })
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
    },
  }
  return node
}
