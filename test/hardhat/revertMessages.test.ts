/** Messages of code that fails, as Hardhat 3.18 has them for a contract that was compiled for the comparison. */
import { describe, expect, it } from 'vitest'
import { fromHex, type Hex, toHex } from '../../src/bytes/hex.ts'
import { revertMessage } from '../../src/hardhat/revertMessages.ts'
import { codecOf, encodeValues, itemsOf, selectorOf } from '../../src/solidity/abi/codec.ts'
import { toContract } from '../../src/solidity/abi/contract.ts'
import type { FailureKind } from '../../src/solidity/stackTrace/format.ts'

const VM = 'VM Exception while processing transaction: '
const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const BOX = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

describe('a custom error', () => {
  it.each([
    ['error None()', [], 'None()'],
    ['error Unnamed(uint256, bool)', [1n, true], 'Unnamed(1, true)'],
    [
      'error All(address who, string text, bytes data, bytes4 four, int8 small)',
      [ALICE, 'a b', '0x0102', '0xdeadbeef', -3],
      `All("${ALICE}", "a b", "0x0102", "0xdeadbeef", -3)`,
    ],
    [
      'error Nested((uint256 a, string s, address[] l) p, uint8[2] two, string[] many, bool[] no)',
      [{ a: 7n, s: 'in', l: [BOX] }, [1, 2], ['x', ''], []],
      `Nested([7, "in", ["${BOX}"]], [1, 2], ["x", ""], [])`,
    ],
    ['error Quote(string s)', ['say "hi"\n\\'], 'Quote("say "hi"\n\\")'],
    ['error Utf(string s)', ['é漢'], 'Utf("é漢")'],
  ])('%s has its values without names', (abi, values, text) => {
    const [item] = itemsOf([abi])
    const data: Hex = `${selectorOf(item!)}${encodeValues(item!.inputs ?? [], values).slice(2)}`
    const stackTrace = failed('customError', 'reverted with custom error of preseal')
    const codec = codecOf(toContract([abi], undefined))
    expect(revertMessage(data, stackTrace, (bytes) => codec.error(bytes))).toBe(
      `${VM}reverted with custom error '${text}'`,
    )
  })

  it('has the words of preseal if no artifact decodes it', () => {
    const stackTrace = failed('customError', 'reverted with custom error Odd(value: 3)')
    expect(messageOf('0x12345678', stackTrace)).toBe(`${VM}reverted with custom error 'Odd(value: 3)'`)
  })
})

describe('a panic', () => {
  it.each([
    [0x01, 'panic code 0x1 (Assertion error)'],
    [0x12, 'panic code 0x12 (Division or modulo division by zero)'],
    [0x99, 'unknown panic code 0x99'],
  ])('with the code %i is explained as in Hardhat', (code, text) => {
    const data = toHex(fromHex(`0x4e487b71${code.toString(16).padStart(64, '0')}`))
    expect(messageOf(data)).toBe(`${VM}reverted with ${text}`)
  })
})

describe('a failure without data', () => {
  it.each([
    [
      'functionNotPayable',
      'none is not payable, and was called with 1 wei',
      'Transaction reverted: non-payable function was called with value 1',
    ],
    [
      'fallbackNotPayable',
      'the fallback is not payable, and was called with 12 wei',
      'Transaction reverted: fallback function is not payable and was called with value 12',
    ],
    [
      'fallbackNotPayableAndNoReceive',
      '7 wei were sent to a contract without receive, whose fallback is not payable',
      "Transaction reverted: there's no receive function, fallback function is not payable and was called with value 7",
    ],
    ['unrecognizedCreation', 'invalid opcode', `${VM}invalid opcode`],
    ['unrecognizedContract', 'reverted without a reason', 'Transaction reverted without a reason string'],
  ] as const)('of the kind %s has the words of Hardhat', (kind, message, text) => {
    expect(messageOf('0x', failed(kind, message))).toBe(text)
  })
})

function messageOf(data: Hex, stackTrace?: ReturnType<typeof failed>): string | undefined {
  return revertMessage(data, stackTrace, () => undefined)
}

function failed(kind: FailureKind, message: string) {
  return { kind, message, frames: [] }
}
