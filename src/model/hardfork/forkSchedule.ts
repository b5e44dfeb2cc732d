/** Fork schedules: which hardfork a block has, by its number, timestamp and difficulty. */
import { concatenate } from '../../bytes/bytes.ts'
import { fromHex, type Hex, toWord } from '../../bytes/hex.ts'
import type { Block } from '../block/block.ts'
import type { Header } from '../block/header.ts'
import { type AnyHardfork, type ChainConfig, createRules, type Hardfork, type Rules } from './hardfork.ts'

/** The fields of a block that determine its hardfork. */
export type BlockPosition = Pick<Header, 'number' | 'timestamp' | 'difficulty'>

export type Activation =
  | { readonly kind: 'block'; readonly number: bigint }
  | { readonly kind: 'time'; readonly timestamp: bigint }
  /** Activates the hardfork at the first block whose difficulty is zero (EIP-3675). */
  | { readonly kind: 'merge' }

export const FROM_THE_BEGINNING: Activation = { kind: 'block', number: 0n }

export interface ScheduledFork {
  readonly hardfork: AnyHardfork
  readonly activation: Activation
}

export interface ForkSchedule {
  readonly chainId: bigint
  /** The hardforks, oldest first; the first is active from block 0 on. */
  readonly forks: readonly ScheduledFork[]
  readonly config: ChainConfig
  at(position: BlockPosition): Rules
}

/** Returns the schedule of a chain on which all blocks have the same hardfork. */
export function uniformSchedule(hardfork: Hardfork, chainId: bigint, config: ChainConfig = {}): ForkSchedule {
  const rules = createRules(hardfork, chainId, config)
  return { chainId, forks: [{ hardfork, activation: FROM_THE_BEGINNING }], config, at: () => rules }
}

export function withChainId({ forks, config }: ForkSchedule, chainId: bigint): ForkSchedule {
  return createForkSchedule(chainId, forks, config)
}

export function withConfig(schedule: ForkSchedule, more: ChainConfig): ForkSchedule {
  if (Object.keys(more).length === 0) return schedule
  return createForkSchedule(schedule.chainId, schedule.forks, { ...schedule.config, ...more })
}

/** Creates a schedule. `forks` must be ordered from oldest to newest. The oldest is active from block 0 on. */
export function createForkSchedule(
  chainId: bigint,
  forks: readonly ScheduledFork[],
  config: ChainConfig,
): ForkSchedule {
  const made = new Map<AnyHardfork, Rules>()
  return {
    chainId,
    forks,
    config,
    at(position) {
      const { hardfork } = forks.findLast(({ activation }) => hasBegun(activation, position)) ?? forks[0]!
      let rules = made.get(hardfork)
      if (rules === undefined) {
        rules = createRules(hardfork, chainId, config)
        made.set(hardfork, rules)
      }
      return rules
    },
  }
}

function hasBegun(activation: Activation, { number, timestamp, difficulty }: BlockPosition): boolean {
  switch (activation.kind) {
    case 'block':
      return number >= activation.number
    case 'time':
      return timestamp >= activation.timestamp
    case 'merge':
      return difficulty === 0n
  }
}

/** Returns `FORK_HASH` of EIP-2124: a checksum of the hash of block 0 and of the activations up to `position`. */
export function forkHash({ forks, config }: ForkSchedule, origin: Block, position: BlockPosition): Hex {
  const blocks = forks.flatMap(({ activation }) => (activation.kind === 'block' ? [activation.number] : []))
  const times = forks.flatMap(({ activation }) => (activation.kind === 'time' ? [activation.timestamp] : []))
  const starts = [
    ...between(0n, position.number, [...blocks, config.dao?.block ?? 0n, config.mergeNetsplitBlock ?? 0n]),
    ...between(origin.header.timestamp, position.timestamp, times),
  ].map((start) => toWord(start).subarray(24))
  const checksum = crc32(concatenate([fromHex(origin.hash), ...starts]))
  return `0x${checksum.toString(16).padStart(8, '0')}`
}

/** Returns the distinct activations after `genesis` and up to `now`. The hash of block 0 covers earlier ones. */
function between(genesis: bigint, now: bigint, starts: readonly bigint[]): bigint[] {
  const active = starts.filter((start) => start > genesis && start <= now)
  return [...new Set(active)].sort((a, b) => (a < b ? -1 : 1))
}

function crc32(bytes: Uint8Array): number {
  let crc = -1
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ ((crc & 1) === 0 ? 0 : 0xedb88320)
  }
  return ~crc >>> 0
}
