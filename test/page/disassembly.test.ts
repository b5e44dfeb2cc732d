import { expect, test } from 'vitest'
import { disassembled } from '../../src/page/views/account/account.ts'

test('opcodes have the names of the newest hardfork', () => {
  const names = (code: `0x${string}`) => disassembled(code).map(({ name }) => name)
  // EIP-4399: 0x44 was DIFFICULTY. EIP-7939: CLZ.
  expect(names('0x441e205f8f9fa4')).toEqual([
    'PREVRANDAO',
    'CLZ',
    'KECCAK256',
    'PUSH0',
    'DUP16',
    'SWAP16',
    'LOG4',
  ])
  expect(names('0xf0f1f2f3f4f5fafdfeff')).toEqual([
    ...['CREATE', 'CALL', 'CALLCODE', 'RETURN', 'DELEGATECALL', 'CREATE2', 'STATICCALL'],
    ...['REVERT', 'INVALID', 'SELFDESTRUCT'],
  ])
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
