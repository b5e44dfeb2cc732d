/** What eth_simulateV1 refuses, with the codes of the specification and the place where it stands, in both dialects. */
import { type Hex, numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { DevnetOptions } from '../../src/index.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'
import { simulate } from '../support/engines/simulation.ts'

const OTHER: Hex = '0x0000000000000000000000000000000000006666'
const SHA256: Hex = '0x0000000000000000000000000000000000000002'
const IDENTITY: Hex = '0x0000000000000000000000000000000000000004'
/** The first development account of every devnet. */
const RICH: Hex = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const BLOB: Hex = `0x01${'22'.repeat(31)}`
const EIGHT_GWEI = '0x1dcd65000'

interface Row {
  readonly what: string
  readonly blocks: readonly object[]
  readonly validation?: boolean
  /** One for both dialects, or one for each: base, geth. */
  readonly code: number | readonly [number, number]
  readonly message: string
  readonly options?: DevnetOptions
}

const call = (fields: object) => [{ calls: [{ from: RICH, to: OTHER, ...fields }] }]
const paid = { maxFeePerGas: EIGHT_GWEI, gas: '0x5208' }
const first = 'blockStateCalls[0].calls[0]: '

const ROWS: readonly Row[] = [
  {
    what: 'a nonce that was used',
    blocks: [
      { stateOverrides: { [RICH]: { nonce: '0x5' } }, calls: [{ from: RICH, nonce: '0x4', ...paid }] },
    ],
    validation: true,
    code: -38010,
    message: `${first}nonce too low: next nonce 5, tx nonce 4`,
  },
  {
    what: 'a nonce that leaves a gap',
    blocks: [
      {
        calls: [
          { from: RICH, ...paid, to: OTHER },
          { from: RICH, nonce: '0x3', ...paid },
        ],
      },
    ],
    validation: true,
    code: -38011,
    message: 'blockStateCalls[0].calls[1]: nonce too high: next nonce 1, tx nonce 3',
  },
  {
    what: 'a nonce after which there is none',
    blocks: [
      {
        stateOverrides: { [RICH]: { nonce: '0xffffffffffffffff' } },
        calls: [{ from: RICH, to: OTHER, ...paid }],
      },
    ],
    validation: true,
    code: -32603,
    message: `${first}nonce has max value: tx nonce 18446744073709551615 (EIP-2681)`,
  },
  {
    what: 'a fee below the base fee',
    blocks: call({ maxFeePerGas: '0x1', gas: '0x5208' }),
    validation: true,
    code: -38012,
    message: `${first}max fee per gas less than block base fee: maxFeePerGas: 1, baseFee: 875000000`,
  },
  {
    what: 'no fee where one is due',
    blocks: call({}),
    validation: true,
    code: -38012,
    message: `${first}max fee per gas less than block base fee: maxFeePerGas: 0, baseFee: 875000000`,
  },
  {
    what: 'a fee below the base fee that was given, although nothing is validated',
    blocks: [{ blockOverrides: { baseFeePerGas: '0xa' }, calls: [{ from: RICH, gasPrice: '0x9' }] }],
    code: -38012,
    message: `${first}max fee per gas less than block base fee: maxFeePerGas: 9, baseFee: 10`,
  },
  {
    what: 'a fee for blobs below their price',
    blocks: [
      {
        blockOverrides: { blobBaseFee: '0x9' },
        calls: [{ from: RICH, to: OTHER, blobVersionedHashes: [BLOB], maxFeePerBlobGas: '0x8' }],
      },
    ],
    code: -38012,
    message: `${first}max fee per blob gas less than block blob gas fee: maxFeePerBlobGas: 8, blobGasFee: 9`,
  },
  {
    what: 'no fee for blobs where one is due',
    blocks: call({ ...paid, blobVersionedHashes: [BLOB] }),
    validation: true,
    code: -38012,
    message: `${first}max fee per blob gas less than block blob gas fee: maxFeePerBlobGas: 0, blobGasFee: 1`,
  },
  {
    what: 'a tip above the fee',
    blocks: call({ maxPriorityFeePerGas: '0x2', maxFeePerGas: '0x1' }),
    code: [-32005, -32602],
    message: `${first}max priority fee per gas higher than max fee per gas: maxPriorityFeePerGas: 2, maxFeePerGas: 1`,
  },
  {
    what: 'too little gas to begin',
    blocks: call({ gas: '0x5207' }),
    code: -38013,
    message: `${first}intrinsic gas too low: gas 20999, minimum needed 21000`,
  },
  {
    what: 'no gas at all',
    blocks: call({ gas: '0x0' }),
    code: -38013,
    message: `${first}intrinsic gas too low: gas 0, minimum needed 21000`,
  },
  {
    what: 'value that is not there',
    blocks: [{ calls: [{ from: STRANGER, to: OTHER, value: '0x5' }] }],
    code: -38014,
    message: `${first}insufficient funds for gas * price + value: have 0 want 5`,
  },
  {
    what: 'gas that nobody can pay',
    blocks: [
      {
        stateOverrides: { [STRANGER]: { balance: '0x5207' } },
        calls: [{ from: STRANGER, to: OTHER, gas: '0x5208', gasPrice: '0x1' }],
      },
    ],
    code: -38014,
    message: `${first}insufficient funds for gas * price + value: have 20999 want 21000`,
  },
  {
    what: 'more gas than the block has',
    blocks: call({ gas: numberToHex(30_000_001) }),
    code: -38015,
    message: `${first}exceeds block gas limit: tx gas 30000001, block limit 30000000`,
  },
  {
    what: 'more gas than the block has left',
    blocks: [
      {
        blockOverrides: { gasLimit: numberToHex(50_000) },
        calls: [
          { from: RICH, to: OTHER },
          { from: RICH, to: OTHER, gas: numberToHex(29_001) },
        ],
      },
    ],
    code: -38015,
    message: 'blockStateCalls[0].calls[1]: exceeds block gas limit: tx gas 29001, block limit 29000',
  },
  {
    what: 'more blobs than a block may have',
    blocks: [
      {
        calls: Array(2).fill({
          from: RICH,
          to: OTHER,
          ...paid,
          blobVersionedHashes: Array(6).fill(BLOB),
          maxFeePerBlobGas: '0x1',
        }),
      },
    ],
    validation: true,
    code: -38015,
    message: 'blockStateCalls[0].calls[1]: block blob limit reached: 3 blobs left, 6 wanted',
  },
  {
    what: 'a block that is not after the one before it',
    blocks: [{}, { blockOverrides: { number: '0x1' } }],
    code: -38020,
    message: 'blockStateCalls[1]: block numbers must be in order: 1 <= 1',
  },
  {
    what: 'a time that is not after that of the block before it',
    blocks: [{ blockOverrides: { time: '0xffffffff' } }, { blockOverrides: { time: '0xffffffff' } }],
    code: -38021,
    message: 'blockStateCalls[1]: block timestamps must be in order: 4294967295 <= 4294967295',
  },
  {
    what: 'a time after the last',
    blocks: [{ blockOverrides: { time: '0xffffffffffffffff' } }, {}],
    code: -38021,
    message: 'blockStateCalls[1]: block timestamps have at most 64 bits: 18446744073709551627',
  },
  {
    what: 'a precompile that stays where it is',
    blocks: [{}, { stateOverrides: { [SHA256]: { movePrecompileToAddress: SHA256 } } }],
    code: -38022,
    message: `blockStateCalls[1]: cannot move precompile ${SHA256} to itself`,
  },
  {
    what: 'a precompile that is none',
    blocks: [{ stateOverrides: { [STRANGER]: { movePrecompileToAddress: OTHER } } }],
    code: -32000,
    message: `blockStateCalls[0]: account ${STRANGER} is not a precompile: only those can be moved`,
  },
  {
    what: 'a precompile where something else was put',
    blocks: [
      { stateOverrides: { [SHA256]: { movePrecompileToAddress: OTHER }, [OTHER]: { balance: '0x1' } } },
    ],
    code: -32000,
    message: `blockStateCalls[0]: account ${OTHER} is already overridden: no precompile can be moved there`,
  },
  {
    what: 'init code that is too long',
    blocks: [{ calls: [{ from: RICH, input: `0x${'00'.repeat(49_153)}` }] }],
    code: -38025,
    message: `${first}max initcode size exceeded: code size 49153, limit 49152`,
  },
  {
    what: 'more blocks than are made at once',
    blocks: Array(257).fill({}),
    code: -38026,
    message: 'blockStateCalls[256]: too many blocks: 257 after the base block, at most 256',
  },
  {
    what: 'a gap that is too wide',
    blocks: [{ blockOverrides: { number: '0x101' } }],
    code: -38026,
    message: 'blockStateCalls[0]: too many blocks: 257 after the base block, at most 256',
  },
  {
    what: 'another chain',
    blocks: call({ chainId: '0x1' }),
    code: -32000,
    message: `${first}invalid chain ID: have 1, want 31337`,
  },
  {
    what: 'a type that is not there yet',
    blocks: call({ maxFeePerGas: '0x1', blobVersionedHashes: [BLOB] }),
    options: { hardfork: 'shanghai' },
    code: -32000,
    message: `${first}transaction type not supported: type 3 on shanghai`,
  },
  {
    what: 'a hash of no blob',
    blocks: call({ blobVersionedHashes: [`0x02${'22'.repeat(31)}`] }),
    code: -32602,
    message: `${first}blob hash 0x02${'22'.repeat(31)} does not begin with 0x01 (EIP-4844)`,
  },
  {
    what: 'more blobs than a transaction may have',
    blocks: call({ blobVersionedHashes: Array(7).fill(BLOB) }),
    code: -32602,
    message: `${first}blob transaction has too many blobs: 7, at most 6 (EIP-7594)`,
  },
  {
    what: 'a price and two others',
    blocks: call({ gasPrice: '0x1', maxFeePerGas: '0x1' }),
    code: [-32602, -32000],
    message:
      'invalid argument 0: params[0].blockStateCalls[0].calls[0]: both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified; give one kind of fee',
  },
]

describe.each(['base', 'geth'] as const)('eth_simulateV1 (dialect %s) refuses', (dialect) => {
  it.each(ROWS.map((row) => [row.what, row] as const))('%s', async (_, row) => {
    const devnet = await started({ rhythm: 'manual', dialect, ...row.options })
    const { code } = row
    await expect(simulate(devnet, row.blocks, { validation: row.validation ?? false })).rejects.toMatchObject(
      {
        code: typeof code === 'number' ? code : code[dialect === 'base' ? 0 : 1],
        message: row.message,
      },
    )
  })

  it('blocks after one that is not there', async () => {
    const devnet = await started({ rhythm: 'manual', dialect, history: { blocks: 2 } })
    for (let number = 0; number < 5; number++) await devnet.mine()
    const missing = dialect === 'base' ? -32001 : -32000
    for (const [at, code] of [
      ['0x6', missing],
      [`0x${'11'.repeat(32)}`, missing],
      ['0x1', 4444],
    ] as const) {
      await expect(simulate(devnet, [{}], { at })).rejects.toMatchObject({ code })
    }
  })
})

describe('two precompiles at one place', () => {
  // What the SHA-256 of nothing is; the identity of nothing is nothing.
  const NOTHING_HASHED = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  const moveTo = { movePrecompileToAddress: OTHER }
  const blocks = [{ stateOverrides: { [IDENTITY]: moveTo, [SHA256]: moveTo }, calls: [{ to: OTHER }] }]

  it('are refused, as the specification says', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await expect(simulate(devnet, blocks)).rejects.toMatchObject({
      code: -38023,
      message: `blockStateCalls[0]: two precompiles are moved to ${OTHER}`,
    })
  })

  it('leave the one from the higher address there in the dialect geth, as in go-ethereum', async () => {
    const devnet = await started({ rhythm: 'manual', dialect: 'geth' })
    const onlySha = [{ stateOverrides: { [SHA256]: moveTo }, calls: [{ to: OTHER }] }]
    const answers = async (asked: object[]) => (await simulate(devnet, asked))[0]!.calls[0]!.returnData
    expect(await answers(onlySha)).toBe(NOTHING_HASHED)
    expect(await answers(blocks)).toBe('0x')
  })
})

