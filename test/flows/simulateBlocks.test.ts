/** The blocks that eth_simulateV1 makes: what they are by default, what may be given, where they stand, what remains of them. */
import { genWithdrawalsTrieRoot } from '@ethereumjs/block'
import { createWithdrawal } from '@ethereumjs/util'
import { decodeFunctionResult, encodeFunctionData, type Hex, numberToHex, pad } from 'viem'
import { describe, expect, it } from 'vitest'
import { Store } from '../../fixtures/contracts/Store.ts'
import { toHex } from '../../src/bytes/hex.ts'
import type { Devnet } from '../../src/index.ts'
import { EMPTY_REQUESTS_HASH } from '../../src/model/block/header.ts'
import {
  BEACON_ROOTS_ADDRESS,
  HISTORY_STORAGE_ADDRESS,
  WITHDRAWAL_REQUESTS_ADDRESS,
} from '../../src/model/bytecode/predeploys.ts'
import { ask, STRANGER, started, ZERO_HASH } from '../support/clients/clients.ts'
import { answering, type Item } from '../support/compilers/assembly.ts'
import { type SimulatedBlock, simulate } from '../support/engines/simulation.ts'

const OTHER: Hex = '0x0000000000000000000000000000000000006666'
const CODE: Hex = '0x000000000000000000000000000000000000c0de'
const EMPTY_ROOT: Hex = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

const word = (value: bigint | number): Hex => numberToHex(value, { size: 32 })

/** A call that answers the word which `items` leave on the stack, and the code that it needs. */
function asking(...items: Item[]) {
  return { stateOverrides: { [CODE]: { code: toHex(answering(...items)) } }, calls: [{ to: CODE }] }
}

/** The word that the first call of each block answered. */
function answers(blocks: readonly SimulatedBlock[]): Hex[] {
  return blocks.map(({ calls }) => calls[0]!.returnData)
}

function block(devnet: Devnet, at: unknown = 'latest'): Promise<Record<string, Hex>> {
  return ask(devnet, 'eth_getBlockByNumber', at, false)
}

/** A devnet at block `height`. */
async function grown(height: number, options: Parameters<typeof started>[0] = {}): Promise<Devnet> {
  const devnet = await started({ rhythm: 'manual', ...options })
  for (let number = 0; number < height; number++) await devnet.mine()
  return devnet
}

