/** The method table: each method under its own name, in the file of its topic. */
import type { Method } from '../method.ts'
import * as blocks from './blocks.ts'
import { eth_call, eth_estimateGas } from './calls.ts'
import { eth_blobBaseFee, eth_feeHistory, eth_gasPrice, eth_maxPriorityFeePerGas } from './fees.ts'
import * as filters from './filters.ts'
import * as logs from './logs.ts'
import * as network from './network.ts'
import * as raw from './raw.ts'
import * as signing from './signing.ts'
import * as state from './state.ts'
import * as transactions from './transactions.ts'
import * as txpool from './txpool.ts'

export const METHODS: ReadonlyMap<string, Method> = new Map(
  Object.entries({
    ...blocks,
    eth_call,
    eth_estimateGas,
    eth_blobBaseFee,
    eth_feeHistory,
    eth_gasPrice,
    eth_maxPriorityFeePerGas,
    ...filters,
    ...logs,
    ...network,
    ...raw,
    ...signing,
    ...state,
    ...transactions,
    ...txpool,
  }),
)

/** Methods that exist, but not on a connection that cannot carry what they promise. */
export const NEEDS_WEBSOCKET: ReadonlySet<string> = new Set(['eth_subscribe', 'eth_unsubscribe'])
