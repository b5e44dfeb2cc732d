/**
 * A chain that has everything a file of blocks can have, made by EthereumJS: all hardforks from Frontier to the second
 * "blob parameter only" one, ommers, receipts with roots, all types of transactions, withdrawals, requests.
 */
import type { BlockHeader, Block as TheirBlock } from '@ethereumjs/block'
import type { Common } from '@ethereumjs/common'
import { createLegacyTx, createTx, type TypedTransaction } from '@ethereumjs/tx'
import { hexToBytes, type WithdrawalData } from '@ethereumjs/util'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { encodeAbiParameters } from 'viem'
import { type Address, type Hash, type Hex, toHex } from '../../../src/bytes/hex.ts'
import {
  CONSOLIDATION_REQUESTS_ADDRESS,
  SYSTEM_CONTRACTS,
  WITHDRAWAL_REQUESTS_ADDRESS,
} from '../../../src/model/bytecode/predeploys.ts'
import { authorizationFields } from '../../../src/model/transaction/signedTransaction.ts'
import { assemble, creationOf, type Item } from '../compilers/assembly.ts'
import { type GenesisJson, type Mined, Miner } from './miner.ts'
import { authorize, type Signer, signerOf } from './signing.ts'

/** Above 2^32, where arithmetic on 32-bit numbers fails. */
export const CHAIN_ID = 2 ** 32 + 31_337
const GWEI = 10n ** 9n

const PEOPLE = ['01', '02', '03', '04'].map((byte) => signerOf(`0x${byte.repeat(32)}`)) as [
  Signer,
  Signer,
  Signer,
  Signer,
]
export const [MINER, USER, RICH, BROKE] = PEOPLE
/** The first development account, which has money here too. */
export const DEVELOPER: Address = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

const contract = (last: string): Address => `0x${'c0de'.repeat(9)}${last}`
/** Counts its calls in slot 0, notes prevRandao (the difficulty, once) and its parent's hash, and logs the count. */
export const COUNTER = contract('0001')
export const COUNTED: Hash = `0x${'c0'.repeat(32)}`
/** Uses up all gas. */
export const BREAKER = contract('0002')
/** Reverts, which Byzantium brought. */
export const REVERTER = contract('0003')
/** Destroys itself, for the good of its caller. */
export const KILLER = contract('0004')
/** Logs what it is called with as a deposit (EIP-6110). */
export const DEPOSITS = contract('0005')
/** Notes the base fee, the first blob's hash and the price of blob gas. */
export const PRICES = contract('0006')
/** An account that a payment of nothing made, as was possible before Spurious Dragon (EIP-161). */
export const EMPTY: Address = '0x00000000000000000000000000000000000e0000'
/** Gets withdrawals and nothing else. */
export const WITHDRAWER: Address = '0x00000000000000000000000000000000000f0000'

const DEPOSIT_EVENT: Hash = '0x649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5'

/** Blocks by which hardforks begin. From `merge` on nobody mines. */
export const BEGINS = {
  homestead: 2,
  tangerineWhistle: 4,
  spuriousDragon: 6,
  byzantium: 9,
  constantinople: 12,
  petersburg: 14,
  istanbul: 15,
  muirGlacier: 17,
  berlin: 18,
  london: 21,
  arrowGlacier: 24,
  grayGlacier: 25,
  merge: 27,
  shanghai: 29,
  cancun: 32,
  prague: 35,
  osaka: 39,
  bpo1: 42,
  bpo2: 45,
} as const
export const LENGTH = 48

const START = 1_600_000_000

/** Seconds of the block with this number: irregular while blocks are mined, so that their difficulty goes up and down. */
export function timeOf(number: number): number {
  let time = START
  for (let i = 1; i <= number; i++) time += i < BEGINS.merge ? [9, 3, 31, 14, 11][i % 5]! : 12
  return time
}

const account = (code: Uint8Array, fields: object = {}) => ({
  balance: '0x0' as Hex,
  code: toHex(code),
  ...fields,
})

