/**
 * Opens the page in Chromium, as served by Vite's development server and as built by `vite build`. A devnet in a process
 * of its own is a network for the forks in the page. `CHROMIUM=… CHROMIUM_FLAGS='--… --…' node run.mjs`
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { chromium } from 'playwright-core'
import { build, createServer, preview } from 'vite'

const LONGEST_MS = 300_000

const anyPort = { port: 0, host: '127.0.0.1' }
// In kilobytes: Vite warns of larger files, and one of them has the EVM.
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

/** Starts the command line. Returns the URL of its devnet, and a function that ends it. */
async function startNetwork() {
  const words = [
    'node_modules/preseal/dist/cli.js',
    '--port',
    '0',
    '--rhythm',
    'instant',
    '--chain-id',
    '4242',
  ]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  const lines = createInterface(child.stdout)
  const url = await new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      const found = /^Listening on (\S+)/.exec(line)
      if (found !== null) resolve(`http://${found[1]}`)
    })
    ended.then(() => reject(new Error('the command line ended before it listened')))
  })
  const end = async () => {
    child.kill()
    await ended
  }
  return { url, end }
}

const { CHROMIUM: executablePath, CHROMIUM_FLAGS: flags } = process.env
const browser = await chromium.launch({ executablePath, args: flags.split(' ') })
try {
  for (const [name, serve] of Object.entries({ developed, built })) {
    const server = await serve()
    const network = await startNetwork()
    const page = await browser.newPage()
    page.setDefaultTimeout(LONGEST_MS)
    const complaints = []
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    await page.goto(`${server.resolvedUrls.local[0]}?network=${network.url}`)
    await page.waitForFunction('document.title !== "preseal"').catch(() => {})
    const title = await page.title()
    console.log(`${name}: ${title}`)
    for (const complaint of complaints) console.log(`  ${complaint}`)
    if (title !== 'done' || complaints.length > 0) process.exitCode = 1
    await page.close()
    await server.close()
    await network.end()
  }
} finally {
  await browser.close()
}