describe('a simulated block', () => {
  it('is a whole block, with what came of its calls', async () => {
    const devnet = await grown(3, { coinbase: OTHER, gasLimit: 20_000_000 })
    const parent = await block(devnet)
    const [simulated, ...more] = await simulate(devnet, [{}])
    expect(more).toEqual([])
    expect(simulated).toEqual({
      number: '0x4',
      parentHash: parent.hash,
      timestamp: numberToHex(Number(parent.timestamp) + 12),
      miner: OTHER,
      gasLimit: '0x1312d00',
      gasUsed: '0x0',
      difficulty: '0x0',
      mixHash: ZERO_HASH,
      nonce: '0x0000000000000000',
      extraData: '0x',
      baseFeePerGas: '0x0',
      blobGasUsed: '0x0',
      excessBlobGas: '0x0',
      parentBeaconBlockRoot: ZERO_HASH,
      requestsHash: EMPTY_REQUESTS_HASH,
      sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
      stateRoot: parent.stateRoot,
      transactionsRoot: EMPTY_ROOT,
      receiptsRoot: EMPTY_ROOT,
      withdrawalsRoot: EMPTY_ROOT,
      logsBloom: `0x${'00'.repeat(256)}`,
      hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      size: expect.stringMatching(/^0x[0-9a-f]+$/),
      uncles: [],
      withdrawals: [],
      transactions: [],
      calls: [],
    })
  })

  it('has a base fee that follows from its parent where everything is validated', async () => {
    const devnet = await grown(2)
    const [simulated] = await simulate(devnet, [{}], { validation: true })
    // Blocks without transactions lower it by an eighth (EIP-1559): 1 gwei, twice, and once more.
    expect(simulated!.baseFeePerGas).toBe(numberToHex((10n ** 9n * 7n * 7n * 7n) / 512n))
  })

  it('tells code what its header says', async () => {
    const devnet = await grown(1)
    const data = encodeFunctionData({ abi: Store.abi, functionName: 'context' })
    const [simulated] = await simulate(devnet, [
      {
        blockOverrides: {
          number: '0x5',
          time: '0xffffffff',
          gasLimit: '0x989680',
          feeRecipient: OTHER,
          prevRandao: word(400),
          baseFeePerGas: '0x14',
        },
        stateOverrides: { [CODE]: { code: Store.deployedBytecode } },
        calls: [{ from: STRANGER, to: CODE, input: data }],
      },
    ]).then((blocks) => blocks.slice(-1))
    expect(simulated).toMatchObject({
      number: '0x5',
      timestamp: '0xffffffff',
      gasLimit: '0x989680',
      miner: OTHER,
      mixHash: word(400),
      baseFeePerGas: '0x14',
    })
    const context = decodeFunctionResult({
      abi: Store.abi,
      functionName: 'context',
      data: simulated!.calls[0]!.returnData,
    })
    expect(context).toEqual({
      number: 5n,
      timestamp: 0xffffffffn,
      baseFee: 20n,
      coinbase: OTHER,
      prevRandao: 400n,
      gasLimit: 10_000_000n,
      chainId: 31_337n,
      sender: STRANGER,
      gasPrice: 0n,
    })
  })

  it.each([['0x7'], ['0x0'], [word(7)]])(
    'takes randomness as a quantity and as 32 bytes: %s',
    async (prevRandao) => {
      const [simulated] = await simulate(await grown(0), [{ blockOverrides: { prevRandao } }])
      expect(simulated!.mixHash).toBe(word(BigInt(prevRandao)))
    },
  )

  it('hands its miner and its gas limit on to those after it, and no price', async () => {
    const devnet = await grown(0)
    const blockOverrides = {
      feeRecipient: OTHER,
      gasLimit: '0x989680',
      baseFeePerGas: '0x14',
      prevRandao: word(1),
    }
    const [, next] = await simulate(devnet, [{ blockOverrides }, {}])
    expect(next).toMatchObject({
      miner: OTHER,
      gasLimit: '0x989680',
      baseFeePerGas: '0x0',
      mixHash: ZERO_HASH,
    })
  })

  it('has the blob base fee of its parent, or the one that is given, which no header has', async () => {
    const devnet = await grown(0)
    const blocks = await simulate(devnet, [
      asking('BLOBBASEFEE'),
      { blockOverrides: { blobBaseFee: '0x15' }, calls: [{ to: CODE }] },
      { calls: [{ to: CODE }] },
    ])
    expect(answers(blocks)).toEqual([word(1), word(21), word(1)])
    expect(blocks.map(({ excessBlobGas }) => excessBlobGas)).toEqual(['0x0', '0x0', '0x0'])
  })

  it('pays withdrawals out', async () => {
    const devnet = await grown(0)
    const withdrawals = [
      { index: '0x1', validatorIndex: '0x2', address: STRANGER, amount: '0x3' },
      { index: '0x2', validatorIndex: '0x2', address: STRANGER, amount: '0x4' },
    ]
    const [paying, later] = await simulate(devnet, [
      { blockOverrides: { withdrawals } },
      asking(STRANGER, 'BALANCE'),
    ])
    expect(paying!.withdrawals).toEqual(withdrawals)
    expect(later).toMatchObject({ withdrawals: [], withdrawalsRoot: EMPTY_ROOT })
    expect(answers([later!])).toEqual([word(7n * 10n ** 9n)])
    const theirs = withdrawals.map((withdrawal) => createWithdrawal(withdrawal as never))
    expect(paying!.withdrawalsRoot).toBe(toHex(await genWithdrawalsTrieRoot(theirs)))
  })

  it('is under the rules of its time', async () => {
    const genesis = {
      config: {
        chainId: 31_337,
        londonBlock: 0,
        terminalTotalDifficulty: 0,
        shanghaiTime: 1000,
        cancunTime: 2000,
      },
      difficulty: '0x0',
      gasLimit: '0x1c9c380',
      timestamp: '0x64',
      alloc: {},
    }
    const devnet = await started({ rhythm: 'manual', genesis })
    // PUSH0 came with Shanghai, TLOAD with Cancun.
    const call = (input: Hex) => ({ input, gas: '0x186a0' })
    const calls = [call('0x5f'), call('0x60005c')]
    const blocks = await simulate(devnet, [
      { calls },
      { blockOverrides: { time: '0x3e8' }, calls },
      { blockOverrides: { time: '0x7d0' }, calls },
    ])
    expect(blocks.map((one) => one.calls.map(({ status }) => status))).toEqual([
      ['0x0', '0x0'],
      ['0x1', '0x0'],
      ['0x1', '0x1'],
    ])
    expect(blocks.map((one) => [one.withdrawals, one.excessBlobGas])).toEqual([
      [undefined, undefined],
      [[], undefined],
      [[], '0x0'],
    ])
  })

  it('tells the system contracts what a block tells them', async () => {
    const devnet = await grown(2, { systemContracts: true })
    const { hash: parentHash } = await block(devnet)
    const root: Hex = `0x${'be'.repeat(32)}`
    const time = numberToHex(0x7000_0000)
    const history = (number: number) => ({ to: HISTORY_STORAGE_ADDRESS, input: word(number) })
    const [first, second] = await simulate(devnet, [
      {
        blockOverrides: { beaconRoot: root, time },
        calls: [history(2), { to: BEACON_ROOTS_ADDRESS, input: pad(time) }],
      },
      { calls: [history(3)] },
    ])
    expect(first!.parentBeaconBlockRoot).toBe(root)
    expect(first!.calls.map(({ returnData }) => returnData)).toEqual([parentHash, root])
    expect(second!.parentBeaconBlockRoot).toBe(ZERO_HASH)
    expect(answers([second!])).toEqual([first!.hash])
  })

  it('collects requests (EIP-7685)', async () => {
    const devnet = await grown(1, { systemContracts: true })
    const from = devnet.accounts[0]!.address
    const request = `0x${'11'.repeat(48)}${'00'.repeat(8)}`
    const calls = [{ from, to: WITHDRAWAL_REQUESTS_ADDRESS, value: '0x1', input: request }]
    const [first, second] = await simulate(devnet, [{ calls }, {}])
    expect(first!.calls[0]!.status).toBe('0x1')
    expect(first!.requestsHash).not.toBe(EMPTY_REQUESTS_HASH)
    expect(second!.requestsHash).toBe(EMPTY_REQUESTS_HASH)
  })
})

