import { AbiCoder, Interface } from 'ethers'
import { encodeAbiParameters, encodeErrorResult, encodeEventTopics, encodeFunctionData, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { Contracts } from '../../src/page/decode/contracts.ts'
import { decodeCall, decodeError, decodeEvent, decodeResult } from '../../src/page/decode/decode.ts'
import { Codec } from '../../src/solidity/abi/codec.ts'

const abi = parseAbi([
  'struct Order { address maker; uint128 amount; string note }',
  'function fill(Order[] orders, bytes32 salt) payable returns (uint256 filled, bool all)',
  'event Filled(address indexed maker, Order order, string indexed tag)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Transfer(address indexed from, address indexed to, uint256 indexed id)',
  'error TooMuch(uint256 wanted, Order order)',
])
const codecs = [new Codec(abi)]
const maker = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const order = { maker, amount: 5n, note: 'for a friend' } as const
const salt = `0x${'ab'.repeat(32)}` as const

test('a call is decoded with the parameters of its tuples', () => {
  const input = encodeFunctionData({ abi, functionName: 'fill', args: [[order], salt] })
  const call = decodeCall(input, codecs)
  expect(call).toMatchObject({
    name: 'fill',
    signature: 'fill((address,uint128,string)[],bytes32)',
    stateMutability: 'payable',
    args: [{ value: [order] }, { value: salt }],
  })
  expect(call?.args[0]?.parameter.components?.map(({ type }) => type)).toEqual([
    'address',
    'uint128',
    'string',
  ])
})

test('calldata that fits no function of the ABIs is not decoded', () => {
  expect(decodeCall('0x', codecs)).toBeUndefined()
  expect(decodeCall('0x12345678', codecs)).toBeUndefined()
  const cut = encodeFunctionData({ abi, functionName: 'fill', args: [[order], salt] }).slice(0, 100)
  expect(decodeCall(cut as `0x${string}`, codecs)).toBeUndefined()
})

test('the next ABI is asked where the first has no such function', () => {
  const input = encodeFunctionData({ abi, functionName: 'fill', args: [[], salt] })
  expect(decodeCall(input, [new Codec([]), ...codecs])?.name).toBe('fill')
})

test('returned values have the parameters of the function', () => {
  const input = encodeFunctionData({ abi, functionName: 'fill', args: [[], salt] })
  const output = encodeAbiParameters([{ type: 'uint256' }, { type: 'bool' }], [7n, true])
  expect(decodeResult(input, output, codecs)).toMatchObject([
    { parameter: { name: 'filled', type: 'uint256' }, value: 7n },
    { parameter: { name: 'all', type: 'bool' }, value: true },
  ])
  expect(decodeResult(input, '0x', codecs)).toBeUndefined()
})

test('an event has its arguments; of an indexed string only the hash is there', () => {
  const topics = encodeEventTopics({
    abi,
    eventName: 'Filled',
    args: { maker, tag: 'red' },
  }) as `0x${string}`[]
  const data = encodeAbiParameters([{ type: 'tuple', components: COMPONENTS }], [order])
  expect(decodeEvent({ topics, data }, codecs)).toMatchObject({
    name: 'Filled',
    args: [{ value: maker }, { value: order }, { value: topics[2] }],
  })
})

test('of events with one signature the one with as many topics is taken', () => {
  const byEthers = new Interface([
    'event Transfer(address indexed from, address indexed to, uint256 indexed id)',
  ])
  const { topics, data } = byEthers.encodeEventLog('Transfer', [maker, maker, 9n])
  const decoded = decodeEvent({ topics: topics as `0x${string}`[], data: data as '0x' }, codecs)
  expect(decoded?.args.map(({ parameter, value }) => [parameter.name, value])).toEqual([
    ['from', maker],
    ['to', maker],
    ['id', 9n],
  ])
})

test('a revert is told as reason, panic, custom error, raw bytes or nothing', () => {
  const coder = AbiCoder.defaultAbiCoder()
  const reason = `0x08c379a0${coder.encode(['string'], ['too poor']).slice(2)}` as const
  const panic = `0x4e487b71${coder.encode(['uint256'], [0x11]).slice(2)}` as const
  const custom = encodeErrorResult({ abi, errorName: 'TooMuch', args: [3n, order] })
  expect(decodeError(reason, codecs)).toEqual({ kind: 'reason', text: 'too poor' })
  expect(decodeError(panic, codecs)).toMatchObject({
    kind: 'reason',
    text: 'arithmetic underflow or overflow',
  })
  expect(decodeError(custom, codecs)).toMatchObject({
    kind: 'custom',
    error: { name: 'TooMuch', args: [{ value: 3n }, { value: order }] },
  })
  expect(decodeError('0xdeadbeef', codecs)).toEqual({ kind: 'unknown', data: '0xdeadbeef' })
  expect(decodeError('0x', codecs)).toEqual({ kind: 'empty' })
})

test('a contract at a block is asked for once; at a tag again after two seconds', async () => {
  let now = 0
  const asked: unknown[] = []
  const request = async (_: string, params?: readonly unknown[]) => {
    asked.push(params)
    return { name: 'Shop', abi, code: {}, proxies: [], facets: [] } as never
  }
  const contracts = new Contracts(request, () => now)
  const first = await contracts.find(maker, '0x5')
  expect(first?.info.name).toBe('Shop')
  now = 1e9
  expect(await contracts.find(maker.toLowerCase(), '0x5')).toBe(first)
  await contracts.find(maker)
  now += 1_999
  await contracts.find(maker)
  expect(asked).toHaveLength(2)
  now += 2
  await contracts.find(maker)
  expect(asked).toHaveLength(3)
  expect(contracts.seen()).toHaveLength(1)
  contracts.forget()
  expect(contracts.seen()).toHaveLength(0)
})

test('of what a devnet cannot tell nothing is known, and nothing is thrown', async () => {
  const contracts = new Contracts(
    () => Promise.reject(new Error('method not found')),
    () => 0,
  )
  expect(await contracts.find(maker)).toBeUndefined()
})

test('a contract at a block that is not there yet is asked for again after two seconds', async () => {
  let now = 0
  let isThere = false
  const request = async () => {
    if (!isThere) throw new Error('block not found')
    return { name: 'Shop', abi, code: {}, proxies: [], facets: [] } as never
  }
  const contracts = new Contracts(request, () => now)
  expect(await contracts.find(maker, '0x5')).toBeUndefined()
  isThere = true
  expect(await contracts.find(maker, '0x5')).toBeUndefined()
  now = 2_001
  expect((await contracts.find(maker, '0x5'))?.info.name).toBe('Shop')
})

const COMPONENTS = [
  { name: 'maker', type: 'address' },
  { name: 'amount', type: 'uint128' },
  { name: 'note', type: 'string' },
] as const
