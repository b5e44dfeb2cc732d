/** geth's genesis.json: read as geth reads it, written as geth would read it. */
import { describe, expect, it } from 'vitest'
import { toHex } from '../../src/bytes/hex.ts'
import type { Genesis } from '../../src/model/block/genesis.ts'
import { parseOptions } from '../../src/options/parseOptions.ts'
import { InvalidOption } from '../../src/options/values.ts'
import { momentOf } from '../../src/sequencer/genesis.ts'
import { encodeGenesis, parseGenesis } from '../../src/wire/genesis.ts'
import { CHAIN_ID, GENESIS } from '../support/chains/minedChain.ts'
import { type GenesisJson, genesisBlockOf } from '../support/chains/miner.ts'
import { type Random, withRandom } from '../support/random/random.ts'

type Json = Record<string, unknown>

function parsed(json: unknown): Genesis {
  return parseGenesis(json, 'genesis')
}

/** The hash of block 0. */
function hashOf(json: unknown): string {
  return momentOf(parsed(json)).block.hash
}

/** As a file would have it. */
function written(genesis: Genesis): Json {
  return JSON.parse(JSON.stringify(encodeGenesis(genesis)))
}

const MINIMAL = { config: { chainId: 5 }, alloc: {} }

/**
 * Sepolia as https://github.com/eth-clients/sepolia has it (metadata/genesis.json), whose block 0 every node of it names
 * by the same hash.
 */
const SEPOLIA = {
  config: {
    chainId: 11_155_111,
    homesteadBlock: 0,
    eip150Block: 0,
    eip155Block: 0,
    eip158Block: 0,
    byzantiumBlock: 0,
    constantinopleBlock: 0,
    petersburgBlock: 0,
    istanbulBlock: 0,
    berlinBlock: 0,
    londonBlock: 0,
    mergeNetsplitBlock: 1_735_371,
    // Beyond what a JSON number says exactly.
    terminalTotalDifficulty: Number('17000000000000000'),
    shanghaiTime: 1_677_557_088,
    cancunTime: 1_706_655_072,
    pragueTime: 1_741_159_776,
  },
  alloc: {
    ...Object.fromEntries(
      [
        '0xa2A6d93439144FFE4D27c9E088dCD8b783946263',
        '0xBc11295936Aa79d594139de1B2e12629414F3BDB',
        '0x7cF5b79bfe291A67AB02b393E456cCc4c266F753',
        '0xaaec86394441f915bce3e6ab399977e9906f3b69',
        '0xF47CaE1CF79ca6758Bfc787dbD21E6bdBe7112B8',
        '0xd7eDDB78ED295B3C9629240E8924fb8D8874ddD8',
        '0x8b7F0977Bb4f0fBE7076FA22bC24acA043583F5e',
        '0xe2e2659028143784d557bcec6ff3a0721048880a',
        '0xd9a5179f091d85051d3c982785efd1455cec8699',
        '0xbeef32ca5b9a198d27B4e02F4c70439fE60356Cf',
      ].map((address) => [address, { balance: '0xD3C21BCECCEDA1000000' }]),
    ),
    '0x0000006916a87b82333f4245046623b23794c65c': { balance: '0x84595161401484A000000' },
    '0xb21c33de1fab3fa15499c62b59fe0cc3250020d1': { balance: '0x52B7D2DCC80CD2E4000000' },
    '0x10F5d45854e038071485AC9e402308cF80D2d2fE': { balance: '0x52B7D2DCC80CD2E4000000' },
    '0xd7d76c58b3a519e9fA6Cc4D22dC017259BC49F1E': { balance: '0x52B7D2DCC80CD2E4000000' },
    '0x799D329e5f583419167cD722962485926E338F4a': { balance: '0xDE0B6B3A7640000' },
  },
  coinbase: '0x0000000000000000000000000000000000000000',
  difficulty: '0x20000',
  extraData: '0x5365706f6c69612c20417468656e732c204174746963612c2047726565636521',
  gasLimit: '0x1c9c380',
  nonce: '0x000000000000000',
  mixhash: `0x${'00'.repeat(32)}`,
  parentHash: `0x${'00'.repeat(32)}`,
  timestamp: '0x6159af19',
}

