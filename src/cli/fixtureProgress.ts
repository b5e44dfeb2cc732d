/** Shows the progress of a long fixture: blocks and transactions so far. */
import type { Devnet } from '../devnet/devnet.ts'
import { counted, Progress, type ProgressManner } from './progress.ts'

/** Shows the progress on `devnet`, on which the fixture in `file` is built, until `end` is called. */
export function showProgress(devnet: Devnet, file: string, manner: ProgressManner): { end(): void } {
  let blocks = 0
  let transactions = 0
  const progress = new Progress(`fixture ${file}`, manner, () => ({
    text: `${counted(blocks, 'block')}, ${counted(transactions, 'transaction')}`,
    fields: { blocks, transactions },
  }))
  const off = devnet.on('sealed', ({ block }) => {
    blocks++
    transactions += block.transactions.length
    // A fixture in the same process may block the timers of the event loop.
    progress.look()
  })
  return {
    end() {
      off()
      progress.end()
    },
  }
}
