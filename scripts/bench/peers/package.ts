/** The package as it is published, built for this and listening in a process of its own, as users have it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { install } from '../../build/install.ts'
import { emptyFolder } from '../../package/folders.ts'
import type { Chain } from '../scenario.ts'
import { chainAt } from './anvil.ts'

/** A listening package; `request` asks it over HTTP, for what is not measured. */
export interface Served extends Chain, AsyncDisposable {
  readonly url: string
  readonly pid: number
}

/** Builds and starts the package, with a chain that mines when told to. */
export async function startPackage(): Promise<Served> {
  const folder = await emptyFolder()
  await install(folder.path)
  const script = join(folder.path, 'preseal.mjs')
  await copyFile(fileURLToPath(new URL('package.mjs', import.meta.url)), script)
  const env = { ...process.env, NODE_OPTIONS: '' }
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'], env })
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string]
  return {
    url,
    pid: child.pid!,
    ...(await chainAt(url)),
    async [Symbol.asyncDispose]() {
      child.kill()
      await once(child, 'exit')
      await folder[Symbol.asyncDispose]()
    },
  }
}