describe('the genesis of Sepolia', () => {
  it('has the hash that everybody knows', () => {
    expect(hashOf(SEPOLIA)).toBe('0x25a5cc106eea7138acab33231d7160d69cb777ee0c2c553fcddf5138993e6dd9')
  })

  it('has the rules of its hardforks, each from its time on', () => {
    const { schedule } = parsed(SEPOLIA)
    const at = (number: bigint, timestamp: bigint, difficulty = 0n) =>
      schedule.at({ number, timestamp, difficulty }).hardfork
    expect(at(0n, 1_633_267_481n, 131_072n)).toBe('london')
    expect(at(1_450_409n, 1_656_000_000n)).toBe('paris')
    expect(at(2_990_908n, 1_677_557_087n)).toBe('paris')
    expect(at(2_990_908n, 1_677_557_088n)).toBe('shanghai')
    expect(at(9_000_000n, 1_741_159_776n)).toBe('prague')
    expect(at(99_000_000n, 2n ** 60n)).toBe('prague')
  })
})

const BLOCK_KEYS = [
  'homesteadBlock',
  'eip150Block',
  'eip155Block',
  'eip158Block',
  'byzantiumBlock',
  'constantinopleBlock',
  'petersburgBlock',
  'istanbulBlock',
  'berlinBlock',
  'londonBlock',
]
const TIME_KEYS = ['shanghaiTime', 'cancunTime', 'pragueTime', 'osakaTime', 'bpo1Time', 'bpo2Time']

/** A random genesis.json with the fields of random hardforks, as EthereumJS takes it. */
function randomGenesis(random: Random): GenesisJson {
  const timestamp = random.bigint(40)
  const blocks = BLOCK_KEYS.slice(0, random.pick([0, 4, 7, 9, 10]))
  const isLondon = blocks.length === BLOCK_KEYS.length
  const times = isLondon ? TIME_KEYS.slice(0, random.below(TIME_KEYS.length + 1)) : []
  const isCancun = times.includes('cancunTime')
  return {
    config: {
      chainId: random.between(1, 2 ** 40),
      ...Object.fromEntries(blocks.map((key) => [key, 0])),
      // EthereumJS takes hardforks of block 0's time for there from the beginning, and earlier ones for none.
      ...Object.fromEntries(times.map((key) => [key, Number(timestamp)])),
      ...(times.length > 0 ? { terminalTotalDifficulty: 0, mergeNetsplitBlock: 0 } : { ethash: {} }),
    },
    nonce: `0x${random.bigint(64).toString(16)}`,
    timestamp: `0x${timestamp.toString(16)}`,
    extraData: random.hex(random.below(33)),
    gasLimit: `0x${(random.bigint(50) + 5_000n).toString(16)}`,
    difficulty: `0x${random.bigint(60).toString(16)}`,
    mixHash: random.hex(32),
    coinbase: random.hex(20),
    parentHash: random.chance(0.5) ? `0x${'00'.repeat(32)}` : random.hex(32),
    ...(isLondon && random.chance(0.8) ? { baseFeePerGas: `0x${random.bigint(60).toString(16)}` } : {}),
    ...(isCancun && random.chance(0.5)
      ? { blobGasUsed: '0x20000', excessBlobGas: `0x${random.bigint(24).toString(16)}` }
      : {}),
    alloc: Object.fromEntries(
      random.list(random.below(12), () => [
        random.hex(20),
        {
          balance: `0x${random.bigint(90).toString(16)}`,
          ...(random.chance(0.3) ? { nonce: `0x${random.bigint(60).toString(16)}` } : {}),
          ...(random.chance(0.4) ? { code: random.hex(random.between(1, 60)) } : {}),
          ...(random.chance(0.4) ? { storage: randomStorage(random) } : {}),
        },
      ]),
    ),
  } as GenesisJson
}