export const GENESIS: GenesisJson = {
  config: {
    chainId: CHAIN_ID,
    homesteadBlock: BEGINS.homestead,
    eip150Block: BEGINS.tangerineWhistle,
    eip155Block: BEGINS.spuriousDragon,
    eip158Block: BEGINS.spuriousDragon,
    byzantiumBlock: BEGINS.byzantium,
    constantinopleBlock: BEGINS.constantinople,
    petersburgBlock: BEGINS.petersburg,
    istanbulBlock: BEGINS.istanbul,
    muirGlacierBlock: BEGINS.muirGlacier,
    berlinBlock: BEGINS.berlin,
    londonBlock: BEGINS.london,
    arrowGlacierBlock: BEGINS.arrowGlacier,
    grayGlacierBlock: BEGINS.grayGlacier,
    // By this EthereumJS knows when the merge is; others see it in the blocks.
    mergeNetsplitBlock: BEGINS.merge,
    // What the blocks before it have come to, and no less: mining ends with the one that reaches it (EIP-3675).
    terminalTotalDifficulty: 113_190_714,
    shanghaiTime: timeOf(BEGINS.shanghai),
    cancunTime: timeOf(BEGINS.cancun),
    pragueTime: timeOf(BEGINS.prague),
    osakaTime: timeOf(BEGINS.osaka),
    bpo1Time: timeOf(BEGINS.bpo1),
    bpo2Time: timeOf(BEGINS.bpo2),
    depositContractAddress: DEPOSITS,
    ethash: {},
    blobSchedule: {
      cancun: { target: 1, max: 4, baseFeeUpdateFraction: 500_000 },
      prague: { target: 2, max: 5, baseFeeUpdateFraction: 700_000 },
      osaka: { target: 2, max: 5, baseFeeUpdateFraction: 700_000 },
      bpo1: { target: 3, max: 7, baseFeeUpdateFraction: 300_000 },
      bpo2: { target: 4, max: 8, baseFeeUpdateFraction: 90_000 },
    },
  },
  nonce: '0x42',
  timestamp: `0x${START.toString(16)}`,
  extraData: '0x6d696e6564',
  gasLimit: '0x1c9c380',
  difficulty: '0x400000',
  mixHash: `0x${'11'.repeat(32)}`,
  coinbase: `0x${'22'.repeat(20)}`,
  alloc: {
    ...Object.fromEntries(
      [...PEOPLE.slice(0, 3).map(({ address }) => address), DEVELOPER].map((address) => [
        address,
        { balance: '0x3635c9adc5dea00000' as Hex },
      ]),
    ),
    [COUNTER]: account(
      assemble(
        ...([0, 'SLOAD', 1, 'ADD', 'DUP1', 0, 'SSTORE', 0, 'MSTORE'] satisfies Item[]),
        ...(['PREVRANDAO', 1, 'SSTORE', 1, 'NUMBER', 'SUB', 'BLOCKHASH', 2, 'SSTORE'] satisfies Item[]),
        ...([COUNTED, 32, 0, 'LOG1'] satisfies Item[]),
      ),
      { nonce: '0x1', storage: { [`0x${'00'.repeat(32)}`]: `0x${'00'.repeat(31)}29` } },
    ),
    [BREAKER]: account(assemble('INVALID')),
    [REVERTER]: account(assemble(0, 0, 'REVERT')),
    [KILLER]: account(assemble('CALLER', 'SELFDESTRUCT'), { balance: '0x5' }),
    [DEPOSITS]: account(
      assemble('CALLDATASIZE', 0, 0, 'CALLDATACOPY', DEPOSIT_EVENT, 'CALLDATASIZE', 0, 'LOG1'),
    ),
    [PRICES]: account(
      assemble('BASEFEE', 0, 'SSTORE', 0, 'BLOBHASH', 1, 'SSTORE', 'BLOBBASEFEE', 2, 'SSTORE'),
    ),
    ...Object.fromEntries(
      SYSTEM_CONTRACTS.map(({ address, code }) => [
        address,
        { balance: '0x0' as Hex, nonce: '0x1' as Hex, code },
      ]),
    ),
  },
}

/** Signs transactions for one block, by EthereumJS. */
class Author {
  readonly #common: Common
  readonly #nonces: Map<Address, bigint>

  constructor(common: Common, nonces: Map<Address, bigint>) {
    this.#common = common
    this.#nonces = nonces
  }

