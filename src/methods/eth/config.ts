import { type Address, ZERO_ADDRESS } from '../../bytes/hex.ts'
import { hasBlock, isMoment } from '../../chain/chain.ts'
import {
  BEACON_ROOTS_ADDRESS,
  CONSOLIDATION_REQUESTS_ADDRESS,
  HISTORY_STORAGE_ADDRESS,
  WITHDRAWAL_REQUESTS_ADDRESS,
} from '../../model/bytecode/predeploys.ts'
import { type BlockPosition, forkHash, type ScheduledFork } from '../../model/hardfork/forkSchedule.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { PRECOMPILES } from '../../model/hardfork/ruleTables.ts'
import { params, read } from '../../rpc/method.ts'
import type { ReadContext } from '../../rpc/readContext.ts'
import { encodeQuantity } from '../../wire/hex.ts'

/** Returns the rules of the newest sealed block, of the next hardfork and of the last scheduled one (EIP-7910). */
export const eth_config = read(params(), async (context) => {
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

function startOf({ activation }: ScheduledFork): bigint {
  return activation.kind === 'time' ? activation.timestamp : 0n
}

async function configAt(context: ReadContext, position: BlockPosition): Promise<unknown> {
  const { evms, chain, chainId } = context
  const evm = evms.at(position)
  const { rules } = evm
  const fork = evms.schedule.forks.findLast(({ hardfork }) => hardfork === rules.hardfork)
  return {
    activationTime: Number(fork === undefined ? 0n : startOf(fork)),
    blobSchedule: blobScheduleOf(rules),
    chainId: encodeQuantity(chainId),
    forkId: forkHash(evms.schedule, chain.state.history.origin.block, position),
    precompiles: precompilesOf(rules),
    systemContracts: systemContractsOf(rules),
  }
}

function blobScheduleOf({ blobs }: Rules): unknown {
  if (blobs === undefined) return null
  return { ...blobs, baseFeeUpdateFraction: Number(blobs.baseFeeUpdateFraction) }
}

function precompilesOf({ precompiles }: Rules): Record<string, Address> {
  const active = PRECOMPILES.filter(({ address }) => precompiles.has(address))
  const entries = active.map(({ name, address }) => [name, address] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
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

/** Returns the newest block and the oldest block with each kind of data, because a loaded chain may lack old states. */
export const eth_capabilities = read(params(), (context) => {
  const { header, hash } = context.chain.latest.block
  const blocks = resource(context, (number) => hasBlock(context.chain.at({ kind: 'number', number })))
  const states = resource(context, (number) => isMoment(context.chain.at({ kind: 'number', number })))
  return {
    head: { number: encodeQuantity(header.number), hash },
    state: states,
    tx: blocks,
    logs: blocks,
    receipts: blocks,
    blocks,
    stateproofs: states,
  }
})

function resource({ chain }: ReadContext, isKept: (number: bigint) => boolean): object {
  const { historyBlocks } = chain.options
  const oldest = firstKept(BigInt(chain.state.history.oldest), chain.latest.block.header.number, isKept)
  return {
    disabled: false,
    oldestBlock: encodeQuantity(oldest),
    ...(historyBlocks === undefined
      ? {}
      : { deleteStrategy: { type: 'window', retentionBlocks: encodeQuantity(historyBlocks) } }),
  }
}

/** Returns the first number for which `isKept` is true. Requires that `isKept` is true for all later numbers. */
function firstKept(low: bigint, high: bigint, isKept: (number: bigint) => boolean): bigint {
  if (isKept(low)) return low
  while (low < high) {
    const middle = (low + high) / 2n
    if (isKept(middle)) high = middle
    else low = middle + 1n
  }
  return high
}
