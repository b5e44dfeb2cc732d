/** The example of artifacts in docs/solidity.md: solc has compiled one contract, and Foundry another. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, vi } from 'vitest'
import { Shop } from '../../fixtures/contracts/Shop.ts'
import { foundryText, written } from '../support/compilers/artifacts.ts'
import { compiled } from '../support/compilers/solidity.ts'

const { input, output } = compiled({ 'Till.sol': 'contract Till { error Empty(uint256 wanted); }' })
const emptyTill = `0xf2c6b74a${'0'.repeat(64)}` as const
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'preseal-'))
  await written(join(folder, 'contracts/out/Shop.sol/Shop.json'), foundryText('src/Shop.sol', 'Shop', Shop))
  vi.spyOn(process, 'cwd').mockReturnValue(join(folder, 'tests'))
})
afterAll(async () => {
  vi.restoreAllMocks()
  await rm(folder, { recursive: true })
})

// From here on as the page has it.

import { createDevnet } from 'preseal'
import { expect, test } from 'preseal/vitest'

test('contracts are known by what their compiler wrote', async () => {
  const devnet = await createDevnet({ rhythm: 'instant', artifacts: '../contracts/out' })
  devnet.artifacts.add({ input, output }) // what solc was given, and what it answered

  const shop = await devnet.deploy('Shop', { args: [3n] })
  await expect(devnet.write({ ...shop, functionName: 'buy', args: [5n, ''] })).rejects.toThrow(
    'InsufficientStock',
  )
  expect(await devnet.abis.decodeError(emptyTill)).toMatchObject({ name: 'Empty' })
})