  sign(signer: Signer, fields: object): TypedTransaction {
    const { address, privateKey } = signer
    const nonce = this.#nonces.get(address) ?? 0n
    this.#nonces.set(address, nonce + 1n)
    const data = { type: 0, nonce, gasLimit: 150_000n, value: 0n, chainId: CHAIN_ID, ...fields }
    return createTx(data, { common: this.#common }).sign(hexToBytes(privateKey))
  }

  /** Of type 0, with replay protection where the hardfork has it. */
  legacy(signer: Signer, to: Address | undefined, fields: object = {}): TypedTransaction {
    return this.sign(signer, { gasPrice: 20n * GWEI, ...(to === undefined ? {} : { to }), ...fields })
  }

  /** Of type 1 (EIP-2930). */
  listed(signer: Signer, to: Address, fields: object = {}): TypedTransaction {
    const accessList = [[hexToBytes(to), [new Uint8Array(32)]]]
    return this.sign(signer, { type: 1, to, gasPrice: 20n * GWEI, accessList, ...fields })
  }

  /** Of type 2 (EIP-1559). */
  dynamic(signer: Signer, to: Address | undefined, fields: object = {}): TypedTransaction {
    const fees = { maxFeePerGas: 20n * GWEI, maxPriorityFeePerGas: 2n * GWEI }
    return this.sign(signer, { type: 2, ...fees, ...(to === undefined ? {} : { to }), ...fields })
  }

  /** Of type 3 (EIP-4844), as it stands in a block: without its blobs. */
  blobs(signer: Signer, count: number): TypedTransaction {
    const blobVersionedHashes = Array.from({ length: count }, (_, i) => `0x01${`${i}`.repeat(62)}` as Hash)
    return this.dynamic(signer, PRICES, { type: 3, blobVersionedHashes, maxFeePerBlobGas: 10n * GWEI })
  }

  /** Signed with the higher of two equivalent `s`, as Frontier allowed (EIP-2). */
  highS(signer: Signer, to: Address): TypedTransaction {
    const { v, r, s, ...fields } = this.legacy(signer, to).toJSON()
    const other = secp256k1.Point.Fn.ORDER - BigInt(s!)
    return createLegacyTx({ ...fields, v: v === '0x1b' ? 28n : 27n, r: r!, s: other } as never, {
      common: this.#common,
    })
  }
}

interface Scene {
  readonly by: Author
  readonly miner: Miner
}

interface Part {
  readonly transactions?: readonly TypedTransaction[] | Promise<readonly TypedTransaction[]>
  readonly ommers?: readonly BlockHeader[]
  readonly withdrawals?: readonly WithdrawalData[]
}

/** A deposit's five fields as the event has them. */
function deposit(index: number): Hex {
  const bytes = (length: number): Hex => `0x${`0${index}`.repeat(length)}`
  return encodeAbiParameters(
    [{ type: 'bytes' }, { type: 'bytes' }, { type: 'bytes' }, { type: 'bytes' }, { type: 'bytes' }],
    [bytes(48), bytes(32), bytes(8), bytes(96), bytes(8)],
  )
}

const child = creationOf(assemble(7, 0, 'SSTORE'), assemble(1, 9, 'SSTORE'))

/** What happens in blocks by number; in all others the counter is called. */
const STORY: Record<number, (scene: Scene) => Part> = {
  1: ({ by }) => ({ transactions: [by.highS(USER, COUNTER), by.legacy(RICH, undefined, { data: child })] }),
  2: ({ by }) => ({
    transactions: [
      by.legacy(USER, EMPTY, { gasPrice: 0n, gasLimit: 21_000n }),
      by.legacy(RICH, BREAKER),
      by.legacy(RICH, COUNTER),
    ],
  }),
  3: ({ by, miner }) => ({
    transactions: [by.legacy(USER, COUNTER)],
    ommers: [miner.sibling(0, { coinbase: WITHDRAWER, extraData: '0x01' })],
  }),
  5: ({ by, miner }) => ({
    transactions: [by.legacy(USER, KILLER), by.legacy(USER, undefined, { data: '0xfe' })],
    ommers: [
      miner.sibling(0, { coinbase: BROKE.address, extraData: '0x02' }),
      miner.sibling(1, { coinbase: USER.address, extraData: '0x03' }),
    ],
  }),
  // The empty account is touched, and goes (EIP-161).
  7: ({ by }) => ({ transactions: [by.legacy(USER, EMPTY), by.legacy(RICH, BROKE.address, { value: 5n })] }),
  9: ({ by }) => ({ transactions: [by.legacy(USER, REVERTER), by.legacy(USER, COUNTER)] }),
  10: ({ by, miner }) => ({
    transactions: [by.legacy(USER, COUNTER)],
    ommers: [miner.sibling(5, { coinbase: BROKE.address, extraData: '0x04' })],
  }),
  13: () => ({}),
  18: ({ by }) => ({ transactions: [by.listed(USER, COUNTER), by.legacy(RICH, COUNTER)] }),
  21: ({ by }) => ({
    transactions: [by.dynamic(USER, COUNTER), by.listed(RICH, REVERTER), by.legacy(RICH, COUNTER)],
  }),
  22: ({ by, miner }) => ({
    transactions: [by.dynamic(RICH, undefined, { data: child })],
    ommers: [miner.sibling(0, { coinbase: BROKE.address, extraData: '0x05' })],
  }),
  28: () => ({}),
  30: ({ by }) => ({
    transactions: [by.dynamic(USER, COUNTER)],
    withdrawals: [
      { index: 0n, validatorIndex: 7n, address: WITHDRAWER, amount: 32n * GWEI },
      { index: 1n, validatorIndex: 2n ** 40n, address: BROKE.address, amount: 1n },
      { index: 2n, validatorIndex: 8n, address: WITHDRAWER, amount: 5n },
      { index: 3n, validatorIndex: 9n, address: contract('dead'), amount: 0n },
    ],
  }),
  33: ({ by }) => ({ transactions: [by.blobs(USER, 3), by.dynamic(RICH, COUNTER), by.blobs(RICH, 1)] }),
  34: ({ by }) => ({ transactions: [by.blobs(USER, 4)] }),
  35: ({ by }) => ({ transactions: [by.blobs(USER, 5), by.dynamic(USER, PRICES)] }),
  36: ({ by }) => ({
    transactions: [
      by.dynamic(USER, DEPOSITS, { data: deposit(1) }),
      by.dynamic(RICH, DEPOSITS, { data: deposit(2) }),
      by.dynamic(RICH, WITHDRAWAL_REQUESTS_ADDRESS, {
        data: `0x${'ab'.repeat(56)}`,
        value: 500n,
        gasLimit: 400_000n,
      }),
    ],
  }),
  37: ({ by }) => ({ transactions: delegation(by) }),
  38: ({ by }) => ({
    transactions: [
      by.dynamic(USER, CONSOLIDATION_REQUESTS_ADDRESS, {
        data: `0x${'cd'.repeat(96)}`,
        value: 500n,
        gasLimit: 400_000n,
      }),
    ],
    withdrawals: [{ index: 4n, validatorIndex: 1n, address: USER.address, amount: 9n }],
  }),
  40: ({ by }) => ({ transactions: [by.blobs(USER, 5)] }),
  41: ({ by }) => ({ transactions: [by.blobs(USER, 4), by.dynamic(RICH, COUNTER)] }),
  43: ({ by }) => ({ transactions: [by.blobs(USER, 6), by.blobs(RICH, 1)] }),
  44: ({ by }) => ({ transactions: [by.blobs(USER, 5)] }),
  46: ({ by }) => ({
    transactions: [by.blobs(USER, 6), by.dynamic(RICH, DEPOSITS, { data: deposit(3) }), by.blobs(RICH, 2)],
    withdrawals: [{ index: 5n, validatorIndex: 1n, address: WITHDRAWER, amount: 1n }],
  }),
}

/** One account takes on the counter's code, and is called (EIP-7702). */
async function delegation(by: Author): Promise<TypedTransaction[]> {
  const wish = { address: COUNTER, nonce: 0n, chainId: BigInt(CHAIN_ID) }
  const authorizationList = [authorizationFields(await authorize(BROKE, wish))]
  return [
    by.dynamic(USER, BROKE.address, { type: 4, authorizationList, gasLimit: 300_000n }),
    by.dynamic(RICH, BROKE.address),
  ]
}

export interface MinedChain {
  readonly genesis: GenesisJson
  /** Block 0. */
  readonly genesisBlock: TheirBlock
  /** Blocks 1 to 48, with what EthereumJS found when it ran them. */
  readonly blocks: readonly Mined[]
  /** The blocks as bytes, one by one. */
  readonly encoded: readonly Uint8Array[]
  /** All of them in one. */
  readonly file: Uint8Array
}

let mined: Promise<MinedChain> | undefined

/** The chain; made once for each file of tests. */
export function minedChain(): Promise<MinedChain> {
  mined ??= mine()
  return mined
}

async function mine(): Promise<MinedChain> {
  const miner = await Miner.start(GENESIS)
  const nonces = new Map<Address, bigint>()
  const blocks: Mined[] = []
  for (let number = 1; number <= LENGTH; number++) {
    const timestamp = BigInt(timeOf(number))
    const by = new Author(miner.rulesAt(timestamp), nonces)
    const part = STORY[number] ?? ((): Part => ({ transactions: [by.legacy(USER, COUNTER)] }))
    const { transactions, ...rest } = part({ by, miner })
    const seal = number < BEGINS.merge ? { nonce: `0x${`${number}`.padStart(16, '5')}` } : {}
    blocks.push(
      await miner.mine({
        timestamp,
        transactions: (await transactions) ?? [],
        header: {
          coinbase: MINER.address,
          extraData: number % 3 === 0 ? `0x${'e'.repeat(number % 2 === 0 ? 64 : 10)}` : '0x',
          mixHash: `0x${`${number}`.padStart(64, '6')}`,
          ...seal,
          ...(number >= BEGINS.cancun ? { parentBeaconBlockRoot: `0x${`${number}`.padStart(64, '7')}` } : {}),
        } as never,
        ...rest,
      }),
    )
  }
  const encoded = blocks.map(({ block }) => block.serialize())
  return { genesis: GENESIS, genesisBlock: miner.blocks[0]!, blocks, encoded, file: Buffer.concat(encoded) }
}
