/** A chain that EthereumJS makes, block by block, from a genesis.json on: what imports are compared with. */
import {
  type BlockHeader,
  createBlock,
  createBlockFromRLP,
  createBlockHeader,
  genWithdrawalsTrieRoot,
  type HeaderData,
  type Block as TheirBlock,
} from '@ethereumjs/block'
import {
  type ChainConfig,
  Common,
  type GethGenesis,
  parseGethGenesis,
  parseGethGenesisState,
} from '@ethereumjs/common'
import { createEVM } from '@ethereumjs/evm'
import { genesisMPTStateRoot } from '@ethereumjs/mpt'
import { RLP } from '@ethereumjs/rlp'
import { Caches, MerkleStateManager } from '@ethereumjs/statemanager'
import type { TypedTransaction } from '@ethereumjs/tx'
import {
  Account,
  Address as AddressObject,
  createWithdrawal,
  hexToBytes,
  KECCAK256_RLP,
  type WithdrawalData,
} from '@ethereumjs/util'
import { createVM, type RunBlockResult, runBlock, type VM } from '@ethereumjs/vm'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { type Address, type Hash, type Hex, toHex, toWord } from '../../../src/bytes/hex.ts'
import { THEIR_KZG } from '../engines/theirKzg.ts'

/** A genesis.json as these tests write it: geth's, with all accounts' fields as hex. */
export interface GenesisJson {
  readonly config: Record<string, unknown> & {
    readonly blobSchedule?: Record<string, { target: number; max: number; baseFeeUpdateFraction: number }>
  }
  readonly alloc: Record<
    Address,
    { balance: Hex; nonce?: Hex; code?: Hex; storage?: Record<Hex, Hex> } // EthereumJS wants it just so
  >
  readonly [field: string]: unknown
}

/** What a block shall be; all else follows from its parent and from running it. */
export interface Wish {
  readonly timestamp: bigint
  readonly transactions?: readonly TypedTransaction[]
  readonly ommers?: readonly BlockHeader[]
  readonly withdrawals?: readonly WithdrawalData[]
  readonly header?: HeaderData
}

/** What EthereumJS knows of a block that it made. */
export interface Mined {
  readonly block: TheirBlock
  readonly result: RunBlockResult
}

/** EthereumJS's rules for the chain of `genesis`. */
export function commonOf(genesis: GenesisJson): Common {
  // It takes a chain that was merged from the beginning for one of London, unless an old word of geth's says it was.
  const isMerged = genesis.config.terminalTotalDifficulty === 0
  const config = isMerged ? { ...genesis.config, terminalTotalDifficultyPassed: true } : genesis.config
  const theirs = { ...genesis, config } as unknown as GethGenesis
  const chain = parseGethGenesis(theirs, 'test') as unknown as ChainConfig
  // As geth has it: what is not mined by ethash is not mined. It would take older hardforks to be mined in any case.
  if (genesis.config.ethash === undefined) chain.consensus = { type: 'pos', algorithm: 'casper', casper: {} }
  // It reads blob schedules into parameters that its "blob parameter only" hardforks do not look at.
  for (const [name, { target, max, baseFeeUpdateFraction }] of Object.entries(
    genesis.config.blobSchedule ?? {},
  )) {
    if (!name.startsWith('bpo')) continue
    const maxBlobGasPerBlock = max * 131_072
    const params = { target, max, maxBlobGasPerBlock, blobGasPriceUpdateFraction: baseFeeUpdateFraction }
    Object.assign(chain.customHardforks!, { [name]: { eips: [], params } })
  }
  return new Common({ chain, hardfork: chain.hardforks[0]!.name, customCrypto: { kzg: THEIR_KZG } })
}

