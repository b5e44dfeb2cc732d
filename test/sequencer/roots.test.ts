import type { RunBlockResult } from '@ethereumjs/vm'
import { mnemonicToAccount } from 'viem/accounts'
import { afterEach, describe, expect, it } from 'vitest'
import { type Address, toHex } from '../../src/bytes/hex.ts'
import type { Moment } from '../../src/chain/moment.ts'
import { createDevnet } from '../../src/devnet/createDevnet.ts'
import type { Devnet } from '../../src/devnet/devnet.ts'
import { TEST_MNEMONIC } from '../../src/model/account/developmentAccounts.ts'
import type { Block } from '../../src/model/block/block.ts'
import { EMPTY_REQUESTS_HASH } from '../../src/model/block/header.ts'
import { HISTORY_STORAGE_ADDRESS, PREDEPLOYS, SYSTEM_CONTRACTS } from '../../src/model/bytecode/predeploys.ts'
import type { Hardfork } from '../../src/model/hardfork/hardfork.ts'
import type { DevnetOptions } from '../../src/options/options.ts'
import { Mixture } from '../support/chains/mixture.ts'
import { type GenesisAccount, ReferenceChain } from '../support/chains/referenceChain.ts'
import { type Random, withRandom } from '../support/random/random.ts'

let devnet: Devnet | undefined
afterEach(() => devnet?.close())

describe('a chain of many blocks', { timeout: 120_000 }, () => {
  it(
    'has the roots, the blooms, the gas and the hashes that EthereumJS finds, whatever its transactions do',
    withRandom(async (random) => {
      const chain = await busyChain(random, 200, { hardfork: 'osaka', ticksPerBlock: 3 })
      const results = await replay('osaka', chain, false)
      // It was worth the trouble: all that a chain can go through is in there.
      const transactions = chain.flatMap(({ block }) => block.transactions)
      expect(new Set(transactions.map(({ type }) => type))).toEqual(new Set([0, 1, 2, 4]))
      expect(chain.filter(({ block }) => block.transactions.length > 1).length).toBeGreaterThan(20)
      expect(chain.filter(({ slices }) => slices > 1).length).toBeGreaterThan(20)
      const runs = results.flatMap((result) => result.results)
      const errors = runs.map(({ execResult }) => execResult.exceptionError?.error)
      expect([...new Set(errors)]).toEqual(
        expect.arrayContaining([undefined, 'revert', 'out of gas', 'invalid opcode']),
      )
      expect(runs.filter(({ createdAddress }) => createdAddress).length).toBeGreaterThan(20)
      expect(runs.filter(({ execResult }) => execResult.selfdestruct?.size).length).toBeGreaterThan(10)
      expect(runs.filter(({ gasRefund = 0n }) => gasRefund > 0n).length).toBeGreaterThan(10)
      expect(clearedDelegations(chain)).toBeGreaterThan(0)
    }),
  )

  it.each<[Hardfork, number, number]>([
    ['osaka', 0, 20],
    ['osaka', 1, 20],
    ['prague', 1, 20],
    ['cancun', 3, 20],
    ['shanghai', 1, 20],
    ['paris', 1, 15],
    ['london', 3, 15],
    ['berlin', 1, 15],
    ['istanbul', 1, 15],
    ['constantinople', 1, 15],
    ['byzantium', 1, 15],
  ])(
    'has what EthereumJS finds under the rules of %s with %i slices in each of its %i blocks',
    (hardfork, ticksPerBlock, length) =>
      withRandom(async (random) => {
        await replay(hardfork, await busyChain(random, length, { hardfork, ticksPerBlock }), false)
      })(),
  )

  it(
    'has what EthereumJS finds while system contracts remember block hashes and collect requests',
    withRandom(async (random) => {
      const chain = await busyChain(random, 60, { hardfork: 'osaka', systemContracts: true })
      await replay('osaka', chain, true)
      const hashes = chain.map(({ block }) => block.header.requestsHash)
      expect(hashes).toContain(EMPTY_REQUESTS_HASH)
      expect(new Set(hashes).size).toBeGreaterThan(1)
      // EIP-2935: the parent's hash stands in the slot of its number.
      const { block: parent } = chain.at(-2)!
      const { state } = chain.at(-1)!
      expect(state.storage(HISTORY_STORAGE_ADDRESS, parent.header.number)).toBe(BigInt(parent.hash))
    }),
  )
})

