/** Each name of each cheat: what it answers to right parameters and to wrong ones. */
import { describe, expect, it } from 'vitest'
import { toHex } from '../../src/bytes/hex.ts'
import { createDevnet } from '../../src/index.ts'
import { ALIASES } from '../../src/methods/cheats/aliases.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'

const HASH = `0x${'11'.repeat(32)}`
const WORD = `0x${'00'.repeat(31)}07`
const LATER = 2_000_000_000
const ANY = expect.anything()

interface Asked {
  /** Parameters that are right, each with what is answered. */
  readonly right: readonly (readonly [params: unknown[], answer: unknown])[]
  readonly wrong: readonly unknown[][]
}

const NO_ADDRESS = [[], ['0x12'], [5], [null]]
const NO_AMOUNT = ['', '0xg', '-1', -1, 1.5, '1e3', null, true, {}, `0x1${'00'.repeat(32)}`]
const NO_PARAMS = [[1]]
const accountAnd = (wrongs: unknown[]) => [
  ...NO_ADDRESS.map((params) => [...params, '0x1']),
  ...wrongs.map((wrong) => [STRANGER, wrong]),
]
const each = (wrongs: unknown[]) => wrongs.map((wrong) => [wrong])
const same = (answer: unknown, ...right: unknown[][]) => right.map((params) => [params, answer] as const)

const balance = (answer: null | true): Asked => ({
  right: same(answer, [STRANGER, '0x5'], [STRANGER, 5], [STRANGER, '0x05'], [STRANGER, '5'], [[STRANGER], 5]),
  wrong: accountAnd(NO_AMOUNT),
})
const nonce = (answer: null | true): Asked => ({
  right: same(answer, [STRANGER, '0x5'], [STRANGER, 5]),
  wrong: accountAnd([...NO_AMOUNT, '0x10000000000000000']),
})
const code = (answer: null | true): Asked => ({
  right: same(answer, [STRANGER, '0x6001'], [STRANGER, '0x']),
  wrong: accountAnd(['', '0x1', '6001', 5, null]),
})
const storage: Asked = {
  right: same(
    true,
    [STRANGER, '0x0', WORD],
    [STRANGER, WORD, WORD],
    [STRANGER, 7, '0x7'],
    [STRANGER, '0x0', '0x'],
  ),
  wrong: [
    ...accountAnd(NO_AMOUNT).map((params) => [...params, WORD]),
    [STRANGER, '0x0'],
    [STRANGER, '0x0', 7],
    [STRANGER, '0x0', `${WORD}00`],
    [STRANGER, '0x0', '0xgg'],
  ],
}
const account = (answer: null | true): Asked => ({ right: same(answer, [STRANGER]), wrong: NO_ADDRESS })
const toggle = (answer: null | true): Asked => ({
  right: same(answer, [true], [false]),
  wrong: [[], ...each([0, 1, 'true', null])],
})
const amount = (answer: unknown): Asked => ({
  right: same(answer, ['0x1c9c380'], [30_000_000], ['0x01c9c380']),
  wrong: [[], ...each(NO_AMOUNT)],
})
const seconds = (answer: null | true): Asked => ({
  right: same(answer, [LATER], ['0x77359400']),
  wrong: [[], ...each(NO_AMOUNT)],
})
const interval: Asked = {
  right: same(null, [5], ['0x5'], [0]),
  wrong: [[], ...each(NO_AMOUNT), [86_400_001]],
}
const mine = (answer: null | true): Asked => ({
  right: same(answer, [], ['0x2'], [2, 5], ['0x2', '0x5'], [null, null]),
  wrong: [['x'], [-1], [1_000_001], [1, 'x'], [1, 1, 1]],
})
const mineAt = (answer: unknown): Asked => ({
  right: same(
    answer,
    [],
    [null],
    [LATER],
    ['0x77359400'],
    [{ blocks: 2 }],
    [{ timestamp: LATER, blocks: '0x2' }],
  ),
  wrong: [['x'], [-1], [1], [[]], [{ blocks: 'x' }], [{ timestamp: 'x' }], [{ timestamp: 1 }]],
})
const id: Asked = { right: same(false, ['0x1'], [1], ['0x0']), wrong: [[], ...each(['', 'x', null, {}])] }
const reset = (answer: null | true): Asked => ({
  right: same(
    answer,
    [],
    [null],
    [{}],
    [{ forking: null }],
    [{ forking: {} }],
    [{ forking: { blockNumber: null } }],
  ),
  wrong: [['x'], [[]], [{ forking: 'x' }], [{ forking: { jsonRpcUrl: 5 } }]],
})
const nothing = (answer: unknown): Asked => ({ right: same(answer, []), wrong: NO_PARAMS })
const hash = (answer: unknown): Asked => ({ right: same(answer, [HASH]), wrong: [[], ['0x12'], [5], [null]] })
const randao = (answer: null | true): Asked => ({
  right: same(answer, [HASH], ['0x7']),
  wrong: [[], ...each(['', 7, `${HASH}00`, null])],
})

