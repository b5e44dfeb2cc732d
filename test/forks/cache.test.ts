/** What the node of a network has answered is kept in a file, with which a devnet needs no network. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import market, { type Market } from '../../fixtures/market.ts'
import { createDevnet, type Devnet } from '../../src/index.ts'

const SECRET = 'very-secret-key'

let folder: string
let where: Market
let url: string
let network: Devnet
let stop: () => Promise<void>

const balanceOf = (owner: string) => ({
  to: where.gold,
  data: `0x70a08231${owner.slice(2).toLowerCase().padStart(64, '0')}` as const,
})
const call = (devnet: Devnet, owner: string) =>
  devnet.request({ method: 'eth_call', params: [balanceOf(owner), 'latest'] })
const cache = () => join(folder, 'market.jsonl')

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'preseal-forks-'))
  network = await createDevnet({ rhythm: 'manual' })
  where = await market(network)
  const listener = await network.listen({ port: 0 })
  url = `${listener.url}/?key=${SECRET}`
  stop = () => listener.close()
})

afterAll(async () => {
  await network.close()
  rmSync(folder, { recursive: true })
})

it('a devnet with the recorded file does without the network, and names what the file lacks', async () => {
  const recording = await createDevnet({ rhythm: 'manual', fork: { url, block: 4, cache: cache() } })
  const found = await call(recording, where.trader)
  // A block needs more accounts than a call, such as the system contracts.
  await recording.mine()
  await recording.close()
  await stop()

  const fork = { url, block: 4, cache: cache(), offline: true }
  await using offline = await createDevnet({ rhythm: 'manual', fork })
  expect(await call(offline, where.trader)).toBe(found)
  const lacking = '0x00000000000000000000000000000000000000aa'
  const error = await offline.request({ method: 'eth_getBalance', params: [lacking, 'latest'] }).then(
    () => undefined,
    (failure: Error & { code: number }) => failure,
  )
  expect(error).toMatchObject({ code: -32_000 })
  expect(error!.message).toContain(lacking)
  expect(error!.message).toContain(cache())
  // The chain stays usable.
  await offline.send({ to: offline.accounts[1]!.address, value: 1n })
  expect(await offline.request({ method: 'eth_blockNumber' })).toBe('0x5')
})

it('neither the file nor an error shows the key in the URL', async () => {
  expect(readFileSync(cache(), 'utf8')).not.toContain(SECRET)
  const fork = { url, block: 4, retries: 0 }
  await expect(createDevnet({ rhythm: 'manual', fork })).rejects.toThrow(/^(?!.*very-secret-key)/)
})

it('a file of another block is refused', async () => {
  const fork = { url, block: 3, cache: cache(), offline: true }
  await expect(createDevnet({ rhythm: 'manual', fork })).rejects.toThrow('expected a cache of block 3')
})
