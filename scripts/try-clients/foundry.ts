/** cast and forge with their defaults. */
import { execFile } from 'node:child_process'
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Token } from '../../fixtures/contracts/Token.ts'
import { type FoundryProgram, foundryBinary } from '../foundry.ts'
import { expectEqual, type Round } from './libraries.ts'

const execute = promisify(execFile)
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

async function run(program: FoundryProgram, cwd: string, args: readonly string[]): Promise<string> {
  const binary = foundryBinary(program)
  if (binary === undefined) throw new Error(`${program} is not installed: npm ci`)
  const env = { ...process.env, NO_COLOR: '1', FOUNDRY_DISABLE_NIGHTLY_WARNING: '1' }
  const { stdout } = await execute(binary, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 })
  return stdout.trim()
}

/** Deploys a token, mints and reads; `cast send` waits for the receipt by itself. */
export async function tryCast({ url, account, folder }: Round): Promise<void> {
  const cast = (command: string, ...args: string[]) =>
    run('cast', folder, [command, '--rpc-url', url, ...args])
  const key = ['--private-key', account.privateKey, '--json']
  const creation = ['--create', Token.bytecode, 'constructor(string,string)', 'Gold', 'GOLD']
  const { contractAddress: token } = JSON.parse(await cast('send', ...key, ...creation))
  const minting = await cast('send', token, 'mint(address,uint256)', account.address, '5', ...key)
  expectEqual('status of the transaction', JSON.parse(minting).status, '0x1')
  expectEqual('balance', await cast('call', token, 'balanceOf(address)(uint256)', account.address), '5')
}

interface Broadcast {
  readonly transactions: readonly { readonly contractAddress: string }[]
  readonly receipts: readonly { readonly status: string }[]
}

/** Runs a script that deploys a counter and calls it twice, and broadcasts it; then reads the counter. */
export async function tryForge({ url, account, folder }: Round): Promise<void> {
  await cp(here('./project'), folder, { recursive: true })
  const compiler = ['--offline', '--use', here('./solc.mjs')]
  const script = ['script', 'script/Deploy.s.sol', ...compiler, '--rpc-url', url, '--broadcast']
  await run('forge', folder, [...script, '--private-key', account.privateKey])
  const written = await readFile(join(folder, 'broadcast/Deploy.s.sol/31337/run-latest.json'), 'utf8')
  const { transactions, receipts } = JSON.parse(written) as Broadcast
  expectEqual('statuses', receipts.map(({ status }) => status).join(), '0x1,0x1,0x1')
  const counter = transactions[0]!.contractAddress
  const number = await run('cast', folder, ['call', '--rpc-url', url, counter, 'number()(uint256)'])
  expectEqual('number', number, '5')
}
