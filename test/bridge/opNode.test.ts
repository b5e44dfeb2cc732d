/** The methods of op-node; their fields are those of `op-service/eth` and `op-node/rollup/types.go`. */
import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { bridged, EPOCH, OP_ON_L1 } from '../support/clients/bridge.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'

interface Ref {
  readonly hash: Hex
  readonly number: number
}

describe("op-node's methods of an L2 with its L1", () => {
  it('return the output root that the proposer claims', async () => {
    const { l2, account, clientL1, clientL2 } = await bridged()
    const built = await clientL1.buildInitiateWithdrawal({ value: 1n, to: STRANGER })
    await clientL2.initiateWithdrawal({ ...built, account })
    await l2.mine()
    await l2.advance(EPOCH)
    const [game] = await clientL1.getGames({ targetChain: clientL2.chain })
    const block = await clientL2.getBlock({ blockNumber: 1n })
    expect(await ask(l2, 'optimism_outputAtBlock', '0x1')).toMatchObject({
      ...{ version: `0x${'00'.repeat(32)}`, outputRoot: game!.rootClaim, stateRoot: block.stateRoot },
      blockRef: {
        hash: block.hash,
        number: 1,
        parentHash: block.parentHash,
        l1origin: { number: 0 },
        sequenceNumber: 1,
      },
    })
  })

  it('return the newest, safe and final blocks of both chains', async () => {
    const { l1, l2, clientL1, clientL2 } = await bridged()
    await l2.advance({ minutes: 15 })
    const status = await ask<Record<string, Ref>>(l2, 'optimism_syncStatus')
    const [unsafe, safe, finalized] = await Promise.all(
      (['latest', 'safe', 'finalized'] as const).map((blockTag) => clientL2.getBlock({ blockTag })),
    )
    expect(finalized!.number).toBeGreaterThan(0n)
    expect(status).toMatchObject({
      head_l1: { hash: l1.latest.hash, number: Number(await clientL1.getBlockNumber()) },
      unsafe_l2: { hash: unsafe!.hash, number: Number(unsafe!.number) },
      safe_l2: { hash: safe!.hash },
      finalized_l2: { hash: finalized!.hash },
    })
  })

  it('return where the contracts are, and where both chains begin', async () => {
    const { l1, l2 } = await bridged()
    const first = await ask<{ hash: Hex }>(l1, 'eth_getBlockByNumber', 'earliest', false)
    expect(await ask(l2, 'optimism_rollupConfig')).toMatchObject({
      genesis: { l1: { hash: first.hash, number: 0 }, l2: { number: 0 }, l2_time: 1_735_689_600 },
      ...{ seq_window_size: 3_600, max_sequencer_drift: 1_800 },
      ...{ block_time: 2, l1_chain_id: 1, l2_chain_id: 10, isthmus_time: 0, jovian_time: 0 },
      deposit_contract_address: OP_ON_L1.portal.toLowerCase(),
      l1_system_config_address: OP_ON_L1.systemConfig.toLowerCase(),
    })
    expect(await ask(l2, 'optimism_version')).toMatch(/^preseal\/v\d/)
  })

  it('return the upgrades up to that of the chain', async () => {
    const { l2 } = await bridged({ l2Upgrade: 'isthmus' })
    const config = await ask<object>(l2, 'optimism_rollupConfig')
    expect(config).toMatchObject({ isthmus_time: 0 })
    expect(config).not.toHaveProperty('jovian_time')
  })

  it('say what they need on any other chain', async () => {
    const l2 = await started({ profile: 'op-flashblocks', rhythm: 'manual' })
    await expect(ask(l2, 'optimism_syncStatus')).rejects.toThrow(
      'this method needs an L2 with its L1 (option l1)',
    )
  })
})
