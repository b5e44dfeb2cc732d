/** Quoted strings, compared with Node's. */
import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { quoted } from '../../../src/solidity/abi/consoleLog.ts'
import { withRandom } from '../../support/random/random.ts'

it(
  'is quoted as Node does, whatever is in the text',
  withRandom((random) => {
    for (let i = 0; i < 2_000; i++) {
      const text = random.list(random.below(8), () => random.pick(CHARACTERS)).join('')
      expect(quoted(text)).toBe(inspect(text))
    }
  }),
)

/** All of Latin-1, frequent quotes, and characters of several UTF-16 units. */
const LATIN = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code))
const CHARACTERS = [...LATIN, ...Array.from('\'\'\'\'\'\'\'\'""""""""````````\\'), '€', '😀', 'a\u0301']
