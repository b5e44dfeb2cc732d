import { expect, test } from 'vitest'
import { OPCODES as TABLE } from '../../src/engine/wasm/opcodes.ts'
import { disassembled, OPCODES } from '../../src/page/accounts/disassembly.ts'

test('the page names the opcodes that the engine has', () => {
  // Since Paris (EIP-4399) 0x44 is PREVRANDAO.
  const newest = (name: string) => (name === 'DIFFICULTY' ? 'PREVRANDAO' : name)
  for (const { code, name } of TABLE) expect([code, OPCODES.get(code)]).toEqual([code, newest(name)])
})

test('instructions have their place and what they push', () => {
  expect(disassembled('0x6080604052600c')).toEqual([
    { at: 0, name: 'PUSH1', pushed: '0x80' },
    { at: 2, name: 'PUSH1', pushed: '0x40' },
    { at: 4, name: 'MSTORE', pushed: '' },
    { at: 5, name: 'PUSH1', pushed: '0x0c' },
  ])
})

test('code that ends within a push, and numbers that are no opcode, are shown as they are', () => {
  expect(disassembled('0x0c5f61ff')).toEqual([
    { at: 0, name: '0x0c', pushed: '' },
    { at: 1, name: 'PUSH0', pushed: '' },
    { at: 2, name: 'PUSH2', pushed: '0xff' },
  ])
})
