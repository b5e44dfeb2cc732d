/** Lines and columns of byte offsets. */
import { describe, expect, it } from 'vitest'
import { LineIndex } from '../../../src/solidity/source/sourceMap.ts'

describe('lines and columns', () => {
  it('counts both from 1', () => {
    const lines = new LineIndex('ab\ncd\n')
    expect([0, 1, 2, 3, 4, 6].map((offset) => lines.at(offset))).toEqual([
      { line: 1, column: 1 },
      { line: 1, column: 2 },
      // The newline ends its own line.
      { line: 1, column: 3 },
      { line: 2, column: 1 },
      { line: 2, column: 2 },
      { line: 3, column: 1 },
    ])
  })

  it('takes offsets in bytes of UTF-8 and gives columns in UTF-16 units', () => {
    // ü: two bytes, one unit. 🙂: four bytes, two units.
    const lines = new LineIndex('ü\n🙂x')
    expect(lines.at(3)).toEqual({ line: 2, column: 1 })
    expect(lines.at(7)).toEqual({ line: 2, column: 3 })
    expect(lines.text(3, 5)).toBe('🙂x')
  })

  it('keeps to the end with offsets that are beyond', () => {
    expect(new LineIndex('ab').at(100)).toEqual({ line: 1, column: 3 })
    expect(new LineIndex('').at(0)).toEqual({ line: 1, column: 1 })
  })
})
