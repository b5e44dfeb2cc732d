import { relative } from 'node:path'
import type { Devnet } from '../devnet/devnet.ts'
import { InvalidOption } from '../options/values.ts'
import type { Output } from './progress.ts'

const RECOGNIZED =
  "build info or artifacts of Foundry or Hardhat (abi and bytecode), or solc's standard JSON, with a contract"

/**
 * Reads the given artifacts; without any, prints a line for each project in the working folder whose artifacts the devnet
 * can read later. Throws `InvalidOption` if a given path leads to no contract.
 */
export async function prepareArtifacts(
  { artifacts }: Pick<Devnet, 'artifacts'>,
  { format, print }: Output,
): Promise<void> {
  if (artifacts.given.length > 0) {
    const [wrong] = await artifacts.unrecognized()
    if (wrong !== undefined) throw new InvalidOption('artifacts', RECOGNIZED, wrong)
    return
  }
  if (format === 'silent') return
  for (const { file, folder, isThere } of await artifacts.found()) {
    const path = relative(process.cwd(), folder) || '.'
    if (format === 'json') print(JSON.stringify({ event: 'artifacts', folder: path, file, isThere }))
    else if (isThere) print(`reads artifacts in ${path} (${file})`)
    else print(`reads artifacts in ${path} (${file}) once they are compiled`)
  }
}
