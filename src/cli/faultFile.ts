/** Fault files: faults that are planned once the devnet listens. */
import { readFile } from 'node:fs/promises'
import type { FaultForm } from '../faults/faultJson.ts'
import { InvalidFault, requireFault } from '../faults/faults.ts'
import { reasonOf } from './fileError.ts'

/** A fault file that cannot be used; the message names the fault and the reason. */
export class FaultFileFailed extends Error {}

/** Returns the faults in `file`, a JSON array of parameters of `preseal_addFault`. Throws `FaultFileFailed`. */
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
    return fail(file, reasonOf(error), error)
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
