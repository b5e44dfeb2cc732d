/** Faults in a file: what is to go wrong from the moment the devnet listens. */
import { readFile } from 'node:fs/promises'
import type { FaultForm } from '../faults/faultPlanner.ts'
import { InvalidFault, requireFault } from '../faults/faults.ts'

/** A file of faults that cannot be used; the message says which of them, and why. */
export class FaultFileFailed extends Error {}

/** The faults in `file`, a JSON array of what `preseal_addFault` takes. Throws `FaultFileFailed`. */
export async function readFaults(file: string): Promise<readonly FaultForm[]> {
  const faults = parsed(file, await textOf(file))
  if (!Array.isArray(faults)) fail(file, 'expected an array of faults: [{"kind": …, "when": …}, …]')
  for (const [index, fault] of faults.entries()) {
    try {
      requireFault(fault, `[${index}]`)
    } catch (error) {
      if (!(error instanceof InvalidFault)) throw error
      fail(file, error.message, error)
    }
  }
  return faults
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return fail(file, code === 'ENOENT' ? 'there is no such file' : message, error)
  }
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    return fail(file, `not JSON: ${(error as Error).message}`, error)
  }
}

function fail(file: string, why: string, cause?: unknown): never {
  throw new FaultFileFailed(`--faults ${file}: ${why}`, { cause })
}
