// node script.mjs
import { createDevnet } from 'preseal'
import { assertThat } from 'preseal/testing'

const devnet = await createDevnet({ rhythm: 'manual' })
const [alice, bob] = devnet.accounts.map(({ address }) => address)
const blockNumber = (block) =>
  devnet.request({ method: 'eth_getBlockByNumber', params: [block, false] }).then(({ number }) => number)

const { hash } = await devnet.send({ from: alice, to: bob, value: 5n, until: 'accepted' })
await devnet.tick()
await assertThat(hash).toBePreconfirmed(devnet)
console.log(
  `pre-confirmed: pending is ${await blockNumber('pending')}, latest is ${await blockNumber('latest')}`,
)

await devnet.tick()
await assertThat(hash).toBeSealed(devnet)
await assertThat(hash).toChangeBalance(devnet, bob, 5n)
console.log(`sealed: latest is ${await blockNumber('latest')}`)
await devnet.close()
