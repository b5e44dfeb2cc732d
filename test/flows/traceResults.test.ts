/** Calls and changes of the state in Parity's form: beside anvil, where there is one, and of what anvil does not have. */
import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { spawnAnvil } from '../../scripts/anvil.ts'
import { toHex } from '../../src/bytes/hex.ts'
import type { Devnet, DevnetOptions } from '../../src/index.ts'
import { authorize, type Signer, sign } from '../support/chains/signing.ts'
import { askAt } from '../support/clients/askAt.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'
import { assemble } from '../support/compilers/assembly.ts'
import { isAnvilHere } from '../support/nodes/besideAnvil.ts'

type Ask = <T = unknown>(method: string, ...params: unknown[]) => Promise<T>
type Diff = Record<string, Record<'balance' | 'code' | 'nonce' | 'storage', unknown>>
interface Results {
  readonly output: Hex
  readonly trace: readonly unknown[]
  readonly stateDiff: Diff | null
  readonly vmTrace: null
}

const FROM: Hex = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const TO: Hex = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const CONTRACT: Hex = '0x00000000000000000000000000000000000c0de0'
/** The second contract that `FROM` creates, which has ether before. */
const FUNDED: Hex = '0xe7f1725e7734ce288f8367e1bb143e90bb3f0512'
const COINBASE: Hex = '0xc014ba5e00000000000000000000000000000000'
const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`

/** Adds 1 to slot 0, returns what it was, and clears slot 1. */
const COUNTER = toHex(
  assemble(0, 'SLOAD', 0, 'MSTORE', 0, 'SLOAD', 1, 'ADD', 0, 'SSTORE', 0, 1, 'SSTORE', 32, 0, 'RETURN'),
)
/** Creates a contract with slot 1 and one byte of code. */
const CREATING = toHex(assemble(5, 1, 'SSTORE', 0, 0, 'MSTORE8', 1, 0, 'RETURN'))
const ENDING = toHex(assemble(TO, 'SELFDESTRUCT'))
const REVERTING = toHex(assemble(5, 1, 'SSTORE', 0, 0, 'REVERT'))

/** One block each. */
const TRANSACTIONS: readonly object[] = [
  { from: FROM, to: STRANGER, value: '0x5' },
  { from: FROM, data: CREATING, value: '0x9' },
  { from: FROM, to: CONTRACT },
  { from: TO, data: ENDING, value: '0x3' },
  { from: FROM, data: REVERTING, value: '0x3' },
  { from: TO, to: TO },
]

/** Runs the transactions with the same fees and coinbase on either side. */
async function prepare(ask: Ask): Promise<Hex[]> {
  await ask('anvil_setCode', CONTRACT, COUNTER)
  await ask('anvil_setStorageAt', CONTRACT, '0x1', word(9n))
  await ask('anvil_setBalance', FUNDED, '0x5')
  await ask('anvil_setCoinbase', COINBASE)
  const hashes: Hex[] = []
  for (const transaction of TRANSACTIONS) {
    await ask('anvil_setNextBlockBaseFeePerGas', '0x3b9aca00')
    const fields = { gas: '0x100000', gasPrice: '0x77359400', ...transaction }
    const hash = await ask<Hex>('eth_sendTransaction', fields)
    while ((await ask('eth_getTransactionReceipt', hash)) === null) {}
    hashes.push(hash)
  }
  return hashes
}

async function prepared(options: DevnetOptions = {}): Promise<{ devnet: Devnet; ask: Ask; hashes: Hex[] }> {
  const devnet = await started({ rhythm: 'instant', ...options })
  const asking: Ask = (method, ...params) => ask(devnet, method, ...params)
  return { devnet, ask: asking, hashes: await prepare(asking) }
}

describe.runIf(isAnvilHere)('beside anvil', () => {
  it('the calls and the changes of each transaction are the same', async () => {
    const anvil = (await spawnAnvil([]))!
    try {
      const theirs: Ask = (method, ...params) => askAt(anvil.url, method, ...params)
      await prepare(theirs)
      const { ask: ours } = await prepared()
      for (const number of TRANSACTIONS.keys()) {
        const asked = ['trace_replayBlockTransactions', `0x${number + 1}`, ['stateDiff']] as const
        const strip = ([results]: object[]) => ({ ...results, transactionHash: undefined })
        expect(strip(await ours(...asked))).toEqual(strip(await theirs(...asked)))
      }
    } finally {
      await anvil.stop()
    }
  })
})

describe('stateDiff', () => {
  it('has what changed, of each account that did, and nothing of others', async () => {
    const { ask, hashes } = await prepared()
    const { stateDiff, trace, output } = await ask<Results>('trace_replayTransaction', hashes[2], [
      'stateDiff',
    ])
    expect(Object.keys(stateDiff!)).toEqual([CONTRACT, COINBASE, FROM])
    expect(stateDiff![CONTRACT]).toEqual({
      balance: '=',
      code: '=',
      nonce: '=',
      storage: {
        [word(0n)]: { '*': { from: word(0n), to: word(1n) } },
        [word(1n)]: { '*': { from: word(9n), to: word(0n) } },
      },
    })
    expect(stateDiff![FROM]!.nonce).toEqual({ '*': { from: '0x2', to: '0x3' } })
    expect([trace, output]).toEqual([[], word(0n)])
  })

  it('has all of a contract that was created as added', async () => {
    const { ask, hashes } = await prepared()
    const [results] = await ask<Results[]>('trace_replayBlockTransactions', '0x2', ['stateDiff', 'trace'])
    expect(results).toMatchObject({ transactionHash: hashes[1], trace: [{ type: 'create' }] })
    // 5 wei were there before: that account changed.
    expect(results!.stateDiff![FUNDED]).toEqual({
      balance: { '*': { from: '0x5', to: '0xe' } },
      code: { '*': { from: '0x', to: '0x00' } },
      nonce: { '*': { from: '0x0', to: '0x1' } },
      storage: { [word(1n)]: { '*': { from: word(0n), to: word(5n) } } },
    })
    const call = { from: FROM, data: CREATING, value: '0x9' }
    const called = await ask<Results>('trace_call', call, ['stateDiff'])
    const created = Object.values(called.stateDiff!).find(({ code }) => code !== '=')
    expect(created).toEqual({
      balance: { '+': '0x9' },
      code: { '+': '0x00' },
      nonce: { '+': '0x1' },
      storage: { [word(1n)]: { '+': word(5n) } },
    })
  })

  it('has nothing of a contract that reverted, nor of one that is gone with its transaction', async () => {
    const { ask, hashes } = await prepared()
    for (const [hash, from] of [
      [hashes[3], TO],
      [hashes[4], FROM],
    ]) {
      const { stateDiff } = await ask<Results>('trace_replayTransaction', hash, ['stateDiff'])
      expect(Object.keys(stateDiff!).sort()).toEqual([COINBASE, from].sort())
    }
  })

  it('has all of an account that was destroyed as removed (Parity), which Cancun ended', async () => {
    const { ask } = await prepared({ hardfork: 'shanghai' })
    await ask('anvil_setBalance', CONTRACT, '0x77')
    const ending = toHex(assemble(0, 1, 'SSTORE', TO, 'SELFDESTRUCT'))
    await ask('anvil_setCode', CONTRACT, ending)
    await ask('anvil_setStorageAt', CONTRACT, '0x1', word(9n))
    const { stateDiff } = await ask<Results>('trace_call', { from: FROM, to: CONTRACT }, ['stateDiff'])
    expect(stateDiff![CONTRACT]).toEqual({
      balance: { '-': '0x77' },
      code: { '-': ending },
      nonce: { '-': '0x0' },
      storage: { [word(1n)]: { '-': word(9n) } },
    })
  })

  it('has the code of a delegation (EIP-7702)', async () => {
    const { devnet, ask } = await prepared()
    const [sender, authority] = devnet.accounts.map(
      ({ address, privateKey }): Signer => ({ address: address.toLowerCase() as Hex, privateKey }),
    )
    const nonce = 2n // it has sent two of the transactions
    const authorizationList = [await authorize(authority!, { address: CONTRACT, nonce })]
    const fields = { type: 4, nonce: 4n, gasLimit: 200_000n, authorizationList, to: STRANGER } as const
    const { raw } = sign(sender!, { ...fields, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n })
    const traced = await ask<Results>('trace_rawTransaction', toHex(raw), ['stateDiff'])
    expect(traced.stateDiff![TO]).toEqual({
      balance: '=',
      code: { '*': { from: '0x', to: `0xef0100${CONTRACT.slice(2)}` } },
      nonce: { '*': { from: '0x2', to: '0x3' } },
      storage: {},
    })
  })
})

describe('trace_callMany', () => {
  it('runs each call on what the one before it left, and leaves nothing', async () => {
    const { ask } = await prepared()
    const call = { from: FROM, to: CONTRACT }
    const results = await ask<Results[]>('trace_callMany', [
      [call, ['trace']],
      [call, ['stateDiff']],
      [call, []],
    ])
    expect(results.map(({ output }) => output)).toEqual([word(1n), word(2n), word(3n)])
    expect(results.map(({ trace }) => trace.length)).toEqual([1, 0, 0])
    expect(results.map(({ stateDiff }) => stateDiff?.[CONTRACT]?.storage)).toEqual([
      undefined,
      { [word(0n)]: { '*': { from: word(2n), to: word(3n) } } },
      undefined,
    ])
    expect(await ask('eth_getStorageAt', CONTRACT, '0x0', 'latest')).toBe(word(1n))
    const [before] = await ask<Results[]>('trace_callMany', [[call, ['trace']]], '0x2')
    expect(before!.output).toBe(word(0n))
    expect(await ask('trace_callMany', [])).toEqual([])
  })

  it('says which call is wrong', async () => {
    const { ask } = await prepared()
    const call = { from: FROM, to: CONTRACT }
    for (const [calls, message] of [
      [[[call, ['trace']], [call]], 'params[0][1]: expected a pair [call, kinds]'],
      [[[call, ['vmTrace']]], 'params[0][0][1][0]: expected "trace" or "stateDiff" (each step: debug_trace'],
      [[[{ to: '0x1' }, ['trace']]], 'params[0][0][0].to: expected a 20-byte address'],
    ]) {
      await expect(ask('trace_callMany', calls)).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining(message as string),
      })
    }
    await expect(
      ask('trace_callMany', [[{ ...call, value: `0x${'f'.repeat(30)}` }, ['trace']]]),
    ).rejects.toMatchObject({ message: expect.stringContaining('insufficient funds') })
  })
})

describe('trace_call', () => {
  it('takes overrides of accounts and of the block, as eth_call', async () => {
    const { ask } = await prepared()
    const code = toHex(assemble('NUMBER', 0, 'MSTORE', 32, 0, 'RETURN'))
    const call = { from: FROM, to: STRANGER }
    const overrides = [{ [STRANGER]: { code } }, { number: '0x99' }]
    const { output } = await ask<Results>('trace_call', call, ['trace'], 'latest', ...overrides)
    expect(output).toBe(word(0x99n))
  })
})

describe('trace_rawTransaction', () => {
  const signed = (devnet: Devnet, nonce: bigint, gasPrice = 2n * 10n ** 9n) => {
    const { address, privateKey } = devnet.accounts[0]!
    const signer: Signer = { address: address.toLowerCase() as Hex, privateKey }
    return toHex(
      sign(signer, { type: 0, nonce, gasLimit: 100_000n, maxFeePerGas: gasPrice, to: CONTRACT }).raw,
    )
  }

  it('tells what the transaction does when it is sent, and does not send it', async () => {
    const { devnet, ask } = await prepared()
    const raw = signed(devnet, 4n)
    const kinds = ['trace', 'stateDiff']
    const told = await ask<Results>('trace_rawTransaction', raw, kinds)
    expect(await ask('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
    await ask('anvil_setNextBlockBaseFeePerGas', '0x3b9aca00')
    const hash = await ask<Hex>('eth_sendRawTransaction', raw)
    expect(told).toEqual(await ask('trace_replayTransaction', hash, kinds))
    expect(told.trace).toHaveLength(1)
    expect(told.stateDiff![FROM]!.nonce).toEqual({ '*': { from: '0x4', to: '0x5' } })
  })

  it('refuses one that could not be the next, with the reason', async () => {
    const { devnet, ask } = await prepared()
    for (const [raw, message] of [
      [signed(devnet, 3n), 'nonce too low: next nonce 4, tx nonce 3'],
      [signed(devnet, 5n), 'nonce too high: next nonce 4, tx nonce 5'],
      [signed(devnet, 4n, 1n), 'max fee per gas less than block base fee'],
    ]) {
      await expect(ask('trace_rawTransaction', raw, ['trace'])).rejects.toMatchObject({
        code: -32000,
        message: expect.stringContaining(message as string),
      })
    }
  })
})

describe('trace_get', () => {
  it('returns the frame at an index, in the order of trace_transaction', async () => {
    const { ask, hashes } = await prepared()
    const frames = await ask<unknown[]>('trace_transaction', hashes[3])
    expect(frames).toHaveLength(2)
    expect(await ask('trace_get', hashes[3], ['0x0'])).toEqual(frames[0])
    expect(await ask('trace_get', hashes[3], [1])).toEqual(frames[1])
  })

  // reth: `if indices.len() != 1 { return Ok(None) }`.
  it('returns null for what is not there, and for anything but one index', async () => {
    const { ask, hashes } = await prepared()
    for (const indices of [['0x2'], [], ['0x0', '0x0']]) {
      expect(await ask('trace_get', hashes[3], indices)).toBeNull()
    }
    expect(await ask('trace_get', `0x${'11'.repeat(32)}`, ['0x0'])).toBeNull()
    await expect(ask('trace_get', hashes[3], [-1])).rejects.toMatchObject({ code: -32602 })
  })
})
