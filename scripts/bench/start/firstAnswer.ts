/** How long the command line takes from its spawn to its first answer over HTTP. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const HEADERS = { 'content-type': 'application/json' }
const BODY = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}'

/** Returns the microseconds from the spawn of `cli` to the first answer. Rejects if it ends before. */
export async function firstAnswer(cli: string): Promise<number> {
  const started = process.hrtime.bigint()
  const child = spawn(process.execPath, [cli, '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  try {
    for await (const line of createInterface(child.stdout)) {
      const { event, url } = JSON.parse(line) as { event: string; url: string }
      if (event !== 'listening') continue
      await (await fetch(url, { method: 'POST', headers: HEADERS, body: BODY })).text()
      return Number(process.hrtime.bigint() - started) / 1000
    }
    throw new Error(`${cli} ended before it listened`)
  } finally {
    child.kill('SIGKILL')
  }
}

/** Returns the microseconds that `node -e ''` takes. */
export function bareNode(): Promise<number> {
  const started = process.hrtime.bigint()
  return new Promise((resolve) => {
    spawn(process.execPath, ['-e', ''], { stdio: 'ignore' }).on('exit', () =>
      resolve(Number(process.hrtime.bigint() - started) / 1000),
    )
  })
}
