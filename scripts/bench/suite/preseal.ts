/** Each test has a fork of its own, to which one client for all tests sends its requests, or a client of its own. */
import type { Devnet } from 'preseal'
import { defineFixture } from 'preseal/testing'
import { custom } from 'viem'
import { clientOver, deploy } from './body.ts'

const market = defineFixture(async (devnet) => deploy(clientOver(devnet.transport())), {
  devnet: { rhythm: 'instant' },
})

let current: Devnet
const client = clientOver(custom({ request: (request) => current.request(request) }, { retryCount: 0 }))

export async function begin() {
  const { devnet, ...deployed } = await market.use()
  current = devnet
  return { deployed, client, end: () => devnet.close() }
}

export async function beginApart() {
  const { devnet, ...deployed } = await market.use()
  return { deployed, client: clientOver(devnet.transport()), end: () => devnet.close() }
}
