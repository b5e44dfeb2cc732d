/** The coverage reporter adds this file to vitest's `setupFiles`. vitest runs it in each worker, before each test file. */
import { afterAll } from 'vitest'
import { HITS_FOLDER, HITS_META, measureCoverage } from '../../coverage.ts'
import { passResultAtEnd } from '../frame.ts'

passResultAtEnd(afterAll, HITS_META, measureCoverage(globalThis.process?.env?.[HITS_FOLDER]))
