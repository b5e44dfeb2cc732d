import { createBlockFromRLP, createBlockHeaderFromRLP, genWithdrawalsTrieRoot } from '@ethereumjs/block'
import { RLP } from '@ethereumjs/rlp'
import { keccak256 } from 'viem'
import { describe, expect, it } from 'vitest'
import { toHex, ZERO_HASH } from '../../../src/bytes/hex.ts'
import { encodeRlp } from '../../../src/bytes/rlp.ts'
import { encodeBlock } from '../../../src/model/block/block.ts'
import type { UncheckedBlock } from '../../../src/model/block/decodeBlock.ts'
import { EMPTY_OMMERS_HASH, type Header, hashHeader, headerFields } from '../../../src/model/block/header.ts'
import { type AnyHardfork, createRules, isSince } from '../../../src/model/hardfork/hardfork.ts'
import type { Transaction } from '../../../src/model/transaction/transaction.ts'
import type { BlockFlaw } from '../../../src/sequencer/import/flawInHeader.ts'
import { flawInHeader, flawInSize } from '../../../src/sequencer/import/flawInHeader.ts'
import { randomBlock, randomWithdrawal } from '../../support/chains/blocks.ts'
import { randomHeader, theirCommon, toEthereumJsHeader } from '../../support/chains/headers.ts'
import { Random, withRandom } from '../../support/random/random.ts'

interface Pair {
  readonly parent: Header
  readonly block: UncheckedBlock
}

/** Transactions as they stand in blocks of `hardfork`. Which they are does not matter here, and signing them takes its time. */
const TRANSACTIONS = new Map<AnyHardfork, Promise<readonly Transaction[]>>()
function transactionsUnder(hardfork: AnyHardfork): Promise<readonly Transaction[]> {
  const made =
    TRANSACTIONS.get(hardfork) ??
    randomBlock(new Random(1), hardfork).then(({ transactions }) => transactions)
  TRANSACTIONS.set(hardfork, made)
  return made
}

/** A parent under `before` and a block of `hardfork` that may follow it: all that follows from the parent is EthereumJS's. */
async function rightPair(random: Random, before: AnyHardfork, hardfork: AnyHardfork): Promise<Pair> {
  const since = (first: AnyHardfork) => isSince(hardfork, first)
  const parent: Header = {
    ...randomHeader(random, before),
    number: BigInt(random.below(100_000)),
    difficulty: isSince(before, 'paris') ? 0n : 10_000_000n + random.bigint(40),
    gasLimit: 30_000_000n,
    gasUsed: BigInt(random.below(30_000_000)),
    ...(isSince(before, 'london') ? { baseFeePerGas: 100n + random.bigint(40) } : {}),
    ...(isSince(before, 'cancun')
      ? { blobGasUsed: BigInt(random.below(7)) * 131_072n, excessBlobGas: random.bigint(25) }
      : {}),
  }
  const theirParent = toEthereumJsHeader(parent, before)
  const transactions = await transactionsUnder(hardfork)
  const ommers = since('paris') ? [] : [randomHeader(random, hardfork), randomHeader(random, hardfork)]
  const withdrawals = since('shanghai') ? [randomWithdrawal(random), randomWithdrawal(random)] : undefined
  const isFirstWithBaseFee = since('london') && !isSince(before, 'london')
  const limit = isFirstWithBaseFee ? 60_000_000n : 30_000_000n
  const unfinished: Header = {
    ...randomHeader(random, hardfork),
    parentHash: hashHeader(parent),
    number: parent.number + 1n,
    timestamp: parent.timestamp + 1n + BigInt(random.below(99)),
    gasLimit: limit + BigInt(random.between(-29_000, 29_000)),
    gasUsed: BigInt(random.below(29_000_000)),
    ...(since('london')
      ? { baseFeePerGas: isFirstWithBaseFee ? 1_000_000_000n : theirParent.calcNextBaseFee() }
      : {}),
    ...(since('cancun') ? { excessBlobGas: theirParent.calcNextExcessBlobGas(theirCommon(hardfork)) } : {}),
  }
  const common = theirCommon(hardfork)
  const theirs = createBlockFromRLP(encodeBlock({ header: unfinished, transactions, ommers, withdrawals }), {
    common,
    skipConsensusFormatValidation: true,
  })
  const header: Header = {
    ...unfinished,
    difficulty: since('paris') ? 0n : theirs.header.ethashCanonicalDifficulty(theirParent),
    transactionsRoot: toHex(await theirs.genTxTrie()),
    ommersHash: keccak256(RLP.encode(theirs.uncleHeaders.map((ommer) => ommer.raw()))),
    ...(since('shanghai')
      ? { withdrawalsRoot: toHex(await genWithdrawalsTrieRoot(theirs.withdrawals!)) }
      : {}),
  }
  return {
    parent,
    block: { header, hash: hashHeader(header), transactions, ommers, withdrawals },
  }
}

