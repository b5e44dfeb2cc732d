/**
 * Real time: viem's wait for the receipt of a transaction, with a chain definition that has pre-confirmation
 * (`experimental_preconfirmationTime`); alone, and while others send.
 *
 * `waitForTransactionReceipt` polls the block number each tick, and the receipt only after the number has changed: where
 * a block has ten slices, as Base's had, it mostly sees sealed receipts. `sendRawTransactionSync` waits for the slice.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createWalletClient, type Hex, http, publicActions, type TransactionReceipt, zeroHash } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { TEST_MNEMONIC } from '../../src/model/account/developmentAccounts.ts'
import type { ProfileName } from '../../src/options/options.ts'
import { type Goal, type Row, rowOf, type Thoroughness } from './row.ts'
import { Scene, SENDERS, TICK_MS } from './rush/scene.ts'
import { addressOf } from './scenario.ts'

const THREE_TICKS: Goal = { below: 3 * TICK_MS * 1000 }
/** Each pause between transactions is this much longer than the last, so that they are sent at all times of a tick. */
const STEP_MS = 47

interface Case {
  readonly way: keyof typeof WAYS
  /** Transfers a second of others meanwhile. */
  readonly rate: number
  readonly goal?: Goal
}

const CASES: Partial<Record<ProfileName, readonly Case[]>> = {
  default: [
    { way: 'waitForTransactionReceipt', rate: 0, goal: THREE_TICKS },
    { way: 'waitForTransactionReceipt', rate: 300, goal: THREE_TICKS },
    { way: 'sendRawTransactionSync', rate: 0, goal: THREE_TICKS },
  ],
  'base-flashblocks': [
    { way: 'waitForTransactionReceipt', rate: 0 },
    { way: 'sendRawTransactionSync', rate: 0, goal: THREE_TICKS },
  ],
}

export default async function* confirmation(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const ms = thoroughness === 'full' ? 15_000 : 1_000
  for (const [profile, cases] of Object.entries(CASES) as [ProfileName, readonly Case[]][]) {
    const scene = new Scene(profile)
    try {
      for (const { way, rate, goal } of cases) {
        let receipts: readonly Waited[] = []
        await scene.run(rate, ms, async (url) => {
          receipts = await waitedFor(url, WAYS[way], ms)
        })
        const early = receipts.filter(({ isPreconfirmed }) => isPreconfirmed).length
        const meanwhile = rate === 0 ? '' : ` while ${rate} transfers a second are sent`
        yield rowOf(
          `profile ${profile}: ${way}${meanwhile} (${early} of ${receipts.length} receipts pre-confirmed)`,
          receipts.map(({ microseconds }) => microseconds),
          { goal },
        )
      }
    } finally {
      scene.close()
    }
  }
}

interface Waited {
  /** From sending the transaction to its receipt. */
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
  const rpcUrls = { default: { http: [url] } }
  const chain = { ...foundry, rpcUrls, experimental_preconfirmationTime: TICK_MS }
  // No other client sends from it.
  const account = mnemonicToAccount(TEST_MNEMONIC, { addressIndex: SENDERS })
  return createWalletClient({ account, chain, transport: http() }).extend(publicActions)
}
