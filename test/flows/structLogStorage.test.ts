/** `storage` of struct logs: at the steps that meet a slot, or at every step as in Hardhat 2, whose users' tests read it there. */
import type { Hex } from 'viem'
import { expect, it } from 'vitest'
import type { DevnetOptions } from '../../src/index.ts'
import { ask, started } from '../support/clients/clients.ts'

const OUTER: Hex = '0x000000000000000000000000000000000000aaaa'
const INNER: Hex = '0x000000000000000000000000000000000000bbbb'
const slot = (key: number, value: number) => ({
  [`0x${key.toString(16).padStart(64, '0')}`]: `0x${value.toString(16).padStart(64, '0')}`,
})

interface Log {
  readonly op: string
  readonly depth: number
  readonly storage?: object
}

/** SSTORE(2, 7), CALL of a contract that does SSTORE(5, 9), SLOAD(2). */
async function logs(options: DevnetOptions, config: object = {}): Promise<readonly Log[]> {
  const devnet = await started({ rhythm: 'instant', ...options })
  await ask(devnet, 'anvil_setCode', OUTER, '0x60076002555f5f5f5f5f61bbbb620ffffff15060025450')
  await ask(devnet, 'anvil_setCode', INNER, '0x600960055500')
  const from = devnet.accounts[0]!.address
  const hash = await ask<Hex>(devnet, 'eth_sendTransaction', { from, to: OUTER, gas: '0xf4240' })
  const { structLogs } = await ask<{ structLogs: Log[] }>(devnet, 'debug_traceTransaction', hash, config)
  return structLogs
}

it('is given where a slot is met, and nowhere else', async () => {
  const given = (await logs({})).filter(({ storage }) => storage !== undefined)
  expect(given.map(({ op, depth }) => [op, depth])).toEqual([
    ['SSTORE', 1],
    ['SSTORE', 2],
    ['SLOAD', 1],
  ])
})

it.each([
  ['the option', { structLogStorage: 'everyStep' } as const, {}],
  ['the request', {}, { storageAtEveryStep: true }],
])('is given at every step, of the contract that runs, where %s says so', async (_, options, config) => {
  const steps = await logs(options, config)
  const seen = steps.map(({ depth, storage }) => [depth, storage] as const)
  const before = steps.findIndex(({ op }) => op === 'SSTORE')
  const inside = steps.findIndex(({ depth }) => depth === 2)
  expect(seen.slice(0, before)).toEqual(Array.from({ length: before }, () => [1, {}]))
  expect(new Set(seen.slice(before, inside).map((each) => JSON.stringify(each)))).toEqual(
    new Set([JSON.stringify([1, slot(2, 7)])]),
  )
  expect(seen[inside]).toEqual([2, {}])
  expect(steps.filter(({ depth }) => depth === 2).at(-1)).toMatchObject({ op: 'STOP', storage: slot(5, 9) })
  expect(steps.at(-1)).toMatchObject({ depth: 1, storage: slot(2, 7) })
})

it('is left out of every step where the request says so', async () => {
  const steps = await logs({ structLogStorage: 'everyStep' }, { disableStorage: true })
  expect(steps.filter(({ storage }) => storage !== undefined)).toEqual([])
})
