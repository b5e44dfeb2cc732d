/** The examples of docs/fixtures.md. */
import { rm } from 'node:fs/promises'
import { createDevnet } from 'preseal'
import { defineFixture, fixtureFromJson } from 'preseal/testing'
import { afterAll, expect, test } from 'vitest'
import { Token } from '../../fixtures/contracts/Token.ts'
import market from '../../fixtures/market.ts'
import treasury from '../../fixtures/treasury.json' with { type: 'json' }
import { inProjectOf } from '../support/compilers/artifacts.ts'

inProjectOf({ Token })
afterAll(() => rm('node_modules/.cache/preseal', { recursive: true, force: true }))

const bank = defineFixture(async (devnet) => {
  const owner = devnet.accounts[0]!.address
  const gold = await devnet.deploy('Token', { args: ['Gold', 'GOLD'] }) // found in out/ or artifacts/
  return { gold, owner }
})

test('the owner mints gold', async () => {
  const { devnet, gold, owner } = await bank.use()
  await devnet.write({ ...gold, functionName: 'mint', args: [owner, 5n] })
  expect(await devnet.read({ ...gold, functionName: 'balanceOf', args: [owner] })).toBe(5n)
})

test('nobody has gold, whichever test ran before', async () => {
  const { devnet, gold } = await bank.use()
  expect(await devnet.read({ ...gold, functionName: 'totalSupply' })).toBe(0n)
})

const minted = bank.extend(async (devnet, { gold, owner }) => {
  await devnet.write({ ...gold, functionName: 'mint', args: [owner, 100n] })
  return { supply: 100n }
})

test('an extension has the values of both', async () => {
  const { devnet, gold, supply } = await minted.use()
  expect(await devnet.read({ ...gold, functionName: 'totalSupply' })).toBe(supply)
})

const onBase = defineFixture((devnet) => devnet.mine(), {
  devnet: { profile: 'base-flashblocks', accounts: 3 },
})

test('each use says what makes its blocks', async () => {
  const { devnet } = await onBase.use({ rhythm: 'interval' })
  await using _ = devnet // time that runs has to be stopped
  expect(devnet.accounts).toHaveLength(3)
})

const kept = defineFixture(market, {
  cache: true, // in node_modules/.cache/preseal; or the path of a folder
  inputs: [Token], // what it is made of beside its own text, and that of market
})

test('what is kept on disk is as it was built', async () => {
  const { devnet, gold } = await kept.use()
  const symbol = { address: gold, abi: Token.abi, functionName: 'symbol' } as const
  expect(await devnet.read(symbol)).toBe('GOLD')
})

test('a script builds a fixture on any devnet', async () => {
  await using devnet = await createDevnet({ rhythm: 'instant' })
  const { gold } = await bank(devnet)
  expect(await devnet.read({ ...gold, functionName: 'symbol' })).toBe('GOLD')
})

test('a fixture is JSON', async () => {
  const { devnet, counter } = await fixtureFromJson<'treasury' | 'counter' | 'second'>(treasury).use()
  const slot = await devnet.request({ method: 'eth_getStorageAt', params: [counter, '0x0'] })
  expect(BigInt(slot as string)).toBe(42n)
})
