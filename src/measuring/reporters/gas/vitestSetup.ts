/** The setup file that the gas reporter adds to vitest's: it runs in each worker, before each test file. */

import { FIGURES_META } from '../../../testing/gas/snapshots.ts'
import { measureGas } from '../../gasOfDevnets.ts'
import { handOverAtEnd } from '../vitest.ts'

const { loadArtifacts, figures, end } = measureGas()

handOverAtEnd(FIGURES_META, async () => {
  end()
  await loadArtifacts()
  return figures()
})
