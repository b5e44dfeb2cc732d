/** Stories that viem's watchers are told, and the tables in which they stand. */
import {
  encodeFunctionData,
  type Hash,
  type Hex,
  type HttpTransportConfig,
  http,
  keccak256,
  type Log,
  type WebSocketTransportConfig,
  webSocket,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, onTestFinished } from 'vitest'
import { Emitter } from '../../../fixtures/contracts/Emitter.ts'
import type { Devnet } from '../../../src/index.ts'
import { ask, devnetChain, started, ZERO_HASH } from './clients.ts'
import { listener, type Poller, poller } from './watchingClients.ts'

const EMITTER = '0x00000000000000000000000000000000000e3177'

/** Who watches: the columns of a table, after the first. */
const WATCHERS = [
  'blocks, HTTP',
  'pending, HTTP',
  'events, HTTP',
  'blocks, WebSocket',
  'events, WebSocket',
] as const
type Watcher = (typeof WATCHERS)[number]

/** The letters of the transactions, and whose they are: the first account has other things to do. */
const SENDERS = { a: 1, b: 2, c: 3 } as const
type Letter = keyof typeof SENDERS

/** What may be done in a row, by its name there. */
type Steps = Readonly<Record<string, (devnet: Devnet) => unknown>>

export interface StoryOptions {
  /** What else may be done. */
  readonly steps?: Steps
  /** By default viem is told to ask only once, and not to connect again. */
  readonly http?: HttpTransportConfig
  readonly socket?: WebSocketTransportConfig
  /** Whether lines say how many seconds blocks are after the first. */
  readonly withTimes?: boolean
}

/**
 * A chain with three slices to a block, of which block 1 is sealed, and five watchers of it. `sees` plays a table: it does
 * what stands in the first column of a row, and compares what each watcher is told thereupon with the others. Nothing
 * waits for time to pass: after each row those over HTTP poll once, and those over WebSocket deal with what came.
 *
 * What is done: `watch` begins; `tick`, `seal`, `mine`; a letter sends a transaction that emits one event; `cut` cuts the
 * WebSocket; `unwatch` ends the watchers over WebSocket; and the `steps` of the story. What is told:
 *
 *     2: a b          `watchBlocks` tells block 2 with the transactions a and b
 *     2?: a           the same of a block under construction; its hash is zero
 *     2': b           another block 2, which came in a reorg
 *     undefined       `watchBlocks` tells `undefined` in place of a block
 *     a 2#0           `watchContractEvent` tells the event of a, which is log 0 of block 2
 *     a 2#0 removed   the same with `removed: true`
 *     ! sorry         `onError` is called with an error that says so
 *     –               nothing
 */
export async function watched({ steps = {}, withTimes = false, ...transports }: StoryOptions = {}) {
  const devnet = await started({ rhythm: 'manual', ticksPerBlock: 3 })
  const names = await Names.of(devnet, withTimes)
  await ask(devnet, 'anvil_setCode', EMITTER, Emitter.deployedBytecode)
  await devnet.mine()
  const { url, webSocketUrl } = await devnet.listen({ port: 0 })
  const overHttp = http(url, { retryCount: 0, ...transports.http })
  const overSocket = webSocket(webSocketUrl, { retryCount: 0, reconnect: false, ...transports.socket })
  const pollers: readonly Poller[] = [poller(overHttp), poller(overHttp), poller(overHttp)]
  const [forLatest, forPending, forEvents] = pollers.map(({ client }) => client)
  const socket = listener(overSocket)

  const told = new Map<string, string[]>(WATCHERS.map((watcher) => [watcher, []]))
  const tell = (watcher: Watcher, ...lines: readonly string[]) => told.get(watcher)!.push(...lines)
  const onError = (watcher: Watcher) => (error: Error) => tell(watcher, `! ${words(error)}`)
  const blocks = (watcher: Watcher) => ({
    onBlock: (block: ToldBlock | undefined) => tell(watcher, names.block(block)),
    onError: onError(watcher),
  })
  const events = (watcher: Watcher) => ({
    address: EMITTER as Hex,
    abi: Emitter.abi,
    onLogs: (logs: readonly Log[]) => tell(watcher, ...logs.map((log) => names.log(log))),
    onError: onError(watcher),
  })
  let unwatchHttp = () => {}
  let unwatchSocket = () => {}
  onTestFinished(async () => {
    unwatchHttp()
    unwatchSocket()
    await socket.close()
  })

  const all: Steps = {
    watch() {
      unwatchHttp = bundled(
        forLatest!.watchBlocks(blocks('blocks, HTTP')),
        // Clients of a chain with `experimental_preconfirmationTime` do so by default.
        forPending!.watchBlocks({
          ...blocks('pending, HTTP'),
          blockTag: 'pending',
          includeTransactions: true,
        }),
        forEvents!.watchContractEvent(events('events, HTTP')),
      )
      unwatchSocket = bundled(
        socket.client.watchBlocks(blocks('blocks, WebSocket')),
        socket.client.watchContractEvent(events('events, WebSocket')),
      )
    },
    unwatch: () => unwatchSocket(),
    cut: ({ faults }) => socket.lost(() => faults.cutWebSockets()),
    tick: () => devnet.tick(),
    seal: () => devnet.seal(),
    mine: () => devnet.mine(),
    a: () => send(devnet, 'a'),
    b: () => send(devnet, 'b'),
    c: () => send(devnet, 'c'),
    ...steps,
  }

  async function sees(table: string): Promise<void> {
    const [head, ...rows] = cellsOf(table)
    expect(head).toEqual(['done', ...WATCHERS])
    const seen = [head!]
    for (const [done] of rows) {
      for (const name of done!.split(', ')) {
        expect(Object.keys(all)).toContain(name)
        await all[name]!(devnet)
      }
      await Promise.all([socket.settled(), ...pollers.map(({ poll }) => poll())])
      seen.push([done!, ...[...told.values()].map((lines) => lines.splice(0).join(', ') || '–')])
    }
    expect(aligned(seen)).toBe(aligned([head!, ...rows]))
  }

  return { devnet, sees }
}

