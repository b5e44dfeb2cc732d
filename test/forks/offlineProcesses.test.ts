/** Eight processes at once begin on a network that is not there, from one file, as the workers of a test runner do in CI. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, inject, it } from 'vitest'
import market from '../../fixtures/market.ts'
import { createDevnet } from '../../src/index.ts'
import { startNode } from '../support/processes/process.ts'

const LACKING = '0x00000000000000000000000000000000000000aa'
/** Of a contract whose account is recorded. */
const SLOT = '0x7777'
const WORKERS = 8

it('a recorded file is enough for eight processes without any listener, and each names what it lacks', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'preseal-offline-'))
  const cache = join(folder, 'market.jsonl')
  const network = await createDevnet({ rhythm: 'manual' })
  const { gold, trader } = await market(network)
  const { url } = await network.listen({ port: 0 })
  const data = `0x70a08231${trader.slice(2).toLowerCase().padStart(64, '0')}` as const
  const call = { to: gold, data }
  const recording = await createDevnet({ rhythm: 'manual', fork: { url, block: 4, cache } })
  const balance = await recording.request({ method: 'eth_call', params: [call, 'latest'] })
  await recording.mine()
  await recording.close()
  await network.close()
  const recorded = readFileSync(cache, 'utf8')

  const program = [
    'const asked = []',
    'globalThis.fetch = (input) => (asked.push(String(input)), Promise.reject(new Error("unplugged")))',
    `const { createDevnet } = await import(${JSON.stringify(pathToFileURL(join(inject('bundle'), 'index.js')).href)})`,
    `const fork = ${JSON.stringify({ url, block: 4, cache })}`,
    `const devnet = await createDevnet({ rhythm: 'manual', fork })`,
    `const ask = (method, ...params) => devnet.request({ method, params })`,
    `const balance = await ask('eth_call', ${JSON.stringify(call)}, 'latest')`,
    'await devnet.mine()',
    `const missing = await ask('eth_getStorageAt', '${LACKING}', '0x7', 'latest').catch(({ message }) => message)`,
    `const slot = await ask('eth_getStorageAt', '${gold}', '${SLOT}', 'latest').catch(({ message }) => message)`,
    `const number = await ask('eth_blockNumber')`,
    'await devnet.close()',
    'console.log(JSON.stringify({ balance, missing, slot, number, asked }))',
  ].join('\n')
  const environment = { ...process.env, PRESEAL_OFFLINE: '1', PRESEAL_ENGINE: '' }
  const ended = await Promise.all(
    Array.from(
      { length: WORKERS },
      () => startNode(['--input-type=module', '-e', program], environment).ended,
    ),
  )
  for (const { code, stdout, stderr } of ended) {
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const { missing, slot, ...rest } = JSON.parse(stdout) as { missing: string; slot: string }
    expect(rest).toEqual({ balance, number: '0x5', asked: [] })
    // The account or the slot, the method, the file, and how to record it.
    for (const part of [LACKING, 'eth_getBalance', cache, 'offline', 'record'])
      expect(missing).toContain(part)
    for (const part of [gold.toLowerCase(), SLOT.slice(2), 'eth_getStorageAt', cache, 'record']) {
      expect(slot).toContain(part)
    }
  }
  expect(readFileSync(cache, 'utf8')).toBe(recorded)
  rmSync(folder, { recursive: true })
})
