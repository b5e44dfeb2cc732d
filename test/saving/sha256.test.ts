import { createHash } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { createSha256, type Sha256 } from '../../src/saving/format/stateLines.ts'
import { withRandom } from '../support/random/random.ts'

/** As where there is no Node. */
function createElsewhere(): Sha256 {
  vi.stubGlobal('process', undefined)
  try {
    return createSha256()
  } finally {
    vi.unstubAllGlobals()
  }
}

describe.each([
  ['in Node', createSha256],
  ['elsewhere', createElsewhere],
])('SHA-256 %s', (_, create) => {
  it(
    'is that of all pieces together',
    withRandom((random) => {
      for (let i = 0; i < 20; i++) {
        const pieces = random.list(random.below(5), () => random.bytes(random.below(200)))
        const hash = create()
        for (const piece of pieces) hash.update(piece)
        expect(hash.end()).toBe(createHash('sha256').update(Buffer.concat(pieces)).digest('hex'))
      }
    }),
  )
})