function flawOf(hardfork: AnyHardfork, { parent, block }: Pair): BlockFlaw | undefined {
  return flawInHeader(createRules(hardfork, 31_337n), 'ethereum', parent, block)
}

/** The block with other values in its header. */
function withHeader({ parent, block }: Pair, change: Partial<Header>): Pair {
  return { parent, block: { ...block, header: { ...block.header, ...change } } }
}

/** Each hardfork that changed what headers must say, after itself and after the one before. */
const SUCCESSIONS = [
  ['frontier', 'frontier'],
  ['frontier', 'homestead'],
  ['homestead', 'byzantium'],
  ['byzantium', 'byzantium'],
  ['berlin', 'berlin'],
  ['berlin', 'london'],
  ['london', 'london'],
  ['grayGlacier', 'paris'],
  ['paris', 'paris'],
  ['paris', 'shanghai'],
  ['shanghai', 'shanghai'],
  ['shanghai', 'cancun'],
  ['cancun', 'cancun'],
  ['cancun', 'prague'],
  ['prague', 'prague'],
] as const satisfies readonly (readonly [AnyHardfork, AnyHardfork])[]

describe.each(SUCCESSIONS)('a block after one of %s in %s', (before, hardfork) => {
  it(
    'has no flaw where it says what EthereumJS computes',
    withRandom(async (random) => {
      for (let i = 0; i < 3; i++) {
        expect(flawOf(hardfork, await rightPair(random, before, hardfork))).toBeUndefined()
      }
    }),
  )

  it(
    'is refused with any number in its header off by one, and is told the right one',
    withRandom(async (random) => {
      const right = await rightPair(random, before, hardfork)
      const { header } = right.block
      for (const field of ['difficulty', 'baseFeePerGas', 'excessBlobGas'] as const) {
        const value = header[field]
        if (value === undefined) continue
        for (const stated of [value + 1n, ...(value > 0n ? [value - 1n] : [])]) {
          const flaw = { kind: 'differs', field, stated: String(stated), computed: String(value) }
          expect(flawOf(hardfork, withHeader(right, { [field]: stated }))).toEqual(flaw)
        }
      }
    }),
  )

  it(
    'is refused with any hash of its body changed in one bit, and is told the right one',
    withRandom(async (random) => {
      const right = await rightPair(random, before, hardfork)
      const { header } = right.block
      for (const field of ['transactionsRoot', 'ommersHash', 'withdrawalsRoot'] as const) {
        const value = header[field]
        if (value === undefined) continue
        const stated = toHex(
          Uint8Array.from(Buffer.from(value.slice(2), 'hex'), (b, i) => (i === 9 ? b ^ 4 : b)),
        )
        const flaw = { kind: 'differs', field, stated, computed: value }
        expect(flawOf(hardfork, withHeader(right, { [field]: stated }))).toEqual(flaw)
      }
    }),
  )
})

describe('the fields of a header', () => {
  const FIELDS = [
    ['baseFeePerGas', 1559, 'berlin', 'london'],
    ['withdrawalsRoot', 4895, 'paris', 'shanghai'],
    ['blobGasUsed', 4844, 'shanghai', 'cancun'],
    ['excessBlobGas', 4844, 'shanghai', 'cancun'],
    ['parentBeaconBlockRoot', 4788, 'shanghai', 'cancun'],
    ['requestsHash', 7685, 'cancun', 'prague'],
  ] as const

  it.each(FIELDS)('do not have %s (EIP-%i) in %s', (field, eip, hardfork) =>
    withRandom(async (random) => {
      const right = await rightPair(random, hardfork, hardfork)
      const value = randomHeader(random, 'prague')[field]
      expect(flawOf(hardfork, withHeader(right, { [field]: value }))).toEqual({
        kind: 'invalid',
        field,
        rule: 'unexpectedField',
        reason: `the block has this field of EIP-${eip}, which is not in force under ${hardfork}`,
      })
    })(),
  )

  it.each(FIELDS)('must have %s (EIP-%i) after %s, in %s', (field, eip, before, hardfork) =>
    withRandom(async (random) => {
      for (const parent of [before, hardfork]) {
        const right = await rightPair(random, parent, hardfork)
        expect(flawOf(hardfork, withHeader(right, { [field]: undefined }))).toEqual({
          kind: 'invalid',
          field,
          rule: 'missingField',
          reason: `the block lacks this field, which EIP-${eip} asks for under ${hardfork}`,
        })
      }
    })(),
  )
})

