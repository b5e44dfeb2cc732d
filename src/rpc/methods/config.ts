/** `eth_config`: the current and the next rules (EIP-7910). */

import {
  BEACON_ROOTS_ADDRESS,
  CONSOLIDATION_REQUESTS_ADDRESS,
  HISTORY_STORAGE_ADDRESS,
  WITHDRAWAL_REQUESTS_ADDRESS,
} from '../../model/bytecode/predeploys.ts'
import { type Address, ZERO_ADDRESS } from '../../model/bytes/hex.ts'
import { forkHash } from '../../model/hardfork/forkId.ts'
import type { BlockPosition, ScheduledFork } from '../../model/hardfork/forkSchedule.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { encodeQuantity } from '../../wire/hex.ts'
import type { RpcContext } from '../context.ts'
import { method, params } from '../method.ts'

/** Returns the hardfork of the newest sealed block, the one after it, and the last scheduled one. */
export const eth_config = method(params(), async (context) => {
  const { header } = context.chain.latest.block
  const times = context.evms.schedule.forks.map(startOf).filter((time) => time > header.timestamp)
  const configFrom = (timestamp: bigint | undefined) =>
    timestamp === undefined
      ? null
      : configAt(context, { number: header.number + 1n, timestamp, difficulty: 0n })
  return {
    current: await configAt(context, header),
    next: await configFrom(times[0]),
    last: await configFrom(times.at(-1)),
  }
})

/** The activation time in seconds; 0 for a fork that was activated by block number. */
function startOf({ activation }: ScheduledFork): bigint {
  return activation.kind === 'time' ? activation.timestamp : 0n
}

async function configAt(context: RpcContext, position: BlockPosition): Promise<unknown> {
  const { evms, chain, chainId } = context
  const evm = evms.at(position)
  const { rules } = evm
  const fork = evms.schedule.forks.findLast(({ hardfork }) => hardfork === rules.hardfork)
  return {
    activationTime: Number(fork === undefined ? 0n : startOf(fork)),
    blobSchedule: blobScheduleOf(rules),
    chainId: encodeQuantity(chainId),
    forkId: forkHash(evms.schedule, chain.state.history.origin.block, position),
    precompiles: named(PRECOMPILES, rules.precompiles),
    systemContracts: systemContractsOf(rules),
  }
}

function blobScheduleOf({ blobs }: Rules): unknown {
  if (blobs === undefined) return null
  return { ...blobs, baseFeeUpdateFraction: Number(blobs.baseFeeUpdateFraction) }
}

/** Returns those contracts whose address is among `addresses`, by name. */
function named(
  contracts: readonly (readonly [name: string, address: Address])[],
  addresses: ReadonlySet<Address>,
): Record<string, Address> {
  return Object.fromEntries(contracts.filter(([, address]) => addresses.has(address)))
}

function systemContractsOf(rules: Rules): Record<string, Address> {
  const contracts: readonly (readonly [eip: number, name: string, address: Address])[] = [
    [4788, 'BEACON_ROOTS_ADDRESS', BEACON_ROOTS_ADDRESS],
    [7251, 'CONSOLIDATION_REQUEST_PREDEPLOY_ADDRESS', CONSOLIDATION_REQUESTS_ADDRESS],
    [6110, 'DEPOSIT_CONTRACT_ADDRESS', rules.depositContract ?? ZERO_ADDRESS],
    [2935, 'HISTORY_STORAGE_ADDRESS', HISTORY_STORAGE_ADDRESS],
    [7002, 'WITHDRAWAL_REQUEST_PREDEPLOY_ADDRESS', WITHDRAWAL_REQUESTS_ADDRESS],
  ]
  return Object.fromEntries(
    contracts.filter(([eip]) => rules.has(eip)).map(([, name, address]) => [name, address]),
  )
}

/** The names of EIP-7910. */
const PRECOMPILES = (
  [
    ['BLAKE2F', 0x09],
    ['BLS12_G1ADD', 0x0b],
    ['BLS12_G1MSM', 0x0c],
    ['BLS12_G2ADD', 0x0d],
    ['BLS12_G2MSM', 0x0e],
    ['BLS12_MAP_FP2_TO_G2', 0x11],
    ['BLS12_MAP_FP_TO_G1', 0x10],
    ['BLS12_PAIRING_CHECK', 0x0f],
    ['BN254_ADD', 0x06],
    ['BN254_MUL', 0x07],
    ['BN254_PAIRING', 0x08],
    ['ECREC', 0x01],
    ['ID', 0x04],
    ['KZG_POINT_EVALUATION', 0x0a],
    ['MODEXP', 0x05],
    ['P256VERIFY', 0x100],
    ['RIPEMD160', 0x03],
    ['SHA256', 0x02],
  ] as const
).map(([name, at]) => [name, `0x${at.toString(16).padStart(40, '0')}`] as const)
