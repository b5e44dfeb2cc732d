/** eth_simulateV1 on the chain of geth's own tests (internal/ethapi/api_test.go, TestSimulateV1): the same numbers. */
import { type Hex, numberToHex, pad } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Devnet } from '../../src/index.ts'
import { onWire } from '../support/clients/addresses.ts'
import { ask, started } from '../support/clients/clients.ts'

const MINER: Hex = '0x000000000000000000000000000000000000ffff'
const CAC: Hex = '0x0000000000000000000000000000000000000cac'
const BAB: Hex = '0x0000000000000000000000000000000000000bab'
const SHA256: Hex = '0x0000000000000000000000000000000000000002'
/** Whom nobody knows. */
const [R0, R1, R2, R3]: Hex[] = ['01', '02', '03', '04'].map((byte): Hex => `0x5a${byte.repeat(19)}`) as [
  Hex,
  Hex,
  Hex,
  Hex,
]
/** Whom everybody knows: the account of geth's test key, with an ether. */
const FIXED: Hex = '0x71562b71999873db5b286df957af199ec94617f7'

const word = (value: bigint | number): Hex => numberToHex(value, { size: 32 })
/** Stores and reads one word: `store(uint256)`, `retrieve()`. */
const STORAGE: Hex =
  '0x608060405234801561001057600080fd5b50600436106100365760003560e01c80632e64cec11461003b5780636057361d14610059575b600080fd5b610043610075565b60405161005091906100d9565b60405180910390f35b610073600480360381019061006e919061009d565b61007e565b005b60008054905090565b8060008190555050565b60008135905061009781610103565b92915050565b6000602082840312156100b3576100b26100fe565b5b60006100c184828501610088565b91505092915050565b6100d3816100f4565b82525050565b60006020820190506100ee60008301846100ca565b92915050565b6000819050919050565b600080fd5b61010c816100f4565b811461011757600080fd5b5056fea2646970667358221220404e37f487a89a932dca5e77faaf6ca2de3b991f93d230604b1b8daaef64766264736f6c63430008070033'
/** What `bab` has: it answers slot 1, shifted by 16 bytes, plus slot 2. */
const BAB_CODE: Hex = '0x600154600254700100000000000000000000000000000000820291508082018060005260206000f3'
/** Reverts unless `cac` is gone and its money with `dad`. */
const CAC_IS_GONE: Hex =
  '0x610cac610dad600082311115601357600080fd5b6000823b1115602157600080fd5b6000813103602e57600080fd5b5050'
/** Creation code that answers NUMBER. */
const NUMBER: Hex = '0x4360005260206000f3'
/** Reverts where BLOCKHASH of the number in the calldata is zero. */
const HAS_BLOCKHASH: Hex = '0x600035804060008103601057600080fd5b5050'
/** Answers GASPRICE and BASEFEE. */
const PRICES: Hex = '0x3a489060005260205260406000f3'

interface Chain {
  readonly devnet: Devnet
  /** Three accounts with an ether each, or more. */
  readonly accounts: readonly [Hex, Hex, Hex]
}

/** Ten blocks under the rules of London, each with a transfer. */
async function chain(): Promise<Chain> {
  const devnet = await started({
    rhythm: 'manual',
    hardfork: 'london',
    gasLimit: 4_712_388,
    coinbase: MINER,
    dialect: 'geth',
  })
  const accounts = devnet.accounts.slice(0, 3).map(({ address }) => onWire(address)) as unknown as [
    Hex,
    Hex,
    Hex,
  ]
  for (const rich of [CAC, FIXED]) await ask(devnet, 'anvil_setBalance', rich, '0xde0b6b3a7640000')
  await ask(devnet, 'anvil_setCode', CAC, '0x610dad80ff')
  await ask(devnet, 'anvil_setBalance', BAB, '0x1')
  await ask(devnet, 'anvil_setCode', BAB, BAB_CODE)
  await ask(devnet, 'anvil_setStorageAt', BAB, '0x1', word(10))
  await ask(devnet, 'anvil_setStorageAt', BAB, '0x2', word(12))
  for (let block = 1; block <= 10; block++) {
    const [from, to] = accounts
    await ask(devnet, 'eth_sendTransaction', { from, to, value: '0x3e8', gas: '0x5208' })
    await devnet.mine()
  }
  return { devnet, accounts }
}

