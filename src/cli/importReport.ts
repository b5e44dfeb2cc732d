/** Shows the progress and the result of an import. */
import type { FileProgress } from './chainFiles.ts'
import { counted, Progress, type ProgressManner } from './progress.ts'

export interface ImportReport {
  onProgress(progress: FileProgress): void
  /** Ends the progress; `result` is `undefined` after a failure. */
  end(result: { imported: number; known: number } | undefined): void
}

/** Returns a report for the import of `file`, in the given manner. */
export function reportImport(file: string, manner: ProgressManner): ImportReport {
  const start = performance.now()
  let last: FileProgress | undefined
  const progress = new Progress(`importing ${file}`, manner, () => {
    const { blocks = 0, bytes = 0, totalBytes = 1 } = last ?? {}
    const percent = totalBytes === 0 ? 100 : Math.floor((bytes * 100) / totalBytes)
    return { text: `${counted(blocks, 'block')}, ${percent} %`, fields: { blocks, percent } }
  })
  return {
    onProgress(now) {
      last = now
      // An import leaves little time for the timers of the event loop.
      progress.look()
    },
    end(result) {
      progress.end()
      if (result === undefined || manner.report === 'silent') return
      const seconds = (performance.now() - start) / 1000
      manner.print(
        manner.report === 'json'
          ? JSON.stringify({ event: 'imported', file, ...result })
          : endText(file, result, seconds),
      )
    },
  }
}

function endText(
  file: string,
  { imported, known }: { imported: number; known: number },
  seconds: number,
): string {
  const passed = known === 0 ? '' : `, ${known.toLocaleString('en')} were known`
  return `imported ${imported.toLocaleString('en')} blocks from ${file} in ${seconds.toFixed(1)} s${passed}`
}
