/**
 * Returning to a known state, on the market with a thousand accounts more: in process and over HTTP, beside anvil over HTTP.
 *
 * anvil forgets a snapshot when it reverts to it, so both are measured as one.
 */
import type { Hex } from '../../src/bytes/hex.ts'
import { createDevnet, type Devnet } from '../../src/index.ts'
import { Client, FIRST_RESULT, single } from './http/load.ts'
import { contest, type Effort, timed, type Work } from './measure.ts'
import { type Anvil, besideAnvil, startAnvil } from './peers/anvil.ts'
import { startPackage } from './peers/package.ts'
import { type Goal, type Row, rowOf, type Thoroughness } from './row.ts'
import { addressOf, type Chain, market, send, signed } from './scenario.ts'

const ACCOUNTS = 1_000

const SNAPSHOT = single({ method: 'evm_snapshot' })
const REVERT = single({ method: 'evm_revert', params: [FIRST_RESULT] })

export default async function* snapshots(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const effort: Effort = thoroughness === 'full' ? { rounds: 15, roundMs: 150 } : { rounds: 3, roundMs: 15 }
  const devnet = await createDevnet({ rhythm: 'manual' })
  await using anvil = await startAnvil()
  using client = new Client()
  await fill(devnet)
  if (anvil !== undefined) await fill(anvil)
  const [raw] = await signed(devnet, 1, () => ({ to: addressOf(1), value: 1n, gas: 21_000 }))
  yield* measure(devnet, raw!, { anvil, client, effort })
  await using served = await startPackage()
  await fill(served)
  for (const [what, bodies] of overHttp(devnet, raw!)) {
    const urls = [served, anvil].flatMap((chain) => chain?.url ?? [])
    const times = urls.map((url) => client.timeOfAll({ url, bodies, until: { ms: effort.roundMs } }))
    const [ours, theirs] = await contest(times, effort.rounds)
    yield rowOf(what, ours!, { peer: besideAnvil(ours!, theirs), goal: { ratioAtMost: 1 } })
  }
}

function overHttp({ accounts }: Chain, raw: Hex): [what: string, bodies: string[]][] {
  const sent = { from: accounts[0]!.address, to: addressOf(1), value: '0x1', gas: '0x5208' }
  const mine = single({ method: 'evm_mine' })
  return [
    [
      'over HTTP: evm_snapshot, a signed transfer, evm_mine, evm_revert',
      [SNAPSHOT, single({ method: 'eth_sendRawTransaction', params: [raw] }), mine, REVERT],
    ],
    // This changes the chain, and so comes last: the signed transfer has the nonce of before.
    [
      'over HTTP: a transfer is sent and mined, its receipt is read',
      [
        single({ method: 'eth_sendTransaction', params: [sent] }),
        mine,
        single({ method: 'eth_getTransactionReceipt', params: [FIRST_RESULT] }),
      ],
    ],
  ]
}

interface Peers {
  readonly anvil: Anvil | undefined
  readonly client: Client
  readonly effort: Effort
}

async function* measure(devnet: Devnet, raw: Hex, { anvil, client, effort }: Peers): AsyncGenerator<Row> {
  const transfer = { method: 'eth_sendRawTransaction', params: [raw] }
  const questions: [what: string, work: Work, bodies: string[], theirs: string, goal?: Goal][] = [
    [
      'snapshot() and restore()',
      () => devnet.restore(devnet.snapshot()),
      [SNAPSHOT, REVERT],
      "anvil's evm_snapshot and evm_revert over HTTP",
      { ratioAtMost: 1 / 100 },
    ],
    ['fork()', () => devnet.fork(), [SNAPSHOT, REVERT], "anvil's evm_snapshot and evm_revert over HTTP"],
    [
      'snapshot(), a signed transfer, mine(), restore()',
      async () => {
        const before = devnet.snapshot()
        await devnet.request(transfer)
        await devnet.mine()
        await devnet.restore(before)
      },
      [SNAPSHOT, single(transfer), single({ method: 'evm_mine' }), REVERT],
      'anvil over HTTP',
    ],
  ]
  for (const [what, work, bodies, name, goal] of questions) {
    const load = { bodies, until: { ms: effort.roundMs } }
    const peers = anvil === undefined ? [] : [client.timeOfAll({ ...load, url: anvil.url })]
    const [ours, theirs] = await contest([await timed(work, effort.roundMs), ...peers], effort.rounds)
    yield rowOf(what, ours!, { peer: besideAnvil(ours!, theirs, name), goal })
  }
}

/** Deploys the market, and seals a block that creates a thousand accounts. */
async function fill(chain: Chain): Promise<void> {
  await market(chain)
  const [rich] = chain.accounts
  for (let i = 0; i < ACCOUNTS; i++) {
    await send(chain, { from: rich!.address, to: addressOf(i), value: 1n, gas: 21_000 })
  }
  await chain.mine()
}
