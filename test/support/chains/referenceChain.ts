/** The chain that a devnet's blocks are compared with: EthereumJS's VM and Merkle state, block by block. */
import { createBlockFromRLP, type Block as TheirBlock } from '@ethereumjs/block'
import { type Common, createCustomCommon, Mainnet } from '@ethereumjs/common'
import { createEVM } from '@ethereumjs/evm'
import { Caches, MerkleStateManager } from '@ethereumjs/statemanager'
import { Account, Address as AddressObject, hexToBytes } from '@ethereumjs/util'
import { createVM, type RunBlockResult, runBlock, type VM } from '@ethereumjs/vm'
import { type Address, type Hex, toHex, toWord } from '../../../src/bytes/hex.ts'
import { type Block, encodeBlock } from '../../../src/model/block/block.ts'
import type { Hardfork } from '../../../src/model/hardfork/hardfork.ts'
import { THEIR_KZG } from '../engines/theirKzg.ts'

export interface GenesisAccount {
  readonly address: Address
  readonly nonce?: bigint
  readonly balance?: bigint
  readonly code?: Hex
  readonly storage?: readonly (readonly [slot: bigint, value: bigint])[]
}

/**
 * EthereumJS's rules for a devnet's chain. The chain is given proof of stake whatever its hardfork: that is all it takes for
 * `runBlock` to accept the headers of older hardforks without a proof of work and to pay no block reward. A devnet has
 * neither (nothing is mined, and money comes from genesis alone).
 */
export function referenceCommon(hardfork: Hardfork): Common {
  return createCustomCommon(
    {
      chainId: 31_337,
      consensus: { type: 'pos', algorithm: 'casper', casper: {} },
    },
    Mainnet,
    { hardfork, customCrypto: { kzg: THEIR_KZG } },
  )
}

/** A state manager of theirs with these accounts. */
export async function referenceState(
  common: Common,
  accounts: readonly GenesisAccount[],
): Promise<MerkleStateManager> {
  const state = new MerkleStateManager({ common, caches: new Caches() })
  await state.checkpoint()
  for (const { address, nonce = 0n, balance = 0n, code, storage = [] } of accounts) {
    const at = new AddressObject(hexToBytes(address))
    await state.putAccount(at, new Account(nonce, balance))
    if (code !== undefined) await state.putCode(at, hexToBytes(code))
    for (const [slot, value] of storage) await state.putStorage(at, toWord(slot), toWord(value))
  }
  await state.commit()
  return state
}

/** Replays a chain from its genesis. */
export class ReferenceChain {
  readonly #vm: VM
  readonly #common: Common
  readonly #blocks: TheirBlock[]

  private constructor(vm: VM, common: Common, blocks: TheirBlock[]) {
    this.#vm = vm
    this.#common = common
    this.#blocks = blocks
  }

  /** The chain that begins with `genesis` and `accounts`. Throws if they do not fit together. */
  static async start(
    hardfork: Hardfork,
    genesis: Block,
    accounts: readonly GenesisAccount[],
  ): Promise<ReferenceChain> {
    const common = referenceCommon(hardfork)
    const blocks: TheirBlock[] = []
    const stateManager = await referenceState(common, accounts)
    const root = toHex(await stateManager.getStateRoot())
    if (root !== genesis.header.stateRoot) throw new Error(`genesis: got ${root}`)
    const blockchain = {
      getBlock: async (number: number) => blocks[number]!,
      putBlock: async () => {},
      shallowCopy: () => blockchain,
      validateHeader: async (header: TheirBlock['header']) => validate(header, blocks.at(-1)!.header),
    }
    const evm = await createEVM({ common, stateManager, blockchain })
    const vm = await createVM({ common, stateManager, blockchain, evm })
    const chain = new ReferenceChain(vm, common, blocks)
    blocks.push(chain.decode(genesis))
    return chain
  }

  decode(block: Block): TheirBlock {
    return createBlockFromRLP(encodeBlock(block), { common: this.#common })
  }

  /** Runs the next block and checks all that its header says. Throws if it says anything else than theirs. */
  async replay(block: Block): Promise<{ theirs: TheirBlock; result: RunBlockResult }> {
    const theirs = this.decode(block)
    const result = await runBlock(this.#vm, { block: theirs, validateBlockSize: true })
    this.#blocks.push(theirs)
    return { theirs, result }
  }
}

/**
 * What @ethereumjs/blockchain checks of a header with proof of stake, but for one thing: timestamps may be equal (CONTRACT
 * 1: many blocks in each second).
 */
function validate(header: TheirBlock['header'], parent: TheirBlock['header']): void {
  const { common } = header
  header.validateGasLimit(parent)
  const wrong = [
    header.number !== parent.number + 1n && 'number',
    toHex(header.parentHash) !== toHex(parent.hash()) && 'parentHash',
    header.timestamp < parent.timestamp && 'timestamp',
    header.extraData.length > 32 && 'extraData',
    common.isActivatedEIP(1559) && header.baseFeePerGas !== parent.calcNextBaseFee() && 'baseFeePerGas',
    common.isActivatedEIP(4844) &&
      header.excessBlobGas !== parent.calcNextExcessBlobGas(common) &&
      'excessBlobGas',
  ].filter((name) => name !== false)
  if (wrong.length > 0) throw new Error(`block ${header.number}: invalid ${wrong.join(', ')}`)
}
