/** A thousand random faults of a network's node: no transaction is lost, and nothing wrong is published. */
import { expect, it } from 'vitest'
import { type Address, toHex, toWord } from '../../src/bytes/hex.ts'
import { createDevnet, type Devnet } from '../../src/index.ts'
import { devnetThrough } from '../support/chains/forkedDevnets.ts'
import { type Signer, sign } from '../support/chains/signing.ts'
import { assemble } from '../support/compilers/assembly.ts'
import { FAULTS, json, type Payload, whole } from '../support/nodes/upstreamFaults.ts'
import { eagerTime, NEVER_MS } from '../support/nodes/upstreamTime.ts'
import { type Random, withRandom } from '../support/random/random.ts'

const COUNTER: Address = `0x${'c0'.repeat(20)}`
/** Adds one to the slot that the calldata names, and logs the sum. */
const CODE = assemble(
  ...([1, 0, 'CALLDATALOAD', 'SLOAD', 'ADD', 'DUP1', 0, 'CALLDATALOAD', 'SSTORE'] as const),
  ...([0, 'MSTORE', 32, 0, 'LOG0'] as const),
)
const SLOTS = 12
/** What is in each slot of the network's counter. */
const BEFORE = 100n
const FAULTS_IN_ALL = 1_000
/** The blocks of the network before it is forked. */
const BLOCKS = 3

const word = (value: bigint) => toHex(toWord(value))
const hex = (value: number) => `0x${value.toString(16)}`
const slotOf = (input: string) => BigInt(input)

interface Block {
  readonly number: string
  readonly transactions: readonly { readonly hash: string; readonly input: string }[]
}

async function ask<T>(devnet: Devnet, method: string, ...params: readonly unknown[]): Promise<T> {
  return (await devnet.request({ method, params } as never)) as T
}

/** Does something until the network lets it. Whatever else goes wrong is thrown. */
async function until<T>(act: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await act()
    } catch (error) {
      ofNetwork(error)
    }
  }
}

/** Throws an error that is not that of the way to the node. */
function ofNetwork(error: unknown): void {
  if (!(error as Error).message.includes('node.example')) throw error
}

async function network(): Promise<Devnet> {
  const devnet = await createDevnet({ rhythm: 'manual' })
  await ask(devnet, 'anvil_setCode', COUNTER, toHex(CODE))
  for (let slot = 0; slot < SLOTS; slot++) {
    await ask(devnet, 'anvil_setStorageAt', COUNTER, hex(slot), word(BEFORE))
  }
  await devnet.mine(BLOCKS)
  return devnet
}

/** Increments slots from random accounts, reads, and mines. Returns the hashes that were accepted. */
async function use(random: Random, devnet: Devnet, steps: number): Promise<string[]> {
  const nonces = new Map<Signer, bigint>()
  const sent: string[] = []
  for (let step = 0; step < steps; step++) {
    const choice = random.below(10)
    if (choice < 5) {
      const signer = random.pick(devnet.accounts)
      const nonce = nonces.get(signer) ?? 0n
      nonces.set(signer, nonce + 1n)
      const data = toWord(BigInt(random.below(SLOTS)))
      const { raw, hash } = sign(signer, { to: COUNTER, nonce, data, gasLimit: 100_000n })
      expect(await until(() => ask(devnet, 'eth_sendRawTransaction', toHex(raw)))).toBe(hash)
      sent.push(hash)
    } else if (choice < 8) await devnet.tick().catch(ofNetwork)
    else if (choice < 9) await devnet.mine().catch(ofNetwork)
    else await expectNetworkBelow(random, devnet)
  }
  return sent
}

/** What the network has is answered rightly, whatever happens on the way. */
async function expectNetworkBelow(random: Random, devnet: Devnet): Promise<void> {
  const slot = hex(random.below(SLOTS))
  const at = hex(random.between(0, BLOCKS))
  // The counter was put there between blocks: at the newest of them.
  expect(await until(() => ask(devnet, 'eth_getStorageAt', COUNTER, slot, at))).toBe(word(BEFORE))
  const block = await until(() => ask<Block>(devnet, 'eth_getBlockByNumber', at, true))
  expect(block).toMatchObject({ number: at, transactions: [] })
  expect(await until(() => ask(devnet, 'eth_getLogs', { fromBlock: '0x0', toBlock: at }))).toEqual([])
}

/** Each transaction is in one block; in each block each slot has as much as was counted until then. */
async function expectWhole(devnet: Devnet, sent: readonly string[]): Promise<void> {
  const head = Number(await ask(devnet, 'eth_blockNumber'))
  const counted = new Map<bigint, bigint>()
  const included: string[] = []
  for (let number = BLOCKS + 1; number <= head; number++) {
    const { transactions } = await ask<Block>(devnet, 'eth_getBlockByNumber', hex(number), true)
    for (const { hash, input } of transactions) {
      included.push(hash)
      const slot = slotOf(input)
      counted.set(slot, (counted.get(slot) ?? 0n) + 1n)
      const receipt = await ask<{ status: string; blockNumber: string }>(
        devnet,
        'eth_getTransactionReceipt',
        hash,
      )
      expect(receipt).toMatchObject({ status: '0x1', blockNumber: hex(number) })
    }
    for (const [slot, count] of counted) {
      expect(await ask(devnet, 'eth_getStorageAt', COUNTER, word(slot), hex(number))).toBe(
        word(BEFORE + count),
      )
    }
  }
  expect(included.sort()).toEqual([...sent].sort())
  const logs = await ask<unknown[]>(devnet, 'eth_getLogs', {
    fromBlock: '0x0',
    toBlock: 'latest',
    address: COUNTER,
  })
  expect(logs).toHaveLength(sent.length)
}

it(
  'a devnet whose network fails again and again has all transactions, and right states',
  withRandom(async (random) => {
    const upstream = await network()
    let faults = 0
    while (faults < FAULTS_IN_ALL) {
      let chance = 0.6
      const access = {
        url: 'https://node.example/key',
        time: eagerTime(() => random.fraction()),
        timeoutMs: NEVER_MS,
        retries: random.below(3),
        cache: false,
        fetch: async (_: string, { body }: RequestInit) => {
          const payload = JSON.parse(String(body)) as Payload
          const answers = [JSON.parse((await upstream.respond(String(body)))!)].flat() as object[]
          if (!random.chance(chance)) return json(whole(answers, Array.isArray(payload)))
          faults++
          return random.pick(FAULTS)(answers, Array.isArray(payload), random)
        },
      }
      await using devnet = await until(() => devnetThrough(access, { ticksPerBlock: 3 }))
      const sent = await use(random, devnet, 60)
      chance = 0
      // What waits gets in once the network answers, and nothing was dropped.
      for (let i = 0; i < 4; i++) await devnet.mine()
      expect(await ask(devnet, 'txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
      await expectWhole(devnet, sent)
    }
    await upstream.close()
  }),
)