describe('the body of a block', () => {
  /** What is said about a block of `hardfork` whose body is changed. */
  async function flawWith(hardfork: AnyHardfork, change: (block: UncheckedBlock) => Partial<UncheckedBlock>) {
    const { parent, block } = await rightPair(new Random(5), hardfork, hardfork)
    return flawOf(hardfork, { parent, block: { ...block, ...change(block) } })
  }

  it('has the transactions that its header has hashed, in their order', async () => {
    const flaw = { kind: 'differs', field: 'transactionsRoot' }
    expect(await flawWith('prague', () => ({ transactions: [] }))).toMatchObject(flaw)
    const reversed = await flawWith('prague', ({ transactions }) => ({
      transactions: transactions.toReversed(),
    }))
    expect(reversed).toMatchObject(flaw)
  })

  it('has the ommers that its header has hashed, in their order', async () => {
    const flaw = { kind: 'differs', field: 'ommersHash' }
    expect(await flawWith('berlin', () => ({ ommers: [] }))).toMatchObject(flaw)
    expect(await flawWith('berlin', ({ ommers }) => ({ ommers: ommers.toReversed() }))).toMatchObject(flaw)
    expect(await flawWith('prague', ({ header }) => ({ ommers: [header] }))).toMatchObject(flaw)
  })

  it('has the withdrawals that its header has hashed, and not one gwei more', async () => {
    const flaw = { kind: 'differs', field: 'withdrawalsRoot' }
    expect(await flawWith('prague', () => ({ withdrawals: [] }))).toMatchObject(flaw)
    const more = await flawWith('prague', ({ withdrawals }) => ({
      withdrawals: withdrawals!.map((one) => ({ ...one, amountGwei: one.amountGwei + 1n })),
    }))
    expect(more).toMatchObject(flaw)
  })

  it('has withdrawals exactly since Shanghai, be they none', async () => {
    const flaw = { kind: 'differs', field: 'withdrawalsRoot' }
    expect(await flawWith('shanghai', () => ({ withdrawals: undefined }))).toMatchObject(flaw)
    expect(await flawWith('paris', () => ({ withdrawals: [] }))).toMatchObject(flaw)
  })
})

describe('time and gas', () => {
  it('do not go back: a block is no older than its parent', async () => {
    const right = await rightPair(new Random(5), 'prague', 'prague')
    const { timestamp } = right.parent
    expect(flawOf('prague', withHeader(right, { timestamp: timestamp - 1n }))).toEqual({
      kind: 'invalid',
      field: 'timestamp',
      rule: 'timestampBeforeParent',
      reason: `${timestamp - 1n} is before that of its parent, ${timestamp}`,
    })
  })

  it('go on: a block has its parent’s time only where a devnet made it', async () => {
    const right = await rightPair(new Random(5), 'prague', 'prague')
    const { parent, block } = withHeader(right, { timestamp: right.parent.timestamp })
    expect(flawOf('prague', { parent, block })).toMatchObject({
      field: 'timestamp',
      rule: 'timestampOfParent',
      reason: expect.stringContaining("the option rules: 'devnet' (--import-rules devnet)"),
    })
    expect(flawInHeader(createRules('prague', 31_337n), 'devnet', parent, block)).toBeUndefined()
  })

  it('do not exceed the limit of the block', async () => {
    const right = await rightPair(new Random(5), 'prague', 'prague')
    const { gasLimit } = right.block.header
    expect(flawOf('prague', withHeader(right, { gasUsed: gasLimit + 1n }))).toEqual({
      kind: 'invalid',
      field: 'gasUsed',
      rule: 'gasUsedAboveLimit',
      reason: `${gasLimit + 1n} is above the gas limit, ${gasLimit}`,
    })
    expect(flawOf('prague', withHeader(right, { gasUsed: gasLimit }))).toBeUndefined()
  })
})