/** Block 0 as EthereumJS computes it. */
export async function genesisBlockOf(genesis: GenesisJson): Promise<TheirBlock> {
  const root = await genesisMPTStateRoot(parseGethGenesisState(genesis as unknown as GethGenesis))
  const fields = ['parentHash', 'coinbase', 'difficulty', 'gasLimit', 'gasUsed', 'timestamp', 'extraData']
  const later = ['mixHash', 'baseFeePerGas', 'blobGasUsed', 'excessBlobGas']
  const given = [...fields, ...later].map((field) => [field, genesis[field]])
  const header = {
    ...Object.fromEntries(given.filter(([, value]) => value !== undefined && value !== null)),
    nonce: toWord(BigInt((genesis.nonce as string | undefined) ?? 0)).subarray(24),
    stateRoot: root,
    number: 0n,
  }
  return createBlock({ header }, { common: commonOf(genesis), setHardfork: true })
}

/** A VM of theirs that stands at block 0. */
async function evmsOf(genesis: GenesisJson, blocks: readonly TheirBlock[]): Promise<VM> {
  const common = commonOf(genesis)
  const stateManager = new MerkleStateManager({ common, caches: new Caches() })
  await stateManager.checkpoint()
  for (const [address, { balance, nonce = '0x0', code, storage = {} }] of Object.entries(genesis.alloc)) {
    const at = new AddressObject(hexToBytes(address as Address))
    await stateManager.putAccount(at, new Account(BigInt(nonce), BigInt(balance)))
    if (code !== undefined) await stateManager.putCode(at, hexToBytes(code))
    for (const [slot, value] of Object.entries(storage)) {
      await stateManager.putStorage(at, toWord(BigInt(slot)), toWord(BigInt(value)))
    }
  }
  await stateManager.commit()
  const blockchain = {
    getBlock: async (number: number) => blocks[number]!,
    putBlock: async () => {},
    shallowCopy: () => blockchain,
    validateHeader: async (header: BlockHeader) => validate(header, blocks.at(-1)!.header),
  }
  // It has the curves of those hardforks alone that it is made under: of the last one, all.
  const first = common.hardfork()
  common.setHardfork(common.hardforks().at(-1)!.name)
  const evm = await createEVM({ common, stateManager, blockchain })
  common.setHardfork(first)
  return createVM({ common, stateManager, blockchain, evm, setHardfork: true })
}

/** Makes blocks, one upon the other. */
export class Miner {
  /** By number. */
  readonly blocks: TheirBlock[]
  readonly #vm: VM

  private constructor(blocks: TheirBlock[], vm: VM) {
    this.blocks = blocks
    this.#vm = vm
    vm.events.on('afterBlock', ({ block }) => {
      blocks.push(block)
    })
  }

  static async start(genesis: GenesisJson): Promise<Miner> {
    const blocks = [await genesisBlockOf(genesis)]
    return new Miner(blocks, await evmsOf(genesis, blocks))
  }

  get head(): TheirBlock {
    return this.blocks.at(-1)!
  }

  /** EthereumJS's rules for the next block, if it comes at `timestamp`. */
  rulesAt(timestamp: bigint): Common {
    const { common } = this.#vm
    common.setHardforkBy({ blockNumber: this.head.header.number + 1n, timestamp })
    return common
  }

  /** A header that may be an ommer: a sibling of the block `depth` blocks before the head. */
  sibling(depth: number, header: HeaderData): BlockHeader {
    const twin = this.blocks.at(-1 - depth)!.header
    const parent = this.blocks.at(-2 - depth)!.header
    return createBlockHeader(
      { ...twin, ...header },
      { common: twin.common, calcDifficultyFromHeader: parent },
    )
  }

