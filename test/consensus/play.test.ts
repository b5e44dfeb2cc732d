/** A chain that EthereumJS made, played as a test: what is right passes, and whatever is changed in it fails. */
import { describe, expect, it } from 'vitest'
import { Unplayable } from '../../scripts/commandLine.ts'
import { type Fixture, parseFixture } from '../../scripts/consensus/fixture.ts'
import { genesisConfig } from '../../scripts/consensus/networks.ts'
import { play } from '../../scripts/consensus/play.ts'
import { isReason, reasonOf } from '../../scripts/consensus/reasons.ts'
import { verdict } from '../../scripts/consensus/verdict.ts'
import { toHex } from '../../src/bytes/hex.ts'
import type { ImportFailed } from '../../src/index.ts'
import { withField } from '../support/chains/alteredBlocks.ts'
import { type GenesisJson, Miner } from '../support/chains/miner.ts'
import { signerOf } from '../support/chains/signing.ts'

const SOMEBODY = signerOf(`0x${'01'.repeat(32)}`).address
const MINER = `0x${'22'.repeat(20)}` as const
const GENESIS = {
  config: genesisConfig('Byzantium', {}) as GenesisJson['config'],
  gasLimit: '0x1c9c380',
  difficulty: '0x20000',
  timestamp: '0x5f5e100',
  extraData: '0x42',
  nonce: '0x0000000000000042',
  mixHash: `0x${'00'.repeat(32)}`,
  coinbase: MINER,
  parentHash: `0x${'00'.repeat(32)}`,
  gasUsed: '0x0',
  alloc: { [SOMEBODY]: { balance: '0x5' } },
} as const satisfies GenesisJson

/** A test of three blocks as a line of JSON; those who mine get three ether each (EIP-649). */
async function made(): Promise<Record<string, unknown> & { blocks: Record<string, string>[] }> {
  const miner = await Miner.start({ ...GENESIS, config: { ...GENESIS.config, ethash: {} } })
  for (let number = 1; number <= 3; number++) {
    await miner.mine({ timestamp: BigInt(100_000_000 + 13 * number), header: { coinbase: MINER } })
  }
  const [genesis, ...blocks] = miner.blocks
  const { config, alloc, ...header } = GENESIS
  return {
    name: 'bcTest/three.json::three',
    network: 'Byzantium',
    genesisBlockHeader: { ...header, hash: toHex(genesis!.hash()) },
    pre: alloc,
    blocks: blocks.map((block) => ({ rlp: toHex(block.serialize()), hash: toHex(block.hash()) })),
    lastblockhash: toHex(blocks.at(-1)!.hash()),
    postState: {
      [SOMEBODY]: { balance: '0x05' },
      [MINER]: { balance: `0x${(9n * 10n ** 18n).toString(16)}` },
    },
  }
}

const RIGHT = await made()

function fixtureOf(change: object = {}): Fixture {
  return parseFixture(JSON.stringify({ ...RIGHT, ...change }), 'file:1')
}

const played = (change: object = {}) => play(fixtureOf(change), 'ethereumjs')
const ZERO = `0x${'00'.repeat(32)}`

