/** The setup file that the gas reporter adds to vitest's: it runs in each worker, before each test file. */
import { measureGas } from '../../gasOfDevnets.ts'
import { handOverAtEnd } from '../reporters/handOver.ts'
import { FIGURES_META } from './vitestMeta.ts'

const { loadArtifacts, figures, end } = measureGas()

handOverAtEnd(FIGURES_META, async () => {
  end()
  await loadArtifacts()
  return figures()
})
