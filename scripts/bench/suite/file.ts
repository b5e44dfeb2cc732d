/** Measures the steps of a file of tests in a worker of its own, up to its second test. */
import { appendFileSync } from 'node:fs'
import { test } from 'vitest'

const times = [performance.now()]
const { clientOver, deploy, transfer } = await import('./body.ts')
times.push(performance.now())
const { defineFixture } = await import('preseal/testing')
times.push(performance.now())

const market = defineFixture(async (devnet) => deploy(clientOver(devnet.transport())), {
  devnet: { rhythm: 'instant' },
})

test('a first test', async () => {
  times.push(performance.now())
  await market.use()
  times.push(performance.now())
  for (let i = 0; i < 2; i++) {
    const { devnet, ...deployed } = await market.use()
    await transfer(clientOver(devnet.transport()), deployed, 5n)
    await devnet.close()
    times.push(performance.now())
  }
  const [t0, t1, t2, t3, t4, t5, t6] = times as [number, number, number, number, number, number, number]
  const took = [t1 - t0, t2 - t1, t4 - t3, t5 - t4, t6 - t5]
  appendFileSync(process.env.TOLD!, `${JSON.stringify(took)}\n`)
})
