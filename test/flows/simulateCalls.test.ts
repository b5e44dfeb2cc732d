/** The calls of eth_simulateV1: which transactions they are, and what is filled in. */
import {
  type Hex,
  keccak256,
  numberToHex,
  serializeTransaction,
  type TransactionSerializable,
  toRlp,
} from 'viem'
import { describe, expect, it } from 'vitest'
import { toHex } from '../../src/bytes/hex.ts'
import type { Devnet, DevnetOptions } from '../../src/index.ts'
import { authorize, signerOf } from '../support/chains/signing.ts'
import { STRANGER } from '../support/clients/clients.ts'
import { answering, assemble } from '../support/compilers/assembly.ts'
import { answeringAt, CODE, manual, OTHER, resultsOf } from '../support/engines/simulatedCalls.ts'
import { type SimulatedBlock, simulate } from '../support/engines/simulation.ts'

const BLOB: Hex = `0x01${'22'.repeat(31)}`
const word = (value: bigint | number): Hex => numberToHex(value, { size: 32 })
type Transaction = Record<string, unknown> & { readonly hash: Hex; readonly gas: Hex }

/** The transactions of one block of `calls`, in full. */
async function transactionsOf(devnet: Devnet, calls: object[], more: object = {}): Promise<Transaction[]> {
  const [block] = await simulate(devnet, [{ calls, ...more }], { returnFullTransactions: true })
  return block!.transactions as Transaction[]
}

