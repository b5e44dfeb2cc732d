/** Connections that are kept: a client that asks every few seconds finds its connection as it left it. */
import { Agent, request } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { started } from '../support/clients.ts'

it('a connection is kept for longer than clients wait between two polls, and the client is told so', async () => {
  const devnet = await started({ rhythm: 'manual' })
  const { url } = await devnet.listen({ port: 0 })
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  const hint = await new Promise<string>((resolve, reject) => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
    const headers = { 'content-type': 'application/json' }
    const asked = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume()
      resolve(String(response.headers['keep-alive']))
    })
    asked.on('error', reject)
    asked.end(body)
  })
  // ethers and viem poll every 4 s, wallets every 10 to 20 s.
  expect(Number(/timeout=(\d+)/.exec(hint)?.[1])).toBeGreaterThanOrEqual(60)
})
