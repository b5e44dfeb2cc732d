/**
 * The most expensive requests: for each, how long it holds the event loop of a ticking devnet, its answer, and the heap after it.
 *
 *   npm run soak -- hostile                      the table
 *   HOSTILE=batch,JSON npm run soak -- hostile   those whose names have one of these in them
 *   npm run soak -- hostile --seconds 2          each request has two seconds, as `requestTimeoutMs`
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { answerOf, ask } from '../ask.ts'
import { HOSTILE, type HostileRequest } from './hostileRequests.ts'
import { Broken, type Machine } from './ticks.ts'

/** The report of the devnet's process about a request. */
export interface Held {
  /** The longest time in which no timer could fire. */
  readonly heldMs: number
  /** Processor time of the process in that time: the rest it waited for a processor. */
  readonly busyMs: number
  readonly heapMb: number
}

/** The longest hold, unless one precompile or one instruction takes longer. */
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
    if (holdMs > MOST_MS) broken.push(`${request.name}: ${holdMs.toFixed(0)} ms`)
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
    const text = await answerOf(url, body)
    const tookMs = performance.now() - start
    child.send('end')
    const [held] = (await once(child, 'message')) as [Held]
    return { held, tookMs, answer: shown(text) }
  } finally {
    child.kill('SIGKILL')
  }
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