describe('a test', () => {
  it('passes where all of it is right', async () => {
    expect(await played()).toEqual({ kind: 'same' })
  })

  it('passes where only the root of its state is given', async () => {
    const { stateRoot } = (await made()) as { stateRoot?: string }
    expect(stateRoot).toBeUndefined()
    expect(await played({ postState: undefined, postStateHash: ZERO })).toMatchObject({
      kind: 'different',
      what: 'the state root',
    })
  })

  it.each<[string, object]>([
    [
      'the hash of block 0',
      { genesisBlockHeader: { ...(RIGHT.genesisBlockHeader as object), extraData: '0x43' } },
    ],
    ['the newest block', { lastblockhash: ZERO }],
    [
      `balance of ${SOMEBODY}`,
      { postState: { ...(RIGHT.postState as object), [SOMEBODY]: { balance: '0x6' } } },
    ],
    ['the state root', { postState: { [SOMEBODY]: { balance: '0x5' } } }],
    [
      `nonce of ${MINER}`,
      {
        postState: {
          ...(RIGHT.postState as object),
          [MINER]: { balance: '0x7ce66c50e2840000', nonce: '0x1' },
        },
      },
    ],
    ['the hash of blocks[2]', { blocks: [...RIGHT.blocks.slice(0, 2), { ...RIGHT.blocks[2]!, hash: ZERO }] }],
    [
      'blocks[1]',
      { blocks: [RIGHT.blocks[0]!, { ...RIGHT.blocks[1]!, expectException: 'InvalidStateRoot' }] },
    ],
  ])('fails where %s is another', async (what, change) => {
    expect(await played(change)).toMatchObject({ kind: 'different', what })
  })

  const wrongRoot = {
    rlp: toHex(
      withField(Buffer.from(RIGHT.blocks[2]!.rlp!.slice(2), 'hex'), 'stateRoot', () => new Uint8Array(32)),
    ),
  }

  it('has blocks that must be refused, for what it says', async () => {
    const [first, second, third] = RIGHT.blocks
    const withWrong = (expectException?: string) =>
      played({ blocks: [first, second, { ...wrongRoot, expectException }, third] })
    expect(await withWrong('InvalidStateRoot')).toEqual({ kind: 'same' })
    expect(await withWrong('BlockException.INVALID_GAS_USED|BlockException.INVALID_STATE_ROOT')).toEqual({
      kind: 'same',
    })
    // Old tests name no exception, and no header.
    expect(await withWrong()).toEqual({ kind: 'same' })
    for (const other of ['InvalidGasUsed', 'BlockException.INVALID_RECEIPTS_ROOT', 'NobodyKnows']) {
      expect(await withWrong(other)).toMatchObject({ what: 'blocks[2]', expected: `refused: ${other}` })
    }
    expect(
      await played({ blocks: [first, second, wrongRoot, { ...third, expectException: 'InvalidStateRoot' }] }),
    ).toMatchObject({
      what: 'blocks[3]',
      got: 'imported',
    })
  })

  it('has side branches, of which one wins', async () => {
    const blocks = [...RIGHT.blocks.slice(0, 2), RIGHT.blocks[0]!, RIGHT.blocks[2]!]
    expect(await played({ blocks })).toEqual({ kind: 'same' })
  })

  it('is refused where it is none', () => {
    const wrong = (change: object) => () => fixtureOf(change)
    expect(wrong({ network: 'Venice' })).toThrow(Unplayable)
    expect(wrong({ blocks: {} })).toThrow('file:1: blocks: expected an array, got {}')
    expect(wrong({ lastblockhash: 5 })).toThrow('file:1: lastblockhash: expected a text, got 5')
    expect(() => parseFixture('{', 'file:2')).toThrow('file:2: not JSON')
  })
})

describe('a network', () => {
  it.each<[string, object]>([
    ['Frontier', {}],
    ['EIP158', { homesteadBlock: 0, eip150Block: 0, eip155Block: 0, eip158Block: 0 }],
    ['FrontierToHomesteadAt5', { homesteadBlock: 5 }],
    ['HomesteadToDaoAt5', { homesteadBlock: 0, daoForkBlock: 5, daoForkSupport: true }],
    ['ByzantiumToConstantinopleFixAt5', { byzantiumBlock: 0, constantinopleBlock: 5, petersburgBlock: 5 }],
    ['ShanghaiToCancunAtTime15k', { shanghaiTime: 0, cancunTime: 15_000 }],
    ['ArrowGlacierToParisAtDiffC0000', { arrowGlacierBlock: 0, terminalTotalDifficulty: '0xC0000' }],
    ['BPO1ToBPO2AtTime15k', { osakaTime: 0, bpo1Time: 0, bpo2Time: 15_000 }],
  ])('%s is its hardforks, and when they begin', (network, starts) => {
    expect(genesisConfig(network, {})).toMatchObject({ chainId: 1, ...starts })
  })

  it('has the chain id and the blobs that the test says', () => {
    const blobSchedule = { Cancun: { target: '0x3', max: '0x6', baseFeeUpdateFraction: '0x32f0ed' } }
    expect(genesisConfig('Cancun', { chainid: '0x05', blobSchedule })).toMatchObject({
      chainId: '0x05',
      blobSchedule: { cancun: blobSchedule.Cancun },
    })
    expect(genesisConfig('Venice', {})).toBeUndefined()
    expect(genesisConfig('CancunToVeniceAtTime15k', {})).toBeUndefined()
  })
})

