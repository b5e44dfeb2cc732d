/**
 * The heap of the module, in a build with assertions: it traps where something was written behind the end of a block, or
 * where a block was released twice.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { compiledEngine } from '../../../src/engine/wasm/generate/compile.ts'
import { Instance } from '../../../src/engine/wasm/instance.ts'
import type { AnyHardfork } from '../../../src/model/hardfork/hardfork.ts'
import { Random } from '../../support/random/random.ts'
import { type Given, ours } from './alone.ts'
import { CONTRACTS, program, SENDER } from './programs.ts'

let instance: Instance

beforeAll(async () => {
  instance = new Instance(new WebAssembly.Module(await compiledEngine(['-O1'])))
})

const [CALLED] = CONTRACTS as [`0x${string}`]

function account(address: `0x${string}`, code: Uint8Array = new Uint8Array()): Given {
  return { address, nonce: 1n, balance: 10n ** 18n, code, storage: new Map([[0n, 7n]]) }
}

/**
 * Runs a call in both readings of code, under each of `hardforks`: readings are made anew for each, and blocks are checked
 * when they are released. Returns the kinds of its ends.
 */
async function run(hardforks: readonly AnyHardfork[], given: readonly Given[], gas = 100_000n) {
  const asked = { from: SENDER, to: CALLED, value: 0n, data: new Uint8Array(4), gas }
  const kinds: string[] = []
  for (const hardfork of hardforks) {
    for (const isWatched of [false, true]) {
      kinds.push((await ours(hardfork, given, asked, isWatched, instance)).kind)
    }
  }
  return kinds
}

describe.each([
  ['JUMPDEST', 0x5b],
  ['PC', 0x58],
  ['CALLDATASIZE', 0x36],
  ['an undefined opcode', 0x0c],
])('code of %s', (_, opcode) => {
  it.each([0, 1, 31])(
    'of each length, whose last PUSH has %i bytes of data, fits in its readings',
    async (left) => {
      for (let length = 1; length <= 300; length++) {
        const code = new Uint8Array(length + left).fill(opcode)
        code[length - 1] = 0x7f
        const ends = await run(['osaka'], [account(SENDER), account(CALLED, code)])
        expect(new Set(ends).size).toBe(1)
      }
    },
  )
})

it.each([
  ['frontier', 'homestead'],
  ['istanbul', 'berlin'],
  ['osaka', 'cancun'],
] as const)('random programs under %s and %s stay in their blocks', async (...hardforks) => {
  const random = new Random(hardforks[0].length)
  const kinds = new Set<string>()
  for (let round = 0; round < 250; round++) {
    const given = [account(SENDER), ...CONTRACTS.map((address) => account(address, program(random)))]
    for (const kind of await run(hardforks, given, BigInt(20_000 + random.below(400_000)))) kinds.add(kind)
  }
  expect([...kinds]).toEqual(expect.arrayContaining(['success', 'halt']))
})
