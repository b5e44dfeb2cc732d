/** Shows how a fixture that takes long gets on: blocks and transactions so far. */
import type { Devnet } from '../devnet.ts'
import { counted, Progress, type ProgressManner } from './progress.ts'

/** Shows what happens on `devnet`, which `file` prepares, until `end` is called. */
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
    // A fixture in this process may leave the event loop no time of its own.
    progress.look()
  })
  return {
    end() {
      off()
      progress.end()
    },
  }
}
