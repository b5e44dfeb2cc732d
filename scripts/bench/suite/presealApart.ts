/** Each test has a fork and a client of its own. */
import { defineFixture } from 'preseal/testing'
import { clientOver, deploy } from './body.ts'

const market = defineFixture(async (devnet) => deploy(clientOver(devnet.transport())), {
  devnet: { rhythm: 'instant' },
})

export async function begin() {
  const { devnet, ...deployed } = await market.use()
  return { deployed, client: clientOver(devnet.transport()), end: () => devnet.close() }
}
