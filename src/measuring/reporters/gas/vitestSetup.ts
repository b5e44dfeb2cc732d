/** This setup file of the gas reporter runs in each of vitest's workers, before each test file. */
import { afterAll } from 'vitest'
import { FIGURES_META } from '../../../testing/gas/snapshots.ts'
import { measureGas } from '../../gas.ts'
import { passResultAtEnd } from '../frame.ts'

passResultAtEnd(afterAll, FIGURES_META, measureGas())
