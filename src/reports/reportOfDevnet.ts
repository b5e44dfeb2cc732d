/** The report of a devnet that is being recorded. */
import type { Devnet } from '../devnet/devnet.ts'
import type { Recording } from '../recording/recorder.ts'
import { contractsOf } from './reportContracts.ts'
import { reportDocument } from './reportDocument.ts'

/**
 * Resolves to the document that shows the session of `recording` up to now under the heading `name`, with the contracts that
 * `devnet` knows. Rejects with `ReportNotBuilt`.
 */
export async function reportOfDevnet(devnet: Devnet, recording: Recording, name: string): Promise<string> {
  const text = recording.textToNow
  const contracts = await contractsOf(devnet)
  return reportDocument(Buffer.from(text), name, { contracts })
}
