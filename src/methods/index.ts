/** The method table: each method under its own name, from the file of its topic. */
import type { MethodTable } from '../rpc/dispatch.ts'
import type { ConnectionMethod, Method } from '../rpc/method.ts'
import { ALIASES } from './cheats/aliases.ts'
import * as appWallet from './eth/appWallet.ts'
import * as blocks from './eth/blocks.ts'
import { eth_call, eth_createAccessList, eth_estimateGas } from './eth/calls.ts'
import { eth_capabilities, eth_config } from './eth/config.ts'
import {
  eth_baseFee,
  eth_blobBaseFee,
  eth_feeHistory,
  eth_gasPrice,
  eth_maxPriorityFeePerGas,
} from './eth/fees.ts'
import * as filters from './eth/filters.ts'
import * as logs from './eth/logs.ts'
import * as network from './eth/network.ts'
import * as raw from './eth/raw.ts'
import * as signing from './eth/signing.ts'
import { eth_simulateV1 } from './eth/simulate.ts'
import * as state from './eth/state.ts'
import { eth_subscribe, eth_unsubscribe } from './eth/subscriptions.ts'
import * as testing from './eth/testing.ts'
import * as transactions from './eth/transactions.ts'
import { eth_sendRawTransactionSync, eth_sendTransactionSync } from './eth/transactions.ts'
import * as txpool from './eth/txpool.ts'
import { onForks } from './forked/forwarding.ts'
import { preseal_getAccountHistory } from './preseal/accountHistory.ts'
import {
  preseal_getBlockSummary,
  preseal_getSlices,
  preseal_listBlocks,
  preseal_listLogs,
  preseal_listTransactions,
} from './preseal/blockContent.ts'
import * as contracts from './preseal/contracts.ts'
import { preseal_getCreation } from './preseal/contracts.ts'
import * as faults from './preseal/faults.ts'
import * as rhythm from './preseal/rhythm.ts'
import { preseal_getStorage, preseal_getVariable } from './preseal/storage.ts'
import { preseal_explain, preseal_getTimeline, preseal_getWaiting } from './preseal/watching.ts'
import * as debug from './trace/debug.ts'
import * as otterscan from './trace/otterscan.ts'
import * as trace from './trace/trace.ts'

export const METHODS: ReadonlyMap<string, Method> = onForks(
  new Map(
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
  ),
)

export const CONNECTION_METHODS: ReadonlyMap<string, ConnectionMethod> = new Map(
  Object.entries({ eth_subscribe, eth_unsubscribe }),
)

export const METHOD_TABLE: MethodTable = { methods: METHODS, connectionMethods: CONNECTION_METHODS }
