/** Creates the first moment: the first block and the state after it. */

import { type Address, EMPTY_BYTES, fromHex, ZERO_HASH } from '../bytes/hex.ts'
import type { Moment } from '../chain/moment.ts'
import { INITIAL_BASE_FEE } from '../model/block/fees.ts'
import type { Genesis } from '../model/block/genesis.ts'
import { EMPTY_OMMERS_HASH, type Header, hashHeader, ZERO_NONCE } from '../model/block/header.ts'
import { PREDEPLOYS, type Predeploy, SYSTEM_CONTRACTS } from '../model/bytecode/predeploys.ts'
import { oncePer } from '../model/collections/oncePer.ts'
import type { Rules } from '../model/hardfork/hardfork.ts'
import { EMPTY_BLOOM } from '../model/receipt/log.ts'
import { EMPTY_ROOT } from '../state/roots.ts'
import { State } from '../state/state.ts'
import { type BlockSettings, laterFields, prevRandao } from './block/openBlock.ts'

export interface GenesisOptions extends BlockSettings {
  readonly number: bigint
  readonly gasLimit: bigint
  /** Base fee of block 0 in wei. Base fees of later blocks follow from it (EIP-1559). */
  readonly baseFeePerGas: bigint
  readonly timestamp: bigint
  readonly accounts: readonly Address[]
  /** Initial balance of each account in wei. */
  readonly balance: bigint
  readonly systemContracts: boolean
  /** Contracts to deploy in block 0 besides `PREDEPLOYS` and the system contracts. */
  readonly predeploys?: readonly Predeploy[]
}

/** Returns the code of a predeploy: the same bytes for each devnet, which do not change. */
const codeOf = oncePer(({ code }: Predeploy) => fromHex(code))

export function createGenesis(rules: Rules, options: GenesisOptions): Moment {
  const { systemContracts, predeploys = [] } = options
  const contracts = [...PREDEPLOYS, ...(systemContracts ? SYSTEM_CONTRACTS : []), ...predeploys]
  const state = State.empty.with([
    ...options.accounts.map((address) => ({ address, balance: options.balance })),
    // The nonce is 1, as for every contract that a transaction creates (EIP-161).
    ...contracts.map((contract) => {
      const { address, storage = [] } = contract
      return { address, nonce: 1n, code: codeOf(contract), storage }
    }),
  ])
  return firstMoment(rules, state, {
    parentHash: ZERO_HASH,
    number: options.number,
    coinbase: options.coinbase,
    difficulty: 0n,
    gasLimit: options.gasLimit,
    gasUsed: 0n,
    timestamp: options.timestamp,
    extraData: EMPTY_BYTES,
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
