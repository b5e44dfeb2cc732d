/** This setup file of the coverage reporter runs in each of vitest's workers, before each test file. */
import { afterAll } from 'vitest'
import { HITS_FOLDER, HITS_META, measureCoverage } from '../../coverage.ts'
import { passResultAtEnd } from '../frame.ts'

passResultAtEnd(afterAll, HITS_META, measureCoverage(globalThis.process?.env?.[HITS_FOLDER]))
