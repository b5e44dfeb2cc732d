/**
 * Takes the pictures of the page in README.md, in light and dark: trades on a market, blocks that fill slice by slice, a reorganised
 * block, a waiting and a dropped transaction. Writes them to docs/images, or to a given folder: `npm run pictures -- FOLDER`. Needs
 * `dist` (npm run build).
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
import { CHROMIUM_FLAGS, findChromium, NO_CHROMIUM } from './package/chromium.ts'

const SIZE = { width: 1280, height: 860 }
/** Trading time before the pictures, so that the timeline has some blocks. */
const TRADED_MS = 9_000
const GAP_MS = 60
/** Time limit of the browser, for slow and busy servers. */
const PATIENCE_MS = 300_000
/** Slices of the open block in the pictures. */
const SLICES = 6

const folder = process.argv[2] ?? fileURLToPath(new URL('../docs/images', import.meta.url))
const executablePath = findChromium()
if (executablePath === undefined) {
  console.log(`pictures: skipped, ${NO_CHROMIUM}`)
  process.exit(0)
}

await using devnet = await createDevnet({ ticksPerBlock: 10, consoleLogs: false })
const { pool, gold, reverter, trader, rival, owner } = await market(devnet)
const { url } = await devnet.listen()
const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS })
try {
  await mkdir(folder, { recursive: true })
  const pages = await Promise.all(
    (['light', 'dark'] as const).map(async (colorScheme) => {
      const page = await browser.newPage({ viewport: SIZE, colorScheme })
      page.setDefaultTimeout(PATIENCE_MS)
      await page.goto(url)
      await page.getByRole('heading', { level: 1 }).waitFor()
      return { page, path: join(folder, `page-${colorScheme}.png`) }
    }),
  )
  const send = (from: string, to: string, data: `0x${string}`) =>
    devnet.request({ method: 'eth_sendTransaction', params: [{ from, to, data, gas: '0x493e0' }] })
  const [, , , , early, late] = devnet.accounts.map(({ address }) => address)
  /** Waits for a transaction before it, which never comes. */
  const sendEarly = (from: string, nonce: string) =>
    devnet.request({
      method: 'eth_sendTransaction',
      params: [{ from, to: owner, value: '0x1', gas: '0x5208', nonce }],
    })
  await sendEarly(early!, '0x3')
  const endMs = performance.now() + TRADED_MS
  /** Single events, each after its share of the time. */
  const once: readonly (readonly [share: number, happen: () => Promise<unknown>])[] = [
    [0.45, () => devnet.request({ method: 'preseal_reorg', params: [{ depth: 1, transactions: 'keep' }] })],
    [
      0.75,
      async () => {
        const dropped = await sendEarly(late!, '0x9')
        await devnet.request({ method: 'anvil_dropTransaction', params: [dropped] })
      },
    ],
  ]
  let happened = 0
  const slices = async () => {
    const { openBlock } = (await devnet.request({ method: 'preseal_getRhythm' })) as {
      openBlock: { slice: string } | null
    }
    return openBlock === null ? 0 : Number(openBlock.slice)
  }
  for (let i = 0; performance.now() < endMs || (await slices()) !== SLICES; i++) {
    const [share, happen] = once[happened] ?? [Number.POSITIVE_INFINITY]
    if (performance.now() >= endMs - (1 - share) * TRADED_MS) {
      happened++
      await happen!()
    }
    const amount = BigInt(1 + (i % 7))
    const transfer = encodeFunctionData({ abi: Token.abi, functionName: 'transfer', args: [rival, amount] })
    const swap = encodeFunctionData({ abi: Pool.abi, functionName: 'swap', args: [gold, amount, 0n] })
    const fail = encodeFunctionData({ abi: Reverter.abi, functionName: 'writeThenRevertString' })
    if (i % 9 === 5) await send(owner, reverter, fail)
    else if (i % 3 === 0) await send(trader, pool, swap)
    else await send(owner, gold, transfer)
    await new Promise((resolve) => setTimeout(resolve, GAP_MS * (i % 4)))
  }
  await Promise.all(pages.map(({ page, path }) => page.screenshot({ path })))
} finally {
  await browser.close()
}
console.log(`pictures: ${folder}`)
