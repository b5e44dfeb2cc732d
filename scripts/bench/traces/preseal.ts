/** A devnet in a process of its own, with a transaction of the number of steps on the command line. */
import { createDevnet } from '../../../src/index.ts'
import { type Traced, transactionOf } from '../traces.ts'

const devnet = await createDevnet({ rhythm: 'manual' })
const hash = await transactionOf(devnet, Number(process.argv[2]))
const { url } = await devnet.listen({ port: 0 })
const traced: Traced = { url, hash }
process.once('disconnect', () => process.exit())
// Its memory is measured from here on.
globalThis.gc?.()
process.send!(traced)