describe('the gas limit', () => {
  /** Whether EthereumJS lets the limit of `parent` become that of `header`. */
  function theyAllow(hardfork: AnyHardfork, parent: Header, header: Header, before = hardfork): boolean {
    try {
      toEthereumJsHeader(header, hardfork).validateGasLimit(toEthereumJsHeader(parent, before))
      return true
    } catch {
      return false
    }
  }

  it(
    'changes by as much as EthereumJS allows',
    withRandom(async (random) => {
      const right = await rightPair(random, 'prague', 'prague')
      let allowed = 0
      for (let i = 0; i < 200; i++) {
        const limit = random.pick([
          5_000n,
          5_003n,
          6_000n,
          1_000_000n,
          30_000_000n,
          5_000n + random.bigint(40),
        ])
        const step = limit / 1_024n
        const stray = BigInt(random.between(-3, 3))
        const gasLimit = limit + random.pick([-step, 0n, step]) + stray
        const parent = { ...right.parent, gasLimit: limit, gasUsed: limit / 2n }
        const header = { ...right.block.header, gasLimit, gasUsed: 0n, baseFeePerGas: parent.baseFeePerGas }
        const flaw = flawOf('prague', { parent, block: { ...right.block, header } })
        const isAllowed = theyAllow('prague', parent, header)
        expect([flaw, gasLimit]).toEqual([
          isAllowed
            ? undefined
            : {
                kind: 'invalid',
                field: 'gasLimit',
                rule: 'gasLimitOutOfBounds',
                reason: `${gasLimit} must differ by less than ${step} from ${limit}, and be at least 5000`,
              },
          gasLimit,
        ])
        if (isAllowed) allowed++
      }
      expect(allowed).toBeGreaterThan(20)
      expect(allowed).toBeLessThan(180)
    }),
  )

  it(
    'doubles with the first base fee, as EthereumJS has it (EIP-1559)',
    withRandom(async (random) => {
      const right = await rightPair(random, 'berlin', 'london')
      const step = 60_000_000n / 1_024n
      // Where mainnet's London is: EthereumJS looks at the number.
      const number = 12_965_000n
      const parent = { ...right.parent, number: number - 1n }
      for (const gasLimit of [30_000_000n, 60_000_000n, 60_000_000n - step, 60_000_001n - step]) {
        const header = { ...right.block.header, number, gasLimit }
        const flaw = flawOf('london', { parent, block: { ...right.block, header } })
        const isAllowed = theyAllow('london', parent, header, 'berlin')
        // What else is wrong with it at that height does not matter here.
        expect(flaw?.kind === 'invalid' && flaw.field === 'gasLimit').toBe(!isAllowed)
      }
    }),
  )
})

describe('the gas limit of a chain that has come far', () => {
  it('is at most 2^63 - 1 (EIP-1985)', async () => {
    const { parent, block } = await rightPair(new Random(5), 'shanghai', 'shanghai')
    const highest = 2n ** 63n - 1n
    const flawAt = (gasLimit: bigint, before: bigint) =>
      flawOf('shanghai', {
        parent: { ...parent, gasLimit: before, gasUsed: before / 2n },
        block: { ...block, header: { ...block.header, gasLimit, baseFeePerGas: parent.baseFeePerGas } },
      })
    expect(flawAt(highest, highest)).toBeUndefined()
    expect(flawAt(highest + 1n, highest)).toEqual({
      kind: 'invalid',
      field: 'gasLimit',
      rule: 'gasLimitAboveInt63',
      reason: '9223372036854775808 is above 9223372036854775807 (2^63 - 1)',
    })
    expect(flawAt(highest + 1n, highest + 1n)).toMatchObject({ rule: 'gasLimitAboveInt63' })
  })
})

