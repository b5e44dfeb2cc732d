/** Files that are not what they should be: what is said about them, and that nothing is lost. */
import { RLP } from '@ethereumjs/rlp'
import { describe, expect, it } from 'vitest'
import { type Hex, toHex, toMinimalBytes } from '../../src/bytes/hex.ts'
import { decodeIncludedTransaction } from '../../src/model/transaction/signedTransaction.ts'
import {
  altered,
  flipped,
  type HeaderField,
  hashOf,
  partsOf,
  withField,
  withTransactions,
} from '../support/chains/alteredBlocks.ts'
import { block, blocks, chain, expectHead, hash, refusal, standingAt } from '../support/chains/imports.ts'
import { CHAIN_ID, DEVELOPER, GENESIS, LENGTH, timeOf, USER } from '../support/chains/minedChain.ts'
import { sign, signerOf } from '../support/chains/signing.ts'
import { ask, started } from '../support/clients/clients.ts'

describe('a file that breaks off', () => {
  const size = (number: number) => blocks(1, number).reduce((sum, { length }) => sum + length, 0)

  it.each([
    [
      'in a block',
      100,
      (end: number) =>
        `the input ends at byte ${end + 100}, within a block of ${block(11).length} bytes that begins at byte ${end}`,
    ],
    [
      'in the length of a block',
      2,
      (end: number) =>
        `the input ends at byte ${end + 2}, within the length of a block that begins at byte ${end}`,
    ],
  ])('%s leaves the blocks before it', async (_, rest, complaint) => {
    const devnet = await standingAt(0)
    const error = await refusal(devnet, chain.file.subarray(0, size(10) + rest))
    expect(error.message).toBe(
      `import: ${complaint(size(10))}; 10 new blocks are kept; the chain is at block 10 (${hash(10)})`,
    )
    expect([error.imported, error.field, error.blockNumber]).toEqual([10, undefined, undefined])
    await expectHead(devnet, 10)
    expect(await devnet.import(chain.file)).toEqual({ imported: LENGTH - 10, known: 10 })
  })

  it.each([
    ['zeros', Uint8Array.of(0, 0, 0), 'an RLP list should begin (0xc0 to 0xff), got 0x00'],
    ['text', Buffer.from('block'), 'an RLP list should begin (0xc0 to 0xff), got 0x62'],
    ['an empty list', RLP.encode([]), 'is malformed: block: a block has 3 parts'],
    ['another list', RLP.encode([[], [], []]), 'is malformed: header: a header has 15'],
    [
      'a length beyond all measure',
      Uint8Array.of(0xff, ...Array(8).fill(0x7f)),
      'at most 268435456 are read',
    ],
  ])('because %s stand between two blocks leaves those before it', async (_, garbage, complaint) => {
    const devnet = await standingAt(0)
    const error = await refusal(devnet, [...blocks(1, 3), garbage, ...blocks(4, 6)])
    expect(error.message).toContain(`at byte ${size(3)} `)
    expect(error.message).toContain(complaint)
    await expectHead(devnet, 3)
    expect(await devnet.import(blocks(4, 6))).toEqual({ imported: 3, known: 0 })
  })

  it('before it began brings nothing', async () => {
    const devnet = await standingAt(3)
    expect(await devnet.import(new Uint8Array())).toEqual({ imported: 0, known: 0 })
    await expectHead(devnet, 3)
  })
})

