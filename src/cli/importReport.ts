/** Shows how an import goes: a line that moves on a terminal, one line at the end anywhere else. */
import type { FileProgress } from './chainFiles.ts'
import type { Invocation } from './flags.ts'

export interface ImportReport {
  onProgress(progress: FileProgress): void
  /** The import is over, well or badly. */
  end(result: { imported: number; known: number } | undefined): void
}

/** How often the line moves. */
const REFRESH_MS = 100

/** A report for the import of `file`, in the way that the command line asked for; it prints lines with `print`. */
export async function reportImport(
  file: string,
  report: Invocation['report'],
  print: (line: string) => void,
): Promise<ImportReport> {
  if (report === 'silent') return { onProgress: () => {}, end: () => {} }
  const start = performance.now()
  const printEnd = (result: { imported: number; known: number } | undefined) => {
    if (result === undefined) return
    const seconds = (performance.now() - start) / 1000
    print(
      report === 'json'
        ? JSON.stringify({ event: 'imported', file, ...result })
        : endText(file, result, seconds),
    )
  }
  if (report === 'json' || !process.stderr.isTTY) return { onProgress: () => {}, end: printEnd }
  const { default: ora } = await import('ora')
  const line = ora({ text: `importing ${file}`, discardStdin: false })
  let shownAt = 0
  return {
    onProgress(progress) {
      const now = performance.now()
      if (now - shownAt < REFRESH_MS) return
      shownAt = now
      if (!line.isSpinning) line.start()
      line.text = progressText(file, progress)
      // Importing leaves the event loop little time of its own, which the line would move in.
      line.render()
    },
    end(result) {
      line.stop()
      printEnd(result)
    },
  }
}

function progressText(file: string, { blocks, bytes, totalBytes }: FileProgress): string {
  const percent = totalBytes === 0 ? 100 : Math.floor((bytes * 100) / totalBytes)
  return `importing ${file}: ${blocks.toLocaleString('en')} blocks, ${percent} %`
}

function endText(
  file: string,
  { imported, known }: { imported: number; known: number },
  seconds: number,
): string {
  const passed = known === 0 ? '' : `, ${known.toLocaleString('en')} were known`
  return `imported ${imported.toLocaleString('en')} blocks from ${file} in ${seconds.toFixed(1)} s${passed}`
}
