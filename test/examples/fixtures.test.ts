/** The examples of docs/fixtures.md. */
import { rm } from 'node:fs/promises'
import { createDevnet, type Devnet } from 'preseal'
import { defineFixture, fixtureFromJson } from 'preseal/testing'
import { type Address, createWalletClient, custom, getContract, publicActions } from 'viem'
import { anvil } from 'viem/chains'
import { afterAll, expect, test } from 'vitest'
import { Token } from '../../fixtures/contracts/Token.ts'
import market from '../../fixtures/market.ts'
import treasury from '../../fixtures/treasury.json' with { type: 'json' }

afterAll(() => rm('node_modules/.cache/preseal', { recursive: true, force: true }))

const clientOf = (devnet: Devnet) =>
  createWalletClient({
    account: devnet.accounts[0]!.address,
    chain: anvil,
    transport: custom(devnet),
  }).extend(publicActions)

const tokenAt = (address: Address, devnet: Devnet) =>
  getContract({ address, abi: Token.abi, client: clientOf(devnet) })

const gold = defineFixture(async (devnet) => {
  const client = clientOf(devnet)
  const hash = await client.deployContract({ ...Token, args: ['Gold', 'GOLD'] })
  await devnet.mine()
  const { contractAddress } = await client.getTransactionReceipt({ hash })
  return { token: contractAddress!, owner: client.account.address }
})

test('the owner mints gold', async () => {
  const { devnet, token, owner } = await gold.use()
  const contract = tokenAt(token, devnet)
  await contract.write.mint([owner, 5n])
  await devnet.mine()
  expect(await contract.read.balanceOf([owner])).toBe(5n)
})

test('nobody has gold, whichever test ran before', async () => {
  const { devnet, token } = await gold.use()
  expect(await tokenAt(token, devnet).read.totalSupply()).toBe(0n)
})

const minted = gold.extend(async (devnet, { token, owner }) => {
  await tokenAt(token, devnet).write.mint([owner, 100n])
  await devnet.mine()
  return { supply: 100n }
})

test('an extension has the values of both', async () => {
  const { devnet, token, supply } = await minted.use()
  expect(await tokenAt(token, devnet).read.totalSupply()).toBe(supply)
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
  expect(await tokenAt(gold, devnet).read.symbol()).toBe('GOLD')
})

test('a script builds a fixture on any devnet', async () => {
  await using devnet = await createDevnet({ rhythm: 'instant' })
  const { gold } = await market(devnet)
  expect(await tokenAt(gold, devnet).read.symbol()).toBe('GOLD')
})

test('a fixture is JSON', async () => {
  const { devnet, counter } = await fixtureFromJson<'treasury' | 'counter' | 'second'>(treasury).use()
  const slot = await devnet.request({ method: 'eth_getStorageAt', params: [counter, '0x0'] })
  expect(BigInt(slot as string)).toBe(42n)
})
