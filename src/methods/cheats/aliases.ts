/**
 * Cheats under all their names: those of anvil, Hardhat, ganache, Tenderly and viem's test client.
 *
 * A cheat without a result returns `null` under the names that alloy, the Rust client, uses for anvil, because alloy
 * accepts only `null`. Under all other names the cheat returns `true`, as in Hardhat and ganache.
 */
import { namesIn } from '../../model/api/text.ts'
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

/**
 * The cheats. `quiet` are the names under which a cheat without a result returns `null`, `others` those under which it
 * returns `true`, separated by spaces.
 */
export const CHEATS: readonly (readonly [does: Method, quiet: string, others?: string])[] = [
  [accounts.setBalance, 'anvil_setBalance', 'hardhat_setBalance tenderly_setBalance evm_setAccountBalance'],
  [accounts.addBalance, 'anvil_addBalance', 'hardhat_addBalance tenderly_addBalance'],
  [accounts.setNonce, 'anvil_setNonce', 'hardhat_setNonce evm_setAccountNonce'],
  [accounts.setCode, 'anvil_setCode', 'hardhat_setCode evm_setAccountCode'],
  [
    accounts.setStorageAt,
    '',
    'anvil_setStorageAt hardhat_setStorageAt evm_setAccountStorageAt tenderly_setStorageAt',
  ],
  [erc20.dealErc20, 'anvil_dealERC20 anvil_dealErc20 anvil_setERC20Balance', 'hardhat_dealERC20'],
  [rollback, 'anvil_rollback'],
  [reorg, 'anvil_reorg'],
  [erc20.setErc20Balance, '', 'tenderly_setErc20Balance'],
  [erc20.setErc20Allowance, 'anvil_setERC20Allowance'],
  [erc20.deal, 'anvil_deal'],
  [mining.mine, 'anvil_mine', 'hardhat_mine'],
  [mining.evm_mine, '', 'evm_mine'],
  [mining.evm_mine_detailed, '', 'evm_mine_detailed anvil_mine_detailed'],
  [mining.setAutomine, 'anvil_setAutomine evm_setAutomine', 'hardhat_setAutomine'],
  [mining.getAutomine, '', 'anvil_getAutomine hardhat_getAutomine'],
  [mining.miner_start, '', 'miner_start'],
  [mining.miner_stop, '', 'miner_stop'],
  [mining.setIntervalMining, 'anvil_setIntervalMining'],
  [mining.evm_setIntervalMining, 'evm_setIntervalMining'],
  [mining.getIntervalMining, '', 'anvil_getIntervalMining'],
  [blocks.increaseTime, '', 'evm_increaseTime anvil_increaseTime'],
  [blocks.setTime, '', 'evm_setTime anvil_setTime'],
  [blocks.setNextBlockTimestamp, 'evm_setNextBlockTimestamp anvil_setNextBlockTimestamp'],
  [blocks.setBlockTimestampInterval, 'anvil_setBlockTimestampInterval evm_setBlockTimestampInterval'],
  [blocks.setBlockTimestampIntervalMs, '', 'hardhat_setBlockTimestampInterval'],
  [
    blocks.removeBlockTimestampInterval,
    '',
    'anvil_removeBlockTimestampInterval evm_removeBlockTimestampInterval hardhat_removeBlockTimestampInterval',
  ],
  [blocks.setNextBlockBaseFeePerGas, 'anvil_setNextBlockBaseFeePerGas', 'hardhat_setNextBlockBaseFeePerGas'],
  [blocks.setPrevRandao, 'anvil_setPrevRandao', 'hardhat_setPrevRandao'],
  [blocks.setBlockGasLimit, '', 'evm_setBlockGasLimit anvil_setBlockGasLimit'],
  [blocks.setCoinbase, 'anvil_setCoinbase', 'hardhat_setCoinbase miner_setEtherbase'],
  [blocks.setExtraData, '', 'miner_setExtra'],
  [node.setChainId, 'anvil_setChainId'],
  [blocks.setMinGasPrice, '', 'anvil_setMinGasPrice hardhat_setMinGasPrice'],
  [snapshots.snapshot, '', 'evm_snapshot anvil_snapshot'],
  [snapshots.revert, '', 'evm_revert anvil_revert'],
  [snapshots.reset, 'anvil_reset', 'hardhat_reset'],
  [stateFiles.dumpState, '', 'anvil_dumpState hardhat_dumpState'],
  [stateFiles.loadState, '', 'anvil_loadState hardhat_loadState'],
  [snapshots.setRpcUrl, '', 'anvil_setRpcUrl hardhat_setRpcUrl'],
  [accounts.impersonateAccount, 'anvil_impersonateAccount', 'hardhat_impersonateAccount'],
  [accounts.stopImpersonatingAccount, 'anvil_stopImpersonatingAccount', 'hardhat_stopImpersonatingAccount'],
  [accounts.autoImpersonateAccount, 'anvil_autoImpersonateAccount', 'hardhat_autoImpersonateAccount'],
  [pool.dropTransactionByHash, '', 'anvil_dropTransaction'],
  [pool.dropTransaction, '', 'hardhat_dropTransaction'],
  [pool.dropAllTransactions, 'anvil_dropAllTransactions', 'hardhat_dropAllTransactions'],
  [pool.removePoolTransactions, 'anvil_removePoolTransactions', 'hardhat_removePoolTransactions'],
  [node.nodeInfo, '', 'anvil_nodeInfo'],
  [node.getGenesisTime, '', 'anvil_getGenesisTime'],
  [node.metadata, '', 'anvil_metadata hardhat_metadata'],
  [node.setLoggingEnabled, 'anvil_setLoggingEnabled', 'hardhat_setLoggingEnabled'],
]

export const ALIASES: Readonly<Record<string, Method>> = Object.fromEntries(
  CHEATS.flatMap(([does, quiet, others = '']) => [
    ...namesIn(quiet).map((name) => [name, answering(null, does)] as const),
    ...namesIn(others).map((name) => [name, answering(true, does)] as const),
  ]),
)

function answering(done: null | true, does: Method): Method {
  const answer: Answering = (context, params) => {
    const result = does(context, params)
    // Only `undefined` is replaced, because `null` is the result of a cheat such as `dropTransactionByHash`.
    const orDone = (value: unknown) => (value === undefined ? done : value)
    return result instanceof Promise ? result.then(orDone) : orDone(result)
  }
  return Object.assign(answer, { parsers: does.parsers, isLong: does.isLong })
}