describe('blocks that do not follow each other', () => {
  it.each([
    ['where one is missing', [1, 2, 4, 5, 6], 2, 4, ['number', '4', '3']],
    ['in another order', [1, 2, 4, 3, 5], 2, 4, ['number', '4', '3']],
    ['from the middle of the chain', [20, 21, 22], 0, 20, ['number', '20', '1']],
  ])('%s are taken in until there', async (_, numbers, kept, wrong, [field, stated, computed]) => {
    const devnet = await standingAt(0)
    const error = await refusal(devnet, numbers.map(block))
    expect(error).toMatchObject({ field, stated, computed, imported: kept, blockNumber: BigInt(wrong) })
    await expectHead(devnet, kept)
  })

  it('because their parent is of another chain are refused', async () => {
    const devnet = await standingAt(4)
    const stranger = withField(block(5), 'parentHash', () => new Uint8Array(32).fill(0xab))
    const error = await refusal(devnet, stranger)
    expect(error).toMatchObject({ field: 'parentHash', stated: `0x${'ab'.repeat(32)}`, computed: hash(4) })
    expect(error.message).toContain('the newest block here is')
  })

  it('because they are of another chain from its beginning on are refused', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const { hash: genesis } = await ask<{ hash: Hex }>(devnet, 'eth_getBlockByNumber', '0x0', false)
    const error = await refusal(devnet, chain.file)
    const { stated, computed } = error
    expect([stated, computed]).toEqual([toHex(chain.blocks[0]!.block.header.parentHash), genesis])
    expect(error).toMatchObject({ field: 'parentHash', blockNumber: 1n })
  })

  it('because this chain went on otherwise are refused', async () => {
    const devnet = await standingAt(4)
    await devnet.mine()
    const { hash: own } = await ask<{ hash: Hex }>(devnet, 'eth_getBlockByNumber', 'latest', false)
    const error = await refusal(devnet, chain.file)
    expect(error).toMatchObject({ field: 'number', blockNumber: 5n, imported: 0 })
    expect(error.message).toContain(`number: this chain has another block 5, ${own}`)
  })

  it('of two chains in one file are taken in while they agree', async () => {
    const devnet = await standingAt(0)
    const other = await started({ rhythm: 'manual', genesis: GENESIS })
    await other.import(blocks(1, 10))
    for (let i = 0; i < 3; i++) await other.mine()
    await devnet.import(blocks(1, 10))
    // Known blocks are right, whatever follows them.
    const error = await refusal(devnet, [...blocks(1, 10), ...blocks(12, 14)])
    expect(error).toMatchObject({ field: 'number', stated: '12', computed: '11' })
    const branch = [...other.export()]
    expect(await refusal(devnet, branch)).toMatchObject({ field: 'timestamp', reason: 'timestampOfParent' })
    expect(await devnet.import(branch, { rules: 'devnet' })).toEqual({ imported: 3, known: 10 })
  })
})