/** A state file of a devnet to which nothing was done. */
const STATE = await (async () => {
  await using devnet = await createDevnet({ rhythm: 'manual' })
  return toHex(Buffer.concat([...devnet.dump()]))
})()
const dump: Asked = {
  right: same(expect.stringMatching(/^0x1f8b/), [], [true], [false], [null]),
  wrong: each([0, 'true', {}]),
}
const load: Asked = { right: same(true, [STATE]), wrong: [[], ...each(['', '0x1', '0x', '0x1234', 5, null])] }

/** Refused whatever the parameters: what is expected is the refusal. */
const REFUSED: Record<string, { readonly right: unknown[]; readonly wrong: unknown[][] }> = {
  anvil_setMinGasPrice: { right: ['0x1'], wrong: [[], ['x']] },
  hardhat_setMinGasPrice: { right: ['0x1'], wrong: [[], ['x']] },
  anvil_setRpcUrl: { right: ['http://127.0.0.1:1'], wrong: [[], [5]] },
  hardhat_setRpcUrl: { right: ['http://127.0.0.1:1'], wrong: [[], [5]] },
  // There is no such token.
  anvil_dealERC20: {
    right: [STRANGER, STRANGER, '0x1'],
    wrong: [[], [STRANGER], [STRANGER, STRANGER], [{}]],
  },
  anvil_dealErc20: {
    right: [STRANGER, STRANGER, '0x1'],
    wrong: [[{ account: STRANGER, amount: '0x1' }], ['x']],
  },
  anvil_setERC20Balance: {
    right: [STRANGER, STRANGER, '0x1'],
    wrong: [[], [STRANGER], [STRANGER, STRANGER]],
  },
  anvil_setERC20Allowance: {
    right: [STRANGER, STRANGER, STRANGER, '0x1'],
    wrong: [[], [STRANGER, STRANGER, STRANGER], [STRANGER, STRANGER, STRANGER, 'x']],
  },
  hardhat_dealERC20: {
    right: [STRANGER, STRANGER, '0x1'],
    wrong: [
      [STRANGER, 'x', '0x1'],
      [STRANGER, STRANGER, 'x'],
    ],
  },
  tenderly_setErc20Balance: {
    right: [STRANGER, [STRANGER], '0x1'],
    wrong: [[], [STRANGER], [STRANGER, 5, '0x1']],
  },
}

