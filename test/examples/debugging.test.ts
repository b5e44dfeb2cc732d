import { createDevnet } from 'preseal'
import { createWalletClient, custom, encodeFunctionData, getContractAddress } from 'viem'
import { expect, test } from 'vitest'
import { Shop } from '../../fixtures/contracts/Shop.ts'

test('a shop says what it does, and why it does not', async () => {
  await using devnet = await createDevnet({ rhythm: 'instant', consoleLogs: false })
  devnet.abis.add({ Shop }) // as Hardhat or Foundry compiled it, or its ABI alone
  const said: string[] = []
  devnet.on('console', ({ name, text }) => said.push(`${name}: ${text}`))

  const from = devnet.accounts[0]!.address
  const wallet = createWalletClient({ account: from, transport: custom(devnet) })
  await wallet.deployContract({ ...Shop, args: [3n], chain: null })
  expect(said).toEqual(['Shop: opened with 3'])

  const to = getContractAddress({ from, nonce: 0n })
  const input = encodeFunctionData({ abi: Shop.abi, functionName: 'buy', args: [5n, 'for a friend'] })
  const call = { method: 'eth_call', params: [{ from, to, input }] }
  const error = await devnet.request(call).then(
    () => undefined,
    ({ data }) => devnet.abis.decodeError(data),
  )
  expect(error?.text).toBe('InsufficientStock(available: 3, wanted: 5)')
  expect(said[1]).toBe(`Shop: ${from.toLowerCase()} wants 5`)
})
