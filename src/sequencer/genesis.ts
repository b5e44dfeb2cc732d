/** Creates the first moment: the first block and the state after it. */

import { type Address, EMPTY_BYTES, fromHex, ZERO_HASH } from '../bytes/hex.ts'
import type { Moment } from '../chain/moment.ts'
import { INITIAL_BASE_FEE } from '../model/block/fees.ts'
import type { Genesis } from '../model/block/genesis.ts'
import { EMPTY_OMMERS_HASH, type Header, hashHeader, prevRandao, ZERO_NONCE } from '../model/block/header.ts'
import type { Predeploy } from '../model/bytecode/predeploys.ts'
import { oncePer } from '../model/collections/oncePer.ts'
import type { Rules } from '../model/hardfork/hardfork.ts'
import { EMPTY_BLOOM } from '../model/receipt/log.ts'
import { EMPTY_ROOT } from '../state/roots.ts'
import { type AccountChange, State } from '../state/state.ts'
import { type BlockSettings, laterFields } from './block/openBlock.ts'

export interface GenesisOptions extends BlockSettings {
  readonly number: bigint
  readonly gasLimit: bigint
  /** Base fee of block 0 in wei. Base fees of later blocks follow from it (EIP-1559). */
  readonly baseFeePerGas: bigint
  readonly timestamp: bigint
  readonly accounts: readonly Address[]
  /** Initial balance of each account in wei. */
  readonly balance: bigint
  readonly contracts: readonly Predeploy[]
  /** The slots of L1Block, if the chain is an L2. */
  readonly l1Block?: AccountChange
  /** By default empty. */
  readonly extraData?: Uint8Array
}

/**
 * Returns the state in which only `contracts` exist. Devnets with the same list share this state, so its codes and the
 * nodes of its tries are hashed once per process.
 */
const stateOf = oncePer((contracts: readonly Predeploy[]) =>
  // The nonce is 1, as for every contract that a transaction creates (EIP-161).
  State.empty.with(
    contracts.map(({ address, code, balance = 0n, storage = [] }) => ({
      address,
      balance,
      nonce: 1n,
      code: fromHex(code),
      storage,
    })),
  ),
)

export function createGenesis(rules: Rules, options: GenesisOptions): Moment {
  const { contracts, accounts, balance, l1Block } = options
  const changes: AccountChange[] = accounts.map((address) => ({ address, balance }))
  if (l1Block !== undefined) changes.push(l1Block)
  const state = stateOf(contracts).with(changes)
  return firstMoment(rules, state, {
    parentHash: ZERO_HASH,
    number: options.number,
    coinbase: options.coinbase,
    difficulty: 0n,
    gasLimit: options.gasLimit,
    gasUsed: 0n,
    timestamp: options.timestamp,
    extraData: options.extraData ?? EMPTY_BYTES,
    prevRandao: prevRandao(options.randaoSeed, options.number),
    nonce: ZERO_NONCE,
    baseFeePerGas: options.baseFeePerGas,
    blobGasUsed: undefined,
    excessBlobGas: undefined,
  })
}

export function momentOf({ schedule, header, accounts }: Genesis): Moment {
  const rules = schedule.at(header)
  return firstMoment(rules, State.empty.with(accounts), header)
}

function firstMoment(rules: Rules, state: State, given: Genesis['header']): Moment {
  const later = laterFields(rules, rules.has(4844) ? (given.excessBlobGas ?? 0n) : undefined)
  const header: Header = {
    ...given,
    ommersHash: EMPTY_OMMERS_HASH,
    stateRoot: state.root(),
    transactionsRoot: EMPTY_ROOT,
    receiptsRoot: EMPTY_ROOT,
    logsBloom: EMPTY_BLOOM,
    baseFeePerGas: rules.has(1559) ? (given.baseFeePerGas ?? INITIAL_BASE_FEE) : undefined,
    ...later,
    blobGasUsed: rules.has(4844) ? (given.blobGasUsed ?? 0n) : undefined,
  }
  const withdrawals = later.withdrawalsRoot === undefined ? undefined : []
  const block = { header, hash: hashHeader(header), transactions: [], ommers: [], withdrawals, receipts: [] }
  return { block, state }
}