describe('a reason', () => {
  const failed = (reason: string, field?: string) => ({ reason, field }) as ImportFailed

  it('counts if it is what the exception says', () => {
    expect(isReason('BlockException.INVALID_STATE_ROOT', failed('differs', 'stateRoot'), 'a')).toBe(true)
    expect(isReason('BlockException.INVALID_STATE_ROOT', failed('differs', 'gasUsed'), 'a')).toBe(false)
    expect(
      isReason(
        'TransactionException.INSUFFICIENT_ACCOUNT_FUNDS',
        failed('insufficientFunds', 'transactions[3]'),
        'a',
      ),
    ).toBe(true)
    expect(
      isReason(
        'TransactionException.INSUFFICIENT_ACCOUNT_FUNDS',
        failed('nonceTooLow', 'transactions[3]'),
        'a',
      ),
    ).toBe(false)
    expect(
      isReason(
        'TransactionException.RLP_LEADING_ZEROS_NONCE',
        failed('malformedBlock', 'transactions[0]'),
        'a',
      ),
    ).toBe(true)
    expect(isReason('constructor', failed('differs', 'stateRoot'), 'a')).toBe(false)
  })

  it('may be the root of the transactions where retesteth made the header', () => {
    const root = failed('differs', 'transactionsRoot')
    expect(isReason('TR_NoFunds', root, 'bcStateTests/a.json::a')).toBe(true)
    expect(isReason('TR_NoFunds', root, 'InvalidBlocks/bcStateTests/a.json::a')).toBe(true)
    expect(isReason('TransactionException.INTRINSIC_GAS_TOO_LOW', root, 'prague/eip7702/a.json::a')).toBe(
      false,
    )
    expect(isReason('InvalidStateRoot', root, 'bcStateTests/a.json::a')).toBe(false)
  })

  it('in an ommer is that of a block', () => {
    expect(reasonOf(failed('differs', 'ommers[1].difficulty'))).toBe('differs difficulty')
    expect(reasonOf(failed('malformedBlock', 'transactions[12]'))).toBe('malformedBlock transactions[]')
    expect(reasonOf(failed('closed'))).toBe('closed')
  })
})

describe('a verdict', () => {
  const proofOfWork = {
    blocks: [{ rlp: new Uint8Array(), hash: undefined, exceptions: ['InvalidBlockNonce'] }],
  }
  const different = (got: string) =>
    ({ kind: 'different', what: 'blocks[0]', expected: 'refused: InvalidBlockNonce', got }) as const

  it('is by design where a named deviation differs as it is named', () => {
    expect(verdict(proofOfWork, different('imported')).kind).toBe('byDesign')
    expect(verdict(proofOfWork, different('differs stateRoot: import: …')).kind).toBe('byDesign')
  })

  it('is a failure where it differs otherwise, or not at all', () => {
    expect(verdict(proofOfWork, different('differs gasUsed: import: …')).kind).toBe('fail')
    expect(verdict(proofOfWork, { ...different('imported'), expected: 'imported' }).kind).toBe('fail')
    expect(verdict(proofOfWork, { kind: 'same' }).kind).toBe('fail')
    expect(verdict({ blocks: [] }, different('imported')).kind).toBe('fail')
    expect(verdict({ blocks: [] }, { kind: 'same' }).kind).toBe('pass')
  })
})
