/** Paths that lead nowhere: what the page says of them. */
import { describe, expect, it } from 'vitest'
import { absentBlock, routeOf, wrongPath } from '../../src/page/routes.ts'

const HASH = `0x${'ab'.repeat(32)}`
const ADDRESS = `0x${'Cd'.repeat(20)}`

describe('a path that leads nowhere', () => {
  it.each([
    ['/tx/0xzz', '/tx/ takes the hash of a transaction, 0x and 64 hex digits; 0xzz is not one', []],
    [`/tx/${ADDRESS}`, `${ADDRESS} is not one`, ['the account']],
    ['/tx/', 'it is missing', []],
    ['/address/bob', '/address/ takes an address, 0x and 40 hex digits; bob is not one', []],
    [`/address/${HASH}`, `${HASH} is not one`, ['the transaction', 'the block']],
    ['/block', '/block/ takes the number of a block such as 12', []],
    ['/block/1/2', 'and nothing after it', []],
    [`/${HASH}`, `there is nothing at /${HASH}`, ['the transaction', 'the block']],
    ['/constructor', 'there is nothing at /constructor', []],
  ])('%s: what is wrong, what would be right, what may be meant', (path, text, meant) => {
    expect(routeOf(path)).toEqual({ view: 'unknown', path })
    const wrong = wrongPath(path)
    expect(wrong.text).toContain(text)
    expect(wrong.meant.map(({ what }) => what)).toEqual(meant)
    for (const { path } of wrong.meant) expect(routeOf(path).view).not.toBe('unknown')
  })
})

it('the number of a block may be in hex, as JSON-RPC has it', () => {
  expect(routeOf('/block/0x1F')).toEqual({ view: 'block', id: '31' })
  expect(routeOf(`/block/${HASH}`)).toEqual({ view: 'block', id: HASH })
})

describe('a block that is not there', () => {
  it.each([
    ['99', 3, 'there is no block 99 yet: the newest block is 3; this page will show it'],
    ['2', 3, 'block 2 is no longer kept: the newest block is 3'],
    ['99', undefined, 'there is no block 99 yet; this page will show it'],
    ['safe', 3, 'no block is safe at present'],
    ['newest', 3, '/block/ takes the number of a block such as 12'],
    [HASH, 3, 'no block of this chain has this hash'],
  ])('%s, with block %s as the newest, is said to be so', (id, latest, text) => {
    expect(absentBlock(id, latest)).toContain(text)
  })

  it('promises none of a chain that is over', () => {
    expect(absentBlock('12', 9, 'is over')).toBe('there is no block 12: the newest block is 9')
  })
})
