/** Plays tests in processes of their own: a test that takes too long, or breaks its process, stops no other. */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Unplayable } from '../commandLine.ts'
import type { Verdict } from '../verdict.ts'
import { limitOf } from './deviations.ts'
import type { Engine } from './play.ts'
import type { Line } from './suite.ts'
import type { Played } from './verdict.ts'

export type ToWorker = Pick<Line, 'text' | 'place'>

export type FromWorker =
  | { readonly kind: 'ended'; readonly verdict: Verdict; readonly milliseconds: number }
  /** The line is not a test. */
  | { readonly kind: 'unplayable'; readonly message: string }

export interface WorkerOptions {
  readonly engine: Engine
  readonly workers: number
  /** Seconds per test, unless `SLOW` allows more. */
  readonly limitSeconds: number
}

/** Plays `lines` and passes each result to `onPlayed`. Throws `Unplayable`. */
export async function playAll(
  lines: AsyncIterator<Line>,
  options: WorkerOptions,
  onPlayed: (played: Played) => void,
): Promise<void> {
  const stopped = new AbortController()
  const work = async () => {
    try {
      await playInOneProcess(lines, options, onPlayed, stopped.signal)
    } finally {
      // If one of them fails, the others stop.
      stopped.abort()
    }
  }
  const works = Array.from({ length: options.workers }, work)
  for (const ended of await Promise.allSettled(works)) if (ended.status === 'rejected') throw ended.reason
}

/** Plays what it takes of `lines` in one process after the other: a new one where the last did not survive a test. */
async function playInOneProcess(
  lines: AsyncIterator<Line>,
  { engine, limitSeconds }: WorkerOptions,
  onPlayed: (played: Played) => void,
  stopped: AbortSignal,
): Promise<void> {
  let child: ChildProcess | undefined
  try {
    for (;;) {
      const { done, value: line } = await lines.next()
      if (done === true) return
      if (stopped.aborted) return
      child ??= fork(fileURLToPath(new URL('./worker.ts', import.meta.url)), [engine])
      const { name, network } = line
      const played = await playedBy(child, line, limitOf(name, limitSeconds))
      if (played.isBroken) child = undefined
      onPlayed({ name, network, verdict: played.verdict, milliseconds: played.milliseconds })
    }
  } finally {
    child?.kill('SIGKILL')
  }
}

interface Ended {
  readonly verdict: Verdict
  readonly milliseconds: number
  /** The process has ended. */
  readonly isBroken: boolean
}

/** Plays a test in `child`, which has `limitSeconds` for it. Rejects with `Unplayable` for a line that is not a test. */
function playedBy(child: ChildProcess, { text, place }: Line, limitSeconds: number): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    let isTooLong = false
    const timer = setTimeout(() => {
      isTooLong = true
      child.kill('SIGKILL')
    }, limitSeconds * 1_000)
    const onMessage = (message: FromWorker) => {
      settle()
      if (message.kind === 'unplayable') reject(new Unplayable(message.message))
      else resolve({ verdict: message.verdict, milliseconds: message.milliseconds, isBroken: false })
    }
    const onExit = (code: number | null, signal: NodeJS.Signals | null) => {
      settle()
      const reason = isTooLong
        ? `it ran for more than ${limitSeconds} s: a test that may take longer is named in deviations.ts (SLOW)`
        : `its process ended with ${code ?? signal}`
      const verdict: Verdict = { kind: 'fail', reasons: [reason] }
      resolve({ verdict, milliseconds: performance.now() - start, isBroken: true })
    }
    const settle = () => {
      clearTimeout(timer)
      child.off('message', onMessage)
      child.off('exit', onExit)
    }
    child.on('message', onMessage)
    child.on('exit', onExit)
    const message: ToWorker = { text, place }
    // If the process has ended, `exit` reports it.
    child.send(message, () => {})
  })
}