type Sealed = Moment & { readonly slices: number }

/** A chain of at least `length` blocks, its genesis first, made by random steps out of random transactions. */
async function busyChain(random: Random, length: number, options: DevnetOptions): Promise<Sealed[]> {
  devnet = await createDevnet({ rhythm: 'manual', coinbase: random.hex(20), ...options })
  const { hardfork } = devnet.settings
  const chain: Sealed[] = [{ ...devnet.snapshot().mark.chain.history.latest, slices: 0 }]
  let slices = 0
  devnet.on('preconfirmed', (_, added) => {
    if (added.length > 0) slices++
  })
  devnet.on('sealed', (moment) => {
    chain.push({ ...moment, slices })
    slices = 0
  })
  const dropped: unknown[] = []
  devnet.on('dropped', (transaction, reason) => dropped.push([transaction.hash, reason]))
  const mixture = new Mixture(random, hardfork!, devnet.accounts, options.systemContracts)
  while (chain.length <= length) {
    for (let waiting = random.below(6); waiting > 0; waiting--) {
      const { raw } = await mixture.next()
      await devnet.request({ method: 'eth_sendRawTransaction', params: [toHex(raw)] })
    }
    await step(random, devnet)
  }
  await devnet.mine()
  expect(dropped).toEqual([])
  return chain
}

/** Makes the chain go on, in one of the ways in which it can. */
function step(random: Random, devnet: Devnet): Promise<void> {
  switch (random.below(5)) {
    case 0:
      return devnet.mine()
    case 1:
      return devnet.seal()
    case 2:
      return devnet.advance({ ms: random.between(1, 700) })
    default:
      return devnet.tick()
  }
}

/** Plays `chain` again with EthereumJS's VM, comparing each block. */
async function replay(
  hardfork: Hardfork,
  chain: readonly Sealed[],
  systemContracts: boolean,
): Promise<RunBlockResult[]> {
  const [genesis, ...later] = chain.map(({ block }) => block) as [Block, ...Block[]]
  const reference = await ReferenceChain.start(hardfork, genesis, genesisAccounts(systemContracts))
  expect(toHex(reference.decode(genesis).hash())).toBe(genesis.hash)
  const results: RunBlockResult[] = []
  for (const block of later) {
    const { theirs, result } = await reference.replay(block)
    expect({
      hash: block.hash,
      stateRoot: block.header.stateRoot,
      receiptsRoot: block.header.receiptsRoot,
      transactionsRoot: block.header.transactionsRoot,
      logsBloom: toHex(block.header.logsBloom),
      gasUsed: block.header.gasUsed,
      requestsHash: block.header.requestsHash,
    }).toEqual({
      hash: toHex(theirs.hash()),
      stateRoot: toHex(result.stateRoot),
      receiptsRoot: toHex(result.receiptsRoot),
      transactionsRoot: toHex(theirs.header.transactionsTrie),
      logsBloom: toHex(result.logsBloom),
      gasUsed: result.gasUsed,
      requestsHash: result.requestsHash && toHex(result.requestsHash),
    })
    expect(block.receipts.map(({ gasUsed }) => gasUsed)).toEqual(
      result.results.map(({ totalGasSpent }) => totalGasSpent),
    )
    results.push(result)
  }
  return results
}

/** Ten accounts with 10,000 ether each, as viem derives them, and the contracts that every devnet has. */
function genesisAccounts(systemContracts: boolean): GenesisAccount[] {
  const contracts = systemContracts ? [...PREDEPLOYS, ...SYSTEM_CONTRACTS] : PREDEPLOYS
  return [
    ...Array.from({ length: 10 }, (_, addressIndex) => ({
      address: mnemonicToAccount(TEST_MNEMONIC, { addressIndex }).address.toLowerCase() as Address,
      balance: 10_000n * 10n ** 18n,
    })),
    ...contracts.map(({ address, code }) => ({ address, nonce: 1n, code })),
  ]
}

/** How many accounts had an EIP-7702 delegation after one block and no code after a later one. */
function clearedDelegations(chain: readonly Moment[]): number {
  const delegated = new Set<Address>()
  const cleared = new Set<Address>()
  for (const { state } of chain) {
    for (const { address, code } of state.records()) {
      if (code.length === 23 && toHex(code).startsWith('0xef0100')) delegated.add(address)
      else if (delegated.has(address) && code.length === 0) cleared.add(address)
    }
  }
  return cleared.size
}
