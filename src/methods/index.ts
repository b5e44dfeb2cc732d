import * as bridgeMessages from '../bridge/messageMethods.ts'
import * as bridge from '../bridge/methods.ts'
import * as faults from '../faults/methods.ts'
import type { MethodTable } from '../rpc/dispatch.ts'
import type { ConnectionMethod, Method } from '../rpc/method.ts'
import { ALIASES } from './cheats/aliases.ts'
import * as blocks from './eth/blocks.ts'
import * as calls from './eth/calls.ts'
import * as config from './eth/config.ts'
import * as fees from './eth/fees.ts'
import * as logs from './eth/logs.ts'
import * as network from './eth/network.ts'
import * as raw from './eth/raw.ts'
import * as simulate from './eth/simulate.ts'
import * as state from './eth/state.ts'
import { eth_subscribe, eth_unsubscribe } from './eth/subscriptions.ts'
import * as testing from './eth/testing.ts'
import * as transactions from './eth/transactions.ts'
import * as txpool from './eth/txpool.ts'
import * as wallet from './eth/wallet.ts'
import { forkedMethods } from './forked/forwarding.ts'
import * as accountHistory from './preseal/accountHistory.ts'
import * as blockContent from './preseal/blockContent.ts'
import * as contracts from './preseal/contracts.ts'
import * as rhythm from './preseal/rhythm.ts'
import * as storage from './preseal/storage.ts'
import * as presealTransactions from './preseal/transactions.ts'
import * as watching from './preseal/watching.ts'
import * as debug from './trace/debug.ts'
import * as otterscan from './trace/otterscan.ts'
import * as trace from './trace/trace.ts'

const ETH = [blocks, calls, simulate, config, fees, logs, network, raw, wallet, state, transactions, txpool]
const PRESEAL = [
  accountHistory,
  blockContent,
  bridge,
  bridgeMessages,
  contracts,
  faults,
  rhythm,
  storage,
  presealTransactions,
  watching,
]
const TOPICS = [ALIASES, ...ETH, ...PRESEAL, debug, otterscan, trace, testing]

export const METHODS: ReadonlyMap<string, Method> = forkedMethods(
  new Map(TOPICS.flatMap((topic) => Object.entries<unknown>(topic).filter(isMethod))),
)

function isMethod(named: [string, unknown]): named is [string, Method] {
  return typeof named[1] === 'function' && 'parsers' in named[1]
}

export const CONNECTION_METHODS: ReadonlyMap<string, ConnectionMethod> = new Map(
  Object.entries({ eth_subscribe, eth_unsubscribe }),
)

export const METHOD_TABLE: MethodTable = { methods: METHODS, connectionMethods: CONNECTION_METHODS }
