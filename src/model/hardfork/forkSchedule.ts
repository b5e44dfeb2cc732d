/** Under which hardfork a block is: by its number, its time, and whether it was mined. */

import type { Header } from '../block/header.ts'
import { type AnyHardfork, type ChainConfig, createRules, type Hardfork, type Rules } from './hardfork.ts'

/** What decides about a block's hardfork. */
export type BlockPosition = Pick<Header, 'number' | 'timestamp' | 'difficulty'>

/** When a hardfork begins. */
export type Activation =
  /** With the block of this number. */
  | { readonly kind: 'block'; readonly number: bigint }
  /** With the first block of this time, in seconds. */
  | { readonly kind: 'time'; readonly timestamp: bigint }
  /** With the first block that nobody mined, whose difficulty is zero (EIP-3675). */
  | { readonly kind: 'merge' }

export const FROM_THE_BEGINNING: Activation = { kind: 'block', number: 0n }

export interface ScheduledFork {
  readonly hardfork: AnyHardfork
  readonly activation: Activation
}

/** The rules of each block of one chain. */
export interface ForkSchedule {
  readonly chainId: bigint
  /** Oldest first; what holds from the beginning too. */
  readonly forks: readonly ScheduledFork[]
  readonly config: ChainConfig
  /** The rules of the block at `position`. */
  at(position: BlockPosition): Rules
}

/** One hardfork for all blocks, whoever mined them. */
export function uniformSchedule(hardfork: Hardfork, chainId: bigint, config: ChainConfig = {}): ForkSchedule {
  const rules = createRules(hardfork, chainId, config)
  return { chainId, forks: [{ hardfork, activation: FROM_THE_BEGINNING }], config, at: () => rules }
}

/** The same hardforks, on a chain of another id. */
export function withChainId({ forks, config }: ForkSchedule, chainId: bigint): ForkSchedule {
  return createForkSchedule(chainId, forks, config)
}

/** The same hardforks, on a chain that also decides what `more` says. */
export function withConfig(schedule: ForkSchedule, more: ChainConfig): ForkSchedule {
  if (Object.keys(more).length === 0) return schedule
  return createForkSchedule(schedule.chainId, schedule.forks, { ...schedule.config, ...more })
}

/** `forks`, oldest first, of which the first holds from the beginning. Their rules are made when they are first needed. */
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
