/** cast, the command line of Foundry, in a process of its own: it asks a devnet of this one over a socket. */
import { execFile } from 'node:child_process'
import { devNull, tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { encodeAbiParameters, encodeDeployData, type Hex, keccak256 } from 'viem'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { Emitter } from '../../../fixtures/contracts/Emitter.ts'
import { Reverter } from '../../../fixtures/contracts/Reverter.ts'
import { Store } from '../../../fixtures/contracts/Store.ts'
import { Token } from '../../../fixtures/contracts/Token.ts'
import { foundryBinary, foundryVersion } from '../../../scripts/foundry.ts'
import { createDevnet, type Devnet, type DevnetOptions } from '../../../src/index.ts'
import type { Rhythm } from '../../../src/sequencer/clock.ts'
import { clientOf, deploy } from './clients.ts'

/** Whether there is a cast that runs here. Says so if there is none, for the tests that need it are then skipped. */
export const isCastHere = foundryVersion('cast') !== undefined
if (!isCastHere)
  console.warn('@foundry-rs/cast has no cast that runs on this platform: its tests are skipped')

/**
 * Runs `cast` and answers what it prints, without the space around. Rejects with what it complains about.
 *
 * A command may have two words (`erc20 balance`).
 */
export type Cast = (command: string, ...args: readonly (string | number | bigint)[]) => Promise<string>

/** Nothing that whoever runs the tests has set up for cast counts here. */
const ENVIRONMENT = {
  PATH: process.env.PATH,
  // Neither a configuration nor a cache: nothing can be below it.
  HOME: devNull,
  // Otherwise it asks the internet for the names of functions it does not know.
  FOUNDRY_OFFLINE: 'true',
  NO_COLOR: '1',
}

/** cast for the devnet at `url`, over HTTP or WebSocket. */
export function castAt(url: string): Cast {
  return async (command, ...args) => {
    // The URL comes first, for all that comes after `--create` belongs to the constructor.
    const argv = [...command.split(' '), '--rpc-url', url, ...args.map(String)]
    // Some of its commands wait for what may never come, and would outlive a test that failed.
    const options = { cwd: tmpdir(), env: ENVIRONMENT, timeout: 120_000 }
    const { stdout } = await promisify(execFile)(foundryBinary('cast')!, argv, options)
    return stdout.trim()
  }
}

/**
 * Before the tests of a file: a devnet with one of each contract, deployed by its first account, in blocks 1 to 4. Its
 * answer gives each test a fork of it that makes a block of each transaction, and cast for that.
 */
export function prepareForks(options: DevnetOptions = {}) {
  let devnet: Devnet
  let contracts: Awaited<ReturnType<typeof deployAll>>
  beforeAll(async () => {
    devnet = await createDevnet({ rhythm: 'instant', ...options })
    contracts = await deployAll(devnet)
  })
  afterAll(() => devnet.close())
  return async (rhythm: Rhythm = 'instant') => {
    const fork = devnet.fork({ rhythm })
    onTestFinished(() => fork.close())
    const { url, webSocketUrl } = await fork.listen({ port: 0 })
    return { devnet: fork, cast: castAt(url), castOverWebSocket: castAt(webSocketUrl), ...contracts }
  }
}

async function deployAll(devnet: Devnet) {
  const client = clientOf(devnet)
  return {
    token: await deploy(client, { bytecode: encodeDeployData({ ...Token, args: ['Gold', 'GOLD'] }) }),
    store: await deploy(client, Store),
    reverter: await deploy(client, Reverter),
    emitter: await deploy(client, Emitter),
  }
}

/** Where Token keeps the balance of `owner`: `balanceOf` is its fifth variable. */
export function balanceSlot(owner: Hex): Hex {
  return keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [owner, 4n]))
}
