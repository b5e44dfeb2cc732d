/** The file that npm links as `preseal`: it runs the command line, and lets Node keep the compiled code. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import module from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest'
import { version } from '../../src/model/api/text.ts'
import { startNode } from '../support/processes/process.ts'

const run = promisify(execFile)
const CLI = join(inject('bundle'), 'cli.js')
const INDEX = pathToFileURL(join(inject('bundle'), 'index.js')).href
/** Node can keep compiled code from version 22.1 on. */
const canKeep = 'enableCompileCache' in module

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'preseal-launcher-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** The environment of a process whose compiled code is kept in `cache`. */
function keptIn(cache: string): NodeJS.ProcessEnv {
  const { NODE_DISABLE_COMPILE_CACHE: _, ...env } = process.env
  return { ...env, NODE_COMPILE_CACHE: cache }
}

/** Starts a devnet, and resolves with what one request answers. */
async function answerOf(env: NodeJS.ProcessEnv): Promise<unknown> {
  const running = startNode([CLI, '--port', '0'], env)
  onTestFinished(() => void running.kill('SIGKILL'))
  const [, url] = await running.printed(/(http:\/\/127\.0\.0\.1:\d+)[\s\S]*Listening/)
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
  const response = await fetch(url!, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  const { result } = (await response.json()) as { result: unknown }
  running.kill('SIGKILL')
  await running.ended
  return result
}

/** The names of the files in `cache`; none if there is no such folder. */
async function filesIn(cache: string): Promise<string[]> {
  const entries = await readdir(cache, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

describe('the command', () => {
  it('runs through a symbolic link, as npm makes one', async () => {
    const bin = join(folder, 'node_modules/.bin')
    await mkdir(bin, { recursive: true })
    await symlink(CLI, join(bin, 'preseal'))
    const { stdout } = await run(process.execPath, [join(bin, 'preseal'), '--version'], { cwd: folder })
    expect(stdout).toBe(`${version}\n`)
  })

  it('begins with the line that makes it a program', async () => {
    expect(await readFile(CLI, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
  })
})

describe('the compiled code', () => {
  it.runIf(canKeep)('is kept where Node keeps it, before a devnet that is killed has ended', async () => {
    const cache = join(folder, 'cache')
    expect(await answerOf(keptIn(cache))).toBe('0x7a69')
    expect((await filesIn(cache)).length).toBeGreaterThan(1)
  })

  it('is not kept where Node was told so', async () => {
    const cache = join(folder, 'cache')
    expect(await answerOf({ ...keptIn(cache), NODE_DISABLE_COMPILE_CACHE: '1' })).toBe('0x7a69')
    expect(await filesIn(cache)).toEqual([])
  })

  it('is not needed: a devnet answers where the folder cannot be made', async () => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    expect(await answerOf(keptIn(join(file, 'cache')))).toBe('0x7a69')
  })

  it('of a process that creates a devnet itself is not kept', async () => {
    const script = join(folder, 'script.mjs')
    await writeFile(
      script,
      `import module from 'node:module'
      import { createDevnet } from ${JSON.stringify(INDEX)}
      const devnet = await createDevnet({ rhythm: 'manual' })
      await devnet.listen()
      await devnet.close()
      console.log(module.getCompileCacheDir?.() ?? 'none')`,
    )
    const { NODE_COMPILE_CACHE: _, ...env } = keptIn('')
    expect((await run(process.execPath, [script], { env })).stdout).toBe('none\n')
  })
})
