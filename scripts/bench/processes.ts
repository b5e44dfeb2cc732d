/** Processes of the benchmark: how they start and report, and the memory and processor time that the kernel counts for them. */
import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Starts a script, given relative to this folder or by its address; garbage collections can be forced in it. */
export function start(script: string | URL, argv: readonly string[] = []): ChildProcess {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), argv, {
    execArgv: [...process.execArgv.filter((flag) => flag !== '--expose-gc'), '--expose-gc'],
  })
  const stop = () => child.kill()
  process.once('exit', stop)
  child.once('exit', () => process.off('exit', stop))
  return child
}

/** Sends `message`, if any, and resolves with the next message of the process; rejects if it ends first. */
export async function told<T>(child: ChildProcess, message?: object): Promise<T> {
  if (message !== undefined) child.send(message)
  const ended = new AbortController()
  const onExit = (code: number | null) =>
    ended.abort(new Error(`${child.spawnargs.slice(-2).join(' ')} ended with ${code}`))
  child.once('exit', onExit)
  try {
    const [answer] = await once(child, 'message', { signal: ended.signal })
    return answer as T
  } finally {
    child.off('exit', onExit)
  }
}

/** Bytes in use after full collections, array buffers outside of the heap included; needs `node --expose-gc`. */
export function heapUsed(): number {
  if (globalThis.gc === undefined) throw new Error('memory is weighed with node --expose-gc')
  globalThis.gc()
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Why the memory of another process cannot be read, if so. */
export const NO_PEAK = existsSync('/proc/self/clear_refs')
  ? undefined
  : 'only Linux tells the peak of a process, in /proc'

/** The most bytes that process `pid` holds during `work`, beyond those it held before. */
export async function peakMemory(pid: number, work: () => Promise<unknown>): Promise<number> {
  // Forgets the peak so far (proc_pid_clear_refs(5)).
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  const before = residentMemory(pid)
  await work()
  return bytesOf(pid, 'VmHWM') - before
}

/** Bytes that process `pid` holds now. */
export function residentMemory(pid: number): number {
  return bytesOf(pid, 'VmRSS')
}

function bytesOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)![1]) * 1024
}

/** Microseconds of processor time that process `pid` has used (proc(5): utime and stime). */
export function processorTime(pid: number): number {
  ticksPerSecond ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1_000_000) / ticksPerSecond
}

let ticksPerSecond: number | undefined
