/** The setup file that the coverage reporter adds to vitest's: it runs in each worker, before each test file. */
import { collectRun } from '../../coverageOfDevnets.ts'
import { leftRun } from '../../coverageOfProcess.ts'
import { handOverAtEnd } from '../reporters/handOver.ts'
import { FOLDER, META } from './vitestMeta.ts'

const { ran, end } = collectRun()

handOverAtEnd(META, () => {
  const left = leftRun(process.env[FOLDER]!, ran())
  end()
  return left
})
