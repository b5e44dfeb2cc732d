/** The past: what is kept of it, what is let go, and how it is shown. */
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { encodeFunctionData, getContractAddress, type Hex, numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { Emitter } from '../../fixtures/contracts/Emitter.ts'
import type { Devnet, DevnetOptions } from '../../src/index.ts'
import { ask, STRANGER, started, ZERO_HASH } from '../support/clients/clients.ts'

type Json = Record<string, unknown>

const TOUCH = encodeFunctionData({ abi: Emitter.abi, functionName: 'touch' })

/** Block 1 has a new emitter; each of the blocks 2 to `height` a call of it that leaves one wei and one log. */
async function grown(height: number, options: DevnetOptions = {}) {
  const devnet = await started({ rhythm: 'manual', ...options })
  const from = devnet.accounts[0]!.address
  const emitter = getContractAddress({ from, nonce: 0n }).toLowerCase() as Hex
  const hashes = [ZERO_HASH, await ask<Hex>(devnet, 'eth_sendTransaction', { from, data: Emitter.bytecode })]
  await devnet.mine()
  for (let number = 2; number <= height; number++) {
    const call = { from, to: emitter, data: TOUCH, value: '0x1' }
    hashes.push(await ask<Hex>(devnet, 'eth_sendTransaction', call))
    await devnet.mine()
  }
  return { devnet, emitter, hashes }
}

async function block(devnet: Devnet, at: string): Promise<Json> {
  return ask<Json>(devnet, 'eth_getBlockByNumber', at, false)
}

async function balance(devnet: Devnet, owner: Hex, at: unknown): Promise<number> {
  return Number(await ask(devnet, 'eth_getBalance', owner, at))
}

describe('a chain that keeps all', () => {
  it('answers for each block, by number and by hash', async () => {
    const { devnet, emitter } = await grown(20)
    for (let number = 1; number <= 20; number++) {
      const { hash } = await block(devnet, numberToHex(number))
      expect(await balance(devnet, emitter, numberToHex(number))).toBe(number - 1)
      expect(await balance(devnet, emitter, { blockHash: hash, requireCanonical: true })).toBe(number - 1)
    }
  })

  it('has safe and finalized at their distances, and never before genesis', async () => {
    const { devnet } = await grown(3, { safeDistance: 2, finalizedDistance: 5 })
    const numbers = async () => [
      Number((await block(devnet, 'safe')).number),
      Number((await block(devnet, 'finalized')).number),
      Number((await block(devnet, 'latest')).number),
    ]
    expect(await numbers()).toEqual([1, 0, 3])
    for (let more = 0; more < 4; more++) await devnet.mine()
    expect(await numbers()).toEqual([5, 2, 7])
  })

  it('trails by 32 and 64 blocks by default', async () => {
    const { devnet } = await grown(70)
    expect(await block(devnet, 'safe')).toMatchObject({ number: numberToHex(70 - 32) })
    expect(await block(devnet, 'finalized')).toMatchObject({ number: numberToHex(70 - 64) })
  })

  it('shows the state of safe and finalized blocks', async () => {
    const { devnet, emitter } = await grown(10, { safeDistance: 2, finalizedDistance: 4 })
    expect(await balance(devnet, emitter, 'safe')).toBe(7)
    expect(await balance(devnet, emitter, 'finalized')).toBe(5)
    expect(await balance(devnet, emitter, 'earliest')).toBe(0)
  })

  it('makes safe and finalized the latest at a distance of none', async () => {
    const { devnet } = await grown(3, { safeDistance: 0, finalizedDistance: 0 })
    expect(await block(devnet, 'finalized')).toEqual(await block(devnet, 'latest'))
  })

  it('can be called in the past', async () => {
    const { devnet, emitter } = await grown(5)
    const call = { from: emitter, to: STRANGER, value: '0x2' }
    expect(await ask(devnet, 'eth_call', call, '0x3')).toBe('0x')
    await expect(ask(devnet, 'eth_call', call, '0x2')).rejects.toMatchObject({ code: -32003 })
  })

  it('refuses more blocks of logs than its limit, and names a range that fits', async () => {
    const { devnet } = await grown(9, { logRangeLimit: 4 })
    const logs = (fromBlock: string, toBlock: string) =>
      ask<Json[]>(devnet, 'eth_getLogs', { fromBlock, toBlock })
    expect(await logs('0x2', '0x5')).toHaveLength(4)
    await expect(logs('0x2', '0x6')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^query exceeds max block range 4\b/),
    })
  })
})

