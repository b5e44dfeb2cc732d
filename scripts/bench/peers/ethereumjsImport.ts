/**
 * The import of RLP blocks by EthereumJS alone: decode, then `runBlock` over its `MerkleStateManager`.
 *
 * `runBlock` compares the state root, the receipts, the bloom and the gas with the header. Further checks of a blockchain
 * (of headers against their parents, of proof of work) are left out, in its favour.
 */
import { type Block, createBlock, createBlockFromRLP } from '@ethereumjs/block'
import { type Common, createCommonFromGethGenesis, parseGethGenesisState } from '@ethereumjs/common'
import { createEVM } from '@ethereumjs/evm'
import { RLP } from '@ethereumjs/rlp'
import { Caches, MerkleStateManager } from '@ethereumjs/statemanager'
import { bytesToHex, type KZG } from '@ethereumjs/util'
import { createVM, runBlock } from '@ethereumjs/vm'

export type GethGenesis = Parameters<typeof parseGethGenesisState>[0]

/** Runs all blocks of `rlp` on `genesis`, and returns the hash of the last. Throws if a header does not match its block. */
export async function importWithEthereumjs(genesis: GethGenesis, rlp: Uint8Array): Promise<string> {
  const common = createCommonFromGethGenesis(withoutBpo(genesis), {
    chain: 'imported',
    customCrypto: { kzg: UNUSED },
  })
  const stateManager = new MerkleStateManager({ common, caches: new Caches() })
  await stateManager.generateCanonicalGenesis(parseGethGenesisState(genesis))
  let head = genesisBlock(common, await stateManager.getStateRoot())
  const blocks: Block[] = [head]
  const blockchain = {
    getBlock: async (number: number) => blocks[number]!,
    putBlock: async () => {},
    shallowCopy: () => blockchain,
    validateHeader: async () => {},
  }
  const evm = await createEVM({ common, stateManager, blockchain })
  const vm = await createVM({ common, stateManager, blockchain, evm, setHardfork: true })
  let rest = rlp
  while (rest.length > 0) {
    const { data, remainder } = RLP.decode(rest, true)
    const block = createBlockFromRLP(RLP.encode(data), { common, setHardfork: true })
    await runBlock(vm, { block, root: head.header.stateRoot, setHardfork: true })
    blocks.push(block)
    head = block
    rest = remainder
  }
  return bytesToHex(head.hash())
}

/** EthereumJS decodes blob transactions only with a KZG; blocks have no blobs, so it is never called. */
const UNUSED = new Proxy({} as KZG, {
  get() {
    throw new Error('a block made use of KZG')
  },
})

/**
 * EthereumJS knows the blob schedules of "blob parameter only" hardforks (EIP-7892) and loses them where the genesis names
 * them too.
 */
function withoutBpo(genesis: GethGenesis): GethGenesis {
  const { blobSchedule = {} } = genesis.config
  const known = Object.entries(blobSchedule).filter(([name]) => !name.startsWith('bpo'))
  return { ...genesis, config: { ...genesis.config, blobSchedule: Object.fromEntries(known) } }
}

function genesisBlock(common: Common, stateRoot: Uint8Array): Block {
  common.setHardforkBy({ blockNumber: 0n })
  return createBlock({ header: { ...common.genesis(), stateRoot } as object }, { common })
}