describe('simulated blocks', () => {
  it('stand on each other', async () => {
    const devnet = await grown(1)
    const blocks = await simulate(devnet, [{}, { blockOverrides: { number: '0x5' } }, {}])
    expect(blocks.map(({ number }) => Number(number))).toEqual([2, 3, 4, 5, 6])
    const hashes = [(await block(devnet)).hash, ...blocks.map(({ hash }) => hash)]
    expect(blocks.map(({ parentHash }) => parentHash)).toEqual(hashes.slice(0, -1))
    const times = blocks.map(({ timestamp }) => Number(timestamp))
    expect(times.map((time, i) => time - (times[i - 1] ?? time - 12))).toEqual([12, 12, 12, 12, 12])
  })

  it('know the hashes of those before them, and nothing of those that stand at their place', async () => {
    const devnet = await grown(6)
    const hash = (number: number) => asking(number, 'BLOCKHASH')
    const { hash: second } = await block(devnet, '0x2')
    const blocks = await simulate(devnet, [hash(2), hash(3), hash(4), hash(5), hash(6)], { at: '0x3' })
    const [, third] = [second, (await block(devnet, '0x3')).hash]
    expect(answers(blocks)).toEqual([second, third, blocks[0]!.hash, blocks[1]!.hash, blocks[2]!.hash])
    expect(blocks[0]!.hash).not.toBe((await block(devnet, '0x4')).hash)
  })

  it('build on what those before them did, and on what they were told', async () => {
    const devnet = await grown(0)
    const set = (value: bigint) => ({
      to: CODE,
      input: encodeFunctionData({ abi: Store.abi, functionName: 'set', args: [1n, value] }),
    })
    const get = { to: CODE, input: encodeFunctionData({ abi: Store.abi, functionName: 'get', args: [1n] }) }
    const blocks = await simulate(devnet, [
      { stateOverrides: { [CODE]: { code: Store.deployedBytecode } }, calls: [get, set(5n), get] },
      { calls: [get, set(6n)] },
      { stateOverrides: { [CODE]: { stateDiff: { [word(1)]: word(7) } } }, calls: [get] },
      { stateOverrides: { [CODE]: { state: {} } }, calls: [get] },
    ])
    const read = blocks.map(({ calls }) => calls.map(({ returnData }) => returnData))
    expect(read).toEqual([[word(0), '0x', word(5)], [word(5), '0x'], [word(7)], [word(0)]])
  })

  it('leave nothing behind', async () => {
    const devnet = await grown(2)
    await devnet.tick()
    const seen = () =>
      Promise.all([
        block(devnet),
        block(devnet, 'pending'),
        ask(devnet, 'eth_getBalance', STRANGER),
        ask(devnet, 'eth_getCode', CODE),
        ask(devnet, 'eth_getTransactionCount', devnet.accounts[0]!.address, 'pending'),
        ask(devnet, 'eth_getLogs', {}),
        ask(devnet, 'txpool_status'),
      ])
    const before = await seen()
    const calls = [{ from: devnet.accounts[0]!.address, to: STRANGER, value: '0x5' }]
    for (const at of ['latest', 'pending', '0x1']) {
      const wishes = [{ stateOverrides: { [CODE]: { code: '0x00' } }, calls }]
      const [simulated] = await simulate(devnet, wishes, { at })
      expect(simulated!.calls[0]!.status).toBe('0x1')
      expect(await ask(devnet, 'eth_getBlockByHash', simulated!.hash, false)).toBeNull()
      expect(await ask(devnet, 'eth_getTransactionByHash', simulated!.transactions[0])).toBeNull()
    }
    expect(await seen()).toEqual(before)
  })

  it('are the same again, and beside others', async () => {
    const devnet = await grown(2)
    const wishes = (value: number) => [
      { calls: [{ from: devnet.accounts[0]!.address, to: STRANGER, value: numberToHex(value) }] },
      asking(STRANGER, 'BALANCE'),
    ]
    const alone = []
    for (let value = 0; value < 10; value++) alone.push(await simulate(devnet, wishes(value)))
    const together = await Promise.all(alone.map((_, value) => simulate(devnet, wishes(value))))
    expect(together).toEqual(alone)
    expect(together.map(([, second]) => answers([second!])[0])).toEqual(alone.map((_, value) => word(value)))
  })

  it('follow any block, by number, tag, hash and object', async () => {
    const devnet = await grown(4, { safeDistance: 1, finalizedDistance: 2 })
    const { hash } = await block(devnet, '0x2')
    const numberAfter = async (at: unknown) => Number((await simulate(devnet, [{}], { at }))[0]!.number)
    expect(await numberAfter('0x1')).toBe(2)
    expect(await numberAfter('earliest')).toBe(1)
    expect(await numberAfter('safe')).toBe(4)
    expect(await numberAfter('finalized')).toBe(3)
    expect(await numberAfter(hash)).toBe(3)
    expect(await numberAfter({ blockHash: hash, requireCanonical: true })).toBe(3)
    expect(await numberAfter(null)).toBe(5)
    const [byDefault] = await ask<SimulatedBlock[]>(devnet, 'eth_simulateV1', { blockStateCalls: [{}] })
    expect(Number(byDefault!.number)).toBe(5)
  })

  it('follow a block as it was, whatever came after it', async () => {
    const devnet = await grown(0)
    const pay = { from: devnet.accounts[0]!.address, to: STRANGER, value: '0x1', gas: '0x5208' }
    for (let number = 1; number <= 3; number++) {
      await ask(devnet, 'eth_sendTransaction', pay)
      await devnet.mine()
    }
    const balance = async (at: unknown) =>
      answers(await simulate(devnet, [asking(STRANGER, 'BALANCE')], { at }))
    expect(await Promise.all(['earliest', '0x1', '0x2', 'latest'].map(balance))).toEqual([
      [word(0)],
      [word(1)],
      [word(2)],
      [word(3)],
    ])
  })

  it('do not keep others waiting', async () => {
    const devnet = await grown(0, { callTimeoutMs: 0 })
    // Each hashes 16 kB in a loop until it has no gas: some 10 ms, and more on a busy machine.
    const code = '0x5b6140005f20505f56'
    const wishes = Array.from({ length: 40 }, () => ({ calls: [{ to: CODE, gas: '0xf4240' }] }))
    wishes[0] = { stateOverrides: { [CODE]: { code } }, ...wishes[0]! } as never
    let isDone = false
    const simulating = simulate(devnet, wishes).finally(() => {
      isDone = true
    })
    // Whoever waits for the event loop gets his turn meanwhile.
    await new Promise((resolve) => setImmediate(resolve))
    expect(await ask(devnet, 'eth_blockNumber')).toBe('0x0')
    expect(isDone).toBe(false)
    expect(await simulating).toHaveLength(40)
  })

  it('are 256 of a default chain in the answer to one question', async () => {
    const devnet = await grown(1)
    const blocks = await simulate(devnet, [{ blockOverrides: { number: '0x101' } }])
    expect(blocks).toHaveLength(256)
    expect(new Set(blocks.map(({ hash }) => hash)).size).toBe(256)
  })
})

