/** A chain, and a fork of it on which the same is done: both have the same blocks, down to their hashes. */
import { getContractAddress } from 'viem'
import { expect } from 'vitest'
import { type Address, type Hex, toHex, toWord } from '../../../src/bytes/hex.ts'
import { createDevnet, type Devnet } from '../../../src/index.ts'
import { SYSTEM_CONTRACTS } from '../../../src/model/bytecode/predeploys.ts'
import type { Hardfork } from '../../../src/model/hardfork/hardfork.ts'
import { answering, assemble, creationOf } from '../compilers/assembly.ts'
import { wildCode } from '../engines/wildCode.ts'
import type { Random } from '../random/random.ts'

const addresses = (prefix: string, count: number): readonly Address[] =>
  Array.from({ length: count }, (_, n): Address => `0x${prefix}${String(n + 1).repeat(38)}`)
const SENDERS = addresses('5e', 5)
const SHOPS = addresses('50', 6)
const MORTALS = addresses('de', 6)
const WILD = addresses('cc', 4)
const MAKER: Address = `0x3a${'1'.repeat(38)}`
const CONTRACTS = [...SHOPS, ...MORTALS, ...WILD, MAKER]

/** Sets slots to values: the data are pairs of words. Emits a log with the last value that was there before. */
const SHOP = Uint8Array.of(
  ...assemble(0, 'JUMPDEST', 'DUP1', 'CALLDATASIZE', 'GT', 'ISZERO', '0x1e', 'JUMPI'),
  ...assemble('DUP1', 'CALLDATALOAD', 'DUP1', 'SLOAD', 0, 'MSTORE'),
  ...assemble('DUP2', 32, 'ADD', 'CALLDATALOAD', 'SWAP1', 'SSTORE'),
  ...assemble(64, 'ADD', 2, 'JUMP', 'JUMPDEST', 32, 0, 'LOG0', 'STOP'),
)
/** Ends in favour of the account in its data; with no data, writes a slot by the number of the block. */
const MORTAL = assemble(
  'CALLDATASIZE',
  '0x0a',
  'JUMPI',
  'NUMBER',
  'DUP1',
  'SSTORE',
  0,
  'STOP',
  'JUMPDEST',
  0,
  'CALLDATALOAD',
  'SELFDESTRUCT',
)
/** Makes a contract at an address that depends on its data alone, which are the creation code. */
const CREATE2 = assemble(
  'CALLDATASIZE',
  0,
  0,
  'CALLDATACOPY',
  7,
  'CALLDATASIZE',
  0,
  'CALLVALUE',
  'CREATE2',
  0,
  'MSTORE',
  32,
  0,
  'RETURN',
)
/** What it makes: slots, and an end. */
const MADE = creationOf(MORTAL, assemble(1, 1, 'SSTORE', 2, 2, 'SSTORE', 3, 3, 'SSTORE'))
const MADE_AT = getContractAddress({
  opcode: 'CREATE2',
  from: MAKER,
  salt: toHex(toWord(7n)),
  bytecode: toHex(MADE),
})
/** What it makes and ends at once. */
const SHORT_LIVED = assemble(9, 9, 'SSTORE', 0, 'SELFDESTRUCT')

const word = (value: bigint | number): string => value.toString(16).padStart(64, '0')

/** Asks both chains, and returns the answer if it is the same. */
type Both = (method: string, ...params: unknown[]) => Promise<unknown>

interface Chains {
  readonly network: Devnet
  readonly fork: Devnet
  readonly both: Both
  close(): Promise<void>
}

interface Answer {
  readonly result?: unknown
  readonly error?: unknown
}

const ask = (devnet: Devnet, method: string, params: readonly unknown[]): Promise<Answer> =>
  devnet.request({ method, params: [...params] } as never).then(
    (result) => ({ result }),
    ({ code, message, data }) => ({ error: { code, message, data } }),
  )