describe('a transaction that cannot be in its block', () => {
  const GWEI = 10n ** 9n
  const NOBODY = signerOf(`0x${'05'.repeat(32)}`)
  const versioned: Hex = `0x01${'00'.repeat(31)}`
  const blobs = (count: number) => Array.from({ length: count }, () => versioned)
  /** Two ether for gas at most, of what a sender has. */
  const fields = { chainId: BigInt(CHAIN_ID), gasLimit: 100_000n, maxFeePerGas: 20n * GWEI }
  const typed = (type: 1 | 2 | 3 | 4) => ({ ...fields, type })
  /** The nonce of the transaction that block 47 has. */
  const NEXT = 46n

  it.each<[string, number, Parameters<typeof sign>[1], string]>([
    [
      'whose nonce was used',
      47,
      { ...fields, nonce: NEXT - 1n },
      'nonce too low: next nonce 46, tx nonce 45',
    ],
    [
      'whose nonce leaves a gap',
      47,
      { ...fields, nonce: NEXT + 1n },
      'nonce too high: next nonce 46, tx nonce 47',
    ],
    [
      'that its sender cannot pay',
      47,
      { ...fields, nonce: NEXT, value: 10n ** 30n },
      'insufficient funds for gas * price + value: have ',
    ],
    [
      'that offers less than the base fee',
      47,
      { ...fields, nonce: NEXT, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n },
      'max fee per gas less than block base fee: maxFeePerGas: 1, baseFee: ',
    ],
    [
      'of another chain',
      47,
      { ...fields, nonce: NEXT, chainId: 1n },
      `invalid chain ID: have 1, want ${CHAIN_ID}`,
    ],
    [
      'that needs more gas than it has',
      47,
      { ...fields, nonce: NEXT, gasLimit: 20_999n },
      'intrinsic gas too low: gas 20999, minimum needed 21000',
    ],
    [
      'with more gas than Osaka allows (EIP-7825)',
      47,
      { ...fields, nonce: NEXT, gasLimit: 2n ** 24n + 1n },
      'transaction gas limit too high (cap: 16777216, tx: 16777217)',
    ],
    [
      'with more gas than the block has',
      30,
      { ...fields, nonce: 0n, gasLimit: 60_000_001n },
      'exceeds block gas limit: tx gas 60000001, block limit 60000000',
    ],
    [
      'with a tip above its fee',
      47,
      { ...fields, nonce: NEXT, maxPriorityFeePerGas: 21n * GWEI },
      'max priority fee per gas higher than max fee per gas',
    ],
    [
      'that creates too much (EIP-3860)',
      47,
      { ...fields, nonce: NEXT, to: undefined, data: new Uint8Array(49_153), gasLimit: 10_000_000n },
      'max initcode size exceeded: code size 49153, limit 49152',
    ],
    [
      'of type 1 before Berlin',
      17,
      { ...typed(1), nonce: 0n },
      'transaction type not supported: type 1 on muirGlacier',
    ],
    [
      'of type 2 before London',
      20,
      { ...typed(2), nonce: 0n },
      'transaction type not supported: type 2 on berlin',
    ],
    [
      'of type 3 before Cancun',
      31,
      { ...typed(3), nonce: 0n, maxFeePerBlobGas: GWEI, blobVersionedHashes: blobs(1) },
      'transaction type not supported: type 3 on shanghai',
    ],
    [
      'whose blobs are too cheap',
      47,
      { ...typed(3), nonce: NEXT, maxFeePerBlobGas: 0n, blobVersionedHashes: blobs(1) },
      'max fee per blob gas less than block blob gas fee: maxFeePerBlobGas: 0, blobGasFee: ',
    ],
    [
      'whose blobs have another version',
      47,
      {
        ...typed(3),
        nonce: NEXT,
        maxFeePerBlobGas: 100n * GWEI,
        blobVersionedHashes: [`0x02${'00'.repeat(31)}`],
      },
      `blob hash 0x02${'00'.repeat(31)} does not begin with 0x01 (EIP-4844)`,
    ],
    [
      'with more blobs than Osaka allows (EIP-7594)',
      47,
      { ...typed(3), nonce: NEXT, maxFeePerBlobGas: 100n * GWEI, blobVersionedHashes: blobs(7) },
      'blob transaction has too many blobs: 7, at most 6 (EIP-7594)',
    ],
  ])('%s is named, with the numbers that matter', async (_, number, wish, complaint) => {
    const devnet = await standingAt(number - 1)
    const transaction = sign(USER, wish)
    const changed = await withTransactions(block(number), [transaction])
    const error = await refusal(devnet, changed)
    expect(error.message).toContain(
      `block ${number} (${hashOf(changed)}): transactions[0] (${transaction.hash}): ${complaint}`,
    )
    expect(error).toMatchObject({ field: 'transactions[0]', blockNumber: BigInt(number), imported: 0 })
    await expectHead(devnet, number - 1)
  })

  it('is found behind others, whose payments count', async () => {
    const devnet = await standingAt(46)
    const all = [
      sign(USER, { ...fields, nonce: NEXT, to: NOBODY.address, value: GWEI }),
      sign(NOBODY, { ...fields, nonce: 0n }),
    ]
    const error = await refusal(devnet, await withTransactions(block(47), all))
    expect(error.field).toBe('transactions[1]')
    expect(error.message).toContain(`have ${GWEI} want ${100_000n * 20n * GWEI}`)
    await expectHead(devnet, 46)
  })

  it('because it has the higher of two signatures is named from Homestead on (EIP-2)', async () => {
    const [highS] = partsOf(block(1)).transactions as [Uint8Array[]]
    const raw = RLP.encode(highS)
    const transaction = decodeIncludedTransaction(raw)
    const devnet = await standingAt(1)
    const error = await refusal(devnet, await withTransactions(block(2), [transaction]))
    expect(error.message).toContain(
      `transactions[0] (${transaction.hash}): invalid signature: s is in the upper half`,
    )
  })

  it('because the block has no room for its blobs is counted', async () => {
    const devnet = await standingAt(46)
    const both = [NEXT, NEXT + 1n].map((nonce) =>
      sign(USER, { ...typed(3), nonce, maxFeePerBlobGas: 2n ** 40n, blobVersionedHashes: blobs(5) }),
    )
    const gasUsed = (bytes: bigint) => () => toMinimalBytes(bytes)
    let changed = await withTransactions(block(47), both)
    changed = withField(changed, 'gasUsed', gasUsed(42_000n))
    const error = await refusal(devnet, withField(changed, 'blobGasUsed', gasUsed(10n * 131_072n)))
    expect(error.field).toBe('blobGasUsed')
    expect(error.message).toContain(
      `the block has blobs of ${10 * 131_072} gas, at most ${8 * 131_072} are allowed`,
    )
  })
})

