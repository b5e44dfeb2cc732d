/** Says which artifacts are used that nobody named: those of a project in the working folder. */
import { relative } from 'node:path'
import type { Devnet } from '../devnet/devnet.ts'

/** How it is said. */
interface Voice {
  readonly report: 'text' | 'json' | 'silent'
  readonly print: (line: string) => void
}

/** Prints a line for each project in the working folder whose artifacts the devnet reads. Reads none of them. */
export async function reportArtifacts(
  { artifacts }: Pick<Devnet, 'artifacts'>,
  { report, print }: Voice,
): Promise<void> {
  if (report === 'silent') return
  for (const { file, folder, isThere } of await artifacts.found()) {
    const path = relative(process.cwd(), folder) || '.'
    if (report === 'json') print(JSON.stringify({ event: 'artifacts', folder: path, file, isThere }))
    else if (isThere) print(`artifacts ${path} (${file})`)
    else print(`artifacts ${path} (${file}): not there yet, read once it is compiled`)
  }
}
