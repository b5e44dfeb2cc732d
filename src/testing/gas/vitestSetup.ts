/** The setup file that the gas reporter adds to vitest's: it runs in each worker, before each test file. */
import { afterAll } from 'vitest'
import { measureGas } from '../../gasOfDevnets.ts'
import { FIGURES_META } from './vitestMeta.ts'

const { loadArtifacts, figures, end } = measureGas()

/** Hands over what was measured. vitest calls a hook with the test file as its last argument, to which `meta` belongs. */
async function handOver(...args: readonly unknown[]): Promise<void> {
  end()
  await loadArtifacts()
  Object.assign((args.at(-1) as { meta: object }).meta, { [FIGURES_META]: figures() })
}

// It is the first hook, so vitest calls it last. Bound, because vitest 4.1 reads parameters in the text of a hook.
afterAll(handOver.bind(undefined) as () => Promise<void>)
