import { describe, expect, it } from 'vitest'
import { hashHeader } from '../../src/model/block/header.ts'
import { HARDFORKS } from '../../src/model/hardfork/hardfork.ts'
import { encodeHeader, parseHeader } from '../../src/wire/header.ts'
import { InvalidValue } from '../../src/wire/parser.ts'
import { ask, started } from '../support/clients/clients.ts'

describe('a header from JSON', () => {
  it.each(HARDFORKS)('is the one that was written, and has its hash: %s', async (hardfork) => {
    const devnet = await started({ rhythm: 'manual', hardfork })
    const { hash, ...json } = await ask<Record<string, unknown>>(devnet, 'eth_getHeaderByNumber', '0x0')
    const header = parseHeader(json, 'header')
    expect(hashHeader(header)).toBe(hash)
    expect(encodeHeader(header)).toEqual(json)
  })

  it('is refused with the path of what is wrong', () => {
    for (const [json, message] of [
      [5, 'header: expected a header, got 5'],
      [{}, 'header.parentHash: expected 32 bytes'],
    ] as const) {
      expect(() => parseHeader(json, 'header')).toThrow(InvalidValue)
      expect(() => parseHeader(json, 'header')).toThrow(message)
    }
  })
})
