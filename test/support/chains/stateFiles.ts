/** State files in tests: written, changed and read again, and what can be asked of a chain to tell it from another. */
import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { type Devnet, type DevnetOptions, LoadFailed } from '../../../src/index.ts'
import { ask, started } from '../clients/clients.ts'

/** The whole file. */
export function dumped(devnet: Devnet): Buffer {
  return Buffer.concat([...devnet.dump()])
}

/** Another devnet that has loaded the file. */
export async function loaded(file: Uint8Array, options: DevnetOptions = {}): Promise<Devnet> {
  const devnet = await started({ rhythm: 'manual', ...options })
  await devnet.load(file)
  return devnet
}

/** Why a file is refused; nothing may have changed then. */
export async function loadRefusal(devnet: Devnet, file: Uint8Array): Promise<LoadFailed> {
  const before = dumped(devnet)
  const outcome = await devnet.load(file).catch((error: unknown) => error)
  expect(outcome).toBeInstanceOf(LoadFailed)
  expect(dumped(devnet).equals(before)).toBe(true)
  return outcome as LoadFailed
}

/** The lines of a file without the last, which is made of them. */
export function linesOf(file: Uint8Array): string[] {
  return Buffer.from(file).toString('utf8').trimEnd().split('\n').slice(0, -1)
}

/** A file with these lines and a last one that vouches for them. */
export function fileOf(lines: readonly string[]): Buffer {
  const text = lines.map((line) => `${line}\n`).join('')
  const sha256 = createHash('sha256').update(text).digest('hex')
  return Buffer.from(`${text}${JSON.stringify({ end: lines.length, sha256 })}\n`)
}

const ANYBODY = `0x${'00'.repeat(20)}`

/**
 * All that tells one chain from another: each block with transactions and receipts, and with a proof of the state after it,
 * which begins with its root; what waits; the newest logs.
 */
export async function everything(devnet: Devnet): Promise<unknown> {
  const newest = Number(await ask(devnet, 'eth_blockNumber'))
  const numbers = Array.from({ length: newest + 1 }, (_, number) => `0x${number.toString(16)}`)
  const moments = []
  for (const at of [...numbers, 'pending']) moments.push(await momentAt(devnet, at))
  return {
    moments,
    waiting: await ask(devnet, 'txpool_content'),
    // Ranges are limited.
    logs: await ask(devnet, 'eth_getLogs', { fromBlock: numbers.at(-1_000) ?? '0x0', toBlock: 'pending' }),
  }
}

async function momentAt(devnet: Devnet, at: string): Promise<unknown> {
  const answer = (method: string, ...params: unknown[]) =>
    ask(devnet, method, ...params).catch(({ code, message }) => ({ code, message }))
  return {
    block: await answer('eth_getBlockByNumber', at, true),
    raw: await answer('debug_getRawBlock', at),
    receipts: await answer('eth_getBlockReceipts', at),
    rawReceipts: await answer('debug_getRawReceipts', at),
    state: await answer('eth_getProof', ANYBODY, [], at),
  }
}
