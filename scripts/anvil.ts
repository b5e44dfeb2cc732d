import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { foundryBinary } from './foundry.ts'

export interface AnvilProcess extends AsyncDisposable {
  readonly url: string
  readonly pid: number
  /** Milliseconds from its spawn until it took a connection. */
  readonly startMs: number
  stop(): Promise<void>
}

const START_TIMEOUT_MS = 60_000

/**
 * Starts anvil with `flags`, without logs; `undefined` if it is not installed or does not run (on musl, for
 * example, the binary's loader is missing).
 */
export async function spawnAnvil(flags: readonly string[]): Promise<AnvilProcess | undefined> {
  const binary = foundryBinary('anvil')
  if (binary === undefined) return undefined
  // Twice: another process may take the free port meanwhile.
  return (await started(binary, flags)) ?? (await started(binary, flags))
}

async function started(binary: string, flags: readonly string[]): Promise<AnvilProcess | undefined> {
  // The folder for states of old blocks; by default in the user's home.
  const cache = mkdtempSync(join(tmpdir(), 'preseal-anvil-'))
  const port = await freePort()
  const spawnedMs = performance.now()
  const argv = ['--silent', '--port', String(port), '--cache-path', cache, ...flags]
  const child = spawn(binary, argv, { stdio: 'ignore' })
  const stopAtExit = () => child.kill('SIGKILL')
  process.once('exit', stopAtExit)
  const stop = async () => {
    process.off('exit', stopAtExit)
    // SIGKILL: on SIGTERM it first writes its state, which takes seconds after a long chain.
    if (isRunning(child) && child.kill('SIGKILL')) await once(child, 'exit')
    rmSync(cache, { recursive: true, force: true })
  }
  child.once('error', () => {})
  if (!(await takesConnections(child, port))) {
    await stop()
    return undefined
  }
  const startMs = performance.now() - spawnedMs
  return { url: `http://127.0.0.1:${port}`, pid: child.pid!, startMs, stop, [Symbol.asyncDispose]: stop }
}

/** A free port. anvil cannot choose one: with `--silent` it does not print its port. */
export async function freePort(): Promise<number> {
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
