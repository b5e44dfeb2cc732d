/** The server under test, as `preseal` starts it, with time standing still. */
import { createDevnet } from '../../../src/index.ts'

const devnet = await createDevnet({ rhythm: 'manual' })
const { url } = await devnet.listen()
process.send?.(url)