function randomStorage(random: Random): Record<string, string> {
  const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
  return Object.fromEntries(
    random.list(random.between(1, 5), () => [word(random.bigint(256)), word(random.bigint(256) || 1n)]),
  )
}

describe('a genesis.json', () => {
  it(
    'has the block 0 that EthereumJS makes of it',
    withRandom(async (random) => {
      for (let i = 0; i < 60; i++) {
        const genesis = randomGenesis(random)
        expect(hashOf(genesis), JSON.stringify(genesis)).toBe(toHex((await genesisBlockOf(genesis)).hash()))
      }
    }),
  )

  it(
    'is the same when it was written and read again',
    withRandom((random) => {
      for (let i = 0; i < 60; i++) {
        const genesis = parsed(randomGenesis(random))
        const again = parsed(written(genesis))
        expect([again.header, again.accounts]).toEqual([genesis.header, genesis.accounts])
        expect(written(again)).toEqual(written(genesis))
        expect(momentOf(again).block).toEqual(momentOf(genesis).block)
      }
    }),
  )

  it(
    'has the same hardforks and blobs at all times when it was written and read again',
    withRandom((random) => {
      for (let i = 0; i < 60; i++) {
        const genesis = { ...MINIMAL, config: randomSchedule(random) }
        const [before, after] = [parsed(genesis).schedule, parsed(written(parsed(genesis))).schedule]
        for (let j = 0; j < 40; j++) {
          const position = {
            number: BigInt(random.below(60)),
            timestamp: BigInt(random.below(1_000)),
            difficulty: random.pick([0n, 1n]),
          }
          const [then, now] = [before.at(position), after.at(position)]
          expect([now.hardfork, now.blobs, now.depositContract]).toEqual([
            then.hardfork,
            then.blobs,
            then.depositContract,
          ])
        }
      }
    }),
  )

  it('may leave out nearly all, where geth has defaults', () => {
    expect(momentOf(parsed(MINIMAL)).block.header).toMatchObject({
      number: 0n,
      difficulty: 0n,
      gasLimit: 4_712_388n,
      gasUsed: 0n,
      timestamp: 0n,
      baseFeePerGas: undefined,
    })
    const mined = { ...MINIMAL, config: { chainId: 5, ethash: {} }, gasLimit: '0x0' }
    expect(parsed(mined).header).toMatchObject({ difficulty: 131_072n, gasLimit: 4_712_388n })
    expect(parsed({ ...MINIMAL, config: { chainId: 5, ethash: null } }).header.difficulty).toBe(0n)
    const london = { ...MINIMAL, config: { chainId: 5, londonBlock: 0 } }
    expect(momentOf(parsed(london)).block.header.baseFeePerGas).toBe(1_000_000_000n)
    const none = Object.fromEntries(
      ['number', 'nonce', 'timestamp', 'extraData', 'mixHash', 'coinbase', 'baseFeePerGas'].map((key) => [
        key,
        null,
      ]),
    )
    expect(hashOf({ ...MINIMAL, ...none })).toBe(hashOf(MINIMAL))
  })

  it('has fields of later hardforks for nothing', () => {
    const later = { baseFeePerGas: '0x7', excessBlobGas: '0x20000', blobGasUsed: '0x20000' }
    expect(hashOf({ ...MINIMAL, ...later })).toBe(hashOf(MINIMAL))
  })

  it('has numbers in any of the forms that geth takes', () => {
    const hashes = [26, '26', '0x1a', '0x1A', '0x00001a'].map((value) =>
      hashOf({ ...MINIMAL, timestamp: value, gasLimit: value, difficulty: value, nonce: value }),
    )
    expect(new Set(hashes).size).toBe(1)
    const slots = ['0x1', '01', `0x${'00'.repeat(31)}01`, '1'].map((word) =>
      hashOf({ ...MINIMAL, alloc: { [`0x${'ab'.repeat(20)}`]: { balance: 1, storage: { [word]: word } } } }),
    )
    expect(new Set(slots).size).toBe(1)
  })

  it('has addresses with and without 0x, in any case', () => {
    const hashes = [`0x${'ab'.repeat(20)}`, 'ab'.repeat(20), `0x${'AB'.repeat(20)}`, 'aB'.repeat(20)].map(
      (address) => hashOf({ ...MINIMAL, alloc: { [address]: { balance: '5' } } }),
    )
    expect(new Set(hashes).size).toBe(1)
  })

  it('has an account wherever it names one, but no slot that is zero', () => {
    const withAccount = (account: object) =>
      hashOf({ ...MINIMAL, alloc: { [`0x${'ab'.repeat(20)}`]: account } })
    expect(withAccount({})).not.toBe(hashOf(MINIMAL))
    expect(withAccount({ storage: { '0x1': '0x0' } })).toBe(withAccount({}))
  })

  it('may say more than is known here, if it is no hardfork', () => {
    const config = {
      chainId: 5,
      eip150Hash: `0x${'00'.repeat(32)}`,
      daoForkSupport: false,
      daoForkBlock: 0,
      note: 'hello',
    }
    expect(hashOf({ ...MINIMAL, config, comment: 'hi', osakaBlock: undefined })).toBe(hashOf(MINIMAL))
  })

  it('has times that JSON numbers are too small for, as text', () => {
    const far = {
      ...MINIMAL,
      config: { chainId: 5, terminalTotalDifficulty: 0, shanghaiTime: String(2n ** 64n - 1n) },
    }
    expect(written(parsed(far))).toMatchObject({ config: { shanghaiTime: '18446744073709551615' } })
    expect(written(parsed(written(parsed(far))))).toEqual(written(parsed(far)))
  })

  it('has the blob schedules of mainnet where it has none of its own (EIP-7840, EIP-7892)', () => {
    const times = Object.fromEntries(TIME_KEYS.map((key, i) => [key, i]))
    const config = { chainId: 5, londonBlock: 0, terminalTotalDifficulty: 0, ...times }
    const blobSchedule = { prague: { target: 1, max: 2, baseFeeUpdateFraction: 3 } }
    const blobs = (given: object) => {
      const { schedule } = parsed({ ...MINIMAL, config: { ...config, ...given } })
      return TIME_KEYS.map((_, i) => schedule.at({ number: 1n, timestamp: BigInt(i), difficulty: 0n }).blobs)
    }
    const cancun = { target: 3, max: 6, baseFeeUpdateFraction: 3_338_477n }
    const prague = { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716n }
    const bpo1 = { target: 10, max: 15, baseFeeUpdateFraction: 8_346_193n }
    const bpo2 = { target: 14, max: 21, baseFeeUpdateFraction: 11_684_671n }
    expect(blobs({})).toEqual([undefined, cancun, prague, prague, bpo1, bpo2])
    const own = { target: 1, max: 2, baseFeeUpdateFraction: 3n }
    expect(blobs({ blobSchedule })).toEqual([undefined, cancun, own, own, bpo1, bpo2])
  })
})