describe('a header that cannot follow its parent', () => {
  const quantity = (value: bigint) => () => toMinimalBytes(value)

  it.each<[string, number, HeaderField, (before: Uint8Array) => Uint8Array, string]>([
    [
      'with far more gas than before',
      30,
      'gasLimit',
      quantity(61_000_000n),
      '61000000 must differ by less than 58593 from 60000000, and be at least 5000',
    ],
    [
      'with more gas used than it has',
      30,
      'gasUsed',
      quantity(60_000_001n),
      '60000001 is above the gas limit, 60000000',
    ],
    [
      'from before its parent',
      31,
      'timestamp',
      quantity(BigInt(timeOf(30) - 1)),
      `${timeOf(30) - 1} is before that of its parent, ${timeOf(30)}`,
    ],
    [
      'that was mined after the merge',
      30,
      'difficulty',
      quantity(5n),
      'the header says 5, after its parent it must be 0',
    ],
    [
      'with too much extra data',
      30,
      'extraData',
      () => new Uint8Array(33),
      'expected at most 32 bytes, got 33',
    ],
  ])('%s is refused', async (_, number, field, change, complaint) => {
    const devnet = await standingAt(number - 1)
    const error = await refusal(devnet, withField(block(number), field, change))
    expect(error.field).toMatch(new RegExp(`^(header\\.)?${field}$`))
    expect(error.message).toContain(`${field}: ${complaint}`)
    await expectHead(devnet, number - 1)
  })

  it.each([
    ['baseFeePerGas', 20, 'of EIP-1559, which is not in force under berlin'],
    ['withdrawalsRoot', 28, 'of EIP-4895, which is not in force under paris'],
    ['requestsHash', 34, 'of EIP-7685, which is not in force under cancun'],
  ])('because %s comes too early is refused', async (field, number, complaint) => {
    const devnet = await standingAt(number - 1)
    const changed = altered(block(number), ({ header }) => {
      header.push(header[0]!)
    })
    const error = await refusal(devnet, changed)
    expect(error.field).toBe(field)
    expect(error.message).toContain(complaint)
  })

  it.each([
    ['baseFeePerGas', 22, 1, 'which EIP-1559 asks for under london'],
    ['withdrawalsRoot', 30, 1, 'which EIP-4895 asks for under shanghai'],
    ['blobGasUsed', 33, 3, 'which EIP-4844 asks for under cancun'],
    ['requestsHash', 47, 1, 'which EIP-7685 asks for under bpo2'],
  ])('because it lacks %s is refused', async (field, number, missing, complaint) => {
    const devnet = await standingAt(number - 1)
    const changed = altered(block(number), ({ header }) => {
      header.splice(-missing)
    })
    const error = await refusal(devnet, changed)
    expect(error.field).toBe(field)
    expect(error.message).toContain(`the block lacks this field, ${complaint}`)
  })

  it('because its block has no withdrawals, or has them too early, is refused', async () => {
    const without = altered(block(30), (parts) => {
      delete parts.withdrawals
    })
    const lacking = await refusal(await standingAt(29), without)
    expect(lacking).toMatchObject({ field: 'withdrawalsRoot', computed: 'nothing' })
    const early = altered(block(28), (parts) => {
      parts.withdrawals = []
    })
    const tooEarly = await refusal(await standingAt(27), early)
    expect(tooEarly).toMatchObject({ field: 'withdrawalsRoot', stated: 'nothing' })
  })
})