describe('a chain that keeps five blocks', () => {
  const pruned = { code: 4444, message: 'pruned history unavailable' }
  const five = (height: number) => grown(height, { history: { blocks: 5 } })

  it('answers for the newest five', async () => {
    const { devnet, emitter } = await five(12)
    for (let number = 8; number <= 12; number++) {
      expect(await balance(devnet, emitter, numberToHex(number))).toBe(number - 1)
    }
  })

  it.each(['eth_getBalance', 'eth_getCode', 'eth_getTransactionCount'])(
    'says that older ones are pruned, when asked for %s',
    async (method) => {
      const { devnet, emitter } = await five(12)
      await expect(ask(devnet, method, emitter, '0x7')).rejects.toMatchObject(pruned)
      await expect(ask(devnet, method, emitter, '0x1')).rejects.toMatchObject(pruned)
    },
  )

  it('says which is the oldest that is kept', async () => {
    const { devnet, emitter } = await five(12)
    const asking = ask(devnet, 'eth_getBalance', emitter, '0x7')
    await expect(asking).rejects.toMatchObject({ data: expect.stringContaining('0x8') })
  })

  it('says so to calls, estimates and storage too', async () => {
    const { devnet, emitter } = await five(12)
    const call = { to: emitter, data: TOUCH }
    await expect(ask(devnet, 'eth_call', call, '0x7')).rejects.toMatchObject(pruned)
    await expect(ask(devnet, 'eth_estimateGas', call, '0x7')).rejects.toMatchObject(pruned)
    await expect(ask(devnet, 'eth_getStorageAt', emitter, '0x0', '0x7')).rejects.toMatchObject(pruned)
  })

  it('tells a pruned block from one that never was', async () => {
    const { devnet, hashes } = await five(5)
    const { hash } = await block(devnet, '0x1')
    for (let more = 0; more < 5; more++) await devnet.mine()
    await expect(block(devnet, '0x1')).rejects.toMatchObject(pruned)
    await expect(ask(devnet, 'eth_getBlockByHash', hash, false)).rejects.toMatchObject(pruned)
    await expect(ask(devnet, 'eth_getBalance', STRANGER, { blockHash: hash })).rejects.toMatchObject(pruned)
    expect(await block(devnet, '0x63')).toBeNull()
    expect(await ask(devnet, 'eth_getBlockByHash', hashes[1], false)).toBeNull()
  })

  it('keeps genesis', async () => {
    const { devnet } = await five(12)
    const first = devnet.accounts[0]!.address
    expect(await block(devnet, 'earliest')).toMatchObject({ number: '0x0' })
    expect(await ask(devnet, 'eth_getBalance', first, '0x0')).toBe(numberToHex(10_000n * 10n ** 18n))
    const { hash } = await block(devnet, '0x0')
    expect(await ask(devnet, 'eth_getTransactionCount', first, { blockHash: hash })).toBe('0x0')
  })

  it('refuses ranges of logs that begin before what is kept', async () => {
    const { devnet } = await five(12)
    const logs = (fromBlock: string, toBlock: string) =>
      ask<Json[]>(devnet, 'eth_getLogs', { fromBlock, toBlock })
    expect(await logs('0x8', 'latest')).toHaveLength(5)
    expect(await logs('earliest', 'earliest')).toEqual([])
    await expect(logs('0x7', 'latest')).rejects.toMatchObject(pruned)
    await expect(logs('earliest', 'latest')).rejects.toMatchObject(pruned)
    await expect(logs('0x2', '0x3')).rejects.toMatchObject(pruned)
  })

  it('refuses the logs of a pruned block by its hash', async () => {
    const { devnet } = await five(5)
    const { hash } = await block(devnet, '0x2')
    for (let more = 0; more < 5; more++) await devnet.mine()
    await expect(ask(devnet, 'eth_getLogs', { blockHash: hash })).rejects.toMatchObject(pruned)
  })

  it('has no transactions and receipts of pruned blocks', async () => {
    const { devnet, hashes } = await five(12)
    for (const method of ['eth_getTransactionByHash', 'eth_getTransactionReceipt']) {
      expect(await ask(devnet, method, hashes[7])).toBeNull()
      expect(await ask(devnet, method, hashes[8])).toMatchObject({ blockNumber: '0x8' })
    }
  })

  it('has a history of fees as far as it goes', async () => {
    const { devnet } = await five(12)
    const history = (count: number, newest: string) => ask<Json>(devnet, 'eth_feeHistory', count, newest, [])
    expect(await history(100, 'latest')).toMatchObject({ oldestBlock: '0x8', gasUsedRatio: { length: 5 } })
    expect(await history(3, 'earliest')).toMatchObject({ oldestBlock: '0x0', gasUsedRatio: [0] })
    await expect(history(1, '0x7')).rejects.toMatchObject(pruned)
  })

  it('says so where safe and finalized are pruned', async () => {
    const { devnet } = await grown(12, {
      history: { blocks: 5 },
      safeDistance: 4,
      finalizedDistance: 5,
    })
    expect(await block(devnet, 'safe')).toMatchObject({ number: '0x8' })
    await expect(block(devnet, 'finalized')).rejects.toMatchObject(pruned)
  })

  it('goes back to blocks that were kept when a snapshot was taken', async () => {
    const { devnet, emitter } = await five(6)
    const mark = devnet.snapshot()
    for (let more = 0; more < 20; more++) await devnet.mine()
    await devnet.restore(mark)
    expect(await balance(devnet, emitter, '0x2')).toBe(1)
    await expect(ask(devnet, 'eth_getBalance', emitter, '0x1')).rejects.toMatchObject(pruned)
  })

  it('still has the hashes of pruned blocks for the BLOCKHASH opcode', async () => {
    const { devnet } = await five(4)
    const { hash } = await block(devnet, '0x2')
    for (let more = 0; more < 20; more++) await devnet.mine()
    // PUSH1 2 BLOCKHASH PUSH0 MSTORE PUSH1 32 PUSH0 RETURN
    const overrides = { [STRANGER]: { code: '0x6002405f5260205ff3' } }
    expect(await ask(devnet, 'eth_call', { to: STRANGER }, 'latest', overrides)).toBe(hash)
  })
})

