/** A devnet in a process of its own, with a transaction of as many steps as the command line says. */
import { createDevnet } from '../../../src/index.ts'
import { type Traced, transactionOf } from './transaction.ts'

const devnet = await createDevnet({ rhythm: 'manual' })
const hash = await transactionOf(devnet, Number(process.argv[2]))
const { url } = await devnet.listen({ port: 0 })
const traced: Traced = { url, hash }
process.once('disconnect', () => process.exit())
// Its memory is looked at, and what was needed to come here does not count.
globalThis.gc?.()
process.send!(traced)