/** Returns a chain with random accounts and some blocks, and a fork of it with proofs. */
export async function chainAndFork(random: Random, hardfork: Hardfork): Promise<Chains> {
  const network = await createDevnet({
    rhythm: 'manual',
    autoImpersonate: true,
    accounts: 0,
    genesis: genesisOf(random, hardfork) as never,
  })
  const beginning: Both = async (method, ...params) => (await ask(network, method, params)).result
  for (let step = 0; step < 12; step++) await beginning('eth_sendTransaction', randomCall(random))
  await mine(random, beginning)
  const fork = await createDevnet({
    rhythm: 'manual',
    autoImpersonate: true,
    accounts: 0,
    fork: { provider: network, proofs: true },
  })
  return {
    network,
    fork,
    both: async (method, ...params) => {
      const [theirs, ours] = await Promise.all([ask(network, method, params), ask(fork, method, params)])
      expect(ours, `${method} ${JSON.stringify(params)}`).toEqual(theirs)
      return ours.result
    },
    close: async () => {
      await fork.close()
      await network.close()
    },
  }
}

/** Does so many random things on both, and mines them. Every answer has to be the same. */
export async function sameOnBoth(random: Random, { both }: Chains, steps: number): Promise<void> {
  // What is changed without a block changes the newest one, which must not be the fork block.
  await mine(random, both)
  const snapshots: unknown[] = []
  for (let step = 0; step < steps; step++) {
    await act(random, both, snapshots)
    if (random.chance(0.2)) await mine(random, both)
  }
  await mine(random, both)
  for (const address of [...CONTRACTS, ...SENDERS, MADE_AT]) {
    await both(
      'eth_getProof',
      address,
      random.list(3, () => `0x${word(random.below(80))}`),
      'latest',
    )
  }
}

async function mine(random: Random, both: Both): Promise<void> {
  const { timestamp } = (await both('eth_getBlockByNumber', 'latest', false)) as { timestamp: Hex }
  await both('evm_setNextBlockTimestamp', Number(timestamp) + random.between(1, 20))
  await both('evm_mine')
  await both('eth_getBlockByNumber', 'latest', true)
  await both('eth_getBlockReceipts', 'latest')
  await both('eth_getLogs', { fromBlock: 'latest' })
}

/** Does one thing: a transaction, a call, a question, rarely a change without a block. */
async function act(random: Random, both: Both, snapshots: unknown[]): Promise<void> {
  const call = randomCall(random)
  const address = random.pick([...CONTRACTS, ...SENDERS, random.hex(20)])
  const slot = `0x${word(random.below(80))}`
  const small = `0x${random.below(3).toString(16)}`
  const kind = random.below(24)
  if (kind < 13) await both('eth_sendTransaction', call)
  else if (kind < 15) await both('eth_call', call, random.pick(['latest', 'pending']))
  else if (kind === 15) await both('eth_estimateGas', call)
  else if (kind === 16) await both('eth_getBalance', address, 'latest')
  else if (kind === 17) await both('eth_getStorageAt', address, slot, 'latest')
  else if (kind === 18) await both('eth_getCode', address, 'latest')
  else if (kind === 19) await both('eth_getProof', address, [slot], random.pick(['latest', 'pending']))
  else if (kind === 20) snapshots.push(await both('evm_snapshot'))
  else if (kind === 21 && snapshots.length > 0) await both('evm_revert', snapshots.pop())
  // They write without reading.
  else if (kind === 22)
    await both('anvil_setStorageAt', random.pick(SHOPS), slot, `0x${word(random.below(2))}`)
  else if (kind === 23) {
    const owner = random.pick([...CONTRACTS, random.hex(20)])
    await both(random.pick(['anvil_setBalance', 'anvil_setNonce']), owner, small)
  }
}

