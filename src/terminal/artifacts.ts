import { relative } from 'node:path'
import type { Devnet } from '../devnet/devnet.ts'
import type { Output } from './progress.ts'

/** Prints a line for each project in the working folder whose compiler output (artifacts) the devnet can read later. */
export async function printArtifacts(
  { artifacts }: Pick<Devnet, 'artifacts'>,
  { format, print }: Output,
): Promise<void> {
  if (format === 'silent') return
  for (const { file, folder, isThere } of await artifacts.found()) {
    const path = relative(process.cwd(), folder) || '.'
    if (format === 'json') print(JSON.stringify({ event: 'artifacts', folder: path, file, isThere }))
    else if (isThere) print(`reads artifacts in ${path} (${file})`)
    else print(`reads artifacts in ${path} (${file}) once they are compiled`)
  }
}