describe('a simulated call', () => {
  it('is a transaction of type 2 without a signature and without a price', async () => {
    const { devnet, from } = await manual()
    const [block] = await simulate(devnet, [{ calls: [{ from, to: STRANGER, value: '0x5' }] }], {
      returnFullTransactions: true,
    })
    expect(block!.transactions).toEqual([
      {
        blockHash: block!.hash,
        blockNumber: '0x1',
        blockTimestamp: block!.timestamp,
        transactionIndex: '0x0',
        type: '0x2',
        chainId: '0x7a69',
        from,
        to: STRANGER,
        value: '0x5',
        input: '0x',
        nonce: '0x0',
        // All that the block has.
        gas: '0x1c9c380',
        gasPrice: '0x0',
        maxFeePerGas: '0x0',
        maxPriorityFeePerGas: '0x0',
        accessList: [],
        hash: expect.any(String),
        yParity: '0x0',
        v: '0x0',
        r: '0x0',
        s: '0x0',
      },
    ])
  })

  it('is that of the example in the specification (execution-apis src/eth/execute.yaml)', async () => {
    const { devnet } = await manual({ chainId: 3503995874084926, gasLimit: 200_000_000 })
    const [a, b, c] = ['c0', 'c1', 'c2'].map((byte): Hex => `0x${byte}${'00'.repeat(19)}`) as [Hex, Hex, Hex]
    const [block] = await simulate(devnet, [
      {
        stateOverrides: { [a]: { balance: '0x3e8' } },
        calls: [
          { from: a, to: b, value: '0x3e8' },
          { from: b, to: c, value: '0x3e8' },
        ],
      },
    ])
    expect(block).toMatchObject({
      transactions: [
        '0xf1c5abb08809ef760f87aeabe7a87284c60797192dab6d2f0d26c27c9c038e9d',
        '0xbc123d32ae457d4a444af60d1aef663c2f4a77c44a52bec0eef8ac81b53549cb',
      ],
      transactionsRoot: '0x6d79cfd6f20bf10a0b3831acf15402528b00992cb9a71302596de7fbb4ebfb07',
      receiptsRoot: '0x75308898d571eafb5cd8cde8278bf5b3d13c5f6ec074926de3bb895b519264e1',
      gasUsed: '0xa410',
      calls: [
        { returnData: '0x', logs: [], gasUsed: '0x5208', maxUsedGas: '0x5208', status: '0x1' },
        { returnData: '0x', logs: [], gasUsed: '0x5208', maxUsedGas: '0x5208', status: '0x1' },
      ],
    })
  })

  it.each<[string, object, string, DevnetOptions]>([
    ['nothing', {}, '0x2', {}],
    ['a price', { gasPrice: '0x0' }, '0x0', {}],
    ['a price and an access list', { gasPrice: '0x0', accessList: [] }, '0x1', {}],
    ['two prices', { maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' }, '0x2', {}],
    ['an access list', { accessList: [] }, '0x2', {}],
    ['hashes of blobs', { to: STRANGER, blobVersionedHashes: [BLOB] }, '0x3', {}],
    ['the wish for type 0', { type: '0x0' }, '0x0', {}],
    ['the wish for type 1', { type: '0x1' }, '0x1', {}],
    ['the wish for type 2', { type: '0x2' }, '0x2', {}],
    ['the wish for type 0, and two prices', { type: '0x0', maxFeePerGas: '0x0' }, '0x2', {}],
    ['nothing, under the rules of Berlin', {}, '0x0', { hardfork: 'berlin' }],
    ['an access list, under the rules of Berlin', { accessList: [] }, '0x1', { hardfork: 'berlin' }],
  ])('with %s has the type that fits', async (_, fields, type, options) => {
    const { devnet, from } = await manual(options)
    const [transaction] = await transactionsOf(devnet, [{ from, ...fields }])
    expect(transaction).toMatchObject({ type })
  })

  it('with authorizations is of type 4, and they hold from then on', async () => {
    const { devnet, from } = await manual()
    const authority = signerOf(`0x${'a7'.repeat(32)}`)
    const { address, ...signed } = await authorize(authority, { address: CODE, nonce: 0n })
    const authorization = {
      address,
      ...Object.fromEntries(Object.entries(signed).map(([name, value]) => [name, numberToHex(value)])),
    }
    const [block] = await simulate(
      devnet,
      [
        {
          ...answeringAt('ADDRESS'),
          calls: [
            { from, to: authority.address },
            { from, to: STRANGER, authorizationList: [authorization] },
            { from, to: authority.address },
          ],
        },
      ],
      { returnFullTransactions: true },
    )
    expect(block!.transactions[1]).toMatchObject({ type: '0x4', authorizationList: [authorization] })
    expect(block!.calls.map(({ returnData }) => returnData)).toEqual([
      '0x',
      '0x',
      word(BigInt(authority.address)),
    ])
  })

  it('has the hash of its bytes, with zeros for a signature', async () => {
    const { devnet, from } = await manual()
    const common = { chainId: 31_337, nonce: 3, gas: 100_000n, to: OTHER, value: 7n, data: '0xabcd' } as const
    const asked = { from, to: OTHER, nonce: '0x3', gas: '0x186a0', value: '0x7', input: '0xabcd' }
    const accessList = [{ address: OTHER, storageKeys: [word(1)] }]
    const fees = { maxFeePerGas: 9n, maxPriorityFeePerGas: 8n }
    const askedFees = { maxFeePerGas: '0x9', maxPriorityFeePerGas: '0x8' }
    const pairs: [object, TransactionSerializable][] = [
      [
        { ...asked, gasPrice: '0x9', accessList },
        { ...common, type: 'eip2930', gasPrice: 9n, accessList },
      ],
      [
        { ...asked, ...askedFees },
        { ...common, type: 'eip1559', ...fees },
      ],
      [
        { ...asked, ...askedFees, blobVersionedHashes: [BLOB], maxFeePerBlobGas: '0x2' },
        { ...common, type: 'eip4844', ...fees, blobVersionedHashes: [BLOB], maxFeePerBlobGas: 2n },
      ],
    ]
    const transactions = await transactionsOf(
      devnet,
      pairs.map(([call]) => call),
    )
    const none = { r: '0x0', s: '0x0', yParity: 0 } as const
    expect(transactions.map(({ hash }) => hash)).toEqual(
      pairs.map(([, transaction]) => keccak256(serializeTransaction(transaction, none))),
    )
  })

  it('with one price has a hash without a chain, and no v', async () => {
    const { devnet, from } = await manual()
    const [transaction] = await transactionsOf(devnet, [
      { from, to: OTHER, nonce: '0x3', gas: '0x186a0', value: '0x7', input: '0xabcd', gasPrice: '0x9' },
    ])
    expect(transaction).toMatchObject({ type: '0x0', gasPrice: '0x9', v: '0x0', r: '0x0', s: '0x0' })
    expect(transaction).not.toHaveProperty('chainId')
    const bytes = toRlp(['0x03', '0x09', '0x0186a0', OTHER, '0x07', '0xabcd', '0x', '0x', '0x'])
    expect(transaction!.hash).toBe(keccak256(bytes))
  })

  it('comes from nobody where no sender is named, and from anybody where one is', async () => {
    const { devnet } = await manual()
    const results = await resultsOf(
      devnet,
      [{ to: CODE }, { from: OTHER, to: CODE }, { from: CODE, to: CODE }],
      answeringAt('CALLER'),
    )
    expect(results.map(({ returnData }) => returnData)).toEqual([
      word(0),
      word(BigInt(OTHER)),
      word(BigInt(CODE)),
    ])
  })

  it('has the next nonce of its sender, or the one that is given', async () => {
    const { devnet, from } = await manual()
    const other = devnet.accounts[1]!.address
    const transactions = await transactionsOf(devnet, [
      { from },
      { from: other },
      { from },
      { from, nonce: '0x63' },
      { from, nonce: '0x0' },
      { from },
    ])
    expect(transactions.map(({ nonce }) => nonce)).toEqual(['0x0', '0x0', '0x1', '0x63', '0x0', '0x4'])
  })

  it('may have a nonce that has run out, and its sender begins anew', async () => {
    const { devnet } = await manual()
    const stateOverrides = { [STRANGER]: { nonce: '0xffffffffffffffff' } }
    const calls = [
      { from: STRANGER, to: OTHER },
      { from: STRANGER, to: OTHER },
    ]
    expect(await transactionsOf(devnet, calls, { stateOverrides })).toMatchObject([
      { nonce: '0xffffffffffffffff' },
      { nonce: '0x0' },
    ])
  })

  it('has all the gas that its block has left', async () => {
    const { devnet, from } = await manual()
    const calls = [
      { from, to: STRANGER },
      { from, to: STRANGER, gas: '0x186a0' },
      { from, to: STRANGER },
    ]
    const transactions = await transactionsOf(devnet, calls)
    expect(transactions.map(({ gas }) => Number(gas))).toEqual([30_000_000, 100_000, 30_000_000 - 42_000])
  })

  it('has at most what is left of fifty million gas, which all calls share', async () => {
    const { devnet, from } = await manual({ gasLimit: 40_000_000 })
    const burning = { from, to: CODE, gas: numberToHex(30_000_000) }
    const stateOverrides = { [CODE]: { code: '0xfe' } }
    const [first, second] = (await simulate(
      devnet,
      [{ stateOverrides, calls: [burning] }, { calls: [{ from, to: CODE }] }],
      { returnFullTransactions: true },
    )) as [SimulatedBlock, SimulatedBlock]
    expect(first.gasUsed).toBe(numberToHex(30_000_000))
    expect(second.transactions).toMatchObject([{ gas: numberToHex(20_000_000) }])
    expect(second.gasUsed).toBe(numberToHex(20_000_000))
    // Then there is nothing left for anybody.
    const third = simulate(devnet, [
      { stateOverrides, calls: [burning] },
      { calls: [{ from, to: CODE }, { from }] },
    ])
    await expect(third).rejects.toMatchObject({
      code: -38026,
      message: 'blockStateCalls[1].calls[1]: gas limit of the simulation reached: 0 left, 53000 needed',
    })
  })

  it('may ask for more gas than a transaction may (EIP-7825)', async () => {
    const { devnet, from } = await manual()
    const calls = [{ from, to: STRANGER, gas: numberToHex(20_000_000), maxFeePerGas: '0x77359400' }]
    const [block] = await simulate(devnet, [{ calls }], { validation: true })
    expect(block!.calls).toMatchObject([{ status: '0x1' }])
  })

  it('reads data by either name', async () => {
    const { devnet, from } = await manual()
    const code = toHex(assemble(0, 'CALLDATALOAD', 0, 'MSTORE', 32, 0, 'RETURN'))
    const stateOverrides = { [CODE]: { code } }
    const calls = [
      { from, to: CODE, data: word(5) },
      { from, to: CODE, input: word(6) },
    ]
    const results = await resultsOf(devnet, calls, { stateOverrides })
    expect(results.map(({ returnData }) => returnData)).toEqual([word(5), word(6)])
  })

  it('pays for its gas where it offers to, and its tip goes to the miner', async () => {
    const { devnet, from } = await manual({ coinbase: OTHER })
    const [paying, after] = await simulate(devnet, [
      {
        blockOverrides: { baseFeePerGas: '0xa' },
        calls: [
          { from, to: STRANGER, maxFeePerGas: '0x64', maxPriorityFeePerGas: '0x3' },
          { from, to: STRANGER },
        ],
      },
      {
        calls: [from, OTHER].map((owner) => ({
          input: toHex(answering(owner as Hex, 'BALANCE')),
        })),
      },
    ])
    expect(paying!.calls.map(({ status }) => status)).toEqual(['0x1', '0x1'])
    const balances = after!.calls.map(({ returnData }) => BigInt(returnData))
    expect(balances).toEqual([10n ** 22n - 21_000n * 13n, 21_000n * 3n])
  })

  it('reads the base fee of its block whether or not it pays', async () => {
    const { devnet, from } = await manual()
    const blockOverrides = { baseFeePerGas: '0xa' }
    const calls = [
      { from, to: CODE },
      { from, to: CODE, gasPrice: '0xc' },
    ]
    const results = await resultsOf(devnet, calls, { ...answeringAt('BASEFEE'), blockOverrides })
    expect(results.map(({ returnData }) => returnData)).toEqual([word(10), word(10)])
  })

  it('pays for nothing while transfers are followed, as at any other time', async () => {
    const { devnet, from } = await manual()
    const wishes = [
      {
        blockOverrides: { baseFeePerGas: '0xa' },
        ...answeringAt('BASEFEE'),
        calls: [{ from, to: CODE, value: '0x1' }],
      },
    ]
    const [plain] = await simulate(devnet, wishes)
    const [traced] = await simulate(devnet, wishes, { traceTransfers: true })
    expect(traced!.stateRoot).toBe(plain!.stateRoot)
    expect(traced!.calls[0]).toMatchObject({ returnData: word(10), logs: [{ data: word(1) }] })
  })

  it('carries hashes of blobs, which its block counts, and pays for them where it offers to', async () => {
    const { devnet, from } = await manual()
    const calls = [
      { from, to: CODE, blobVersionedHashes: [BLOB, BLOB] },
      { from, to: CODE, blobVersionedHashes: [BLOB], maxFeePerBlobGas: '0x5', maxFeePerGas: '0x0' },
    ]
    const [blobs, reading] = await simulate(devnet, [
      { ...answeringAt(0, 'BLOBHASH'), calls },
      { calls: [{ input: toHex(answering(from, 'BALANCE')) }, { from: STRANGER, to: CODE }] },
    ])
    expect(blobs!.calls.map(({ returnData }) => returnData)).toEqual([BLOB, BLOB])
    expect(blobs!.blobGasUsed).toBe(numberToHex(3 * 131_072))
    // A price of one wei (EIP-4844), paid by who offered five.
    expect(BigInt(reading!.calls[0]!.returnData)).toBe(10n ** 22n - 131_072n)
    expect(reading!.calls[1]!.returnData).toBe(word(0))
  })

  it('reads the price of blobs whether or not it pays it', async () => {
    const { devnet, from } = await manual()
    const blockOverrides = { blobBaseFee: '0x9' }
    const calls = [{ from, to: CODE, blobVersionedHashes: [BLOB] }]
    const [result] = await resultsOf(devnet, calls, { ...answeringAt('BLOBBASEFEE'), blockOverrides })
    expect(result!.returnData).toBe(word(9))
  })

  it('raises the price of blobs in the blocks after it', async () => {
    const { devnet, from } = await manual()
    const six = { from, to: CODE, blobVersionedHashes: Array(6).fill(BLOB) }
    const blocks = await simulate(devnet, [{ calls: [six, six] }, {}])
    // Twelve where six are the target (EIP-7691); what the base fee of zero says to it is nothing (EIP-7918).
    expect(blocks.map(({ excessBlobGas }) => excessBlobGas)).toEqual(['0x0', numberToHex(6 * 131_072)])
  })
})
