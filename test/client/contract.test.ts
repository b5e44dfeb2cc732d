/** A contract's ABI at work, without a devnet: which function is meant, and what answers, events and errors say. */
import { encodeAbiParameters, encodeErrorResult, encodeEventTopics, parseAbi, toFunctionSelector } from 'viem'
import { describe, expect, it } from 'vitest'
import { contractOf, errorOf } from '../../src/client/contract.ts'

const ABI = parseAbi([
  'constructor(uint256 supply)',
  'function nothing()',
  'function one() view returns (uint256)',
  'function two() view returns (uint256 a, bool b)',
  'function put(uint256 a)',
  'function put(string text)',
  'function put(uint256 a, uint256 b)',
  'event Named(address indexed who, uint256 amount)',
  'event Nameless(address indexed, uint256)',
  'event Half(address indexed who, uint256)',
  'error Refused(uint256 why)',
])
const WHO = '0x0000000000000000000000000000000000005555'
const word = (value: number) => value.toString(16).padStart(64, '0')
const contract = () => contractOf(ABI, 'read')

describe('a function that is called', () => {
  it.each([
    ['put(uint256)', [1n]],
    ['put(string)', ['x']],
    ['put(uint256,uint256)', [1n, 2n]],
  ])('is that of its name which the arguments fit: %s', async (signature, args) => {
    const { data } = (await contract()).call('put', args, 'write')
    expect(data.slice(0, 10)).toBe(toFunctionSelector(signature))
  })

  it('may be named by its signature', async () => {
    const { data } = (await contract()).call('put(string)', ['x'], 'write')
    expect(data.slice(0, 10)).toBe(toFunctionSelector('put(string)'))
    await expect(contract().then((one) => one.call('put(string)', [1n], 'write'))).rejects.toThrow('args[0]')
  })

  it('answers nothing, one value, or an array of them, as in viem', async () => {
    const one = await contract()
    const result = (name: string, data: `0x${string}`) =>
      one.result(one.call(name, [], 'read').callable, data)
    expect(result('nothing', '0x')).toEqual({ value: undefined })
    expect(result('one', `0x${word(5)}`)).toEqual({ value: 5n })
    expect(result('two', `0x${word(5)}${word(1)}`)).toEqual({ value: [5n, true] })
    expect(result('one', '0x')).toBeUndefined()
  })

  it('is of an ABI that has functions: without any, that is said', async () => {
    const none = await contractOf(parseAbi(['error Refused(uint256 why)']), 'read')
    expect(() => none.call('one', [], 'read')).toThrow(
      'expected a function of the ABI, got "one"; it has none',
    )
  })
})

describe('what creates a contract', () => {
  it.each([
    ['0x6000', '0x6000'],
    ['6000', '0x6000'],
    [{ object: '6000' }, '0x6000'],
    [{ object: '0x6000' }, '0x6000'],
  ])('is %j and the arguments of the constructor', async (bytecode, code) => {
    expect((await contract()).creation(bytecode as never, [7n], 'deploy')).toBe(`${code}${word(7)}`)
  })

  it.each(['', '0x', '0x600', '0x60zz', undefined, null, 5, {}])('is not %j', async (bytecode) => {
    const one = await contract()
    expect(() => one.creation(bytecode as never, [7n], 'deploy')).toThrow(
      'deploy: bytecode: expected the code that creates the contract, in hex',
    )
  })

  it('is not code that lacks a library, which is named by its placeholder', async () => {
    const placeholder = `__$${'ab'.repeat(17)}$__`
    const one = await contract()
    expect(() => one.creation(`0x60${placeholder}00`, [7n], 'deploy')).toThrow(
      `deploy: bytecode: a library is not linked yet: ${placeholder}`,
    )
  })
})

describe('the events among logs', () => {
  const log = (eventName: 'Named' | 'Nameless' | 'Half', logIndex: number) => ({
    address: WHO,
    logIndex,
    // viem encodes the topic of an argument by its position where it has no name.
    topics: encodeEventTopics({
      abi: ABI,
      eventName,
      args: (eventName === 'Nameless' ? [WHO] : { who: WHO }) as never,
    }),
    data: encodeAbiParameters([{ type: 'uint256' }], [9n]),
  })

  it('have their arguments by name, or in an array where one has none; logs of other events are left out', async () => {
    const other = { ...log('Named', 3), topics: [`0x${word(1)}`] }
    const logs = [log('Named', 0), log('Nameless', 1), log('Half', 2), other]
    expect((await contract()).events(logs as never)).toEqual([
      { eventName: 'Named', args: { who: WHO, amount: 9n }, address: WHO, logIndex: 0 },
      { eventName: 'Nameless', args: [WHO, 9n], address: WHO, logIndex: 1 },
      { eventName: 'Half', args: [WHO, 9n], address: WHO, logIndex: 2 },
    ])
  })
})

describe('the error that data is', () => {
  const refused = encodeErrorResult({ abi: ABI, errorName: 'Refused', args: [5n] })
  const text = encodeErrorResult({ abi: parseAbi(['error Error(string)']), errorName: 'Error', args: ['no'] })
  const known = (name?: string) =>
    ({ decodeError: async () => (name === undefined ? undefined : { name, args: [], text: name }) }) as never

  it('is that of the ABI that was called, then one that the devnet knows, then Solidity’s own', async () => {
    const called = await contract()
    expect(await errorOf(refused, known('Other'), called)).toMatchObject({ name: 'Refused' })
    expect(await errorOf(refused, known('Other'), undefined)).toMatchObject({ name: 'Other' })
    expect(await errorOf(text, known(), called)).toMatchObject({
      name: 'Error',
      text: expect.stringContaining('no'),
    })
    expect(await errorOf(refused, known(), undefined)).toBeUndefined()
  })

  it('is none where there is no data, whatever would be known', async () => {
    expect(await errorOf('0x', known('Other'), await contract())).toBeUndefined()
  })
})
