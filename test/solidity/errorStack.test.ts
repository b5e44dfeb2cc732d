/** Errors with Solidity frames: message, stack, and the code frame for test runners. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { thrownAt } from '../../src/model/api/callSite.ts'
import { withSolidityFrames, withSolidityStack } from '../../src/solidity/stackTrace/errorStack.ts'
import {
  frameText,
  knownStackTrace,
  type SolidityFrame,
  type SolidityStackTrace,
} from '../../src/solidity/stackTrace/format.ts'

const ADDRESS = '0x0000000000000000000000000000000000005a4e'

function frame(fields: Partial<SolidityFrame>): SolidityFrame {
  const nothing = { contract: undefined, function: undefined, isModifier: false, position: undefined }
  return { ...nothing, address: undefined, ...fields }
}

function stackTrace(message: string, ...frames: readonly SolidityFrame[]): SolidityStackTrace {
  return { kind: 'revert', message, frames }
}

it.each([
  [
    'Token.pay (a.sol:4:9)',
    { contract: 'Token', function: 'pay', position: { file: 'a.sol', line: 4, column: 9 } },
  ],
  ['Token.pay (a.sol)', { contract: 'Token', function: 'pay', file: 'a.sol', address: ADDRESS }],
  ['Token.constructor', { contract: 'Token', function: 'constructor' }],
  [
    'Token.<fallback> (0x0000000000000000000000000000000000005a4e)',
    { contract: 'Token', function: '<fallback>', address: ADDRESS },
  ],
  ['half (a.sol:4:9)', { function: 'half', position: { file: 'a.sol', line: 4, column: 9 } }],
  ['<UnrecognizedContract>.<unknown> (0x0000000000000000000000000000000000005a4e)', { address: ADDRESS }],
  ['<UnrecognizedContract>.<unknown>', {}],
])('a frame is shown as %s', (text, fields) => {
  expect(frameText(frame(fields))).toBe(text)
})

it('the stack says more than a message that says no more than that code reverted', () => {
  const heads = (message: string, words: string) =>
    withSolidityStack(new Error(message), knownStackTrace(stackTrace(words, frame({})))).stack!.split('\n')[0]
  expect(heads('execution reverted', 'reverted with reason "no"')).toBe(
    'Error: execution reverted with reason "no"',
  )
  expect(heads('execution reverted', 'invalid opcode')).toBe('Error: execution reverted: invalid opcode')
  expect(heads('execution reverted: no', 'reverted with reason "no"')).toBe('Error: execution reverted: no')
  expect(heads('pay reverted: no', 'reverted with reason "no"')).toBe('Error: pay reverted: no')
})

it('an error of which nothing can be told has its own stack, and no other member once that is read', () => {
  const late = { now: () => undefined, soon: async () => undefined }
  const error = withSolidityStack(new Error('no'), late) as Error & { solidityStack?: unknown }
  expect(error.stack).toMatch(/^Error: no\n {4}at .*errorStack\.test\.ts/)
  expect(error.solidityStack).toBeUndefined()
  expect(error).not.toHaveProperty('solidityStack')
})

it('the frames stay where the error gets the line of its caller', () => {
  const error = withSolidityFrames(new Error('no'), stackTrace('', frame({ contract: 'A', function: 'b' })))
  thrownAt({ stack: 'x\n    at test (test.ts:1:1)' }, error)
  expect(error.stack).toBe('Error: no\n    at A.b\n    at test (test.ts:1:1)')
})

it('the source around the innermost position is there for who asks, and for nobody else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'preseal-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'A.sol')
  await writeFile(file, 'one\ntwo\n\tthree\nfour\nfive\nsix\n')
  const at = (line: number) =>
    withSolidityFrames(
      new Error('no'),
      stackTrace('', frame({}), frame({ position: { file, line, column: 2 } })),
    )
  const frameOf = (error: Error) => (error as { codeFrame?: string }).codeFrame
  expect(frameOf(at(3))).toBe(
    ['      1| one', '      2| two', '      3|  three', '       |  ^', '      4| four', '      5| five'].join(
      '\n',
    ),
  )
  expect(frameOf(at(1))).toBe(['      1| one', '       |  ^', '      2| two', '      3|  three'].join('\n'))
  expect(frameOf(at(9))).toBeUndefined()
  expect(Object.keys(at(3))).toEqual([])
  expect(frameOf(withSolidityFrames(new Error('no'), stackTrace('', frame({}))))).toBeUndefined()
})