describe('eth_simulateV1 looks', () => {
  it('at everything before it runs the first call, where it can', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const told: string[] = []
    devnet.on('console', ({ text }) => told.push(text))
    const reversed = simulate(devnet, [{ calls: [{ from: RICH }] }, { blockOverrides: { number: '0x1' } }])
    await expect(reversed).rejects.toMatchObject({ code: -38020 })
    expect(told).toEqual([])
  })

  it('at nonces, fees, money and gas in the order in which geth does', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const codeOf = async (fields: object) => {
      const calls = [{ from: STRANGER, to: OTHER, value: '0x1', ...fields }]
      return simulate(devnet, [{ calls }], { validation: true }).catch(({ code }) => code)
    }
    const wrong = { nonce: '0x5', gas: '0x1', maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' }
    expect(await codeOf({ ...wrong, gas: numberToHex(40_000_000) })).toBe(-38015)
    expect(await codeOf(wrong)).toBe(-38011)
    expect(await codeOf({ ...wrong, nonce: '0x0' })).toBe(-32005)
    expect(await codeOf({ ...wrong, nonce: '0x0', maxPriorityFeePerGas: '0x1' })).toBe(-38012)
    expect(await codeOf({ gas: '0x1', maxFeePerGas: EIGHT_GWEI })).toBe(-38014)
    expect(await codeOf({ gas: '0x1', maxFeePerGas: EIGHT_GWEI, value: '0x0', from: RICH })).toBe(-38013)
  })

  it('at no nonces, fees or money of contracts where nothing is validated', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const calls = [{ from: SHA256, to: OTHER, nonce: '0x63' }]
    const [block] = await ask<{ calls: object[] }[]>(devnet, 'eth_simulateV1', {
      blockStateCalls: [{ calls }],
    })
    expect(block!.calls).toMatchObject([{ status: '0x1' }])
  })
})
