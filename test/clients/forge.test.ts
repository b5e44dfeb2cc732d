/** forge, Foundry's compiler and runner of scripts: a script that broadcasts to a devnet, and is resumed when all of it is done. */
import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { foundryBinary, foundryVersion } from '../../scripts/foundry.ts'
import { ask, started } from '../support/clients/clients.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** forge in a copy of the project of `npm run try-clients`, against the node at `url`. */
async function forgeAt(url: string, privateKey: string) {
  const cwd = await mkdtemp(join(tmpdir(), 'preseal-forge-'))
  onTestFinished(() => rm(cwd, { recursive: true, force: true }))
  await cp(here('../../scripts/try-clients/project'), cwd, { recursive: true })
  const env = { PATH: process.env.PATH, HOME: cwd, FOUNDRY_OFFLINE: 'true', NO_COLOR: '1' }
  return async (...flags: string[]): Promise<string> => {
    const compiler = ['--offline', '--use', here('../../scripts/try-clients/solc.mjs')]
    const chain = ['--rpc-url', url, '--private-key', privateKey]
    const args = ['script', 'script/Deploy.s.sol', ...compiler, ...chain, ...flags]
    const { stdout } = await promisify(execFile)(foundryBinary('forge')!, args, { cwd, env })
    return stdout
  }
}

describe.skipIf(foundryVersion('forge') === undefined)('forge script', () => {
  it.each([['instant'], ['interval']] as const)(
    'that is resumed after it succeeded sends nothing and succeeds again, under %s',
    async (rhythm) => {
      const devnet = await started({ rhythm })
      const { url } = await devnet.listen({ port: 0 })
      const { address, privateKey } = devnet.accounts[0]!
      const script = await forgeAt(url, privateKey)
      expect(await script('--broadcast')).toContain('ONCHAIN EXECUTION COMPLETE & SUCCESSFUL')
      expect(await ask(devnet, 'eth_getTransactionCount', address)).toBe('0x3')
      expect(await script('--resume')).toContain('ONCHAIN EXECUTION COMPLETE & SUCCESSFUL')
      expect(await ask(devnet, 'eth_getTransactionCount', address, 'pending')).toBe('0x3')
    },
  )
})
