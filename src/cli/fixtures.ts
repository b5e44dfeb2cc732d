/** Fixture scripts: modules whose default export prepares a devnet. */
import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Devnet } from '../devnet.ts'

/** What a fixture script exports: deploys what it wants and answers what those who use it need to know. */
export type Fixture = (devnet: Devnet) => unknown

/** A fixture that could not be run; the message says which and why. */
export class FixtureFailed extends Error {}

/** Runs the fixture script in `file` (TypeScript or JavaScript) on `devnet`. Throws `FixtureFailed`. */
export async function runFixture(devnet: Devnet, file: string): Promise<unknown> {
  const fixture = await loadFixture(file)
  try {
    return await fixture(devnet)
  } catch (error) {
    throw new FixtureFailed(`fixture ${file} failed: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    })
  }
}

async function loadFixture(file: string): Promise<Fixture> {
  const path = resolve(file)
  await access(path).catch(() => {
    throw new FixtureFailed(`fixture ${file}: there is no such file`)
  })
  // Node 20 cannot read TypeScript by itself.
  const { createJiti } = await import('jiti')
  const load = createJiti(pathToFileURL(`${process.cwd()}/`).href)
  let exported: unknown
  try {
    exported = await load.import(path, { default: true })
  } catch (error) {
    throw new FixtureFailed(
      `fixture ${file} cannot be loaded: ${error instanceof Error ? error.message : error}`,
      {
        cause: error,
      },
    )
  }
  if (typeof exported !== 'function') {
    throw new FixtureFailed(
      `fixture ${file}: expected \`export default async (devnet) => values\`, got ${typeof exported}`,
    )
  }
  return exported as Fixture
}
