import { defineFixture } from 'preseal/testing'
import { setup } from 'preseal/vitest/setup'

const bank = defineFixture(async (devnet) => {
  await devnet.deploy('Token', { args: ['Gold', 'GOLD'] }) // found in out/ or artifacts/
})

export default setup(bank) // named by globalSetup in vitest.config.ts
