/** The heap that a long chain takes, all of it readable: empty blocks, logs and transfers; and the memory of a process, beside anvil. */
import { Emitter } from '../../fixtures/contracts/Emitter.ts'
import { createDevnet, type Devnet } from '../../src/index.ts'
import { besideAnvil, startAnvil } from './peers/anvil.ts'
import { startPackage } from './peers/package.ts'
import { heapUsed, NO_PEAK, residentMemory } from './processes.ts'
import { type Goal, type Row, rowOf, type Thoroughness } from './row.ts'
import { addressOf, type Chain, dataOf, deploy, quantity, send, topicOf } from './scenario.ts'
import { count } from './table.ts'

const TRANSFERS_PER_BLOCK = 100
const LOGS_PER_BLOCK = 25
/** Recipients: as many as in a busy test, since this measures transactions and not accounts. */
const RECIPIENTS = 1_000

/** An addition to a chain, and the number of its parts. */
interface Load {
  readonly what: string
  readonly each: number
  readonly goal: Goal | undefined
  make(chain: Chain): Promise<void>
}

export default async function* memory(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const isFull = thoroughness === 'full'
  const rounds = isFull ? 3 : 1
  const loads = loadsOf(isFull ? 1 : 20, isFull)
  for (const load of [emptyBlocks(isFull ? 100_000 : 2_000, isFull), ...loads]) {
    const weights: number[] = []
    for (let round = 0; round < rounds; round++) weights.push(await weighed(load))
    yield rowOf(load.what, weights, { unit: 'bytes', goal: load.goal })
  }
  for (const load of loads) yield await processAfter(load, rounds, isFull)
}

/** Logs and transfers; a part of them in a short run, without goals, since the newest blocks are not packed yet. */
function loadsOf(part: number, isFull: boolean): Load[] {
  const blocks = 2_000 / part
  const transfers = 20_000 / part
  return [
    {
      what: `live heap of a log: ${count(blocks)} blocks of a transaction with ${LOGS_PER_BLOCK}`,
      each: blocks * LOGS_PER_BLOCK,
      goal: isFull ? { atMost: 300 } : undefined,
      make: (chain) => makeLogs(chain, blocks),
    },
    {
      what: `live heap of a transfer: ${count(transfers)}, ${TRANSFERS_PER_BLOCK} in a block`,
      each: transfers,
      goal: isFull ? { atMost: 600 } : undefined,
      make: (chain) => makeTransfers(chain, transfers),
    },
  ]
}

function emptyBlocks(blocks: number, isFull: boolean): Load {
  return {
    what: `live heap of an empty block: ${count(blocks)}`,
    each: blocks,
    goal: isFull ? { atMost: 100 } : undefined,
    make: async (chain) => {
      for (let i = 0; i < blocks; i++) await chain.mine()
    },
  }
}

/** Bytes that each part of `load` adds to the heap of a devnet that has done the same before, so that compiled code is not counted. */
async function weighed({ make, each }: Load): Promise<number> {
  const devnet = await createDevnet({ rhythm: 'manual' })
  await makeLogs(devnet, 100)
  await makeTransfers(devnet, RECIPIENTS)
  await expectReadable(devnet)
  const before = heapUsed()
  await make(devnet)
  const added = heapUsed() - before
  await expectReadable(devnet)
  await devnet.close()
  return added / each
}

async function processAfter(load: Load, rounds: number, isFull: boolean): Promise<Row> {
  const what = `memory of a process after: ${load.what}`
  if (NO_PEAK !== undefined) return { what, skipped: NO_PEAK }
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = 0; round < rounds; round++) {
    for (const [start, found] of [[startPackage, ours] as const, [startAnvil, theirs] as const]) {
      await using server = await start()
      if (server === undefined) continue
      await load.make(server)
      found.push(residentMemory(server.pid))
    }
  }
  const goal: Goal | undefined = isFull ? { ratioAtMost: 1 } : undefined
  return rowOf(what, ours, { unit: 'bytes', peer: besideAnvil(ours, theirs), goal })
}

async function makeLogs(chain: Chain, blocks: number): Promise<void> {
  const emitter = await deploy(chain, Emitter)
  const data = dataOf(Emitter, 'emitMany', [LOGS_PER_BLOCK, topicOf(addressOf(1))])
  for (let block = 0; block < blocks; block++) {
    await send(chain, { from: chain.accounts[0]!.address, to: emitter, data, gas: 300_000 })
    await chain.mine()
  }
}

async function makeTransfers(chain: Chain, transfers: number): Promise<void> {
  const { accounts } = chain
  for (let i = 0; i < transfers; i++) {
    const { address } = accounts[i % accounts.length]!
    await send(chain, { from: address, to: addressOf(i % RECIPIENTS), value: 1n, gas: 21_000 })
    if ((i + 1) % TRANSFERS_PER_BLOCK === 0) await chain.mine()
  }
}

/** Throws unless blocks of all ages, and the state that they left, can be read. */
async function expectReadable(devnet: Devnet): Promise<void> {
  const head = Number(await devnet.request({ method: 'eth_blockNumber' }))
  const { address } = devnet.accounts[0]!
  for (let tenth = 0; tenth <= 10; tenth++) {
    const number = quantity(Math.floor((head * tenth) / 10))
    const block = await devnet.request({ method: 'eth_getBlockByNumber', params: [number, true] })
    const balance = await devnet.request({ method: 'eth_getBalance', params: [address, number] })
    if ((block as { number: string } | null)?.number !== number || balance === '0x0') {
      throw new Error(`block ${number} cannot be read: ${JSON.stringify(block)}, ${balance}`)
    }
  }
}
