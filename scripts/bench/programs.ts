/**
 * Long runs of code: eth_call of twelve loops, in process, beside anvil. Processor time of each process is
 * compared, so that neither HTTP nor a busy machine counts. Results are compared first.
 */
import { Loops } from '../../fixtures/contracts/Loops.ts'
import { Token } from '../../fixtures/contracts/Token.ts'
import type { Market } from '../../fixtures/market.ts'
import type { Address } from '../../src/bytes/hex.ts'
import { createDevnet } from '../../src/index.ts'
import { contest } from './measure.ts'
import { type Anvil, besideAnvil, startAnvil } from './peers/anvil.ts'
import { processorTime } from './processes.ts'
import { type Goal, type Row, rowOf, type Thoroughness } from './row.ts'
import { addressOf, type Chain, dataOf, deploy, market, send } from './scenario.ts'
import { count } from './table.ts'

/** A loop, the number of its rounds, and its goal beside anvil. */
interface Program {
  readonly what: string
  readonly functionName: string
  readonly args: (rounds: bigint) => readonly unknown[]
  readonly rounds: number
  readonly goal: Goal
}

const AHEAD: Goal = { ratioAtMost: 1 / 1.5 }

function programs({ gold, pool, trader }: Market): Program[] {
  const plain = (what: string, functionName: string, rounds: number, goal = AHEAD): Program => ({
    ...{ what, functionName, rounds, goal },
    args: (rounds) => [rounds],
  })
  return [
    plain('unchecked arithmetic', 'arithmetic', 400_000),
    plain('checked sums of squares', 'sumOfSquares', 150_000),
    plain('wide arithmetic', 'wideArithmetic', 100_000, { ratioAtMost: 1.25 }),
    plain('keccak of 64 bytes', 'hashes', 100_000, { ratioAtMost: 1 }),
    plain('reading and writing 64 slots', 'slots', 80_000),
    plain('writing new slots', 'newSlots', 1_300),
    plain('copying 1 kB by words', 'copyWords', 10_000),
    plain('copying 1 kB with MCOPY', 'copyMemory', 150_000),
    plain('calls', 'calls', 50_000),
    { ...plain('balanceOf of a token', 'balances', 10_000), args: (rounds) => [gold, trader, rounds] },
    {
      ...plain('transfers of a token', 'transfers', 5_000),
      args: (rounds) => [gold, addressOf(1), rounds],
    },
    { ...plain('swaps', 'swaps', 1_000), args: (rounds) => [pool, gold, rounds] },
  ]
}

/** `enoughUs`: the kernel counts processor time in steps of 10 ms, so a program is repeated for many of them. */
const EFFORTS = {
  full: { rounds: 9, enoughUs: 400_000 },
  quick: { rounds: 2, enoughUs: 50_000 },
} as const
type ProgramsEffort = (typeof EFFORTS)[Thoroughness]

/** Gas of a call: the block gas limit of both chains. */
const GAS = 1_000_000_000

export default async function* programsBesideAnvil(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const effort = EFFORTS[thoroughness]
  await using devnet = await createDevnet({ rhythm: 'manual', gasLimit: GAS })
  await using anvil = await startAnvil(['--no-mining', '--gas-limit', String(GAS)])
  const places = await market(devnet)
  const loops = await deployLoops(devnet, places)
  if (anvil !== undefined) {
    await market(anvil)
    await deployLoops(anvil, places)
  }
  for (const program of programs(places)) yield await measure(devnet, anvil, loops, program, effort)
}

/** Deploys `Loops`, and gives it gold that the pool may take. */
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
  const contender = (chain: Chain, cpu: () => number) => () =>
    cpuOf(() => chain.request(question), cpu, enoughUs)
  const contenders = [contender(devnet, ownCpu)]
  if (anvil !== undefined) contenders.push(contender(anvil, () => processorTime(anvil.pid)))
  const [ours, theirs] = await contest(contenders, times)
  return rowOf(`${count(rounds)} rounds of ${what}`, ours!, { peer: besideAnvil(ours!, theirs), goal })
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
