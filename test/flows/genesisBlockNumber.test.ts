/** A chain that begins with another block than 0 (option `genesisBlockNumber`, anvil's `--number`). */
import { describe, expect, it } from 'vitest'
import { toHex } from '../../src/bytes/hex.ts'
import { createDevnet, type Devnet, type DevnetOptions } from '../../src/index.ts'
import { assemble } from '../support/compilers/assembly.ts'

/** Beyond 32 bits, and no multiple of the 256 blocks that one part of the log index covers. */
const FIRST = 2 ** 33 + 77
const LOGGER = '0x00000000000000000000000000000000000a0990'
const HASHES = '0x00000000000000000000000000000000000b10c4'
const NO_HASH = `0x${'00'.repeat(32)}`

const quantity = (number: number) => `0x${number.toString(16)}`

async function begun(options: DevnetOptions = {}): Promise<Devnet> {
  const devnet = await createDevnet({ rhythm: 'manual', genesisBlockNumber: FIRST, ...options })
  await ask(devnet, 'anvil_setCode', LOGGER, toHex(assemble(0, 0, 'LOG0')))
  // The hash of the block whose number it is called with.
  await ask(
    devnet,
    'anvil_setCode',
    HASHES,
    toHex(assemble(0, 'CALLDATALOAD', 'BLOCKHASH', 0, 'MSTORE', 32, 0, 'RETURN')),
  )
  return devnet
}

/** Asks without the types of methods, as a client does. */
function ask(devnet: Devnet, method: string, ...params: unknown[]): Promise<ReturnType<typeof JSON.parse>> {
  return devnet.request({ method, params } as never)
}

/** Seals the next block, with one log in it. */
async function log(devnet: Devnet): Promise<void> {
  await ask(devnet, 'eth_sendTransaction', { from: devnet.accounts[0]!.address, to: LOGGER, gas: '0x10000' })
  await devnet.mine()
}

async function collected(pieces: Iterable<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(Buffer.concat([...pieces]))
}

