/** Fault files: faults that are planned once the devnet listens. */
import type { FaultForm } from '../faults/faultJson.ts'
import { InvalidFault, requireFault } from '../faults/faults.ts'
import { FileFailed, readJson } from '../terminal/files.ts'

/** Returns the faults in `file`, a JSON array of parameters of `preseal_addFault`. Throws `FileFailed`. */
export async function readFaults(file: string): Promise<readonly FaultForm[]> {
  const { value: faults } = await readJson('--faults', file)
  if (!Array.isArray(faults)) {
    throw new FileFailed(`--faults ${file}: expected an array of faults: [{"kind": …, "when": …}, …]`)
  }
  for (const [index, fault] of faults.entries()) {
    try {
      requireFault(fault, `[${index}]`)
    } catch (error) {
      if (!(error instanceof InvalidFault)) throw error
      throw new FileFailed(`--faults ${file}: ${error.message}`, { cause: error })
    }
  }
  return faults
}