describe('the memory of a chain that keeps five blocks', () => {
  it('lets go of the older ones', async () => {
    const devnet = await started({ rhythm: 'manual', history: { blocks: 5 } })
    const moments: WeakRef<object>[] = []
    devnet.on('sealed', (moment) => moments.push(new WeakRef(moment)))
    for (let more = 0; more < 50; more++) await devnet.mine()
    // What a WeakRef was made of lives to the end of the job that made it.
    // More than once: V8's compilers, which work beside it, hold what they look at until they are done.
    for (let round = 0; round < 10; round++) {
      await setImmediate()
      collectGarbage()
    }
    expect(moments.map((moment) => moment.deref() !== undefined)).toEqual(
      moments.map((_, i) => i >= moments.length - 5),
    )
  })
})

/** Node has no other way to ask for it while it runs. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

describe('a block', () => {
  /** Every field that execution-apis knows of a block of the newest hardfork. */
  const FIELDS = [
    'baseFeePerGas',
    'blobGasUsed',
    'difficulty',
    'excessBlobGas',
    'extraData',
    'gasLimit',
    'gasUsed',
    'hash',
    'logsBloom',
    'miner',
    'mixHash',
    'nonce',
    'number',
    'parentBeaconBlockRoot',
    'parentHash',
    'receiptsRoot',
    'requestsHash',
    'sha3Uncles',
    'size',
    'stateRoot',
    'timestamp',
    'transactions',
    'transactionsRoot',
    'uncles',
    'withdrawals',
    'withdrawalsRoot',
  ]
  const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

  async function pending() {
    const { devnet, emitter, hashes } = await grown(3)
    const from = devnet.accounts[0]!.address
    const hash = await ask<Hex>(devnet, 'eth_sendTransaction', { from, to: emitter, data: TOUCH })
    await devnet.tick()
    return { devnet, hash, hashes }
  }

  it('has the same fields, sealed and pending', async () => {
    const { devnet } = await pending()
    for (const at of ['earliest', 'latest', 'pending']) {
      expect(Object.keys(await block(devnet, at)).sort()).toEqual(FIELDS)
    }
  })

  it('that is sealed points to its parent and has real roots', async () => {
    const { devnet, hashes } = await pending()
    const sealed = await block(devnet, 'latest')
    const parent = await block(devnet, '0x2')
    expect(sealed).toMatchObject({ number: '0x3', parentHash: parent.hash, transactions: [hashes[3]] })
    for (const root of [sealed.stateRoot, sealed.transactionsRoot, sealed.receiptsRoot]) {
      expect(root).not.toBe(ZERO_HASH)
      expect(root).not.toBe(EMPTY_ROOT)
    }
    expect(sealed.stateRoot).not.toBe(parent.stateRoot)
    expect(await ask(devnet, 'eth_getBlockByHash', sealed.hash, false)).toEqual(sealed)
  })

  it('that is pending points to the latest, and has no hash and no state root yet', async () => {
    const { devnet, hash } = await pending()
    const latest = await block(devnet, 'latest')
    const open = await block(devnet, 'pending')
    expect(open).toMatchObject({
      number: '0x4',
      hash: ZERO_HASH,
      stateRoot: ZERO_HASH,
      parentHash: latest.hash,
      transactions: [hash],
    })
    expect(Number(open.gasUsed)).toBeGreaterThan(21_000)
    expect(Number(open.baseFeePerGas)).toBeLessThan(Number(latest.baseFeePerGas))
  })

  it('that is pending has the roots and the bloom that it is sealed with', async () => {
    const { devnet } = await pending()
    const open = await block(devnet, 'pending')
    await devnet.seal()
    const { hash, stateRoot } = await block(devnet, 'latest')
    expect(await block(devnet, 'latest')).toEqual({ ...open, hash, stateRoot })
  })

  it('has its transactions in full where that is asked for', async () => {
    const { devnet, hash, hashes } = await pending()
    const full = (at: string) => ask<{ transactions: Json[] }>(devnet, 'eth_getBlockByNumber', at, true)
    const { transactions } = await full('latest')
    expect(transactions).toEqual([await ask(devnet, 'eth_getTransactionByHash', hashes[3])])
    const open = await full('pending')
    const placed = await ask(devnet, 'eth_getTransactionByBlockNumberAndIndex', 'pending', '0x0')
    expect(open.transactions).toEqual([placed])
    expect(placed).toMatchObject({ hash })
    expect(open.transactions).toMatchObject([
      { blockHash: null, blockNumber: '0x4', transactionIndex: '0x0' },
    ])
  })

  it('that is pending cannot be found by its zero hash', async () => {
    const { devnet } = await pending()
    expect(await ask(devnet, 'eth_getBlockByHash', ZERO_HASH, false)).toBeNull()
  })

  it('that does not exist is null', async () => {
    const { devnet } = await pending()
    expect(await block(devnet, '0x4')).toBeNull()
    expect(await block(devnet, '0xffffffff')).toBeNull()
  })
})
