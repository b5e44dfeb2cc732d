/** What is typed into the controls of the page, as JSON-RPC takes it. */
import { parseEther, toHex } from 'viem'
import { expect, it } from 'vitest'
import { parseFault } from '../../src/faults/faultJson.ts'
import { detailsOf, FAULT_FORMS, faultOf, whensOf } from '../../src/page/views/controls/faultForms.ts'
import { address, ether, json, timestamp, wholeNumber } from '../../src/page/views/controls/fields.ts'

it.each(['0', '1', '1.5', '0.000000000000000001', '123456789.000000000000000000'])(
  '%s ETH is what viem makes of it',
  (text) => {
    expect(ether(text)).toBe(toHex(parseEther(text)))
  },
)

it.each(['', '-1', '1e3', '.5', '1.', '1.0000000000000000001', '1 ETH'])(
  '%j is no amount of ether',
  (text) => {
    expect(() => ether(text)).toThrow('an amount of ether')
  },
)

it('whole numbers are quantities, and anything else is named', () => {
  expect(wholeNumber('255', 'the time')).toBe('0xff')
  expect(() => wholeNumber('1.5', 'the time')).toThrow('the time is a whole number, got 1.5')
  expect(() => wholeNumber('', 'the time')).toThrow('got nothing')
})

it('what is no address and no JSON is told', () => {
  expect(() => address('0x1', 'a token')).toThrow('a token has 0x and 40 hex digits, got 0x1')
  expect(() => json('{')).toThrow('not JSON: ')
})

it('a time is a date in UTC or seconds, and anything else is named', () => {
  expect(timestamp('2030-01-31 12:00:00')).toBe(toHex(Date.UTC(2030, 0, 31, 12) / 1_000))
  expect(timestamp('2030-01-31')).toBe(toHex(Date.UTC(2030, 0, 31) / 1_000))
  expect(timestamp('2030-01-31T12:00Z')).toBe(toHex(Date.UTC(2030, 0, 31, 12) / 1_000))
  expect(timestamp('1893456000')).toBe(toHex(1_893_456_000))
  for (const wrong of ['', 'tomorrow', '2030-13-01', '2030-01-31 25:00', '1969-12-31'])
    expect(() => timestamp(wrong)).toThrow('a time is a date')
})

const KINDS = Object.entries(FAULT_FORMS)

it.each(KINDS)('%s is a fault that a devnet takes as the form has it, whenever it happens', (kind, form) => {
  for (const when of whensOf(form)) {
    const fault = faultOf(kind, when, { block: '5' })
    expect(parseFault(1)(fault, 'fault').fault.kind).toBe(kind)
    expect(detailsOf({ id: '0x1', ...fault })).toMatch(
      /(once|each time|in block 5|with a probability of 0.1)$/,
    )
  }
})

it('what is entered is in the fault, what is left out is not, and what is wrong is left to the devnet', () => {
  expect(faultOf('dropTransaction', 'seal', { hash: '', lands: 'never', block: '7' })).toEqual({
    kind: 'dropTransaction',
    lands: 'never',
    when: { block: 7 },
  })
  expect(faultOf('delaySlice', 'block', { slices: '2', block: '7', slice: '3' })).toEqual({
    kind: 'delaySlice',
    slices: 2,
    when: { block: 7, slice: 3 },
  })
  expect(faultOf('latency', 'times', { ms: 'long', method: 'eth_*', times: '1' })).toEqual({
    kind: 'latency',
    ms: 'long',
    method: 'eth_*',
    when: { times: 1 },
  })
})

it('a planned fault is told in words', () => {
  const fault = { id: '0x1', kind: 'reorg', depth: 2, transactions: 'wait', when: { block: 5 } }
  expect(detailsOf(fault)).toBe('blocks: 2; their transactions: wait again; in block 5')
  expect(detailsOf({ id: '0x2', kind: 'omitSlice', when: { block: 5, slice: 2 } })).toBe(
    'in block 5, slice 2',
  )
  expect(detailsOf({ id: '0x3', kind: 'latency', ms: [5, 9], when: { times: 3 } })).toBe(
    'milliseconds: [5,9]; 3 times',
  )
  expect(detailsOf({ id: '0x4', kind: 'other', data: { a: 1 } })).toBe('data: {"a":1}')
})