describe('a chain that begins with block N', () => {
  it('has it as its newest, earliest, safe and final block, without a parent, and no block before it', async () => {
    const devnet = await begun()
    expect(await ask(devnet, 'eth_blockNumber')).toBe(quantity(FIRST))
    for (const tag of ['latest', 'earliest', 'safe', 'finalized', quantity(FIRST)]) {
      expect(await ask(devnet, 'eth_getBlockByNumber', tag, false)).toMatchObject({
        number: quantity(FIRST),
        parentHash: NO_HASH,
      })
    }
    for (const number of [0, 1, FIRST - 1]) {
      expect(await ask(devnet, 'eth_getBlockByNumber', quantity(number), false)).toBeNull()
    }
    await expect(ask(devnet, 'eth_getBalance', LOGGER, quantity(FIRST - 1))).rejects.toThrow()
  })

  it('goes on with N + 1, which safe and finalized follow in their distances, never to before N', async () => {
    const devnet = await begun({ safeDistance: 2, finalizedDistance: 4 })
    const first = await ask(devnet, 'eth_getBlockByNumber', 'earliest', false)
    const trails = []
    for (let i = 1; i <= 5; i++) {
      await devnet.mine()
      const numberOf = async (tag: string) =>
        Number((await ask(devnet, 'eth_getBlockByNumber', tag, false)).number) - FIRST
      trails.push([await numberOf('latest'), await numberOf('safe'), await numberOf('finalized')])
    }
    expect(trails).toEqual([
      [1, 0, 0],
      [2, 0, 0],
      [3, 1, 0],
      [4, 2, 0],
      [5, 3, 1],
    ])
    expect(await ask(devnet, 'eth_getBlockByNumber', quantity(FIRST + 1), false)).toMatchObject({
      parentHash: first.hash,
    })
  })

  it('answers NUMBER and BLOCKHASH with its own blocks, and with zero for those before N', async () => {
    const devnet = await begun()
    await devnet.mine(3)
    const hashIn = (number: number) =>
      ask(devnet, 'eth_call', { to: HASHES, data: `0x${number.toString(16).padStart(64, '0')}` }, 'latest')
    const hashOf = async (number: number) =>
      (await ask(devnet, 'eth_getBlockByNumber', quantity(number), false)).hash
    expect(await hashIn(FIRST)).toBe(await hashOf(FIRST))
    expect(await hashIn(FIRST + 2)).toBe(await hashOf(FIRST + 2))
    expect(await hashIn(FIRST - 1)).toBe(NO_HASH)
    const code = toHex(assemble('NUMBER', 0, 'MSTORE', 32, 0, 'RETURN'))
    expect(BigInt(await ask(devnet, 'eth_call', { data: code }, 'latest'))).toBe(BigInt(FIRST + 3))
  })

  it('finds its logs in ranges that begin before N, of which only its blocks count against the limit', async () => {
    const devnet = await begun({ logRangeLimit: 3 })
    await log(devnet)
    const logs = (filter: object) => ask(devnet, 'eth_getLogs', filter)
    for (const fromBlock of ['0x0', 'earliest', quantity(FIRST), quantity(FIRST + 1)]) {
      const found = await logs({ fromBlock, toBlock: 'latest', address: LOGGER })
      expect(found).toMatchObject([{ blockNumber: quantity(FIRST + 1), logIndex: '0x0' }])
    }
    expect(await logs({ fromBlock: '0x0', toBlock: quantity(FIRST - 1) })).toEqual([])
    await devnet.mine(2)
    await expect(logs({ fromBlock: '0x0', toBlock: 'latest' })).rejects.toThrow()
  })

  it('has a fee history that begins with N', async () => {
    const devnet = await begun()
    await devnet.mine(2)
    const fees = await ask(devnet, 'eth_feeHistory', '0x64', 'latest', [])
    expect(fees.oldestBlock).toBe(quantity(FIRST))
    expect(fees.baseFeePerGas).toHaveLength(4)
  })

  it('forgets blocks by its option history, but N itself', async () => {
    const devnet = await begun({ history: { blocks: 2 } })
    for (let i = 0; i < 4; i++) await log(devnet)
    const stateAt = (number: number) => ask(devnet, 'eth_getBalance', LOGGER, quantity(number))
    expect(await stateAt(FIRST)).toBe('0x0')
    await expect(stateAt(FIRST + 2)).rejects.toThrow()
    expect(await stateAt(FIRST + 3)).toBe('0x0')
    const logs = await ask(devnet, 'eth_getLogs', { fromBlock: quantity(FIRST + 3), address: LOGGER })
    expect(logs).toHaveLength(2)
    expect(() => devnet.export()).toThrow(`blocks ${FIRST + 1} to ${FIRST + 2} were pruned`)
    const loaded = await createDevnet({ rhythm: 'manual', history: { blocks: 2 } })
    const file = await collected(devnet.dump())
    await loaded.load(file)
    expect(await collected(loaded.dump())).toEqual(file)
  })

  it('is written down and read again: as a state file, and as a genesis.json with its blocks', async () => {
    const devnet = await begun()
    await log(devnet)
    await log(devnet)
    const file = await collected(devnet.dump())
    const loaded = await createDevnet({ rhythm: 'manual' })
    await loaded.load(file)
    expect(await collected(loaded.dump())).toEqual(file)
    expect(loaded.latest.hash).toBe(devnet.latest.hash)
    await log(loaded)
    expect(loaded.latest.header.number).toBe(BigInt(FIRST + 3))
  })

  it('is imported by a devnet with its genesis, and by none that begins elsewhere', async () => {
    const devnet = await createDevnet({ rhythm: 'manual', genesisBlockNumber: FIRST })
    await devnet.mine(3)
    const genesis = devnet.genesis()
    expect(genesis).toMatchObject({ number: quantity(FIRST) })
    const blocks = await collected(devnet.export())
    const imported = await createDevnet({ rhythm: 'manual', genesis })
    await imported.import(blocks, { rules: 'devnet' })
    expect(imported.latest.hash).toBe(devnet.latest.hash)
    const other = await createDevnet({ rhythm: 'manual' })
    await expect(other.import(blocks, { rules: 'devnet' })).rejects.toThrow(
      `number: the header says ${FIRST + 1}, the next block here is 1`,
    )
    const earlier = await collected(await otherBlocks())
    await expect(imported.import(earlier, { rules: 'devnet' })).rejects.toThrow(
      `number: the header says 1, the next block here is ${FIRST + 4}`,
    )
  })

  it('is forked, restored, reorganized no deeper than to N, and reset to N', async () => {
    const devnet = await begun()
    await log(devnet)
    const snapshot = await devnet.snapshot()
    const fork = await devnet.fork()
    await log(fork)
    expect(fork.latest.header.number).toBe(BigInt(FIRST + 2))
    await devnet.mine(2)
    await devnet.restore(snapshot)
    expect(devnet.latest.header.number).toBe(BigInt(FIRST + 1))
    await expect(devnet.faults.reorg({ depth: 2, transactions: 'drop' })).rejects.toThrow()
    await devnet.faults.reorg({ depth: 1, transactions: 'drop' })
    expect(devnet.latest.header.number).toBe(BigInt(FIRST + 1))
    await ask(devnet, 'anvil_reset')
    expect(devnet.latest.header.number).toBe(BigInt(FIRST))
    expect(await ask(devnet, 'eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' })).toEqual([])
  })

  it('has no traces at N, and is searched from N on', async () => {
    const devnet = await begun()
    await log(devnet)
    expect(await ask(devnet, 'debug_traceBlockByNumber', quantity(FIRST), {})).toEqual([])
    expect(await ask(devnet, 'debug_traceBlockByNumber', quantity(FIRST + 1), {})).toHaveLength(1)
    expect(await ask(devnet, 'trace_filter', { toAddress: [LOGGER] })).toHaveLength(1)
    for (const [method, number] of [
      ['ots_searchTransactionsBefore', 0],
      ['ots_searchTransactionsAfter', 0],
      ['ots_searchTransactionsAfter', FIRST],
    ] as const) {
      const found = await ask(devnet, method, LOGGER, number, 5)
      expect(found).toMatchObject({ firstPage: true, lastPage: true })
      expect(found.txs).toHaveLength(1)
    }
    expect(await ask(devnet, 'eth_capabilities')).toMatchObject({ logs: { oldestBlock: quantity(FIRST) } })
  })

  it('is another than one that begins with 0, by hash and by randomness', async () => {
    const [first, zero] = await Promise.all([begun(), begun({ genesisBlockNumber: 0 })])
    expect(first.latest.hash).not.toBe(zero.latest.hash)
  })
})

async function otherBlocks(): Promise<Iterable<Uint8Array>> {
  const devnet = await createDevnet({ rhythm: 'manual' })
  await devnet.mine()
  return devnet.export()
}

describe('the option genesisBlockNumber', () => {
  it.each([-1, 1.5, 2 ** 48 + 1])('is not %s', async (genesisBlockNumber) => {
    await expect(createDevnet({ genesisBlockNumber })).rejects.toThrow(
      `option genesisBlockNumber: expected a block number (a whole number from 0 to ${2 ** 48}), got ${genesisBlockNumber}`,
    )
  })

  it('is not said beside a genesis.json, which has a number of its own', async () => {
    const genesis = { config: { chainId: 5 }, alloc: {}, number: 7 }
    const devnet = await createDevnet({ rhythm: 'manual', genesis })
    expect(devnet.latest.header.number).toBe(7n)
    await expect(createDevnet({ genesis, genesisBlockNumber: 7 })).rejects.toThrow(
      'option genesisBlockNumber: expected nothing, because the genesis decides it',
    )
  })
})