describe('the first ten blocks of the DAO fork (EIP-779)', () => {
  const EXTRA_DATA = new TextEncoder().encode('dao-hard-fork')

  /** What is said about a Homestead block of this number, on a chain whose fork is at block 100. */
  async function flawAt(number: bigint, isSupported: boolean, extraData: Uint8Array) {
    const { parent, block } = await rightPair(new Random(5), 'homestead', 'homestead')
    const rules = createRules('homestead', 1n, { dao: { block: 100n, isSupported } })
    const before = { ...parent, number: number - 1n }
    const header = { ...block.header, number, extraData }
    return flawInHeader(rules, 'ethereum', before, { ...block, header })
  }

  it.each([100n, 109n])('say at block %i which side they are on', async (number) => {
    expect(await flawAt(number, true, EXTRA_DATA)).toBeUndefined()
    expect(await flawAt(number, false, new Uint8Array())).toBeUndefined()
    expect(await flawAt(number, true, new Uint8Array())).toMatchObject({
      field: 'extraData',
      rule: 'daoExtraData',
    })
    expect(await flawAt(number, false, EXTRA_DATA)).toMatchObject({
      field: 'extraData',
      rule: 'daoExtraData',
    })
  })

  it.each([99n, 110n])('are all that have to: block %i says what it likes', async (number) => {
    for (const isSupported of [true, false]) {
      expect(await flawAt(number, isSupported, EXTRA_DATA)).toBeUndefined()
      expect(await flawAt(number, isSupported, new Uint8Array())).toBeUndefined()
    }
  })
})

describe('the size of a block', () => {
  // 10 MiB less 2 MiB (EIP-7934), from Osaka on.
  it('is at most 8,388,608 bytes since Osaka (EIP-7934)', () => {
    const osaka = createRules('osaka', 1n)
    expect(flawInSize(osaka, 8_388_608)).toBeUndefined()
    expect(flawInSize(osaka, 8_388_609)).toEqual({
      kind: 'invalid',
      field: 'block',
      rule: 'blockTooLarge',
      reason: 'the block has 8388609 bytes, at most 8388608 are allowed (EIP-7934)',
    })
    expect(flawInSize(createRules('prague', 1n), 8_388_609)).toBeUndefined()
  })
})

describe('a block that nobody mined', () => {
  const SINCE = ['paris', 'shanghai', 'cancun', 'prague', 'osaka'] as const

  /** Whether EthereumJS takes the header of a block since the merge. */
  function theyTake(hardfork: AnyHardfork, header: Header): boolean {
    try {
      createBlockHeaderFromRLP(encodeRlp(headerFields(header)), { common: theirCommon(hardfork) })
      return true
    } catch {
      return false
    }
  }

  it.each(SINCE)('says so: in %s, difficulty, nonce and ommers are those of nothing (EIP-3675)', (hardfork) =>
    withRandom(async (random) => {
      const shape = hardfork === 'osaka' ? 'prague' : hardfork
      const right = await rightPair(random, shape, shape)
      expect(theyTake(hardfork, right.block.header)).toBe(true)
      const nonce = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 1)
      const wrong: [Partial<Header>, BlockFlaw][] = [
        [{ difficulty: 1n }, { kind: 'differs', field: 'difficulty', stated: '1', computed: '0' }],
        [
          { nonce },
          { kind: 'differs', field: 'nonce', stated: '0x0000000000000001', computed: '0x0000000000000000' },
        ],
        [
          { ommersHash: ZERO_HASH },
          { kind: 'differs', field: 'ommersHash', stated: ZERO_HASH, computed: EMPTY_OMMERS_HASH },
        ],
      ]
      for (const [change, flaw] of wrong) {
        const changed = withHeader(right, change)
        expect(theyTake(hardfork, changed.block.header)).toBe(false)
        expect(flawOf(hardfork, changed)).toEqual(flaw)
      }
    })(),
  )

  it(
    'is never followed by a mined one, however right its difficulty',
    withRandom(async (random) => {
      const right = await rightPair(random, 'berlin', 'berlin')
      const parent = { ...right.parent, difficulty: 0n }
      expect(flawOf('berlin', { parent, block: right.block })).toMatchObject({
        kind: 'differs',
        field: 'difficulty',
        computed: '0',
      })
    }),
  )

  it(
    'is all that may follow since Paris, even where block 0 has a difficulty',
    withRandom(async (random) => {
      const { parent, block } = await rightPair(random, 'shanghai', 'shanghai')
      const genesis = { ...parent, number: 0n, difficulty: 131_072n }
      const pair = { parent: genesis, block: { ...block, header: { ...block.header, number: 1n } } }
      expect(flawOf('shanghai', pair)).toBeUndefined()
      // What a miner would have to write there.
      const { difficulty } = (await rightPair(random, 'berlin', 'berlin')).block.header
      for (const stated of [131_072n, 131_136n, difficulty]) {
        expect(flawOf('shanghai', withHeader(pair, { difficulty: stated }))).toEqual({
          kind: 'differs',
          field: 'difficulty',
          stated: String(stated),
          computed: '0',
        })
      }
    }),
  )
})
