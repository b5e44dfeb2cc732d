/** A fork with proofs: what is done on it gives the blocks that the network would have, down to their hashes. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Hex, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import market, { type Market } from '../../fixtures/market.ts'
import { createDevnet, type Devnet, replay } from '../../src/index.ts'
import { BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS } from '../../src/model/bytecode/predeploys.ts'
import { forgetForks } from '../../src/upstream/sharedForks.ts'
import { chainAndFork, sameOnBoth } from '../support/chains/sameOnFork.ts'
import { ask } from '../support/clients/clients.ts'
import { provenAccount, provenSlot } from '../support/nodes/proofs.ts'
import { withRandom } from '../support/random/random.ts'

describe('a chain and a fork of it with proofs', () => {
  it.each(['paris', 'shanghai', 'cancun', 'prague', 'osaka'] as const)(
    'have the same receipts, errors, state roots, hashes and proofs under %s',
    (hardfork) =>
      withRandom(async (random) => {
        const chains = await chainAndFork(random, hardfork)
        try {
          await sameOnBoth(random, chains, 60)
        } finally {
          await chains.close()
        }
      })(),
  )
})

type Proof = {
  accountProof: string[]
  balance: string
  storageHash: string
  storageProof: { value: string; proof: string[] }[]
}

describe('a fork of a market', () => {
  let network: Devnet
  let where: Market
  const forked = (fork: object = { proofs: true }, options: object = {}) =>
    createDevnet({ rhythm: 'manual', ...options, fork: { provider: network, ...fork } })
  const balanceOf = (owner: string) => ({
    to: where.gold,
    data: `0x70a08231${owner.slice(2).toLowerCase().padStart(64, '0')}`,
  })

  beforeAll(async () => {
    network = await createDevnet({ rhythm: 'manual', chainId: 4242 })
    where = await market(network)
    await network.mine()
  })
  afterAll(() => network.close())

  it('says of itself that it has proofs', async () => {
    await using fork = await forked()
    expect(await ask(fork, 'anvil_nodeInfo')).toMatchObject({ forkConfig: { proofs: true } })
    expect(await ask(fork, 'hardhat_metadata')).toMatchObject({ forkedNetwork: { proofs: true } })
  })

  it('proves what it has against the roots of its blocks, the one of the fork block included', async () => {
    for (const isProven of [true, false]) {
      await using fork = await forked({ proofs: isProven })
      const [owner] = fork.accounts
      await fork.send({ to: where.trader, value: 1n })
      const numbers = isProven ? ['0x5', '0x6'] : ['0x5']
      for (const number of numbers) {
        const { stateRoot } = await ask<{ stateRoot: Hex }>(fork, 'eth_getBlockByNumber', number, false)
        for (const address of [owner!.address, where.gold, `0x${'ab'.repeat(20)}`] as Hex[]) {
          const slots = ['0x0', '0x2', '0x99']
          const proof = await ask<Proof>(fork, 'eth_getProof', address, slots, number)
          const account = await provenAccount(stateRoot, address, proof.accountProof as Hex[])
          expect(account?.balance ?? 0n).toBe(BigInt(proof.balance))
          if (account === undefined) continue
          expect(account.storageHash).toBe(proof.storageHash)
          for (const [index, slot] of slots.entries()) {
            const { value, proof: nodes } = proof.storageProof[index]!
            expect(await provenSlot(account.storageHash, BigInt(slot), nodes as Hex[])).toBe(BigInt(value))
          }
        }
      }
      const proving = ask(fork, 'eth_getProof', owner!.address, [], 'latest')
      if (!isProven)
        await expect(proving).rejects.toThrow('a state that was forked from a network has no proofs')
    }
  })

  it('exports blocks that the network takes, and refuses what needs all accounts', async () => {
    // Without development accounts nothing is changed but by blocks.
    await using fork = await forked({ proofs: true }, { accounts: 0, autoImpersonate: true })
    const [owner, trader] = network.accounts.map(({ address }) => address)
    const data = `0xa9059cbb${trader!.slice(2).toLowerCase().padStart(64, '0')}${'5'.padStart(64, '0')}`
    for (let i = 0; i < 3; i++) {
      const transaction = { from: owner!, to: where.gold, data, gas: '0x30000' }
      await ask(
        fork,
        'eth_sendRawTransaction',
        await ask(network, 'eth_signTransaction', await filled(fork, transaction)),
      )
      await fork.mine()
    }
    await using twin = await forked({ proofs: true }, { accounts: 0 })
    expect(await twin.import(fork.export(), { rules: 'devnet' })).toEqual({ imported: 3, known: 0 })
    expect(twin.latest.hash).toBe(fork.latest.hash)
    const blocks = Buffer.concat([...fork.export()])
    await using copy = await createDevnet({
      rhythm: 'manual',
      genesis: network.genesis() as never,
      accounts: 0,
    })
    await copy.import(network.export(), { rules: 'devnet' })
    await copy.import([blocks], { rules: 'devnet' })
    expect(copy.latest.hash).toBe(fork.latest.hash)
    expect(() => fork.genesis()).toThrow(
      /^genesis: a state that was forked from a network has no genesis files/,
    )
    await using without = await forked({})
    expect(() => without.export()).toThrow(
      /^export: a state that was forked from a network has no state roots: .* fork: \{ proofs: true \} gives them/,
    )
  })

  it('says what its node said wrongly, and stays usable', async () => {
    let lies = false
    const provider = {
      request: async (asked: { method: string; params?: unknown }) => {
        const result = await network.request(asked as never)
        if (!lies || asked.method !== 'eth_getProof') return result
        return { ...(result as object), balance: '0x7' }
      },
    }
    await using fork = await forked({ provider, proofs: true })
    lies = true
    const failing = ask(fork, 'eth_getBalance', where.gold, 'latest')
    await expect(failing).rejects.toMatchObject({
      code: -32_000,
      message: expect.stringContaining('the proof shows'),
    })
    lies = false
    expect(await ask(fork, 'eth_getBalance', where.gold, 'latest')).toBe(
      await ask(network, 'eth_getBalance', where.gold, 'latest'),
    )
  })

  it('waits for the network ever more rarely to seal blocks in which only the protocol writes', async () => {
    await using first = await createDevnet({ rhythm: 'manual', systemContracts: true, accounts: 0 })
    const genesis = first.genesis() as { alloc: Record<string, { storage?: object }> }
    // As after a day: with fewer slots the nodes towards one show that others are empty.
    const full = Object.fromEntries(Array.from({ length: 8_191 }, (_, slot) => [toHex(slot), '0x1']))
    for (const address of [HISTORY_STORAGE_ADDRESS, BEACON_ROOTS_ADDRESS]) {
      genesis.alloc[address]!.storage = full
    }
    await using mainnet = await createDevnet({ rhythm: 'manual', accounts: 0, genesis: genesis as never })
    await mainnet.mine()
    let asked = 0
    const provider = {
      request: (request: { method: string }) => {
        if (request.method === 'eth_getProof') asked++
        return mainnet.request(request as never)
      },
    }
    await using fork = await forked({ provider, proofs: true }, { accounts: 0 })
    const waited: number[] = []
    for (let block = 1; block <= 40; block++) {
      const before = asked
      for (const devnet of [fork, mainnet]) {
        await ask(devnet, 'evm_setNextBlockTimestamp', 4_000_000_000 + 12 * block)
        await devnet.mine()
      }
      if (asked > before) waited.push(block)
    }
    expect(fork.latest.hash).toBe(mainnet.latest.hash)
    // Each time it asks for as many blocks more as there were.
    expect(waited).toEqual([1, 2, 4, 8, 16, 32])
  })

  it('has proofs from a state file, too, and goes on with the same blocks', async () => {
    await using fork = await forked()
    await fork.send({ to: where.trader, value: 7n })
    const file = Buffer.concat([...fork.dump()])
    const proof = await ask(fork, 'eth_getProof', where.trader, [], 'latest')
    // A devnet with the same network, one without proofs, and one that knows no network.
    for (const options of [
      { fork: { provider: network, proofs: true } },
      { fork: { provider: network } },
      { chainId: 4242 },
    ]) {
      await using copy = await createDevnet({ rhythm: 'manual', ...options })
      await copy.load([file])
      expect(await ask(copy, 'eth_getProof', where.trader, [], 'latest')).toEqual(proof)
      await using other = await forked()
      await other.load([file])
      for (const devnet of [copy, other]) {
        await ask(devnet, 'evm_setNextBlockTimestamp', 4_000_000_000)
        await devnet.send({ to: where.trader, value: 8n })
      }
      expect(copy.latest.hash).toBe(other.latest.hash)
    }
  })

  it('needs no network with a recorded cache, and has the same blocks', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'preseal-proofs-'))
    try {
      const listener = await network.listen({ port: 0 })
      const cache = join(folder, 'market.jsonl')
      const { url } = listener
      const begin = (offline: boolean) =>
        createDevnet({ rhythm: 'manual', fork: { url, block: 5, cache, proofs: true, offline } })
      const play = async (devnet: Devnet) => {
        await ask(devnet, 'eth_call', balanceOf(where.trader), 'latest')
        await devnet.send({ to: where.trader, value: 5n })
        return devnet.latest.hash
      }
      await using recording = await begin(false)
      const hash = await play(recording)
      await listener.close()
      forgetForks()
      await using offline = await begin(true)
      expect(await play(offline)).toBe(hash)
      await expect(ask(offline, 'eth_getBalance', `0x${'ab'.repeat(20)}`, 'latest')).rejects.toThrow(
        /not recorded: eth_getProof\(0x(ab){20}/,
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

it('a replay of a recording has the same proofs, and asks nobody', async () => {
  await using network = await createDevnet({ rhythm: 'manual', systemContracts: true })
  await network.mine()
  const recording = await (async () => {
    await using fork = await createDevnet({ rhythm: 'manual', fork: { provider: network, proofs: true } })
    const recording = await fork.record()
    const to = `0x${'12'.repeat(20)}` as const
    await fork.send({ to, value: 1n })
    await ask(fork, 'eth_getProof', to, [], 'latest')
    await recording.end()
    return recording
  })()
  await network.close()
  expect(await replay([Buffer.from(recording.text)])).toMatchObject({ ending: 'end' })
})

/** The transaction with all members, as the network's node is to sign it. */
async function filled(devnet: Devnet, transaction: { from: string }): Promise<object> {
  const nonce = await ask(devnet, 'eth_getTransactionCount', transaction.from, 'pending')
  return { ...transaction, nonce, maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x1' }
}
