/** docs/methods.md: what it says of each method, and of the peers. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  absentMethods,
  methodPage,
  methodsHere,
  PEERS,
  rowsByTopic,
  TOPICS,
} from '../../scripts/docs/methods.ts'
import { isOptional, wordFor } from '../../scripts/docs/types.ts'
import { CONNECTION_METHODS, METHODS } from '../../src/methods/index.ts'
import { parseAddress } from '../../src/wire/hex.ts'
import { anything, boolean, InvalidValue, optional, withDefault } from '../../src/wire/parser.ts'
import { parseNumberOrTag, parseSelectorOrLatest } from '../../src/wire/selector.ts'

const PAGE = join(import.meta.dirname, '../../docs/methods.md')
const GIVE = { names: ['a_give', 'b_give'], parsers: [parseAddress, optional(boolean)] }

describe('docs/methods.md', () => {
  it('is what the method table makes', () => {
    expect(readFileSync(PAGE, 'utf8')).toBe(methodPage())
  })

  it('has each method under each of its names, once', () => {
    const rows = [...rowsByTopic(methodsHere(), TOPICS).values()].flat()
    const names = rows.flatMap((row) => row.names)
    expect([...names].sort()).toEqual([...METHODS.keys(), ...CONNECTION_METHODS.keys()].sort())
  })

  it('lacks nothing that all of anvil, Hardhat and ganache have', () => {
    const peers = PEERS.filter(({ name }) => name !== 'execution-apis')
    expect(peers.map(({ name }) => name)).toEqual(['anvil', 'Hardhat', 'ganache'])
    const [first, ...others] = peers
    const shared = [...first!.methods].filter((name) => others.every(({ methods }) => methods.has(name)))
    const absent = absentMethods(methodsHere()).flatMap(({ names }) => names)
    expect(shared.length).toBeGreaterThan(40)
    expect(shared.filter((name) => absent.includes(name))).toEqual([])
  })
})

describe('the table of methods', () => {
  it('names parameters, with their types, and says which may be left out', () => {
    const topics = { Gifts: { 'a_give(address, wrapped: boolean)': 'gives' } }
    expect(rowsByTopic([GIVE], topics).get('Gifts')).toEqual([
      { names: GIVE.names, parameters: ['address', 'wrapped?: boolean'], meaning: 'gives' },
    ])
  })

  it('takes types with commas between braces', () => {
    const topics = { Gifts: { 'b_give(to: {street, town}, wrapped: [paper, …])': 'gives' } }
    const [row] = rowsByTopic([GIVE], topics).get('Gifts')!
    expect(row!.parameters).toEqual(['to: {street, town}', 'wrapped?: [paper, …]'])
  })

  it.each([
    ['a method is missing', {}, 'a_give has no description'],
    ['a parameter has no name', { 'a_give(address)': '' }, 'a_give has 2 parameters, 1 are named'],
    ['there is no such method', { 'a_take()': '' }, 'there is no method a_take'],
    [
      'a method is there twice',
      { 'a_give(address, wrapped)': '', 'b_give(address, wrapped)': '' },
      'b_give has two descriptions',
    ],
  ])('cannot be made where %s', (_, gifts, message) => {
    expect(() => rowsByTopic([GIVE], { Gifts: gifts })).toThrow(message)
  })

  it('cannot be made where there is no word for a type', () => {
    const refuse = (value: unknown) => {
      throw new InvalidValue('', 'something unheard of', value)
    }
    const give = { names: ['a_give'], parsers: [refuse] }
    expect(() => rowsByTopic([give], { Gifts: { 'a_give(gift)': '' } })).toThrow(
      'a_give: there is no word for the type of gift',
    )
  })
})

describe('a parser', () => {
  it('tells by itself what it takes', () => {
    const parsers = [parseAddress, boolean, parseNumberOrTag, parseSelectorOrLatest, anything]
    expect(parsers.map(wordFor)).toEqual(['address', 'boolean', 'block number', 'block', 'any'])
  })

  it('tells by itself whether it takes nothing', () => {
    const parsers = [parseAddress, optional(parseAddress), withDefault(boolean, false), parseSelectorOrLatest]
    expect(parsers.map(isOptional)).toEqual([false, true, true, true])
  })
})
