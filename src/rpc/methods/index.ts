/** The method table: each method under its own name, from the file of its topic. */
import type { Method } from '../method.ts'
import { eth_createAccessList } from './accessList.ts'
import { preseal_getAccountHistory } from './accountHistory.ts'
import { ALIASES } from './aliases.ts'
import * as appWallet from './appWallet.ts'
import { preseal_getBlockSummary, preseal_listLogs, preseal_listTransactions } from './blockContent.ts'
import { preseal_listBlocks } from './blockList.ts'
import * as blocks from './blocks.ts'
import { eth_call, eth_estimateGas } from './calls.ts'
import { eth_capabilities } from './capabilities.ts'
import { eth_config } from './config.ts'
import * as contracts from './contracts.ts'
import { preseal_getCreation } from './creation.ts'
import * as debug from './debug.ts'
import * as faults from './faults.ts'
import {
  eth_baseFee,
  eth_blobBaseFee,
  eth_feeHistory,
  eth_gasPrice,
  eth_maxPriorityFeePerGas,
} from './fees.ts'
import * as filters from './filters.ts'
import * as logs from './logs.ts'
import * as network from './network.ts'
import * as otterscan from './otterscan.ts'
import * as personal from './personal.ts'
import * as raw from './raw.ts'
import * as rhythm from './rhythm.ts'
import { eth_sendRawTransactionSync, eth_sendTransactionSync } from './sendSync.ts'
import * as signing from './signing.ts'
import { eth_simulateV1 } from './simulate.ts'
import { preseal_getSlices } from './slices.ts'
import * as state from './state.ts'
import { preseal_getStorage } from './storage.ts'
import { type ConnectionMethod, eth_subscribe, eth_unsubscribe } from './subscriptions.ts'
import * as testing from './testing.ts'
import * as trace from './trace.ts'
import * as transactions from './transactions.ts'
import * as txpool from './txpool.ts'
import { preseal_getVariable } from './variable.ts'
import { preseal_getWaiting } from './waiting.ts'
import { preseal_explain, preseal_getTimeline } from './watching.ts'

export const METHODS: ReadonlyMap<string, Method> = new Map(
  Object.entries({
    ...ALIASES,
    ...appWallet,
    ...blocks,
    eth_call,
    eth_createAccessList,
    eth_estimateGas,
    eth_simulateV1,
    eth_capabilities,
    eth_config,
    eth_baseFee,
    eth_blobBaseFee,
    eth_feeHistory,
    eth_gasPrice,
    eth_maxPriorityFeePerGas,
    ...contracts,
    ...debug,
    ...faults,
    ...filters,
    ...logs,
    ...network,
    ...otterscan,
    ...personal,
    ...raw,
    ...signing,
    ...state,
    ...testing,
    ...trace,
    ...transactions,
    eth_sendRawTransactionSync,
    eth_sendTransactionSync,
    preseal_explain,
    preseal_getAccountHistory,
    preseal_getCreation,
    preseal_getSlices,
    preseal_getStorage,
    preseal_getTimeline,
    preseal_getVariable,
    preseal_listBlocks,
    preseal_getBlockSummary,
    preseal_listTransactions,
    preseal_listLogs,
    preseal_getWaiting,
    ...rhythm,
    ...txpool,
  }),
)

/** Methods that need a lasting connection; they do not exist over plain HTTP. */
export const CONNECTION_METHODS: ReadonlyMap<string, ConnectionMethod> = new Map(
  Object.entries({ eth_subscribe, eth_unsubscribe }),
)
