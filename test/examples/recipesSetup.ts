import { setup } from 'preseal/vitest/setup'
import market from '../../fixtures/market.ts'

export default setup(market) // named by globalSetup in vitest.config.ts
