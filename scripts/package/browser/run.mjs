/** Opens the page in Chromium, as Vite's server for development gives it and as `vite build` makes it. `CHROMIUM=… node run.mjs` */
import { chromium } from 'playwright-core'
import { build, createServer, preview } from 'vite'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const LONGEST_MS = 60_000

const anyPort = { port: 0, host: '127.0.0.1' }
// In kilobytes: Vite warns of longer files, and one of them is a whole EVM.
const settings = {
  logLevel: 'warn',
  server: anyPort,
  preview: anyPort,
  build: { chunkSizeWarningLimit: 3_000 },
}

async function developed() {
  const server = await createServer(settings)
  await server.listen()
  return server
}

async function built() {
  await build(settings)
  return preview(settings)
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: FLAGS })
try {
  for (const [name, serve] of Object.entries({ developed, built })) {
    const server = await serve()
    const page = await browser.newPage()
    const complaints = []
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    await page.goto(server.resolvedUrls.local[0])
    await page
      .waitForFunction('document.title !== "preseal"', undefined, { timeout: LONGEST_MS })
      .catch(() => {})
    const title = await page.title()
    console.log(`${name}: ${title}`)
    for (const complaint of complaints) console.log(`  ${complaint}`)
    if (title !== 'done' || complaints.length > 0) process.exitCode = 1
    await page.close()
    await server.close()
  }
} finally {
  await browser.close()
}
