/**
 * anvil as a peer: the binary of the npm package `@foundry-rs/anvil`, with the accounts, chain id and hardfork of a
 * devnet, mining when told to, and logging nothing.
 *
 * The binary itself is started and not the package's script, which would put a Node process before it.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { developmentAccounts, TEST_MNEMONIC } from '../../../src/model/developmentAccounts.ts'
import type { Absent } from '../row.ts'
import type { Chain } from '../scenario.ts'
import { ask } from './ask.ts'

/** A running anvil; `request` asks it over HTTP, for what is not measured. */
export interface Anvil extends Chain {
  readonly url: string
  readonly pid: number
  /** Milliseconds from its spawn until it took a connection. */
  readonly startMs: number
  stop(): Promise<void>
}

/** What a row says where anvil is not. */
export const ANVIL_IS_ABSENT: Absent = { name: 'anvil', absent: 'not installed, or not for this platform' }

/** What a devnet has by default. The mnemonic is the same for both. */
const SAME_CHAIN = ['--chain-id', '31337', '--hardfork', 'osaka', '--accounts', '10', '--balance', '10000']

const START_TIMEOUT_MS = 20_000

/**
 * Starts anvil with `options` besides; `undefined` where there is none, or where it does not run (musl, for example,
 * where the binary's loader is missing).
 */
export async function startAnvil(options: readonly string[] = ['--no-mining']): Promise<Anvil | undefined> {
  const binary = anvilBinary()
  if (binary === undefined) return undefined
  // Twice, for the port that was free may be taken when it comes to it.
  return (await started(binary, options)) ?? (await started(binary, options))
}

async function started(binary: string, options: readonly string[]): Promise<Anvil | undefined> {
  // Where it writes states of old blocks; by default that is a folder of the user's home.
  const cache = mkdtempSync(join(tmpdir(), 'bench-anvil-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const spawnedMs = performance.now()
  const argv = ['--silent', '--port', String(port), '--cache-path', cache, ...SAME_CHAIN, ...options]
  const child = spawn(binary, argv, { stdio: 'ignore' })
  const stopAtExit = () => child.kill('SIGKILL')
  process.once('exit', stopAtExit)
  const stop = async () => {
    process.off('exit', stopAtExit)
    // SIGKILL: asked politely it first writes its state down, which takes seconds after a long chain.
    if (isRunning(child) && child.kill('SIGKILL')) await once(child, 'exit')
    rmSync(cache, { recursive: true, force: true })
  }
  child.once('error', () => {})
  if (!(await takesConnections(child, port))) {
    await stop()
    return undefined
  }
  const startMs = performance.now() - spawnedMs
  const accounts = await developmentAccounts(TEST_MNEMONIC, 10)
  const request: Anvil['request'] = (question) => ask(url, question)
  const mine = async () => void (await request({ method: 'evm_mine' }))
  return { url, pid: child.pid!, startMs, accounts, request, mine, stop }
}

/** Anvil's version, if there is one that runs. */
export function anvilVersion(): string | undefined {
  const binary = anvilBinary()
  if (binary === undefined) return undefined
  try {
    const output = execFileSync(binary, ['--version'], { encoding: 'utf8' })
    return /version:\s*(\S+)/i.exec(output)?.[1]
  } catch {
    return undefined
  }
}

function anvilBinary(): string | undefined {
  const require = createRequire(import.meta.url)
  const processor = process.arch === 'x64' ? 'amd64' : process.arch
  const file = process.platform === 'win32' ? 'anvil.exe' : 'anvil'
  const candidates = [
    () => require.resolve(`@foundry-rs/anvil-${process.platform}-${processor}/bin/${file}`),
    // Where its install script puts what it had to fetch by itself.
    () => join(dirname(require.resolve('@foundry-rs/anvil/package.json')), file),
  ]
  for (const candidate of candidates) {
    try {
      const path = candidate()
      if (existsSync(path)) return path
    } catch {
      // Not installed: the next may be.
    }
  }
  return undefined
}

/** A port that was free a moment ago: silenced, anvil does not say which one it took. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

async function takesConnections(child: ChildProcess, port: number): Promise<boolean> {
  const until = performance.now() + START_TIMEOUT_MS
  while (performance.now() < until) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return true
    if (!isRunning(child)) return false
    await sleep(1)
  }
  return false
}

function isRunning({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid !== undefined && exitCode === null && signalCode === null
}
