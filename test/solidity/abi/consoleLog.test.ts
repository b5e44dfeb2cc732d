/**
 * The text of `console.log`, compared with Hardhat's own logger and, for other placeholders, with Foundry's
 * examples.
 */
import { format } from 'node:util'
import { type Abi, encodeFunctionData, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
// Hardhat does not export it.
import { ConsoleLogger } from '../../../node_modules/hardhat/dist/src/internal/builtin-plugins/network-manager/edr/utils/console-logger.js'
import { fromHex } from '../../../src/bytes/hex.ts'
import { type ConsoleValue, consoleText, consoleValues } from '../../../src/solidity/abi/consoleLog.ts'
import { type Random, withRandom } from '../../support/random/random.ts'

const text = (value: string): ConsoleValue => ({ type: 'string', value })
const uint = (value: bigint): ConsoleValue => ({ type: 'uint256', value })
const int = (value: bigint): ConsoleValue => ({ type: 'int256', value })
const bool = (value: boolean): ConsoleValue => ({ type: 'bool', value })
const account = (value: string): ConsoleValue => ({ type: 'address', value })

/** Returns Hardhat's text of the same call. */
function hardhats(values: readonly ConsoleValue[]): { text: string | undefined; ours: string } {
  const types = values.map(({ type }) => type)
  const abi = parseAbi([`function log(${types.join(',')})`]) as Abi
  const input = encodeFunctionData({ abi, functionName: 'log', args: values.map(({ value }) => value) })
  const [theirs] = ConsoleLogger.getDecodedLogs([Buffer.from(input.slice(2), 'hex')])
  return { text: theirs && leftOvers(theirs), ours: leftOvers(consoleText(consoleValues(fromHex(input))!)) }
}

/** Node and we keep a `%d` without a value; Hardhat makes it `%s`. */
function leftOvers(line: string): string {
  return line.replaceAll(/%[di]/g, '%s')
}

/** Strings with valid and invalid placeholders. */
const PIECES = ['%s', '%d', '%i', '%o', '%O', '%c', '%j', '%%', '%', '%z', '%5', 'wei', ' ', "it's", '"']

function head(random: Random): ConsoleValue {
  return text(random.list(random.below(7), () => random.pick(PIECES)).join(''))
}

function anyValue(random: Random): ConsoleValue {
  const make = random.pick([
    () => text(random.pick(['', 'wei', "it's", 'a "b"', 'ä\n'])),
    () => bool(random.chance(0.5)),
    () => account(random.hex(20)),
  ])
  return make()
}

describe('the text of a console.log', () => {
  it(
    'is Hardhat’s, whatever its values and the places that its text has for them',
    withRandom((random) => {
      for (let i = 0; i < 500; i++) {
        const rest = random.list(random.below(4), () => anyValue(random))
        const values = random.chance(0.8) ? [head(random), ...rest] : rest
        const { text: theirs, ours } = hardhats(values)
        expect(ours, JSON.stringify(values)).toBe(theirs)
      }
    }),
  )

  it(
    'has numbers of any size in full, where Hardhat has them',
    withRandom((random) => {
      for (let i = 0; i < 200; i++) {
        const places = text(random.list(4, () => random.pick(['%s', '%d', '%i', '%%', '-'])).join(''))
        const values = [places, ...random.list(random.below(4), () => uint(random.bigint(256)))]
        const { text: theirs, ours } = hardhats(values)
        expect(ours, String(places.value)).toBe(theirs)
      }
      expect(hardhats([uint(2n ** 256n - 1n), uint(7n)])).toMatchObject({ ours: `${2n ** 256n - 1n} 7` })
    }),
  )

  it.each(['%s', '%d', '%i', '%f', '%o', '%O', '%j'])('writes a small number at %s as Node does', (place) => {
    expect(consoleText([text(`a ${place} b`), uint(42n)])).toBe(format(`a ${place} b`, 42))
  })

  // The tests of foundry-rs/foundry, crates/common/fmt/src/console.rs
  it.each<[head: string, value: ConsoleValue, expected: string]>([
    ['%e', uint(100n), '1e2'],
    ['%e', uint(1_002_300n), '1.0023e6'],
    ['%e', uint(123_000n), '1.23e5'],
    ['%e', int(-100n), '-1e2'],
    ['%e', int(-1_002_300n), '-1.0023e6'],
    ['%e', text('foo'), 'NaN'],
    ['%e', bool(true), 'NaN'],
    ['%1e', int(100n), '10'],
    ['%2e', int(-100n), '-1'],
    ['%0e', int(123_000n), '123000'],
    ['%1e', int(123_000n), '12300'],
    ['%7e', int(123_000n), '0.0123'],
    ['%7e', int(-123_000n), '-0.0123'],
    ['%5e', uint(123_456_789n), '1234.56789'],
    ['%18e', uint(10n ** 18n), '1'],
    ['%256e', uint(0n), '0'],
    ['%1024e', uint(1n), `0.${'0'.repeat(1023)}1`],
    ['%1025e', uint(1n), '%1025e 1'],
    ['%5d%3e%2f%3f%e1', uint(123_456_789n), '%5d123456.789%2f%3f%e1'],
    ['%x', uint(100n), '0x64'],
    ['%x', int(-100n), `0x${'f'.repeat(62)}9c`],
    ['%x', text('foo'), 'NaN'],
    ['%x', bool(true), 'NaN'],
    ['%x', account(`0x${'de'.repeat(20)}`), `0x${'de'.repeat(20)}`],
    ['%o', text('foo'), "'foo'"],
    ['%o', bool(true), "'true'"],
    ['%o', uint(100n), '100'],
    ['%%s', text('foo'), '%s foo'],
  ])('writes %s as Foundry does', (head, value, expected) => {
    expect(consoleText([text(head), value])).toBe(expected)
  })
})
