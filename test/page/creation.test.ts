import { encodeAbiParameters, parseAbiParameters } from 'viem'
import { describe, expect, test } from 'vitest'
import { argumentsAtEnd, constructorArguments } from '../../src/page/decode/contracts.ts'

const CODE = '6080604052348015600e575f5ffd5b50'.repeat(5)
const TYPES = 'string name, (uint8 kind, bytes data)[2] pairs, address owner'
const VALUES = [
  'Gold',
  [
    { kind: 1, data: '0x12' },
    { kind: 2, data: '0x' },
  ],
  `0x${'ab'.repeat(20)}`,
] as const

function created(types: string, values: readonly unknown[]) {
  const inputs = parseAbiParameters(types)
  const args = encodeAbiParameters(inputs as never, values as never)
  return { inputs: inputs as never, input: `0x${CODE}${args.slice(2)}` as const }
}
const values = (found: ReturnType<typeof argumentsAtEnd>) => found?.map(({ value }) => value)

test('arguments stand behind the code that the artifact has', () => {
  const { inputs, input } = created('uint256 a, string b', [7n, 'x'])
  const item = { type: 'constructor', inputs }
  const codeSize = `0x${(CODE.length / 2).toString(16)}` as const
  expect(values(constructorArguments(input, { name: 'Gold', codeSize, constructor: item }))).toEqual([
    7n,
    'x',
  ])
  expect(constructorArguments(input, { name: 'Gold', codeSize, constructor: null })).toEqual([])
})

describe('where only the ABI is known', () => {
  test.each([
    ['uint256 a, bool b, uint8[2] c', [7n, true, [1, 2]]],
    ['string name', ['a text that is longer than one word of thirty-two bytes']],
    [TYPES, VALUES],
    ['', []],
  ])('arguments of %s are the end of the code', (types, given) => {
    const { inputs, input } =
      types === '' ? { inputs: [] as never, input: `0x${CODE}` as const } : created(types, given)
    expect(JSON.stringify(values(argumentsAtEnd(input, inputs)), plain)?.toLowerCase()).toBe(
      JSON.stringify(given, plain).toLowerCase(),
    )
  })

  test('an end that is no encoding of such values tells nothing', () => {
    const { inputs } = created('bool on', [true])
    expect(argumentsAtEnd(`0x${CODE}${'ff'.repeat(32)}`, inputs)).toBeUndefined()
    expect(argumentsAtEnd('0x60', inputs)).toBeUndefined()
  })

  test('two ends that could be the arguments tell nothing', () => {
    const inner = encodeAbiParameters([{ type: 'bytes' }], ['0x'])
    const { inputs, input } = created('bytes data', [inner])
    expect(argumentsAtEnd(input, inputs)).toBeUndefined()
  })
})

function plain(_: string, value: unknown) {
  return typeof value === 'bigint' ? String(value) : value
}
