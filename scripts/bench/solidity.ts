/** What knowing the project's Solidity costs: artifacts of all of OpenZeppelin's contracts, loaded, while nothing fails, and where code fails as a test expects. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Token } from '../../fixtures/contracts/Token.ts'
import { type Abi, createDevnet, type Deployable, type Devnet, Reverted } from '../../src/index.ts'
import { openZeppelinArtifacts } from '../openZeppelin.ts'
import { race, summary } from './measure.ts'
import { start, told } from './processes.ts'
import { beside, type Row, type Thoroughness } from './row.ts'
import type { Ready } from './solidity/ready.ts'

const EFFORTS = {
  full: { processes: 7, race: { rounds: 11, roundMs: 400 } },
  quick: { processes: 1, race: { rounds: 1, roundMs: 20 } },
} as const

export async function* solidity(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const effort = EFFORTS[thoroughness]
  const folder = openZeppelinArtifacts()
  const processes: Ready[] = []
  for (let i = 0; i < effort.processes; i++) {
    const child = start('./solidity/ready.ts', [folder])
    processes.push(await told<Ready>(child))
    child.kill()
  }
  const { contracts, bytes } = processes[0]!
  const megabytes = (bytes / 1e6).toFixed(0)
  yield {
    what: `artifacts of OpenZeppelin (${contracts} contracts, ${megabytes} MB of build info) in a new process: until code is named`,
    ours: summary(processes.map(({ readyMicroseconds }) => readyMicroseconds)),
    unit: 'microseconds',
    peer: beside(
      'JSON.parse of the build info',
      processes.map(({ readyMicroseconds }) => readyMicroseconds),
      processes.map(({ parsedMicroseconds }) => parsedMicroseconds),
    ),
    goals: [{ kind: 'under', microseconds: 300_000 }],
  }
  const { timings, ratios } = await race([await testWith(folder), await testWith(undefined)], effort.race)
  yield {
    what: 'a test in a fork (deployment, transaction with an event, read) with artifacts of OpenZeppelin loaded',
    ours: timings[0]!,
    unit: 'microseconds',
    peer: { name: 'without artifacts', timing: timings[1]!, ratio: ratios[0]! },
    goals: [{ kind: 'ratioAtMost', ratio: 1.05 }],
  }
  const beacon = beaconOf(folder)
  const reverts = await race(
    [
      await revertWith(folder, beacon, ({ reason }) => reason?.name),
      await revertWith(folder, beacon, ({ stack }) => /at UpgradeableBeacon/.test(stack ?? '') && ERROR),
      await revertWith(undefined, beacon, ({ reason }) => reason?.name),
    ],
    effort.race,
  )
  const without = { name: 'without artifacts', timing: reverts.timings[2]! }
  yield {
    what: 'a transaction that reverts as a test expects, whose error is checked by its name',
    ours: reverts.timings[0]!,
    unit: 'microseconds',
    peer: { ...without, ratio: reverts.ratios[0]! },
    goals: [{ kind: 'ratioAtMost', ratio: 1.1 }],
  }
  yield {
    what: 'the same, whose stack is read, so that it is run once more',
    ours: reverts.timings[1]!,
    unit: 'microseconds',
    peer: { ...without, ratio: reverts.ratios[1]! },
  }
}

/** Returns a devnet that has read the artifacts, if it has any. */
async function devnetWith(artifacts: string | undefined): Promise<Devnet> {
  const devnet = await createDevnet({ rhythm: 'manual', ...(artifacts && { artifacts }) })
  if (artifacts !== undefined) await devnet.artifacts.load()
  return devnet
}

/** Returns a test that passes, on forks of a devnet of its own. */
async function testWith(artifacts: string | undefined): Promise<() => Promise<void>> {
  const devnet = await devnetWith(artifacts)
  const [owner, friend] = devnet.accounts.map(({ address }) => address)
  return async () => {
    const fork = devnet.fork()
    const token = await fork.deploy(Token, { args: ['Gold', 'GOLD'] })
    const { logs } = await fork.write({ ...token, functionName: 'mint', args: [friend!, 5n] })
    const balance = await fork.read({ ...token, functionName: 'balanceOf', args: [friend!] })
    if (logs.length !== 1 || balance !== 5n)
      throw new Error(`expected one event and 5, got ${balance} of ${owner}`)
    await fork.close()
  }
}

const ERROR = 'OwnableInvalidOwner'

/** Returns a transaction that OpenZeppelin's code refuses, and whose error `named` is called with. */
async function revertWith(
  artifacts: string | undefined,
  beacon: Deployable<Abi>,
  named: (error: Reverted) => unknown,
): Promise<() => Promise<void>> {
  const devnet = await devnetWith(artifacts)
  const [owner] = devnet.accounts.map(({ address }) => address)
  const token = await devnet.deploy(Token, { args: ['Gold', 'GOLD'] })
  const { address } = await devnet.deploy(beacon, { args: [token.address, owner] } as never)
  const write = {
    abi: beacon.abi,
    address,
    functionName: 'transferOwnership',
    args: [`0x${'00'.repeat(20)}`],
  }
  return async () => {
    const error = await devnet.write(write as never).catch((reason: unknown) => reason)
    if (!(error instanceof Reverted) || named(error) !== ERROR)
      throw new Error(`expected ${ERROR}, got ${error}`)
  }
}

/** Returns a contract of OpenZeppelin's that can be deployed. */
function beaconOf(folder: string): Deployable<Abi> {
  const [file] = readdirSync(join(folder, 'build-info'))
  const { output } = JSON.parse(readFileSync(join(folder, 'build-info', file!), 'utf8'))
  const { abi, evm } =
    output.contracts['@openzeppelin/contracts/proxy/beacon/UpgradeableBeacon.sol'].UpgradeableBeacon
  return { abi, bytecode: `0x${evm.bytecode.object}` }
}
