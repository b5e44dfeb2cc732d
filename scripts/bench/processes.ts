/** Scripts of the benchmark in processes of their own, and what they say. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Starts a script, given relative to this folder or by its address; collections can be forced in it. */
export function start(script: string | URL, argv: readonly string[] = []): ChildProcess {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), argv, {
    execArgv: [...process.execArgv.filter((flag) => flag !== '--expose-gc'), '--expose-gc'],
  })
  const stop = () => child.kill()
  process.once('exit', stop)
  child.once('exit', () => process.off('exit', stop))
  return child
}

/** What the process says next; rejects if it ends instead. */
export async function told<T>(child: ChildProcess): Promise<T> {
  const ended = new AbortController()
  const onExit = (code: number | null) =>
    ended.abort(new Error(`${child.spawnargs.slice(-2).join(' ')} ended with ${code}`))
  child.once('exit', onExit)
  try {
    const [message] = await once(child, 'message', { signal: ended.signal })
    return message as T
  } finally {
    child.off('exit', onExit)
  }
}