function randomCall(random: Random): Record<string, unknown> {
  const from = random.pick(SENDERS)
  const gas = random.chance(0.9) ? '0x100000' : '0x6000'
  const value = random.chance(0.3) ? `0x${random.below(1_000).toString(16)}` : '0x0'
  const kind = random.below(10)
  if (kind < 4) {
    const pairs = random.list(
      random.between(1, 6),
      () => word(random.below(80)) + word(random.chance(0.6) ? 0 : random.bigint(256)),
    )
    return { from, gas, to: random.pick(SHOPS), data: `0x${pairs.join('')}` }
  }
  const someone = random.pick([
    ...SENDERS,
    ...CONTRACTS,
    random.hex(20),
    `0x${word(random.below(12)).slice(24)}` as const,
  ])
  const mortals = [...MORTALS, MADE_AT, MADE_AT, MADE_AT]
  if (kind === 4)
    return { from, gas, to: random.pick(mortals), data: `0x${someone.slice(2).padStart(64, '0')}` }
  if (kind === 5) return { from, gas, to: random.pick(mortals) }
  if (kind === 6) return { from, gas, to: MAKER, data: toHex(random.pick([MADE, MADE, SHORT_LIVED])) }
  if (kind === 7) return { from, gas, value, data: toHex(creationOf(answering(random.below(9)))) }
  if (kind === 8)
    return { from, gas, value, to: random.pick(WILD), data: random.hex(random.pick([0, 4, 36])) }
  return { from, gas, value, to: someone }
}

function genesisOf(random: Random, hardfork: Hardfork): Record<string, unknown> {
  const times = ['shanghai', 'cancun', 'prague', 'osaka'] as const
  const last = times.indexOf(hardfork as 'osaka')
  const since = Object.fromEntries(times.slice(0, last + 1).map((name) => [`${name}Time`, 0]))
  const slots = (count: number) =>
    Object.fromEntries(
      random.list(count, () => [
        `0x${word(random.below(80))}`,
        `0x${word(random.bigint(256) + 1n).slice(-64)}`,
      ]),
    )
  const contract = (code: Uint8Array, count = 0) => ({
    balance: '0x5',
    nonce: '0x1',
    code: toHex(code),
    storage: slots(count),
  })
  return {
    config: {
      chainId: 4242,
      ...Object.fromEntries(
        [
          'homestead',
          'eip150',
          'eip155',
          'eip158',
          'byzantium',
          'constantinople',
          'petersburg',
          'istanbul',
          'berlin',
          'london',
          'mergeNetsplit',
        ].map((name) => [`${name}Block`, 0]),
      ),
      terminalTotalDifficulty: 0,
      terminalTotalDifficultyPassed: true,
      ...since,
      blobSchedule: { cancun: BLOBS, prague: BLOBS, osaka: BLOBS },
    },
    gasLimit: '0x3938700',
    baseFeePerGas: '0x3b9aca00',
    timestamp: '0x65000000',
    difficulty: '0x0',
    alloc: {
      ...Object.fromEntries(SENDERS.map((address) => [address, { balance: '0x3635c9adc5dea00000' }])),
      ...Object.fromEntries(
        SHOPS.map((address) => [address, contract(SHOP, random.pick([1, 2, 3, 20, 60]))]),
      ),
      ...Object.fromEntries(MORTALS.map((address) => [address, contract(MORTAL, random.pick([0, 1, 3]))])),
      ...Object.fromEntries(WILD.map((address) => [address, contract(wildCode(random, CONTRACTS, 60), 4)])),
      [MAKER]: contract(CREATE2),
      ...Object.fromEntries(
        SYSTEM_CONTRACTS.map(({ address, code }) => [address, { balance: '0x0', nonce: '0x1', code }]),
      ),
      ...Object.fromEntries(random.list(200, () => [random.hex(20), { balance: '0x1' }])),
    },
  }
}

const BLOBS = { target: 3, max: 6, baseFeeUpdateFraction: 3338477 }
