/**
 * Code that runs for long: eth_call of twelve loops, in process, beside anvil. Processor time of each process is
 * compared, so that neither HTTP nor a busy machine counts; what the calls return is compared first.
 */

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Loops } from '../../fixtures/contracts/Loops.ts'
import { Token } from '../../fixtures/contracts/Token.ts'
import type { Market } from '../../fixtures/market.ts'
import type { Address } from '../../src/bytes/hex.ts'
import { createDevnet } from '../../src/index.ts'
import { contest, summary } from './measure.ts'
import { ANVIL_IS_ABSENT, type Anvil, startAnvil } from './peers/anvil.ts'
import { beside, type Goal, type Row, type Thoroughness } from './row.ts'
import { addressOf, type Chain, dataOf, deploy, market, send } from './scenario.ts'
import { count } from './table.ts'

/** A loop, how many rounds of it, and what it must reach beside anvil. */
interface Program {
  readonly what: string
  readonly functionName: string
  readonly args: (rounds: bigint) => readonly unknown[]
  readonly rounds: number
  readonly goal: Goal
}

const AHEAD: Goal = { kind: 'timesFaster', times: 1.5 }
const only = (rounds: bigint) => [rounds]

function programs({ gold, pool, trader }: Market): Program[] {
  return [
    { what: 'unchecked arithmetic', functionName: 'arithmetic', args: only, rounds: 400_000, goal: AHEAD },
    {
      what: 'checked sums of squares',
      functionName: 'sumOfSquares',
      args: only,
      rounds: 150_000,
      goal: AHEAD,
    },
    {
      what: 'wide arithmetic',
      functionName: 'wideArithmetic',
      args: only,
      rounds: 100_000,
      goal: { kind: 'ratioAtMost', ratio: 1.25 },
    },
    {
      what: 'keccak of 64 bytes',
      functionName: 'hashes',
      args: only,
      rounds: 100_000,
      goal: { kind: 'ratioAtMost', ratio: 1 },
    },
    { what: 'reading and writing 64 slots', functionName: 'slots', args: only, rounds: 80_000, goal: AHEAD },
    { what: 'writing new slots', functionName: 'newSlots', args: only, rounds: 1_300, goal: AHEAD },
    { what: 'copying 1 kB by words', functionName: 'copyWords', args: only, rounds: 10_000, goal: AHEAD },
    { what: 'copying 1 kB with MCOPY', functionName: 'copyMemory', args: only, rounds: 150_000, goal: AHEAD },
    { what: 'calls', functionName: 'calls', args: only, rounds: 50_000, goal: AHEAD },
    {
      what: 'balanceOf of a token',
      functionName: 'balances',
      args: (rounds) => [gold, trader, rounds],
      rounds: 10_000,
      goal: AHEAD,
    },
    {
      what: 'transfers of a token',
      functionName: 'transfers',
      args: (rounds) => [gold, addressOf(1), rounds],
      rounds: 5_000,
      goal: AHEAD,
    },
    {
      what: 'swaps',
      functionName: 'swaps',
      args: (rounds) => [pool, gold, rounds],
      rounds: 1_000,
      goal: AHEAD,
    },
  ]
}

/** `enoughUs`: a process's clock of processor time ticks every 10 ms, so a program is repeated until it has used some of them. */
const EFFORTS = {
  full: { rounds: 9, enoughUs: 400_000 },
  quick: { rounds: 2, enoughUs: 50_000 },
} as const
type ProgramsEffort = (typeof EFFORTS)[Thoroughness]

/** What a call may use: the limit of the block of both chains. */
const GAS = 1_000_000_000

export async function* programsBesideAnvil(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const effort = EFFORTS[thoroughness]
  const devnet = await createDevnet({ rhythm: 'manual', gasLimit: GAS })
  const anvil = await startAnvil(['--no-mining', '--gas-limit', String(GAS)])
  try {
    const places = await market(devnet)
    const loops = await deployLoops(devnet, places)
    if (anvil !== undefined) {
      await market(anvil)
      await deployLoops(anvil, places)
    }
    for (const program of programs(places)) yield await measure(devnet, anvil, loops, program, effort)
  } finally {
    await anvil?.stop()
    await devnet.close()
  }
}

/** Deploys `Loops` with gold that it may sell to the pool. */
async function deployLoops(chain: Chain, { gold, pool, owner }: Market): Promise<Address> {
  const loops = await deploy(chain, Loops)
  const gas = 200_000
  await send(chain, { from: owner, to: gold, data: dataOf(Token, 'mint', [loops, 10n ** 24n]), gas })
  await send(chain, { from: owner, to: loops, data: dataOf(Loops, 'approve', [gold, pool]), gas })
  await chain.mine()
  return loops
}

async function measure(
  devnet: Chain,
  anvil: Anvil | undefined,
  loops: Address,
  { what, functionName, args, rounds, goal }: Program,
  { rounds: times, enoughUs }: ProgramsEffort,
): Promise<Row> {
  const data = dataOf(Loops, functionName, args(BigInt(rounds)))
  const question = {
    method: 'eth_call',
    params: [{ to: loops, data, gas: `0x${GAS.toString(16)}` }, 'latest'],
  }
  const returned = [await devnet.request(question), await anvil?.request(question)]
  if (anvil !== undefined && returned[0] !== returned[1]) {
    throw new Error(`${what}: the peers return ${returned.join(' and ')}`)
  }
  const contenders = [async () => cpuOf(() => devnet.request(question), ownCpu, enoughUs)]
  if (anvil !== undefined)
    contenders.push(async () =>
      cpuOf(
        () => anvil.request(question),
        () => cpuOfPid(anvil.pid),
        enoughUs,
      ),
    )
  const [ours, theirs] = await contest(contenders, times)
  return {
    what: `${count(rounds)} rounds of ${what}`,
    ours: summary(ours!),
    unit: 'microseconds',
    peer: theirs === undefined ? ANVIL_IS_ABSENT : beside('anvil', ours!, theirs),
    goals: [goal],
  }
}

/** Returns the processor time of one call of `work`, which is repeated for `enoughUs` of it, in microseconds. */
async function cpuOf(work: () => Promise<unknown>, cpu: () => number, enoughUs: number): Promise<number> {
  const before = cpu()
  let calls = 0
  let used = 0
  while (used < enoughUs) {
    await work()
    calls++
    used = cpu() - before
  }
  return used / calls
}

function ownCpu(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/** Returns the processor time that another process has used, in microseconds (proc(5): utime and stime). */
function cpuOfPid(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  return (ticks * 1_000_000) / TICKS_PER_SECOND
}
