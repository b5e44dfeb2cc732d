/** Which processors processes may run on, where the system has `taskset` (Linux). */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** Why something is passed over. */
export const NOT_APART = 'it takes two processors and taskset (Linux: util-linux)'

/** Returns whether `keepApart` can do its work here. */
export function canKeepApart(): boolean {
  if (availableParallelism() < 2) return false
  try {
    execFileSync('taskset', ['-p', String(process.pid)], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Gives the process `pid` the first processor, and this process with all others that it started the rest. */
export function keepApart(pid: number): void {
  for (const each of family()) allow(each, each === pid ? '0' : `1-${availableParallelism() - 1}`)
}

/** Lets this process and all that it started run on all processors again. */
export function letShare(): void {
  for (const each of family()) allow(each, `0-${availableParallelism() - 1}`)
}

function allow(pid: number, processors: string): void {
  try {
    // With all its threads.
    execFileSync('taskset', ['-a', '-c', '-p', processors, String(pid)], { stdio: 'ignore' })
  } catch {
    // It has ended meanwhile.
  }
}

/** Returns this process and all that it started, and that these did. */
function family(): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    const parent = /^\d+$/.test(name) ? parentOf(name) : undefined
    if (parent !== undefined) parents.set(Number(name), parent)
  }
  const found = [process.pid]
  for (const own of found) for (const [pid, parent] of parents) if (parent === own) found.push(pid)
  return found
}

/** The fourth field of /proc/PID/stat; the second, the name in brackets, may have spaces. */
function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined
  }
}
