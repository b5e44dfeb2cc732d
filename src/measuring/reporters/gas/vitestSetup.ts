/** The setup file that the gas reporter adds to vitest's: it runs in each worker, before each test file. */

import { FIGURES_META } from '../../../testing/gas/vitestMeta.ts'
import { measureGas } from '../../gasOfDevnets.ts'
import { handOverAtEnd } from '../handOver.ts'

const { loadArtifacts, figures, end } = measureGas()

handOverAtEnd(FIGURES_META, async () => {
  end()
  await loadArtifacts()
  return figures()
})