/** Does all of these. */
function bundled(...ends: readonly (() => void)[]): () => void {
  return () => {
    for (const end of ends) end()
  }
}

/** The transaction with this letter: the same each time. */
export function signed(devnet: Devnet, letter: Letter): Promise<Hex> {
  return privateKeyToAccount(devnet.accounts[SENDERS[letter]]!.privateKey).signTransaction({
    type: 'eip1559',
    chainId: devnetChain.id,
    to: EMITTER,
    data: encodeFunctionData({ abi: Emitter.abi, functionName: 'touch' }),
    gas: 100_000n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 1n,
  })
}

async function send(devnet: Devnet, letter: Letter): Promise<void> {
  await ask(devnet, 'eth_sendRawTransaction', await signed(devnet, letter))
}

/** What the lines need of viem's blocks. */
interface ToldBlock {
  readonly hash: Hash | null
  readonly number: bigint | null
  readonly timestamp: bigint
  readonly transactions: readonly (Hash | { readonly hash: Hash })[]
}

/** Short names for what was sealed and sent, the same for all watchers. */
class Names {
  readonly #transactions: ReadonlyMap<Hash, string>
  readonly #withTimes: boolean
  readonly #blocks = new Map<Hash, string>()
  #firstTime: bigint | undefined

  static async of(devnet: Devnet, withTimes: boolean): Promise<Names> {
    const letters = Object.keys(SENDERS) as Letter[]
    const hashes = await Promise.all(letters.map(async (letter) => keccak256(await signed(devnet, letter))))
    return new Names(devnet, new Map(hashes.map((hash, i) => [hash, letters[i]!])), withTimes)
  }

  private constructor(devnet: Devnet, transactions: ReadonlyMap<Hash, string>, withTimes: boolean) {
    this.#transactions = transactions
    this.#withTimes = withTimes
    const heights: bigint[] = []
    devnet.on('sealed', ({ block: { hash, header } }) => {
      const earlier = heights.filter((height) => height === header.number).length
      heights.push(header.number)
      this.#blocks.set(hash, `${header.number}${"'".repeat(earlier)}`)
      this.#firstTime ??= header.timestamp
    })
  }

  block(block: ToldBlock | undefined): string {
    if (block === undefined) return 'undefined'
    const { hash, number, timestamp, transactions } = block
    const name = `${hash === ZERO_HASH ? `${number}?` : this.#blocks.get(hash!)}${this.#time(timestamp)}`
    const letters = transactions.map((one) =>
      this.#transactions.get(typeof one === 'string' ? one : one.hash),
    )
    return letters.length === 0 ? name : `${name}: ${letters.join(' ')}`
  }

  log({ transactionHash, blockHash, logIndex, blockTimestamp, removed }: Log): string {
    const place = `${this.#blocks.get(blockHash!)}#${logIndex}${this.#time(blockTimestamp!)}`
    return `${this.#transactions.get(transactionHash!)} ${place}${removed ? ' removed' : ''}`
  }

  #time(timestamp: bigint): string {
    return this.#withTimes ? ` +${timestamp - this.#firstTime!}s` : ''
  }
}

/** The shortest that says what it is. */
function words(error: { message: string; details?: string; shortMessage?: string }): string {
  return error.details || error.shortMessage || error.message
}

function cellsOf(table: string): string[][] {
  const lines = table.trim().split('\n')
  return lines.map((line) => line.split('|').map((cell) => cell.trim()))
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')).join('\n')
}