  async mine({ timestamp, transactions = [], ommers = [], withdrawals, header }: Wish): Promise<Mined> {
    const common = this.rulesAt(timestamp)
    const parent = this.head.header
    const isProofOfWork = common.consensusType() === 'pow'
    const isLondon = common.hardforkBlock('london') === parent.number + 1n
    const later: HeaderData = {}
    if (common.isActivatedEIP(1559)) {
      later.baseFeePerGas = isLondon ? common.param('initialBaseFee') : parent.calcNextBaseFee()
    }
    const paid = common.isActivatedEIP(4895) ? (withdrawals ?? []).map(createWithdrawal) : undefined
    if (paid !== undefined) {
      later.withdrawalsRoot = paid.length === 0 ? KECCAK256_RLP : await genWithdrawalsTrieRoot(paid)
    }
    if (common.isActivatedEIP(4844)) {
      later.blobGasUsed = blobsIn(transactions) * common.param('blobGasPerBlob')
      later.excessBlobGas = parent.calcNextExcessBlobGas(common)
    }
    const draft = createBlock(
      {
        header: {
          parentHash: parent.hash(),
          number: parent.number + 1n,
          gasLimit: isLondon ? parent.gasLimit * 2n : parent.gasLimit,
          uncleHash: keccak_256(RLP.encode(ommers.map((ommer) => ommer.raw()))),
          timestamp,
          ...later,
          ...header,
        },
        transactions: [...transactions] as never,
        uncleHeaders: [...ommers] as never,
        ...(paid === undefined ? {} : { withdrawals: paid as never }),
      },
      { common, ...(isProofOfWork ? { calcDifficultyFromHeader: parent } : {}) },
    )
    const result = await runBlock(this.#vm, { block: draft, generate: true, skipBlockValidation: true })
    return { block: this.head, result }
  }
}

function blobsIn(transactions: readonly TypedTransaction[]): bigint {
  return transactions.reduce((sum, tx) => sum + BigInt('blobVersionedHashes' in tx ? tx.numBlobs() : 0), 0n)
}

/** Runs blocks that others made, as a node that trusts nobody. */
export class Verifier {
  readonly #blocks: TheirBlock[]
  readonly #vm: VM
  readonly #common: Common

  private constructor(blocks: TheirBlock[], vm: VM, common: Common) {
    this.#blocks = blocks
    this.#vm = vm
    this.#common = common
  }

  static async start(genesis: GenesisJson): Promise<Verifier> {
    const blocks = [await genesisBlockOf(genesis)]
    return new Verifier(blocks, await evmsOf(genesis, blocks), commonOf(genesis))
  }

  /** Runs the next block and checks all that its header says. Throws if it says anything else than EthereumJS. */
  async accept(encoded: Uint8Array): Promise<Hash> {
    const block = createBlockFromRLP(encoded, { common: this.#common, setHardfork: true })
    await runBlock(this.#vm, { block })
    this.#blocks.push(block)
    return toHex(block.hash())
  }
}

/**
 * What @ethereumjs/blockchain checks of a header, but for the proof of work, which nobody did, and for one thing:
 * timestamps may be equal.
 */
function validate(header: BlockHeader, parent: BlockHeader): void {
  const { common } = header
  header.validateGasLimit(parent)
  const isProofOfWork = common.consensusType() === 'pow'
  const isLondon = common.hardforkBlock('london') === header.number
  const wrong = [
    header.number !== parent.number + 1n && 'number',
    toHex(header.parentHash) !== toHex(parent.hash()) && 'parentHash',
    header.timestamp < parent.timestamp && 'timestamp',
    header.extraData.length > 32 && 'extraData',
    isProofOfWork && header.difficulty !== header.ethashCanonicalDifficulty(parent) && 'difficulty',
    common.isActivatedEIP(1559) &&
      header.baseFeePerGas !== (isLondon ? 10n ** 9n : parent.calcNextBaseFee()) &&
      'baseFeePerGas',
    common.isActivatedEIP(4844) &&
      header.excessBlobGas !== parent.calcNextExcessBlobGas(common) &&
      'excessBlobGas',
  ].filter((name) => name !== false)
  if (wrong.length > 0) throw new Error(`block ${header.number}: invalid ${wrong.join(', ')}`)
}
