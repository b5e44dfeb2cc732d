/** The example of a debugger in docs/solidity.md: Hardhat has compiled `Shop` in the working folder. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, vi } from 'vitest'
import { written } from '../support/compilers/artifacts.ts'
import { hardhatProject } from '../support/compilers/hardhatProject.ts'

// From here on as the page has it.

import { expect, test } from 'preseal/vitest'

test('a sale takes from the stock', async ({ devnet }) => {
  const shop = await devnet.deploy('Shop', { args: [3n] })
  const { hash } = await devnet.write({ ...shop, functionName: 'buy', args: [2n, 'for me'] })

  const { frames, steps } = await devnet.debug(hash)
  expect(frames[0]).toMatchObject({ contract: 'Shop', function: 'buy', result: [{ value: 1n }] })

  const selling = steps.find(({ storage }) => storage.some(({ kind }) => kind === 'write'))
  expect(selling?.position).toMatchObject({ file: 'contracts/Shop.sol', line: 51, text: 'stock -= amount' })
  expect(selling?.storage).toMatchObject([
    { kind: 'read', name: 'stock', value: 3n },
    { kind: 'write', name: 'stock', before: 3n, value: 1n },
  ])
})

test('and a call can be looked at without a transaction', async ({ devnet }) => {
  const shop = await devnet.deploy('Shop', { args: [3n] })
  const { status, frames, steps } = await devnet.debug({ ...shop, functionName: 'buy', args: [5n, ''] })
  expect(status).toBe('reverted')
  expect(frames[0]).toMatchObject({ error: { text: 'InsufficientStock(available: 3, wanted: 5)' } })
  expect(steps.at(-1)?.position).toMatchObject({ line: 50, text: 'InsufficientStock(stock, amount)' })
})

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'preseal-'))
  for (const [path, text] of Object.entries(await hardhatProject('Shop')))
    await written(join(folder, path), text)
  vi.spyOn(process, 'cwd').mockReturnValue(folder)
})
afterAll(async () => {
  vi.restoreAllMocks()
  await rm(folder, { recursive: true })
})
