/** What is typed into the controls of the page, as JSON-RPC takes it. */
import { parseEther, toHex } from 'viem'
import { expect, it } from 'vitest'
import { FAULT_TEMPLATES } from '../../src/page/views/controls/faultTemplates.ts'
import { address, ether, json, wholeNumber } from '../../src/page/views/controls/values.ts'
import { parseFault } from '../../src/wire/fault.ts'

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

it.each(Object.entries(FAULT_TEMPLATES))('the first %s is a fault that a devnet takes', (kind, template) => {
  expect(parseFault(1)(template, 'fault').fault.kind).toBe(kind)
})
