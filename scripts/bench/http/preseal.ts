/** The server under test, as `preseal` starts it, with the market on it and time standing still. */
import { createDevnet } from '../../../src/index.ts'
import { market } from '../scenario.ts'

const devnet = await createDevnet({ rhythm: 'manual' })
await market(devnet)
const { url } = await devnet.listen({ port: 0 })
process.once('disconnect', () => process.exit())
process.send?.(url)
