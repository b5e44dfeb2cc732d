/** What knowing the project's Solidity costs: artifacts of all of OpenZeppelin's contracts, loaded, and while nothing fails. */
import { Token } from '../../fixtures/contracts/Token.ts'
import { createDevnet } from '../../src/index.ts'
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
}

/** Returns a test that passes, on forks of a devnet of its own. */
async function testWith(artifacts: string | undefined): Promise<() => Promise<void>> {
  const devnet = await createDevnet({ rhythm: 'manual', ...(artifacts && { artifacts }) })
  if (artifacts !== undefined) await devnet.artifacts.load()
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
