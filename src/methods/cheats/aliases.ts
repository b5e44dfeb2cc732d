/**
 * Cheats under all their names: those of anvil, Hardhat, ganache, Tenderly and viem's test client.
 *
 * A cheat without a result returns `null` under the names that anvil's typed clients use, because alloy accepts
 * nothing else. Under all other names it returns `true`, as in Hardhat and ganache.
 */
import type { Answering, Method } from '../../rpc/method.ts'
import * as stateFiles from '../../saving/methods/stateFiles.ts'
import * as accounts from './accounts.ts'
import * as blocks from './blocks.ts'
import * as erc20 from './erc20.ts'
import * as mining from './mining.ts'
import * as node from './node.ts'
import * as pool from './pool.ts'
import { reorg, rollback } from './reorg.ts'
import * as snapshots from './snapshots.ts'

interface Cheat {
  readonly does: Method
  /** Names under which a cheat without a result returns `null`. */
  readonly quiet?: readonly string[]
  /** Names under which a cheat without a result returns `true`. */
  readonly others?: readonly string[]
}

export const CHEATS: readonly Cheat[] = [
  {
    does: accounts.setBalance,
    quiet: ['anvil_setBalance'],
    others: ['hardhat_setBalance', 'tenderly_setBalance', 'evm_setAccountBalance'],
  },
  {
    does: accounts.addBalance,
    quiet: ['anvil_addBalance'],
    others: ['hardhat_addBalance', 'tenderly_addBalance'],
  },
  {
    does: accounts.setNonce,
    quiet: ['anvil_setNonce'],
    others: ['hardhat_setNonce', 'evm_setAccountNonce'],
  },
  { does: accounts.setCode, quiet: ['anvil_setCode'], others: ['hardhat_setCode', 'evm_setAccountCode'] },
  {
    does: accounts.setStorageAt,
    others: [
      'anvil_setStorageAt',
      'hardhat_setStorageAt',
      'evm_setAccountStorageAt',
      'tenderly_setStorageAt',
    ],
  },
  {
    does: erc20.dealErc20,
    quiet: ['anvil_dealERC20', 'anvil_dealErc20', 'anvil_setERC20Balance'],
    others: ['hardhat_dealERC20'],
  },
  { does: rollback, quiet: ['anvil_rollback'] },
  { does: reorg, quiet: ['anvil_reorg'] },
  { does: erc20.setErc20Balance, others: ['tenderly_setErc20Balance'] },
  { does: erc20.setErc20Allowance, quiet: ['anvil_setERC20Allowance'] },
  { does: erc20.deal, quiet: ['anvil_deal'] },

  { does: mining.mine, quiet: ['anvil_mine'], others: ['hardhat_mine'] },
  { does: mining.evm_mine, others: ['evm_mine'] },
  { does: mining.evm_mine_detailed, others: ['evm_mine_detailed', 'anvil_mine_detailed'] },
  {
    does: mining.setAutomine,
    quiet: ['anvil_setAutomine', 'evm_setAutomine'],
    others: ['hardhat_setAutomine'],
  },
  { does: mining.getAutomine, others: ['anvil_getAutomine', 'hardhat_getAutomine'] },
  { does: mining.miner_start, others: ['miner_start'] },
  { does: mining.miner_stop, others: ['miner_stop'] },
  { does: mining.setIntervalMining, quiet: ['anvil_setIntervalMining'] },
  { does: mining.evm_setIntervalMining, quiet: ['evm_setIntervalMining'] },
  { does: mining.getIntervalMining, others: ['anvil_getIntervalMining'] },

  { does: blocks.increaseTime, others: ['evm_increaseTime', 'anvil_increaseTime'] },
  { does: blocks.setTime, others: ['evm_setTime', 'anvil_setTime'] },

  {
    does: blocks.setNextBlockTimestamp,
    quiet: ['evm_setNextBlockTimestamp', 'anvil_setNextBlockTimestamp'],
  },
  {
    does: blocks.setBlockTimestampInterval,
    quiet: ['anvil_setBlockTimestampInterval', 'evm_setBlockTimestampInterval'],
  },
  { does: blocks.setBlockTimestampIntervalMs, others: ['hardhat_setBlockTimestampInterval'] },
  {
    does: blocks.removeBlockTimestampInterval,
    others: [
      'anvil_removeBlockTimestampInterval',
      'evm_removeBlockTimestampInterval',
      'hardhat_removeBlockTimestampInterval',
    ],
  },
  {
    does: blocks.setNextBlockBaseFeePerGas,
    quiet: ['anvil_setNextBlockBaseFeePerGas'],
    others: ['hardhat_setNextBlockBaseFeePerGas'],
  },
  { does: blocks.setPrevRandao, quiet: ['anvil_setPrevRandao'], others: ['hardhat_setPrevRandao'] },
  { does: blocks.setBlockGasLimit, others: ['evm_setBlockGasLimit', 'anvil_setBlockGasLimit'] },
  {
    does: blocks.setCoinbase,
    quiet: ['anvil_setCoinbase'],
    others: ['hardhat_setCoinbase', 'miner_setEtherbase'],
  },
  { does: blocks.setExtraData, others: ['miner_setExtra'] },
  { does: node.setChainId, quiet: ['anvil_setChainId'] },
  { does: blocks.setMinGasPrice, others: ['anvil_setMinGasPrice', 'hardhat_setMinGasPrice'] },

  { does: snapshots.snapshot, others: ['evm_snapshot', 'anvil_snapshot'] },
  { does: snapshots.revert, others: ['evm_revert', 'anvil_revert'] },
  { does: snapshots.reset, quiet: ['anvil_reset'], others: ['hardhat_reset'] },
  { does: stateFiles.dumpState, others: ['anvil_dumpState', 'hardhat_dumpState'] },
  { does: stateFiles.loadState, others: ['anvil_loadState', 'hardhat_loadState'] },
  { does: snapshots.setRpcUrl, others: ['anvil_setRpcUrl', 'hardhat_setRpcUrl'] },

  {
    does: accounts.impersonateAccount,
    quiet: ['anvil_impersonateAccount'],
    others: ['hardhat_impersonateAccount'],
  },
  {
    does: accounts.stopImpersonatingAccount,
    quiet: ['anvil_stopImpersonatingAccount'],
    others: ['hardhat_stopImpersonatingAccount'],
  },
  {
    does: accounts.autoImpersonateAccount,
    quiet: ['anvil_autoImpersonateAccount'],
    others: ['hardhat_autoImpersonateAccount'],
  },

  { does: pool.dropTransactionByHash, others: ['anvil_dropTransaction'] },
  { does: pool.dropTransaction, others: ['hardhat_dropTransaction'] },
  {
    does: pool.dropAllTransactions,
    quiet: ['anvil_dropAllTransactions'],
    others: ['hardhat_dropAllTransactions'],
  },
  {
    does: pool.removePoolTransactions,
    quiet: ['anvil_removePoolTransactions'],
    others: ['hardhat_removePoolTransactions'],
  },

  { does: node.nodeInfo, others: ['anvil_nodeInfo'] },
  { does: node.getGenesisTime, others: ['anvil_getGenesisTime'] },
  { does: node.metadata, others: ['anvil_metadata', 'hardhat_metadata'] },
  { does: node.setLoggingEnabled, quiet: ['anvil_setLoggingEnabled'], others: ['hardhat_setLoggingEnabled'] },
]

export const ALIASES: Readonly<Record<string, Method>> = Object.fromEntries(
  CHEATS.flatMap(({ does, quiet = [], others = [] }) => [
    ...quiet.map((name) => [name, answering(null, does)] as const),
    ...others.map((name) => [name, answering(true, does)] as const),
  ]),
)

function answering(done: null | true, does: Method): Method {
  const answer: Answering = (context, params) => {
    const result = does(context, params)
    // A result `null` is returned as it is; only `undefined` is replaced.
    const orDone = (value: unknown) => (value === undefined ? done : value)
    return result instanceof Promise ? result.then(orDone) : orDone(result)
  }
  return Object.assign(answer, { parsers: does.parsers, isLong: does.isLong })
}
