/** All tests share one anvil and one client, and each reverts its changes. */
import { http } from 'viem'
import { clientOver, deploy } from './body.ts'

const client = clientOver(http(process.env.ANVIL_URL))
const deployed = await deploy(client)

export async function begin() {
  const id = await client.snapshot()
  return { deployed, client, end: () => client.revert({ id }) }
}
