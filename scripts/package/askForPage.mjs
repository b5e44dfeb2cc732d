// node askForPage.mjs: requests the page of the installed command line like a browser.
import { ok, strictEqual } from 'node:assert'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

const flags = ['--port', '0', '--silent', '--json']
const devnet = spawn(process.execPath, ['node_modules/preseal/dist/cli.js', ...flags], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const [line] = await once(createInterface({ input: devnet.stdout }), 'line')
  const { url, page } = JSON.parse(line)
  strictEqual(page, `${url}/`)
  const answer = await fetch(page, { headers: { accept: 'text/html' } })
  strictEqual(answer.status, 200)
  ok(answer.headers.get('content-security-policy').startsWith("default-src 'none'"))
  const assets = [...(await answer.text()).matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)]
  ok(assets.length >= 2, 'the page has a script and styles')
  for (const [, path] of assets) {
    const { status, headers } = await fetch(`${url}${path}`)
    strictEqual(status, 200, path)
    ok(/^text\/(javascript|css);/.test(headers.get('content-type')), path)
  }
  console.log(`the page is at ${page}, with ${assets.length} assets`)
} finally {
  devnet.kill()
}
