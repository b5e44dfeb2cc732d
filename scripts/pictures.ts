/**
 * Takes the pictures of the page that README.md shows, in light and dark: a market that is traded on, its blocks filling slice by
 * slice. Writes them to docs/images, or to the folder that is given: `npm run pictures -- FOLDER`. `npm run build` comes before.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { encodeFunctionData } from 'viem'
import { Pool } from '../fixtures/contracts/Pool.ts'
import { Reverter } from '../fixtures/contracts/Reverter.ts'
import { Token } from '../fixtures/contracts/Token.ts'
import market from '../fixtures/market.ts'
import { createDevnet } from '../src/index.ts'
import { findChromium, NO_CHROMIUM } from './package/chromium.ts'

const SIZE = { width: 1280, height: 860 }
/** How long is traded before the pictures are taken: the line of time then has some blocks. */
const TRADED_MS = 9_000
const GAP_MS = 120

const folder = process.argv[2] ?? fileURLToPath(new URL('../docs/images', import.meta.url))
const executablePath = findChromium()
if (executablePath === undefined) {
  console.log(`pictures: passed over, ${NO_CHROMIUM}`)
  process.exit(0)
}

await using devnet = await createDevnet({ ticksPerBlock: 5, consoleLogs: false })
const { pool, gold, reverter, trader, rival, owner } = await market(devnet)
const { url } = await devnet.listen()
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
try {
  await mkdir(folder, { recursive: true })
  const page = await browser.newPage({ viewport: SIZE })
  await page.goto(url)
  await page.getByRole('heading', { level: 1 }).waitFor()
  const send = (from: string, to: string, data: `0x${string}`) =>
    devnet.request({ method: 'eth_sendTransaction', params: [{ from, to, data, gas: '0x493e0' }] })
  const endMs = performance.now() + TRADED_MS
  for (let i = 0; performance.now() < endMs; i++) {
    const amount = BigInt(1 + (i % 7))
    const transfer = encodeFunctionData({ abi: Token.abi, functionName: 'transfer', args: [rival, amount] })
    const swap = encodeFunctionData({ abi: Pool.abi, functionName: 'swap', args: [gold, amount, 0n] })
    const fail = encodeFunctionData({ abi: Reverter.abi, functionName: 'writeThenRevertString' })
    if (i % 9 === 5) await send(owner, reverter, fail)
    else if (i % 3 === 0) await send(trader, pool, swap)
    else await send(owner, gold, transfer)
    await new Promise((resolve) => setTimeout(resolve, GAP_MS * (i % 4)))
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: join(folder, `page-${colorScheme}.png`) })
  }
} finally {
  await browser.close()
}
console.log(`pictures: ${folder}`)
