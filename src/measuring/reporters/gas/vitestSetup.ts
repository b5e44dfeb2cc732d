/** The gas reporter adds this file to vitest's `setupFiles`. vitest runs it in each worker, before each test file. */
import { afterAll } from 'vitest'
import { FIGURES_META } from '../../../testing/gas/snapshots.ts'
import { measureGas } from '../../gas.ts'
import { passResultAtEnd } from '../frame.ts'

passResultAtEnd(afterAll, FIGURES_META, measureGas())
