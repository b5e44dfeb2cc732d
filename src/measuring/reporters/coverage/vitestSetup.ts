/** The setup file that the coverage reporter adds to vitest's: it runs in each worker, before each test file. */
import { collectRun } from '../../coverageOfDevnets.ts'
import { type LeftRun, leftRun } from '../../coverageOfProcess.ts'
import { handOverAtEnd } from '../vitest.ts'
import { FOLDER, META } from './vitestMeta.ts'

const { ran, end } = collectRun()
/** A browser has no folder: what runs there is not counted. */
const folder = globalThis.process?.env?.[FOLDER]

handOverAtEnd(META, () => {
  const left: LeftRun = folder === undefined ? { hits: {}, artifacts: [] } : leftRun(folder, ran())
  end()
  return left
})
