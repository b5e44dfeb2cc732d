/** Small projects as tools compiled them (`scripts/record-artifacts.ts`), in folders of their own. */
import { readFileSync } from 'node:fs'
import { temporaryFolder } from '../processes/files.ts'
import { written } from './artifacts.ts'

export type ToolProject =
  | 'foundry'
  | 'foundryTwice'
  | 'foundryWithBuildInfo'
  | 'foundryWithTrees'
  | 'hardhat2'
  | 'hardhat3'

/** Writes the project into a temporary folder. Resolves to what gives paths in it. */
export async function toolProject(
  name: ToolProject,
  change: (files: Record<string, string>) => void = () => {},
): Promise<(...names: string[]) => string> {
  const path = await temporaryFolder()
  const { files } = JSON.parse(
    readFileSync(new URL(`../../../fixtures/artifacts/${name}.json`, import.meta.url), 'utf8'),
  )
  change(files)
  for (const [file, text] of Object.entries<string>(files)) await written(path(file), text)
  return path
}
