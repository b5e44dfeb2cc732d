/** Shows how a fixture that takes long gets on: a line that moves on a terminal, nothing anywhere else. */
import type { Devnet } from '../devnet.ts'
import type { Invocation } from './flags.ts'

/** Before that nobody has begun to wonder. */
const PATIENCE_MS = 500
/** How often the line moves. */
const REFRESH_MS = 100

/** Shows on `terminal` what happens on `devnet`, which `file` prepares, until `end` is called. */
export async function showProgress(
  devnet: Devnet,
  file: string,
  report: Invocation['report'],
  terminal: NodeJS.WriteStream = process.stderr,
): Promise<{ end(): void }> {
  if (report !== 'text' || !terminal.isTTY) return { end: () => {} }
  const { default: ora } = await import('ora')
  const line = ora({ stream: terminal, discardStdin: false })
  const start = performance.now()
  let blocks = 0
  let transactions = 0
  let shownAt = 0
  const show = () => {
    const now = performance.now()
    if (now - start < PATIENCE_MS || now - shownAt < REFRESH_MS) return
    shownAt = now
    line.text = progressText(file, { blocks, transactions, ms: now - start })
    if (!line.isSpinning) line.start()
    // A fixture in this process may leave the event loop no time of its own, which the line would move in.
    line.render()
  }
  const timer = setInterval(show, REFRESH_MS)
  const off = devnet.on('sealed', ({ block }) => {
    blocks++
    transactions += block.transactions.length
    show()
  })
  return {
    end() {
      off()
      clearInterval(timer)
      line.stop()
    },
  }
}

function progressText(
  file: string,
  { blocks, transactions, ms }: { blocks: number; transactions: number; ms: number },
): string {
  const happened = `${counted(blocks, 'block')}, ${counted(transactions, 'transaction')}`
  return `fixture ${file}: ${happened}, ${Math.floor(ms / 1000)} s`
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`
}
