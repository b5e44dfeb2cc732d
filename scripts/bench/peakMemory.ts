/** The most memory that a process holds while it does something, as the kernel counts it: Linux alone tells. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/** Why there is nothing to tell, if so. */
export const NO_PEAK = existsSync('/proc/self/clear_refs')
  ? undefined
  : 'only Linux tells the peak of a process, in /proc'

/** Bytes that process `pid` held at most during `work`, beyond what it held before. */
export async function peakMemory(pid: number, work: () => Promise<unknown>): Promise<number> {
  // Forgets the peak so far (proc_pid_clear_refs(5)).
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  const before = bytesOf(pid, 'VmRSS')
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
