/**
 * Real time: how long viem waits for the receipt of what it sent, where its chain says that blocks are pre-confirmed
 * (`experimental_preconfirmationTime`); alone, and while others send.
 *
 * `waitForTransactionReceipt` asks once a tick for the block's number, and for the receipt only where that has changed: where
 * a block has ten slices, as Base's had, it mostly sees what is sealed. `sendRawTransactionSync` waits for the slice.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createWalletClient,
  defineChain,
  type Hex,
  http,
  publicActions,
  type TransactionReceipt,
  zeroHash,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { TEST_MNEMONIC } from '../../src/model/developmentAccounts.ts'
import type { ProfileName } from '../../src/options/options.ts'
import { summary } from './measure.ts'
import type { Goal, Row, Thoroughness } from './row.ts'
import { SENDERS } from './rush/protocol.ts'
import { Scene, TICK_MS } from './rush/scene.ts'
import { addressOf } from './scenario.ts'

const THREE_TICKS: readonly Goal[] = [{ kind: 'under', microseconds: 3 * TICK_MS * 1000 }]
/** Receipts come with ticks: by how much longer each time is the pause until the next is sent, so that it is at any time of one. */
const STEP_MS = 47

interface Case {
  readonly way: keyof typeof WAYS
  /** How many transfers a second others send meanwhile. */
  readonly rate: number
  readonly goals: readonly Goal[]
}

const CASES: Partial<Record<ProfileName, readonly Case[]>> = {
  default: [
    { way: 'waitForTransactionReceipt', rate: 0, goals: THREE_TICKS },
    { way: 'waitForTransactionReceipt', rate: 300, goals: THREE_TICKS },
    { way: 'sendRawTransactionSync', rate: 0, goals: THREE_TICKS },
  ],
  'base-flashblocks': [
    { way: 'waitForTransactionReceipt', rate: 0, goals: [] },
    { way: 'sendRawTransactionSync', rate: 0, goals: THREE_TICKS },
  ],
}

export async function* confirmation(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const ms = thoroughness === 'full' ? 15_000 : 1_000
  for (const [profile, cases] of Object.entries(CASES) as [ProfileName, readonly Case[]][]) {
    const scene = new Scene(profile)
    try {
      for (const { way, rate, goals } of cases) {
        let receipts: readonly Waited[] = []
        await scene.run(rate, ms, async (url) => {
          receipts = await waitedFor(url, WAYS[way], ms)
        })
        const early = receipts.filter(({ isPreconfirmed }) => isPreconfirmed).length
        const meanwhile = rate === 0 ? '' : ` while ${rate} transfers a second are sent`
        yield {
          what: `profile ${profile}: ${way}${meanwhile} (${early} of ${receipts.length} receipts pre-confirmed)`,
          ours: summary(receipts.map(({ microseconds }) => microseconds)),
          unit: 'microseconds',
          goals,
        }
      }
    } finally {
      scene.close()
    }
  }
}

interface Waited {
  /** From sending the transaction to having its receipt. */
  readonly microseconds: number
  readonly isPreconfirmed: boolean
}

type Client = ReturnType<typeof clientOf>
type Way = (client: Client, serializedTransaction: Hex) => Promise<TransactionReceipt>

const WAYS = {
  waitForTransactionReceipt: async (client, serializedTransaction) =>
    client.waitForTransactionReceipt({ hash: await client.sendRawTransaction({ serializedTransaction }) }),
  sendRawTransactionSync: (client, serializedTransaction) =>
    client.sendRawTransactionSync({ serializedTransaction }),
} satisfies Record<string, Way>

/** Sends one transfer after the other in this way, for so long. */
async function waitedFor(url: string, way: Way, ms: number): Promise<Waited[]> {
  const client = clientOf(url)
  const waited: Waited[] = []
  for (const end = performance.now() + ms; performance.now() < end; ) {
    await sleep((waited.length * STEP_MS) % TICK_MS)
    const request = await client.prepareTransactionRequest({ to: addressOf(waited.length), value: 1n })
    const serialized = await client.signTransaction(request)
    const sent = performance.now()
    const { blockHash } = await way(client, serialized)
    const microseconds = (performance.now() - sent) * 1000
    waited.push({ microseconds, isPreconfirmed: blockHash === zeroHash })
  }
  return waited
}

function clientOf(url: string) {
  const chain = defineChain({
    id: 31_337,
    name: 'preseal',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
    experimental_preconfirmationTime: TICK_MS,
  })
  // One that nobody else sends from.
  const account = mnemonicToAccount(TEST_MNEMONIC, { addressIndex: SENDERS })
  return createWalletClient({ account, chain, transport: http() }).extend(publicActions)
}
