/** The values of `console.log`, compared with the signatures of Hardhat's console.sol and viem's encoding. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { encodeAbiParameters, type Hex, parseAbiParameters, toFunctionSelector } from 'viem'
import { describe, expect, it } from 'vitest'
import { fromHex } from '../../../src/bytes/hex.ts'
import { consoleValues } from '../../../src/solidity/abi/consoleLog.ts'
import { type Random, withRandom } from '../../support/random/random.ts'

const CONSOLE_SOL = readFileSync(
  join(import.meta.dirname, '../../../node_modules/hardhat/console.sol'),
  'utf8',
)
const HARDHATS = [...CONSOLE_SOL.matchAll(/encodeWithSignature\("log\((.*?)\)"/g)].map(([, types]) => types!)
/** forge-std has all of them, and this one. */
const ALL = [...new Set([...HARDHATS, 'string,int256'])]

function anyOf(type: string, random: Random): bigint | boolean | string {
  switch (type) {
    case 'uint256':
      return random.bigint(256)
    case 'int256':
      return BigInt.asIntN(256, random.bigint(256))
    case 'bool':
      return random.chance(0.5)
    case 'string':
      return String.fromCodePoint(...random.list(random.below(80), () => random.between(0x20, 0x2fff)))
    case 'address':
      return random.hex(20)
    case 'bytes':
      return random.hex(random.below(80))
    default:
      return random.hex(Number(type.slice(5)))
  }
}

function calldata(signature: string, types: string, values: readonly unknown[]): Uint8Array {
  const parameters = types === '' ? [] : parseAbiParameters(types)
  const data = encodeAbiParameters(parameters, values as never)
  return fromHex(`${toFunctionSelector(signature)}${data.slice(2)}`)
}

describe('a call of the console', () => {
  it('is known in as many forms as Hardhat has', () => {
    expect(HARDHATS.length).toBeGreaterThan(370)
  })

  it(
    'carries the values that were encoded, under each signature of console.sol and under the older ones',
    withRandom((random) => {
      for (const types of ALL) {
        const list = types.split(',').filter(Boolean)
        const values = list.map((type) => anyOf(type, random))
        const signature = `log(${types})`
        for (const text of [signature, signature.replaceAll('int256', 'int')]) {
          expect(consoleValues(calldata(text, types, values)), text).toEqual(
            list.map((type, i) => ({ type, value: values[i] })),
          )
        }
      }
    }),
  )

  it.each<[why: string, input: Hex]>([
    ['there is no such signature', '0x12345678'],
    ['it is too short for a selector', '0x2c'],
    ['a value is missing', `${toFunctionSelector('log(uint256,uint256)')}${'00'.repeat(32)}`],
    ['a text begins beyond the end', `${toFunctionSelector('log(string)')}${'ff'.repeat(32)}`],
    [
      'a text is longer than what there is',
      `${toFunctionSelector('log(string)')}${'20'.padStart(64, '0')}${'21'.padStart(64, '0')}${'61'.repeat(32)}`,
    ],
  ])('means nothing where %s', (_, input) => {
    expect(consoleValues(fromHex(input))).toBeUndefined()
  })
})
