/** Compressed source maps of solc, and the instructions that they describe. */
import { describe, expect, it } from 'vitest'
import { Instructions } from '../../../src/solidity/source/instructions.ts'
import { decodeSourceMap } from '../../../src/solidity/source/sourceMap.ts'

describe('source maps', () => {
  it('takes fields that are left out from the entry before', () => {
    // The example of solc's documentation: 1:2:1;1:9:1;2:1:2;2:1:2;2:1:2
    const { length, starts, lengths, files } = decodeSourceMap('1:2:1;:9;2:1:2;;')
    expect(length).toBe(5)
    expect([...starts]).toEqual([1, 1, 2, 2, 2])
    expect([...lengths]).toEqual([2, 9, 1, 1, 1])
    expect([...files]).toEqual([1, 1, 2, 2, 2])
  })

  it('says of the first entries that they come from no source where they say nothing', () => {
    expect([...decodeSourceMap(';;1:2:3').files]).toEqual([-1, -1, 3])
  })

  it('tells jumps into and out of functions', () => {
    const code = Uint8Array.of(0x56, 0x56, 0x56, 0x00)
    const instructions = new Instructions(code, decodeSourceMap('0:1:0:i;:::o;:::-'))
    expect([...instructions].map(({ jump }) => jump)).toEqual(['into', 'out', 'other', 'other'])
  })

  it('passes over the data of pushes', () => {
    // PUSH2 0x6161 POP STOP
    const instructions = new Instructions(
      Uint8Array.of(0x61, 0x61, 0x61, 0x50, 0x00),
      decodeSourceMap('0:1:0;2:1;4:1'),
    )
    expect([...instructions].map(({ pc, opcode }) => [pc, opcode])).toEqual([
      [0, 0x61],
      [3, 0x50],
      [4, 0x00],
    ])
    expect(instructions.at(3)?.range).toEqual({ file: 0, start: 2, length: 1 })
    expect(instructions.at(1)).toBeUndefined()
    expect(instructions.at(5)).toBeUndefined()
  })

  it('says of what stands behind the map that it comes from no source', () => {
    const instructions = new Instructions(Uint8Array.of(0x00, 0xa2, 0x7f), decodeSourceMap('0:1:0'))
    expect(instructions.at(0)?.range).toEqual({ file: 0, start: 0, length: 1 })
    expect(instructions.at(1)?.range).toBeUndefined()
    // A PUSH with truncated data.
    expect(instructions.at(2)?.opcode).toBe(0x7f)
  })
})