describe('a devnet that refused a file', () => {
  const broken = () => [...blocks(1, 5), withField(block(6), 'stateRoot', flipped), ...blocks(7, 9)]

  it('goes on with its commands in their order', async () => {
    const devnet = await standingAt(0)
    const refused = refusal(devnet, broken())
    const next = [devnet.tick(), devnet.tick(), devnet.import(blocks(1, 5))]
    await refused
    expect(await Promise.all(next)).toEqual([undefined, undefined, { imported: 0, known: 5 }])
    expect(await ask(devnet, 'eth_blockNumber')).toBe('0x6')
  })

  it('has what waited before, and what was pre-confirmed waits again', async () => {
    const devnet = await standingAt(0)
    const pay = (nonce: Hex) =>
      ask<Hex>(devnet, 'eth_sendTransaction', {
        from: DEVELOPER,
        to: DEVELOPER,
        nonce,
        gasPrice: '0x4a817c800',
      })
    const [first, later] = [await pay('0x0'), await pay('0x2')]
    await devnet.tick()
    const whereIs = async (transaction: Hex) =>
      (await ask<{ blockNumber: Hex | null }>(devnet, 'eth_getTransactionByHash', transaction)).blockNumber
    expect(await ask(devnet, 'preseal_explain', first)).toMatchObject({ status: 'preconfirmed' })
    expect([await whereIs(first), await whereIs(later)]).toEqual([null, null])
    await refusal(devnet, broken())
    expect(await ask(devnet, 'preseal_explain', first)).toMatchObject({ status: 'waiting' })
    expect([await whereIs(first), await whereIs(later)]).toEqual([null, null])
    await pay('0x1')
    await devnet.mine()
    expect([await whereIs(first), await whereIs(later)]).toEqual(['0x6', '0x6'])
  })

  it('keeps what is pre-confirmed where not even the first block was right', async () => {
    const devnet = await standingAt(0)
    const payment = { from: DEVELOPER, to: DEVELOPER, gasPrice: '0x4a817c800' }
    const transaction = await ask<Hex>(devnet, 'eth_sendTransaction', payment)
    await devnet.tick()
    const pending = await ask(devnet, 'eth_getBlockByNumber', 'pending', true)
    await refusal(devnet, [withField(block(1), 'stateRoot', flipped), ...blocks(2, 4)])
    expect(await ask(devnet, 'eth_getBlockByNumber', 'pending', true)).toEqual(pending)
    await devnet.seal()
    const sealed = await ask(devnet, 'eth_getTransactionReceipt', transaction)
    expect(sealed).toMatchObject({ blockNumber: '0x1' })
  })

  it('goes back to where it was before', async () => {
    const devnet = await standingAt(2)
    const before = devnet.snapshot()
    await refusal(devnet, broken())
    const between = devnet.snapshot()
    await devnet.restore(before)
    await expectHead(devnet, 2)
    await devnet.restore(between)
    await expectHead(devnet, 5)
    await devnet.restore(before)
    expect(await devnet.import(chain.file)).toEqual({ imported: LENGTH - 2, known: 2 })
  })
})