describe('on pending, simulated blocks', () => {
  it('see what is pre-confirmed, and come after it', async () => {
    const devnet = await grown(2)
    const pay = { from: devnet.accounts[0]!.address, to: STRANGER, value: '0x9', gas: '0x5208' }
    await ask(devnet, 'eth_sendTransaction', pay)
    await devnet.tick()
    const wishes = [asking(STRANGER, 'BALANCE')]
    const [pending] = await simulate(devnet, wishes, { at: 'pending' })
    const [latest] = await simulate(devnet, wishes)
    expect([pending!.number, answers([pending!])]).toEqual(['0x4', [word(9)]])
    expect([latest!.number, answers([latest!])]).toEqual(['0x3', [word(0)]])
    // The hash that the pre-confirmed block gets if nothing more comes.
    expect((await block(devnet, 'pending')).hash).toBe(ZERO_HASH)
    await devnet.seal()
    expect((await block(devnet)).hash).toBe(pending!.parentHash)
  })

  it('know the hash that the pre-confirmed block will have', async () => {
    const devnet = await grown(2)
    await devnet.tick()
    const [simulated] = await simulate(devnet, [asking(3, 'BLOCKHASH')], { at: 'pending' })
    expect(answers([simulated!])).toEqual([simulated!.parentHash])
    await devnet.seal()
    expect((await block(devnet)).hash).toBe(simulated!.parentHash)
  })

  it('use the next nonces of those who wait to be sealed', async () => {
    const devnet = await grown(0)
    const from = devnet.accounts[0]!.address
    await ask(devnet, 'eth_sendTransaction', { from, to: STRANGER, gas: '0x5208' })
    await devnet.tick()
    const [simulated] = await simulate(devnet, [{ calls: [{ from }, { from }] }], {
      at: 'pending',
      returnFullTransactions: true,
    })
    expect(simulated!.transactions).toMatchObject([{ nonce: '0x1' }, { nonce: '0x2' }])
  })
})

describe('an override that changes nothing', () => {
  it.each([[{}], [{ stateDiff: {} }]])('does not make an account: %j', async (override) => {
    const devnet = await grown(1)
    const [plain] = await simulate(devnet, [{}])
    const [named] = await simulate(devnet, [{ stateOverrides: { [STRANGER]: override } }])
    expect(named!.stateRoot).toBe(plain!.stateRoot)
  })
})