interface Result {
  readonly returnData: Hex
  readonly gasUsed: Hex
  readonly status: Hex
  readonly logs: readonly Record<string, unknown>[]
  readonly error?: { readonly code: number }
}

interface SimulatedBlock {
  readonly number: Hex
  readonly gasLimit: Hex
  readonly gasUsed: Hex
  readonly miner: Hex
  readonly baseFeePerGas: Hex
  readonly calls: readonly Result[]
}

function simulate(devnet: Devnet, blockStateCalls: object[], more: object = {}): Promise<SimulatedBlock[]> {
  return ask(devnet, 'eth_simulateV1', { blockStateCalls, ...more }, 'latest')
}

/** What geth's table has of a block. */
interface Row {
  readonly number: Hex
  readonly gasUsed: Hex
  readonly miner?: Hex
  readonly baseFeePerGas?: Hex
  /** What each call returned, and its gas. */
  readonly calls: readonly (readonly [returnData: Hex, gasUsed: Hex])[]
}

function expectRows(blocks: readonly SimulatedBlock[], rows: readonly Row[]): void {
  const seen = blocks.map(({ number, gasLimit, gasUsed, miner, baseFeePerGas, calls }) => ({
    number,
    gasLimit,
    gasUsed,
    miner,
    baseFeePerGas,
    calls: calls.map((call) => [call.returnData, call.gasUsed, call.status]),
  }))
  expect(seen).toEqual(
    rows.map(({ miner = MINER, baseFeePerGas = '0x0', calls, ...row }) => ({
      ...row,
      miner,
      baseFeePerGas,
      gasLimit: '0x47e7c4',
      calls: calls.map(([returnData, gasUsed]) => [returnData, gasUsed, '0x1']),
    })),
  )
}

const TRANSFER = ['0x', '0x5208'] as const

