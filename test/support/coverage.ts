/** Which files of src run: V8's precise coverage of this process. */
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { ROOT } from './pages.ts'

const SOURCE = join(ROOT, 'src/')

/** Starts to count. Returns a function that returns the files of src entered since the call before, sorted. */
export async function countEntered(): Promise<() => Promise<string[]>> {
  const session = new Session()
  session.connect()
  onTestFinished(() => session.disconnect())
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return result
      .filter(({ functions }) => functions.some(({ ranges }) => ranges[0]!.count > 0))
      .map(({ url }) => url.replace('file://', ''))
      .filter((file) => file.startsWith(SOURCE))
      .map((file) => file.slice(SOURCE.length))
      .sort()
  }
}
