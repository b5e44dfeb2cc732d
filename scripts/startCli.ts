import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** A running `preseal`, with the accounts that it prints. */
export interface RunningCli {
  readonly url: string
  readonly accounts: readonly { readonly address: `0x${string}`; readonly privateKey: `0x${string}` }[]
  stop(): void
}

/** Starts the command line `cli` with `options` on a free port. Rejects if it ends before it listens. */
export async function startCli(cli: string, options: readonly string[] = []): Promise<RunningCli> {
  const child = spawn(process.execPath, [cli, ...options, '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  const lines = createInterface(child.stdout)
  for await (const line of lines) {
    const { event, ...told } = JSON.parse(line)
    if (event !== 'listening') continue
    child.stdout.resume()
    return { ...told, stop: () => void child.kill('SIGKILL') }
  }
  throw new Error(`${cli} ended before it listened`)
}