describe('eth_simulateV1 answers as geth', () => {
  it('where calls build on an override and on each other (simple)', async () => {
    const { devnet } = await chain()
    const blocks = await simulate(devnet, [
      {
        stateOverrides: { [R0!]: { balance: '0x3e8' } },
        calls: [{ from: R0, to: R1, value: '0x3e8' }, { from: R1, to: R2, value: '0x3e8' }, { to: R3 }],
      },
    ])
    expectRows(blocks, [{ number: '0xb', gasUsed: '0xf618', calls: [TRANSFER, TRANSFER, TRANSFER] }])
  })

  it('where blocks build on each other (simple-multi-block)', async () => {
    const { devnet } = await chain()
    const blocks = await simulate(devnet, [
      {
        stateOverrides: { [R0!]: { balance: '0x7d0' } },
        calls: [
          { from: R0, to: R1, value: '0x3e8' },
          { from: R0, to: R3, value: '0x3e8' },
        ],
      },
      {
        stateOverrides: { [R3!]: { balance: '0x0' } },
        calls: [{ from: R1, to: R2, value: '0x3e8' }],
      },
    ])
    expectRows(blocks, [
      { number: '0xb', gasUsed: '0xa410', calls: [TRANSFER, TRANSFER] },
      { number: '0xc', gasUsed: '0x5208', calls: [TRANSFER] },
    ])
  })

  it('where money is missing (insufficient-funds)', async () => {
    const { devnet } = await chain()
    const poor = simulate(devnet, [{ calls: [{ from: R0, to: R1, value: '0x3e8' }] }])
    await expect(poor).rejects.toMatchObject({
      code: -38014,
      message: expect.stringContaining('insufficient funds for gas * price + value'),
    })
  })

  it('where code breaks the machine (evm-error)', async () => {
    const { devnet } = await chain()
    const [block] = await simulate(devnet, [
      { stateOverrides: { [R2!]: { code: '0xf3' } }, calls: [{ from: R0, to: R2 }] },
    ])
    expect(block).toMatchObject({ number: '0xb', gasUsed: '0x47e7c4' })
    expect(block!.calls).toEqual([
      {
        returnData: '0x',
        gasUsed: '0x47e7c4',
        maxUsedGas: '0x47e7c4',
        status: '0x0',
        logs: [],
        error: { code: -32015, message: 'vm execution error: stack underflow' },
      },
    ])
  })

  it('where the number and the miner are given (block-overrides)', async () => {
    const { devnet, accounts } = await chain()
    const blocks = await simulate(devnet, [
      {
        blockOverrides: { number: '0xb', feeRecipient: CAC },
        calls: [{ from: accounts[0], input: NUMBER }],
      },
      { blockOverrides: { number: '0xc' }, calls: [{ from: accounts[1], input: NUMBER }] },
    ])
    expectRows(blocks, [
      { number: '0xb', gasUsed: '0xe891', miner: CAC, calls: [[word(11), '0xe891']] },
      { number: '0xc', gasUsed: '0xe891', miner: CAC, calls: [[word(12), '0xe891']] },
    ])
  })

  it('where numbers go back (block-number-order)', async () => {
    const { devnet } = await chain()
    const back = simulate(devnet, [
      { blockOverrides: { number: '0xc' } },
      { blockOverrides: { number: '0xb' } },
    ])
    await expect(back).rejects.toMatchObject({
      code: -38020,
      message: 'blockStateCalls[1]: block numbers must be in order: 11 <= 12',
    })
  })

  it('where one call stores and the next reads (storage-contract)', async () => {
    const { devnet } = await chain()
    const blocks = await simulate(devnet, [
      {
        stateOverrides: { [R2!]: { code: STORAGE } },
        calls: [
          { from: R0, to: R2, input: `0x6057361d${word(5).slice(2)}` },
          { from: R0, to: R2, input: '0x2e64cec1' },
        ],
      },
    ])
    const calls = [['0x', '0xaacc'] as const, [word(5), '0x5bb7'] as const]
    expectRows(blocks, [{ number: '0xb', gasUsed: '0x10683', calls }])
  })

  it('where something is logged (logs)', async () => {
    const { devnet } = await chain()
    const code = '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff80600080a1600080f3'
    const blocks = await simulate(devnet, [
      { stateOverrides: { [R2!]: { code } }, calls: [{ from: R0, to: R2 }] },
    ])
    expectRows(blocks, [{ number: '0xb', gasUsed: '0x5508', calls: [['0x', '0x5508']] }])
    expect(blocks[0]!.calls[0]!.logs).toMatchObject([
      {
        address: R2,
        topics: [`0x${'ff'.repeat(32)}`],
        data: '0x',
        blockNumber: '0xb',
        transactionIndex: '0x0',
        logIndex: '0x0',
      },
    ])
  })

  it('where code stands for a precompile (ecrecover-override)', async () => {
    const { devnet } = await chain()
    const code =
      '0x6040516000815260006020820152600060408201526000606082015260208160808360015afa60008103603157600080fd5b601482f3'
    const blocks = await simulate(devnet, [
      {
        stateOverrides: { [R2!]: { code }, [pad('0x1', { size: 20 })]: { code: '0x33806000526014600cf3' } },
        calls: [{ from: R0, to: R2 }],
      },
    ])
    expectRows(blocks, [{ number: '0xb', gasUsed: '0x52f6', calls: [[R2!, '0x52f6']] }])
  })

  it('where a precompile is elsewhere, and code in its place (precompile-move)', async () => {
    const { devnet } = await chain()
    const blocks = await simulate(devnet, [
      {
        stateOverrides: { [SHA256]: { code: '0x365981600082378181f3', movePrecompileToAddress: R2 } },
        calls: [
          { from: R0, to: R2, input: word(1) },
          { from: R0, to: SHA256, input: word(1) },
        ],
      },
    ])
    const hash = '0xec4916dd28fc4c10d78e287ca5d9cc51ee1ae73cbfde08c6b37324cbfaac8bc5'
    const calls = [[hash, '0x52dc'] as const, [word(1), '0x52b0'] as const]
    expectRows(blocks, [{ number: '0xb', gasUsed: '0xa58c', calls }])
  })

  it('where ether is followed (transfer-logs)', async () => {
    const { devnet, accounts } = await chain()
    const code = '0x60003560601c606460008060008084865af160008103601d57600080fd5b505050'
    const blocks = await simulate(
      devnet,
      [
        {
          stateOverrides: { [R0!]: { balance: '0x64', code } },
          calls: [{ from: accounts[0], to: R0, value: '0x32', input: FIXED }],
        },
      ],
      { traceTransfers: true },
    )
    expectRows(blocks, [{ number: '0xb', gasUsed: '0x77dc', calls: [['0x', '0x77dc']] }])
    const transfer = {
      address: '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
      blockNumber: '0xb',
      transactionIndex: '0x0',
    }
    const topic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
    expect(blocks[0]!.calls[0]!.logs).toMatchObject([
      { ...transfer, topics: [topic, pad(accounts[0]), pad(R0!)], data: word(50), logIndex: '0x0' },
      { ...transfer, topics: [topic, pad(R0!), pad(FIXED)], data: word(100), logIndex: '0x1' },
    ])
  })

  it('where a contract destroys itself (selfdestruct)', async () => {
    const { devnet, accounts } = await chain()
    const from = accounts[0]
    const blocks = await simulate(devnet, [
      {
        calls: [
          { from, to: CAC },
          { from, input: CAC_IS_GONE },
        ],
      },
      { calls: [{ from, input: CAC_IS_GONE }] },
    ])
    expectRows(blocks, [
      {
        number: '0xb',
        gasUsed: '0x1b83f',
        calls: [
          ['0x', '0xd166'],
          ['0x', '0xe6d9'],
        ],
      },
      { number: '0xc', gasUsed: '0xe6d9', calls: [['0x', '0xe6d9']] },
    ])
  })

  it('where a nonce is too high, and nonces count (validation-checks)', async () => {
    const { devnet, accounts } = await chain()
    const calls = [{ from: accounts[2], to: CAC, nonce: '0x2' }]
    await expect(simulate(devnet, [{ calls }], { validation: true })).rejects.toMatchObject({
      code: -38011,
      message: 'blockStateCalls[0].calls[0]: nonce too high: next nonce 0, tx nonce 2',
    })
  })

  it('where a contract pays for a transaction (validation-checks-from-contract)', async () => {
    const { devnet } = await chain()
    const blocks = await simulate(
      devnet,
      [
        {
          stateOverrides: { [R2!]: { balance: numberToHex(2098640803896784n), code: '0x00', nonce: '0x1' } },
          calls: [
            {
              from: R2,
              to: CAC,
              nonce: '0x1',
              maxFeePerGas: numberToHex(233138868),
              maxPriorityFeePerGas: '0x1',
            },
          ],
        },
      ],
      { validation: true },
    )
    const baseFeePerGas = '0xde56ab3'
    expectRows(blocks, [{ number: '0xb', gasUsed: '0xd166', baseFeePerGas, calls: [['0x', '0xd166']] }])
  })

  it('where the base fee is given and paid (validation-checks-success)', async () => {
    const { devnet } = await chain()
    const blocks = await simulate(
      devnet,
      [
        {
          blockOverrides: { baseFeePerGas: '0x1' },
          stateOverrides: { [R0!]: { balance: numberToHex(10_000_000) } },
          calls: [{ from: R0, to: R1, value: '0x3e8', maxFeePerGas: '0x2' }],
        },
      ],
      { validation: true },
    )
    expectRows(blocks, [{ number: '0xb', gasUsed: '0x5208', baseFeePerGas: '0x1', calls: [TRANSFER] }])
  })

  it('where slots are replaced, all or some (clear-storage)', async () => {
    const { devnet, accounts } = await chain()
    const from = accounts[0]
    const both = (one: number, two: number) => word(BigInt(one) * 2n ** 128n + BigInt(two))
    const blocks = await simulate(devnet, [
      {
        stateOverrides: {
          [R2!]: { code: BAB_CODE, stateDiff: { [word(1)]: word(2), [word(2)]: word(3) } },
          [BAB]: { state: { [word(1)]: word(1) } },
        },
        calls: [
          { from, to: R2 },
          { from, to: BAB },
        ],
      },
      { stateOverrides: { [R2!]: { state: { [word(1)]: word(5) } } }, calls: [{ from, to: R2 }] },
    ])
    expectRows(blocks, [
      {
        number: '0xb',
        gasUsed: '0xc542',
        calls: [
          [both(2, 3), '0x62a1'],
          [both(1, 0), '0x62a1'],
        ],
      },
      { number: '0xc', gasUsed: '0x62a1', calls: [[both(5, 0), '0x62a1']] },
    ])
  })

  it('where hashes are asked for, of blocks that are there and of simulated ones (blockhash-opcode)', async () => {
    const { devnet, accounts } = await chain()
    const asking = (number: number) => ({ from: accounts[0], to: R2, input: word(number) })
    const found = ['0x', '0x52cc'] as const
    const blocks = await simulate(devnet, [
      {
        blockOverrides: { number: '0xc' },
        stateOverrides: { [R2!]: { code: HAS_BLOCKHASH } },
        calls: [asking(11), asking(8), asking(10)],
      },
      { blockOverrides: { number: '0x10' }, calls: [asking(12), asking(13)] },
    ])
    expectRows(blocks, [
      { number: '0xb', gasUsed: '0x0', calls: [] },
      { number: '0xc', gasUsed: '0xf864', calls: [found, found, found] },
      { number: '0xd', gasUsed: '0x0', calls: [] },
      { number: '0xe', gasUsed: '0x0', calls: [] },
      { number: '0xf', gasUsed: '0x0', calls: [] },
      { number: '0x10', gasUsed: '0xa598', calls: [found, found] },
    ])
  })

  it('where code reads prices that nobody has to pay (basefee-non-validation)', async () => {
    const { devnet, accounts } = await chain()
    const free = { from: accounts[0], to: R2 }
    const paying = { ...free, maxPriorityFeePerGas: '0x1', maxFeePerGas: '0x2' }
    const prices = (gasPrice: number, baseFee: number) =>
      [`${word(gasPrice)}${word(baseFee).slice(2)}` as Hex, '0x5227'] as const
    const blocks = await simulate(devnet, [
      { stateOverrides: { [R2!]: { code: PRICES } }, calls: [free, paying] },
      { blockOverrides: { baseFeePerGas: '0x1' }, calls: [free, paying] },
      { calls: [free] },
    ])
    expectRows(blocks, [
      { number: '0xb', gasUsed: '0xa44e', calls: [prices(0, 0), prices(1, 0)] },
      { number: '0xc', gasUsed: '0xa44e', baseFeePerGas: '0x1', calls: [prices(0, 1), prices(2, 1)] },
      { number: '0xd', gasUsed: '0x5227', calls: [prices(0, 0)] },
    ])
  })

  it('where they have to be paid (basefee-validation-mode)', async () => {
    const { devnet, accounts } = await chain()
    const calls = [
      { from: accounts[0], to: R2, maxFeePerGas: numberToHex(233138868), maxPriorityFeePerGas: '0x1' },
    ]
    const blocks = await simulate(devnet, [{ stateOverrides: { [R2!]: { code: PRICES } }, calls }], {
      validation: true,
    })
    const prices: Hex = `${word(0xde56ab4)}${word(0xde56ab3).slice(2)}`
    const baseFeePerGas = '0xde56ab3'
    expectRows(blocks, [{ number: '0xb', gasUsed: '0x5227', baseFeePerGas, calls: [[prices, '0x5227']] }])
  })
})
