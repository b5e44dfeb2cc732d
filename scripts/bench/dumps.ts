/**
 * Dump and load of a chain with 100,000 accounts: in process, beside anvil over HTTP, where the whole state is one string of JSON.
 */
import type { Hex } from '../../src/bytes/hex.ts'
import { createDevnet } from '../../src/index.ts'
import { withAccounts } from './grown.ts'
import { batch, Client, type Question, single } from './http/load.ts'
import { contest, timedOnce } from './measure.ts'
import { type Anvil, besideAnvil, startAnvil } from './peers/anvil.ts'
import { type Row, rowOf, type Thoroughness } from './row.ts'
import { addressOf, type Chain, quantity } from './scenario.ts'
import { count, shown } from './table.ts'

/** Accounts that one batch of requests creates. */
const BATCH = 1_000

export async function* dumps(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const isFull = thoroughness === 'full'
  const { accounts, rounds } = isFull ? { accounts: 100_000, rounds: 9 } : { accounts: 5_000, rounds: 2 }
  const client = new Client()
  const anvil = await startAnvil(['--no-mining', '--no-request-size-limit'])
  try {
    const devnet = await withAccounts(accounts)
    const reader = await createDevnet({ rhythm: 'manual' })
    const file = [...devnet.dump()]
    const theirs = anvil && (await filled(anvil, client, accounts))
    const measure = async (
      what: string,
      work: () => unknown,
      question: Question | undefined,
    ): Promise<Row> => {
      const peers = question === undefined ? [] : [() => asked(anvil!, client, [single(question)])]
      const [own, other] = await contest([timedOnce(work), ...peers], rounds)
      const name = `${what} of ${count(accounts)} accounts, ${shown(bytesOf(file), 'bytes')}`
      return rowOf(name, 'microseconds', own!, besideAnvil(own!, other, theirs?.name))
    }
    yield await measure('dump()', () => [...devnet.dump()], theirs?.dump)
    yield await measure('load()', () => reader.load(file), theirs?.load)
    for (const chain of anvil === undefined ? [reader] : [reader, anvil])
      await expectAccounts(chain, accounts)
  } finally {
    client.close()
    await anvil?.stop()
  }
}

/** Creates the accounts, and returns the requests to measure. */
async function filled(anvil: Anvil, client: Client, accounts: number) {
  const bodies: string[] = []
  for (let first = 0; first < accounts; first += BATCH) {
    const questions = Array.from({ length: BATCH }, (_, i) => ({
      method: 'anvil_setBalance',
      params: [addressOf(first + i), quantity(first + i + 1)],
    }))
    bodies.push(batch(questions))
  }
  await asked(anvil, client, bodies)
  const dump: Question = { method: 'anvil_dumpState' }
  const state = (await anvil.request(dump)) as Hex
  return {
    name: `anvil over HTTP, ${shown(state.length / 2 - 1, 'bytes')} packed with gzip`,
    dump,
    load: { method: 'anvil_loadState', params: [state] },
  }
}

/** Microseconds until all bodies are answered. */
async function asked({ url }: Anvil, client: Client, bodies: readonly string[]): Promise<number> {
  const { ms } = await client.run({ url, bodies, connections: 1, until: { times: 1 } })
  return ms * 1000
}

function bytesOf(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0)
}

/** Throws unless a sample of the accounts exists. */
async function expectAccounts(chain: Chain, accounts: number): Promise<void> {
  for (const i of [0, accounts >> 1, accounts - 1]) {
    const balance = await chain.request({ method: 'eth_getBalance', params: [addressOf(i), 'latest'] })
    if (balance !== quantity(i + 1))
      throw new Error(`account ${i} has ${balance}, expected ${quantity(i + 1)}`)
  }
}