/** A random config with hardforks that begin one after the other, some at once, some never. */
function randomSchedule(random: Random): Json {
  const config: Json = { chainId: 5 }
  let start = 0
  for (const key of [...BLOCK_KEYS, 'arrowGlacierBlock', 'grayGlacierBlock']) {
    if (key === 'eip155Block') continue
    if (random.chance(0.1)) break
    start += random.below(8)
    config[key] = start
    if (key === 'eip158Block') config.eip155Block = start
  }
  if (random.chance(0.7)) {
    config.terminalTotalDifficulty = random.pick([0, 5, '0x10', 58_750_000_000_000_000_000_000])
  }
  let time = 0
  for (const key of random.chance(0.7) ? TIME_KEYS : []) {
    if (random.chance(0.1)) break
    time += random.below(300)
    config[key] = random.pick([time, String(time), `0x${time.toString(16)}`])
  }
  if (random.chance(0.5)) config.depositContractAddress = random.hex(20)
  if (random.chance(0.5)) {
    config.blobSchedule = Object.fromEntries(
      ['cancun', 'osaka', 'bpo2'].map((name) => [
        name,
        { target: random.below(9), max: 9, baseFeeUpdateFraction: random.between(1, 10 ** 7) },
      ]),
    )
  }
  return config
}

