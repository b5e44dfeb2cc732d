/** The package as it is published, built for this and listening in a process of its own, as users have it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { developmentAccounts, TEST_MNEMONIC } from '../../../src/model/developmentAccounts.ts'
import { install } from '../../build/install.ts'
import type { Chain } from '../scenario.ts'
import { ask } from './ask.ts'

/** A listening package; `request` asks it over HTTP, for what is not measured. */
export interface Served extends Chain {
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

/** Builds and starts the package, with a chain that mines when told to. */
export async function startPackage(): Promise<Served> {
  const folder = await mkdtemp(join(tmpdir(), 'preseal-served-'))
  await install(folder)
  const script = join(folder, 'preseal.mjs')
  await copyFile(fileURLToPath(new URL('package.mjs', import.meta.url)), script)
  const env = { ...process.env, NODE_OPTIONS: '' }
  const child: ChildProcess = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'], env })
  const [url] = (await once(createInterface(child.stdout!), 'line')) as [string]
  const accounts = await developmentAccounts(TEST_MNEMONIC, 10)
  const request: Chain['request'] = (question) => ask(url, question)
  return {
    url,
    pid: child.pid!,
    accounts,
    request,
    mine: async () => void (await request({ method: 'evm_mine' })),
    async stop() {
      child.kill()
      await once(child, 'exit')
      await rm(folder, { recursive: true })
    },
  }
}