const TABLE: Record<string, Asked> = {
  anvil_setBalance: balance(null),
  hardhat_setBalance: balance(true),
  tenderly_setBalance: balance(true),
  evm_setAccountBalance: balance(true),
  anvil_addBalance: balance(null),
  hardhat_addBalance: balance(true),
  tenderly_addBalance: balance(true),
  anvil_setNonce: nonce(null),
  hardhat_setNonce: nonce(true),
  evm_setAccountNonce: nonce(true),
  anvil_setCode: code(null),
  hardhat_setCode: code(true),
  evm_setAccountCode: code(true),
  anvil_setStorageAt: storage,
  hardhat_setStorageAt: storage,
  evm_setAccountStorageAt: storage,
  tenderly_setStorageAt: storage,
  anvil_deal: {
    right: same(null, [{ account: STRANGER, amount: '0x1' }]),
    wrong: [[], [STRANGER], [{ account: 'x', amount: '0x1' }], [{ account: STRANGER }]],
  },

  anvil_mine: mine(null),
  hardhat_mine: mine(true),
  evm_mine: mineAt('0x0'),
  evm_mine_detailed: mineAt(expect.any(Array)),
  anvil_mine_detailed: mineAt(expect.any(Array)),
  anvil_setAutomine: toggle(null),
  evm_setAutomine: toggle(null),
  hardhat_setAutomine: toggle(true),
  anvil_getAutomine: nothing(false),
  hardhat_getAutomine: nothing(false),
  miner_start: { right: same(true, [], [1]), wrong: [['x']] },
  miner_stop: nothing(true),
  anvil_setIntervalMining: interval,
  evm_setIntervalMining: {
    right: [...interval.right, ...same(null, [5_000], [[1_000, 2_000]], [[]])],
    wrong: [...interval.wrong, [['x']]],
  },
  anvil_getIntervalMining: nothing(null),

  evm_increaseTime: amount(30_000_000),
  anvil_increaseTime: amount(30_000_000),
  evm_setTime: seconds(true),
  anvil_setTime: seconds(true),
  evm_setNextBlockTimestamp: seconds(null),
  anvil_setNextBlockTimestamp: seconds(null),
  anvil_setBlockTimestampInterval: seconds(null),
  evm_setBlockTimestampInterval: seconds(null),
  hardhat_setBlockTimestampInterval: seconds(true),
  anvil_removeBlockTimestampInterval: nothing(false),
  evm_removeBlockTimestampInterval: nothing(false),
  hardhat_removeBlockTimestampInterval: nothing(false),
  anvil_setNextBlockBaseFeePerGas: amount(null),
  hardhat_setNextBlockBaseFeePerGas: amount(true),
  anvil_setPrevRandao: randao(null),
  hardhat_setPrevRandao: randao(true),
  evm_setBlockGasLimit: amount(true),
  anvil_setBlockGasLimit: amount(true),
  anvil_setCoinbase: account(null),
  hardhat_setCoinbase: account(true),
  miner_setEtherbase: account(true),
  miner_setExtra: {
    right: same(true, ['0x'], ['0x1234'], [HASH]),
    wrong: [[], ['0x1'], ['text'], [5], [`${HASH}00`]],
  },
  anvil_setChainId: {
    right: same(null, [5], ['0x5'], [Number.MAX_SAFE_INTEGER]),
    wrong: [[], ...each(NO_AMOUNT), [0], ['0x20000000000000']],
  },

  evm_snapshot: nothing('0x1'),
  anvil_snapshot: nothing('0x1'),
  evm_revert: id,
  anvil_revert: id,
  // There is only block 0, which stays.
  anvil_rollback: { right: same(null, [0], ['0x0']), wrong: [[], ...each(NO_AMOUNT), [1], [10_001]] },
  anvil_reorg: {
    right: same(null, [0], [0, []], [0, null], [{ depth: 0 }], [{ depth: '0x0', tx_block_pairs: [] }]),
    wrong: [[], ...each(NO_AMOUNT), [1], [0, 1], [0, [1]], [0, [['0x', 0]]], [0, [[{}, 0]]], [{}]],
  },
  anvil_reset: reset(null),
  hardhat_reset: reset(true),

  anvil_impersonateAccount: account(null),
  hardhat_impersonateAccount: account(true),
  anvil_stopImpersonatingAccount: account(null),
  hardhat_stopImpersonatingAccount: account(true),
  anvil_autoImpersonateAccount: toggle(null),
  hardhat_autoImpersonateAccount: toggle(true),

  anvil_dropTransaction: hash(null),
  hardhat_dropTransaction: hash(false),
  anvil_dropAllTransactions: nothing(null),
  hardhat_dropAllTransactions: nothing(true),
  anvil_removePoolTransactions: account(null),
  hardhat_removePoolTransactions: account(true),

  anvil_nodeInfo: nothing(ANY),
  anvil_getGenesisTime: nothing(1_735_689_600),
  anvil_metadata: nothing(ANY),
  anvil_dumpState: dump,
  hardhat_dumpState: dump,
  anvil_loadState: load,
  hardhat_loadState: load,
  hardhat_metadata: nothing(ANY),
  anvil_setLoggingEnabled: toggle(null),
  hardhat_setLoggingEnabled: toggle(true),
}
// 2033 is this many seconds after manual time begins.
for (const name of ['evm_setTime', 'anvil_setTime']) {
  TABLE[name] = {
    ...TABLE[name]!,
    right: same(LATER - 1_735_689_600, [LATER], ['0x77359400'], [LATER * 1_000]),
  }
}

describe('each name of a cheat', () => {
  it('is in these tables', () => {
    expect(Object.keys({ ...TABLE, ...REFUSED }).sort()).toEqual(Object.keys(ALIASES).sort())
  })

  it.each(Object.entries(TABLE))('%s', async (name, { right, wrong }) => {
    for (const [params, answer] of right) {
      const devnet = await started({ rhythm: 'manual' })
      expect([params, await ask(devnet, name, ...params)]).toEqual([params, answer])
    }
    const devnet = await started({ rhythm: 'manual' })
    for (const params of wrong) {
      const answer = await ask(devnet, name, ...params).catch(({ code }) => code)
      expect([params, answer]).toEqual([params, -32602])
    }
  })

  it.each(Object.entries(REFUSED))('%s', async (name, { right, wrong }) => {
    const devnet = await started({ rhythm: 'manual' })
    expect(await ask(devnet, name, ...right).catch(({ code }) => code)).toBe(-32004)
    for (const params of wrong) {
      const answer = await ask(devnet, name, ...params).catch(({ code }) => code)
      expect([params, answer]).toEqual([params, -32602])
    }
  })
})

describe('what a node tells about itself', () => {
  it('has the shape of anvil', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.mine()
    const { hash: latest } = await ask<{ hash: string }>(devnet, 'eth_getBlockByNumber', 'latest', false)
    expect(await ask(devnet, 'anvil_nodeInfo')).toEqual({
      currentBlockNumber: '0x1',
      currentBlockTimestamp: 1_735_689_600,
      currentBlockHash: latest,
      hardFork: 'osaka',
      transactionOrder: 'fees',
      environment: { baseFee: '0x342770c0', chainId: 31_337, gasLimit: '0x1c9c380', gasPrice: '0x6fc23ac0' },
      forkConfig: { forkUrl: null, forkBlockNumber: null, forkRetryBackoff: null },
    })
    expect(await ask(devnet, 'anvil_metadata')).toEqual({
      clientVersion: expect.stringMatching(/^preseal\/v/),
      chainId: 31_337,
      instanceId: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      latestBlockNumber: 1,
      latestBlockHash: latest,
      forkedNetwork: null,
      snapshots: {},
    })
  })
})
