/**
 * The most hostile requests there are: how long each holds the event loop of a devnet that ticks, what it answers, and what memory
 * it leaves behind.
 *
 *   npm run soak -- hostile                      the table
 *   HOSTILE=batch,JSON npm run soak -- hostile   those whose names have one of these in them
 *   npm run soak -- hostile --seconds 2          each request has two seconds, as `requestTimeoutMs`
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Broken } from './broken.ts'
import { HOSTILE, type HostileRequest } from './hostileRequests.ts'
import type { Machine } from './ticks.ts'

/** What the process of the devnet tells of a request. */
export interface Held {
  /** The longest that no timer could fire. */
  readonly heldMs: number
  /** Of that, for how long this process was busy: the rest it waited for a processor. */
  readonly busyMs: number
  readonly heapMb: number
}

/** No tick may be later, where nothing but one precompile, or one instruction, holds the event loop. */
const MOST_MS = 250

export async function hostile(seconds: number, machine: Machine): Promise<readonly string[]> {
  const lines: string[] = [row('request', 'held', 'took', 'heap after', 'answer')]
  const broken: string[] = []
  const only = process.env.HOSTILE?.split(',')
  for (const request of HOSTILE) {
    if (only !== undefined && !only.some((part) => request.name.includes(part))) continue
    const { held, tookMs, answer } = await measured(request, seconds)
    const line = row(
      request.name,
      `${held.heldMs.toFixed(0)} ms`,
      `${tookMs.toFixed(0)} ms`,
      `${held.heapMb.toFixed(0)} MB`,
      answer,
    )
    lines.push(line)
    console.log(`hostile: ${line}`)
    const holdMs = machine === 'shared' ? Math.min(held.heldMs, held.busyMs) : held.heldMs
    if (holdMs > (request.mostMs ?? MOST_MS)) broken.push(`${request.name}: ${holdMs.toFixed(0)} ms`)
  }
  if (broken.length > 0) throw new Broken(`these hold the event loop for too long: ${broken.join('; ')}`)
  return lines
}

async function measured(
  request: HostileRequest,
  seconds: number,
): Promise<{ held: Held; tookMs: number; answer: string }> {
  const child = fork(new URL('./hostileDevnet.ts', import.meta.url), [String(seconds * 1_000)], {
    execArgv: [...process.execArgv, '--expose-gc'],
  })
  try {
    const [{ url }] = (await once(child, 'message')) as [{ url: string }]
    const body = await request.body((method, params) => ask(url, method, params))
    child.send('begin')
    await once(child, 'message')
    const start = performance.now()
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(300_000),
    })
    const text = await response.text()
    const tookMs = performance.now() - start
    child.send('end')
    const [held] = (await once(child, 'message')) as [Held]
    return { held, tookMs, answer: shown(text) }
  } finally {
    child.kill('SIGKILL')
  }
}

async function ask(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } }
  if (error !== undefined) throw new Error(`${method}: ${error.message}`)
  return result
}

function shown(text: string): string {
  const error = /"error":\{"code":(-?\d+),"message":"([^"]{0,60})/.exec(text)
  if (error !== null) return `${error[1]} ${error[2]}`
  return text.length > 60 ? `${(text.length / 1_000).toFixed(0)} kB` : text
}

function row(...cells: readonly string[]): string {
  const widths = [46, 9, 10, 11, 0]
  return cells.map((cell, i) => cell.padEnd(widths[i]!)).join('')
}
