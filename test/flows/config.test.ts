/** eth_config (EIP-7910): the hardfork that holds, and those to come. */
import { describe, expect, it } from 'vitest'
import { ask, started } from '../support/clients/clients.ts'

interface Config {
  readonly activationTime: number
  readonly blobSchedule: unknown
  readonly chainId: string
  readonly forkId: string
  readonly precompiles: Record<string, string>
  readonly systemContracts: Record<string, string>
}

type Configs = Record<'current' | 'next' | 'last', Config | null>

const at = (address: number): string => `0x${address.toString(16).padStart(40, '0')}`
const CANCUN = {
  ECREC: at(1),
  SHA256: at(2),
  RIPEMD160: at(3),
  ID: at(4),
  MODEXP: at(5),
  BN254_ADD: at(6),
  BN254_MUL: at(7),
  BN254_PAIRING: at(8),
  BLAKE2F: at(9),
  KZG_POINT_EVALUATION: at(10),
}
const PRAGUE = {
  ...CANCUN,
  BLS12_G1ADD: at(11),
  BLS12_G1MSM: at(12),
  BLS12_G2ADD: at(13),
  BLS12_G2MSM: at(14),
  BLS12_PAIRING_CHECK: at(15),
  BLS12_MAP_FP_TO_G1: at(16),
  BLS12_MAP_FP2_TO_G2: at(17),
}
const OSAKA = { ...PRAGUE, P256VERIFY: at(0x100) }
const SYSTEM = {
  BEACON_ROOTS_ADDRESS: '0x000f3df6d732807ef1319fb7b8bb8522d0beac02',
  CONSOLIDATION_REQUEST_PREDEPLOY_ADDRESS: '0x0000bbddc7ce488642fb579f8b00f3a590007251',
  DEPOSIT_CONTRACT_ADDRESS: at(0),
  HISTORY_STORAGE_ADDRESS: '0x0000f90827f1c53a10cb7a02335b175320002935',
  WITHDRAWAL_REQUEST_PREDEPLOY_ADDRESS: '0x00000961ef480eb55e80d19ad83579a64c007002',
}

describe('eth_config', () => {
  it('has the hardfork of all blocks, and none to come', async () => {
    const devnet = await started({ rhythm: 'manual' })
    expect(await ask(devnet, 'eth_config')).toEqual({
      current: {
        activationTime: 0,
        blobSchedule: { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 },
        chainId: '0x7a69',
        forkId: expect.stringMatching(/^0x[0-9a-f]{8}$/),
        precompiles: OSAKA,
        systemContracts: SYSTEM,
      },
      next: null,
      last: null,
    })
  })

  it('has what is scheduled, and moves on with the blocks', async () => {
    const deposits = '0x00000000219ab540356cbb839cbe05303d7705fa'
    const config = {
      chainId: 560_048,
      londonBlock: 0,
      terminalTotalDifficulty: 0,
      shanghaiTime: 0,
      cancunTime: 0,
      pragueTime: 1_000,
      osakaTime: 2_000,
      depositContractAddress: deposits,
    }
    const genesis = { config, timestamp: '0x1f4', gasLimit: '0x1c9c380', difficulty: '0x0', alloc: {} }
    const devnet = await started({ genesis, rhythm: 'manual' })
    const before = await ask<Configs>(devnet, 'eth_config')
    expect(before.current).toMatchObject({
      activationTime: 0,
      blobSchedule: { target: 3, max: 6, baseFeeUpdateFraction: 3_338_477 },
      chainId: '0x88bb0',
      precompiles: CANCUN,
    })
    expect(before.current!.systemContracts).toEqual({ BEACON_ROOTS_ADDRESS: SYSTEM.BEACON_ROOTS_ADDRESS })
    expect(before.next).toMatchObject({
      activationTime: 1_000,
      blobSchedule: { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 },
      precompiles: PRAGUE,
      systemContracts: { ...SYSTEM, DEPOSIT_CONTRACT_ADDRESS: deposits },
    })
    expect(before.last).toMatchObject({ activationTime: 2_000, precompiles: OSAKA })

    await ask(devnet, 'evm_mine', 1_000)
    const between = await ask<Configs>(devnet, 'eth_config')
    expect(between).toEqual({ current: before.next, next: before.last, last: before.last })
    await ask(devnet, 'evm_mine', 2_000)
    expect(await ask(devnet, 'eth_config')).toEqual({ current: before.last, next: null, last: null })
    const ids = [before.current, before.next, before.last].map((one) => one!.forkId)
    expect(new Set(ids).size).toBe(3)
  })

  it('has no blobs and no system contracts in the days before them', async () => {
    const devnet = await started({ hardfork: 'london', rhythm: 'manual' })
    expect(await ask(devnet, 'eth_config')).toMatchObject({
      current: { blobSchedule: null, systemContracts: {}, precompiles: { ECREC: at(1) } },
    })
  })
})
