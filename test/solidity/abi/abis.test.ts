/** Added ABIs: decoding by them, and the names of contracts. */
import {
  encodeAbiParameters,
  encodeDeployData,
  encodeErrorResult,
  encodeEventTopics,
  encodeFunctionData,
  encodeFunctionResult,
  keccak256,
  parseAbi,
  toHex,
} from 'viem'
import { describe, expect, it } from 'vitest'
import { Reverter } from '../../../fixtures/contracts/Reverter.ts'
import { Shop } from '../../../fixtures/contracts/Shop.ts'
import { Token } from '../../../fixtures/contracts/Token.ts'
import { type Address, fromHex, type Hex } from '../../../src/bytes/hex.ts'
import { Abis } from '../../../src/solidity/abi/abis.ts'
import type { Abi, Artifact } from '../../../src/solidity/abi/contract.ts'

const SOMEWHERE: Address = `0x${'51'.repeat(20)}`
const ELSEWHERE: Address = `0x${'52'.repeat(20)}`

type Added = Abi | Artifact | Readonly<Record<string, Abi | Artifact>>

function knowing(added: Added, options?: { name: string; address: string }): Abis {
  const abis = new Abis()
  abis.add(added as Abi, options)
  return abis
}

const shortage = encodeErrorResult({ abi: Shop.abi, errorName: 'InsufficientStock', args: [3n, 5n] })

describe('an ABI that was added', () => {
  it('says which error it is, with its arguments', async () => {
    expect(await knowing(Shop.abi).decodeError(shortage)).toEqual({
      name: 'InsufficientStock',
      args: [
        { name: 'available', type: 'uint256', value: 3n },
        { name: 'wanted', type: 'uint256', value: 5n },
      ],
      text: 'InsufficientStock(available: 3, wanted: 5)',
    })
  })

  it.each<[how: string, added: Parameters<typeof knowing>]>([
    ['as an ABI', [Shop.abi]],
    ['as an ABI with a name', [Shop.abi, { name: 'Shop', address: SOMEWHERE }]],
    ['as an artifact', [Shop]],
    ['with others, by their names', [{ Token, Shop: Shop.abi }]],
    ['in Foundry’s form', [{ Shop: { abi: Shop.abi, bytecode: { object: Shop.bytecode } } }]],
    ['as JSON', [JSON.parse(JSON.stringify(Shop))]],
    ['as lines', [['error InsufficientStock(uint256 available, uint256 wanted)']]],
  ])('may come %s', async (_, added) => {
    expect((await knowing(...added).decodeError(shortage))?.text).toBe(
      'InsufficientStock(available: 3, wanted: 5)',
    )
  })

  it('says which function is called with what, structs included, and what it answers', async () => {
    const abis = knowing(Shop.abi)
    const orders = [
      { amount: 1n, note: 'a "b"' },
      { amount: 2n, note: '' },
    ]
    const input = encodeFunctionData({ abi: Shop.abi, functionName: 'buyAll', args: [orders] })
    expect(await abis.decodeCall(input)).toMatchObject({
      text: 'buyAll(orders: [(amount: 1, note: "a \\"b\\""), (amount: 2, note: "")])',
      args: [{ name: 'orders', type: 'tuple[]', value: orders }],
    })
    const output = encodeFunctionResult({ abi: Shop.abi, functionName: 'buyAll', result: 4n })
    expect(await abis.decodeResult(input, output)).toMatchObject({ text: 'left: 4' })
  })

  it('says which event it is, and has the hash of an indexed text', async () => {
    const abi = parseAbi(['event Said(address indexed who, string indexed what, bytes more, int8)'])
    const topics = encodeEventTopics({ abi, args: { who: SOMEWHERE, what: 'hello' } }) as Hex[]
    const data = encodeAbiParameters([{ type: 'bytes' }, { type: 'int8' }], [`0x${'ab'.repeat(100)}`, -7])
    expect((await knowing(abi).decodeEvent({ topics, data }))?.text).toBe(
      `Said(who: ${SOMEWHERE}, what: ${keccak256(toHex('hello'))}, more: 0x${'ab'.repeat(32)}… (100 bytes), -7)`,
    )
  })

  it('tells events apart that differ only in what is indexed', async () => {
    const transfer = 'event Transfer(address indexed from, address indexed to, uint256'
    const abis = new Abis()
    abis.add(parseAbi([`${transfer} value)`]))
    abis.add(parseAbi([`${transfer} indexed id)`]))
    const [hash, from, to] = encodeEventTopics({
      abi: Token.abi,
      eventName: 'Transfer',
      args: { from: SOMEWHERE, to: ELSEWHERE },
    }) as Hex[]
    const word: Hex = `0x${'7'.padStart(64, '0')}`
    const text = async (topics: Hex[], data: Hex) => (await abis.decodeEvent({ topics, data }))?.text
    expect(await text([hash!, from!, to!], word)).toMatch(/value: 7\)$/)
    expect(await text([hash!, from!, to!, word], '0x')).toMatch(/id: 7\)$/)
  })

  it('makes nothing of what only begins like something it knows', async () => {
    const abis = knowing(Shop.abi)
    expect(await abis.decodeError('0x')).toBeUndefined()
    expect(await abis.decodeError('0x12345678')).toBeUndefined()
    expect(await abis.decodeError(shortage.slice(0, 80) as Hex)).toBeUndefined()
    expect(
      await abis.decodeCall(`0x${encodeFunctionData({ abi: Shop.abi, functionName: 'look' }).slice(2, 8)}`),
    ).toBe(undefined)
    expect(await abis.decodeEvent({ topics: [], data: '0x' })).toBeUndefined()
    expect(await new Abis().decodeError(shortage)).toBeUndefined()
  })

  it('comes before those that were added earlier, but after that of the contract in question', async () => {
    const later = parseAbi(['error Custom(uint256 a, address b)'])
    const abis = new Abis()
    abis.add(Reverter, { address: SOMEWHERE })
    abis.add(later)
    const data = encodeErrorResult({ abi: Reverter.abi, errorName: 'Custom', args: [1n, ELSEWHERE] })
    expect((await abis.decodeError(data))?.text).toBe(`Custom(a: 1, b: ${ELSEWHERE})`)
    expect((await abis.decodeError(data, abis.find(SOMEWHERE)))?.text).toBe(
      `Custom(code: 1, caller: ${ELSEWHERE})`,
    )
  })

  it('is not held against its neighbours where one item of it is nonsense', async () => {
    const abi = [{ type: 'error' }, { type: 'function', name: 'f', inputs: 5 }, ...Shop.abi]
    expect((await knowing(abi).decodeError(shortage))?.name).toBe('InsufficientStock')
  })

  it.each([
    [undefined, 'expected an ABI (an array) or an artifact'],
    ['Shop.json', 'expected an ABI (an array) or an artifact'],
    [{ Shop: undefined }, 'Shop: expected an ABI (an array) or an artifact'],
    [{ Shop: { bytecode: '0x' } }, 'Shop: expected an ABI (an array) or an artifact'],
  ])('is refused where it is none: %j', (added, message) => {
    expect(() => new Abis().add(added as never)).toThrow(TypeError)
    expect(() => new Abis().add(added as never)).toThrow(message)
  })

  it('is refused with an address that is none', () => {
    expect(() => new Abis().add(Shop, { address: '0x12' })).toThrow('expected an address')
  })

  it('stays where it was added, of two that knew the same', () => {
    const one = knowing({ Token })
    const other = one.copy()
    other.add(Shop, { name: 'Shop', address: SOMEWHERE })
    expect(other.find(ELSEWHERE, fromHex(Token.deployedBytecode))?.name).toBe('Token')
    expect(other.find(SOMEWHERE)?.name).toBe('Shop')
    expect(one.find(SOMEWHERE)).toBeUndefined()
  })
})