/** `GENESIS` with another value at a path such as `config.chainId`; `undefined` takes it away. */
function changed(path: string, value: unknown): Json {
  const genesis = structuredClone(GENESIS) as unknown as Json
  const keys = path.split('.')
  const last = keys.pop()!
  const parent = keys.reduce((at, key) => at[key] as Json, genesis)
  if (value === undefined) delete parent[last]
  else parent[last] = value
  return genesis
}

const SOMEBODY = Object.keys(GENESIS.alloc)[0]!
const NUMBER = (bits: number) =>
  `a number of at most ${bits} bits (a JSON number, or text such as "26" or "0x1a")`
const BYTES = 'bytes (0x and an even number of hex digits)'
const HASH = '32 bytes (0x and 64 hex digits)'
const WORD = 'up to 32 bytes (0x and up to 64 hex digits)'
const ADDRESS = 'a 20-byte address (0x and 40 hex digits)'

/** Why it is no option of a devnet. */
function refused(genesis: unknown, options: object = {}): InvalidOption {
  try {
    parseOptions({ ...options, genesis: genesis as object })
  } catch (error) {
    if (error instanceof InvalidOption) return error
    throw error
  }
  throw new Error('it was taken')
}

describe('a genesis.json that is wrong', () => {
  it.each<[string, unknown, string | RegExp, string]>([
    ['config', undefined, 'an object with chainId and the fork schedule', 'nothing'],
    ['config', [], 'an object with chainId and the fork schedule', 'an array'],
    ['config.chainId', undefined, NUMBER(53), 'nothing'],
    ['config.chainId', 0, 'a chain id from 1', '0'],
    ['config.chainId', 2 ** 53, NUMBER(53), '9007199254740992'],
    ['config.chainId', '0xg', NUMBER(53), '"0xg"'],
    ['config.homesteadBlock', -1, NUMBER(64), '-1'],
    ['config.byzantiumBlock', 12.5, NUMBER(64), '12.5'],
    ['config.londonBlock', 'soon', NUMBER(64), '"soon"'],
    ['config.londonBlock', 1, 'at least 18: it comes after berlinBlock', '1'],
    ['config.pragueTime', 5, /^at least \d+: it comes after cancunTime$/, '5'],
    ['config.osakaTime', `0x1${'0'.repeat(16)}`, NUMBER(64), '"0x10000000000000000"'],
    ['config.eip155Block', 7, 'the same as eip158Block (6): both are Spurious Dragon', '7'],
    ['config.amsterdamTime', 5, /^no hardfork but homesteadBlock, .*, bpo5Time$/, '5'],
    ['config.clique', {}, 'nothing: signed blocks (EIP-225) are not supported', 'an object'],
    ['config.terminalTotalDifficulty', 'much', NUMBER(256), '"much"'],
    ['config.terminalTotalDifficulty', -1, NUMBER(256), '-1'],
    ['config.depositContractAddress', '0x12', ADDRESS, '"0x12"'],
    ['config.blobSchedule', [], 'an object from hardforks to their blob schedules', 'an array'],
    ['config.blobSchedule.cancun', 5, 'an object {target, max, baseFeeUpdateFraction}', '5'],
    ['config.blobSchedule.cancun.target', undefined, NUMBER(32), 'nothing'],
    ['config.blobSchedule.cancun.target', 5, 'at most max (4)', '5'],
    ['config.blobSchedule.cancun.max', '6 blobs', NUMBER(32), '"6 blobs"'],
    ['config.blobSchedule.cancun.baseFeeUpdateFraction', 0, 'a number from 1', '0'],
    ['config.blobSchedule.nextYear', {}, /^one of homestead, .*, bpo5$/, '"nextYear"'],
    ['nonce', '0x10000000000000000', NUMBER(64), '"0x10000000000000000"'],
    ['timestamp', 'now', NUMBER(64), '"now"'],
    ['extraData', 'abc', BYTES, '"abc"'],
    ['gasLimit', {}, NUMBER(64), 'an object'],
    ['gasUsed', '', NUMBER(64), '""'],
    ['difficulty', `0x1${'0'.repeat(64)}`, NUMBER(256), `"0x1${'0'.repeat(64)}"`],
    ['mixHash', '0x00', HASH, '"0x00"'],
    ['parentHash', 5, HASH, '5'],
    ['coinbase', '22', ADDRESS, '"22"'],
    [
      'number',
      '0x1000000000001',
      'the number of the first block, at most 281474976710656',
      '"0x1000000000001"',
    ],
    ['baseFeePerGas', true, NUMBER(256), 'true'],
    ['blobGasUsed', 'x', NUMBER(64), '"x"'],
    ['excessBlobGas', 'x', NUMBER(64), '"x"'],
    ['alloc', undefined, 'an object from addresses to accounts', 'nothing'],
    [`alloc.${SOMEBODY}`, '5', 'an account: an object with balance, and maybe nonce, code, storage', '"5"'],
    [`alloc.${SOMEBODY}.balance`, 10 ** 21, NUMBER(256), '1e+21'],
    [`alloc.${SOMEBODY}.nonce`, '0x', NUMBER(64), '"0x"'],
    [`alloc.${SOMEBODY}.code`, '6000', BYTES, '"6000"'],
    [`alloc.${SOMEBODY}.storage`, [], 'an object from slots to values', 'an array'],
    [`alloc.${SOMEBODY}.storage`, { slot: '0x1' }, WORD, '"slot"'],
  ])('is refused by the name of what is wrong: %s = %j', (path, value, expected, received) => {
    const error = refused(changed(path, value))
    expect(error.option).toBe(`genesis.${path}`)
    expect(error.expected).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected))
    expect(error.received).toBe(received)
    expect(error.message).toBe(`option ${error.option}: expected ${error.expected}, got ${received}`)
  })

  it('is refused by the address of a wrong account, and by the slot of a wrong value', () => {
    const wrong = refused(changed('alloc.0x12', {}))
    expect([wrong.option, wrong.received]).toEqual(['genesis.alloc["0x12"]', '"0x12"'])
    const long = `0x${'0'.repeat(65)}`
    const slot = refused(changed(`alloc.${SOMEBODY}.storage`, { '0x5': long }))
    expect([slot.option, slot.received]).toEqual([`genesis.alloc.${SOMEBODY}.storage.0x5`, `"${long}"`])
  })

  it('says true or false about the DAO fork', () => {
    const dao = { daoForkBlock: 3, daoForkSupport: 'yes' }
    const error = refused({ ...MINIMAL, config: { chainId: 5, ...dao } })
    expect(error.option).toBe('genesis.config.daoForkSupport')
  })

  it.each([
    ['the name of a file', 'genesis.json'],
    ['a list', []],
    ['nothing', null],
  ])('is not %s', (_, genesis) => {
    expect(refused(genesis).option).toBe('genesis')
  })
})

describe('options beside a genesis.json', () => {
  it.each([
    ['chainId', 5],
    ['hardfork', 'osaka'],
    ['balance', 5n],
    ['gasLimit', 5_000n],
    ['baseFee', 5n],
    ['timestamp', 5],
    ['systemContracts', true],
  ])('may not say again what it decides: %s', (option, value) => {
    const error = refused(GENESIS, { [option]: value })
    expect([error.option, error.expected]).toEqual([option, 'nothing, because the genesis decides it'])
  })

  it('may say all else', () => {
    const options = {
      accounts: 3,
      rhythm: 'manual',
      coinbase: SOMEBODY,
      history: { blocks: 5 },
      dialect: 'geth',
    }
    const settings = parseOptions({ ...options, genesis: GENESIS } as never)
    expect(settings).toMatchObject({ ...options, chainId: CHAIN_ID, gasLimit: 30_000_000n })
  })
})
