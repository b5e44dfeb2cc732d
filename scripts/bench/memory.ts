/** What a long chain adds to the heap, all of it readable: empty blocks, and transfers. */
import { createDevnet, type Devnet } from '../../src/index.ts'
import { heapUsed, summary } from './measure.ts'
import type { Goal, Row, Thoroughness } from './row.ts'
import { addressOf, quantity, send } from './scenario.ts'
import { count } from './table.ts'

const TRANSFERS_PER_BLOCK = 1_000
/** Who is sent to: as many as there may be in a busy test, for this is about transactions and not about accounts. */
const RECIPIENTS = 1_000

export async function* memory(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const isFull = thoroughness === 'full'
  const blocks = isFull ? 100_000 : 2_000
  const transfers = isFull ? 100_000 : 2_000
  // Of a few blocks it is mostly what the collector has not tidied away that is weighed.
  const goals: Goal[] = isFull ? [{ kind: 'atMostBytes', bytes: 70e6 }] : []
  yield await weighed(`${count(blocks)} empty blocks`, (devnet) => makeEmpty(devnet, blocks), goals)
  yield await weighed(
    `${count(transfers)} transfers, ${count(TRANSFERS_PER_BLOCK)} in a block`,
    (devnet) => makeTransfers(devnet, transfers),
    [],
  )
}

/** What `make` adds to the heap of a devnet that has done the same before, on a small scale: code is not counted. */
async function weighed(
  what: string,
  make: (devnet: Devnet) => Promise<void>,
  goals: readonly Goal[],
): Promise<Row> {
  const devnet = await createDevnet({ rhythm: 'manual' })
  await makeEmpty(devnet, 100)
  await makeTransfers(devnet, TRANSFERS_PER_BLOCK)
  await expectReadable(devnet)
  const before = heapUsed()
  await make(devnet)
  const added = heapUsed() - before
  await expectReadable(devnet)
  return { what: `heap that ${what} add`, ours: summary([added]), unit: 'bytes', goals }
}

async function makeEmpty(devnet: Devnet, blocks: number): Promise<void> {
  await devnet.advance({ ms: blocks * devnet.settings.tickMs })
}

async function makeTransfers(devnet: Devnet, transfers: number): Promise<void> {
  const { accounts } = devnet
  for (let i = 0; i < transfers; i++) {
    const { address } = accounts[i % accounts.length]!
    await send(devnet, { from: address, to: addressOf(i % RECIPIENTS), value: 1n, gas: 21_000 })
    if ((i + 1) % TRANSFERS_PER_BLOCK === 0) await devnet.mine()
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