describe('a contract', () => {
  const abis = knowing({ Token, Shop })
  abis.add(Token.abi, { name: 'gold', address: SOMEWHERE.toUpperCase().replace('X', 'x') })

  it('is what was added last for its address', () => {
    const twice = knowing(Token.abi, { name: 'old', address: SOMEWHERE })
    twice.add(Token.abi, { name: 'new', address: SOMEWHERE })
    expect(twice.find(SOMEWHERE)?.name).toBe('new')
  })

  it('is known by its address, whatever its code', () => {
    expect(abis.find(SOMEWHERE, fromHex(Shop.deployedBytecode))?.name).toBe('gold')
  })

  it('is known by its code', () => {
    expect(abis.find(ELSEWHERE, fromHex(Shop.deployedBytecode))?.name).toBe('Shop')
    expect(abis.find(ELSEWHERE, fromHex(Token.deployedBytecode))?.name).toBe('Token')
    expect(abis.find(ELSEWHERE, fromHex(Reverter.deployedBytecode))).toBeUndefined()
    expect(abis.find(ELSEWHERE, new Uint8Array())).toBeUndefined()
    expect(abis.find(ELSEWHERE, fromHex(`${Shop.deployedBytecode}00`))).toBeUndefined()
  })

  it('is known by the code that creates it, with its arguments', () => {
    expect(abis.find(ELSEWHERE, fromHex(encodeDeployData({ ...Shop, args: [3n] })))?.name).toBe('Shop')
  })

  it('is known by its code whatever its immutables and libraries are', () => {
    const hole = '00'.repeat(32)
    const library = `__$${'a'.repeat(34)}$__`
    const known = knowing({ Fund: { abi: [], deployedBytecode: `0x60ff7f${hole}73${library}5b` } })
    const deployed = fromHex(`0x60ff7f${'11'.repeat(32)}73${'22'.repeat(20)}5b`)
    expect(known.find(ELSEWHERE, deployed)?.name).toBe('Fund')
    deployed[1] = 0
    expect(known.find(ELSEWHERE, deployed)).toBeUndefined()
  })

  it('is not known by code that an interface does not have', () => {
    const known = knowing({ IShop: { abi: Shop.abi, bytecode: '0x', deployedBytecode: '0x' } })
    expect(known.find(ELSEWHERE, new Uint8Array())).toBeUndefined()
    expect(known.find(ELSEWHERE, fromHex(Shop.deployedBytecode))).toBeUndefined()
  })
})
