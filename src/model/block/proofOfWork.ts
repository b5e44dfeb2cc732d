/** Difficulties and rewards of proof of work. Proofs of work are not verified. */
import type { Address } from '../../bytes/hex.ts'
import type { AnyHardfork, Rules } from '../hardfork/hardfork.ts'
import { EMPTY_OMMERS_HASH, type Header } from './header.ts'

const MIN_DIFFICULTY = 131_072n
const BOUND_DIVISOR = 2_048n
const BOMB_PERIOD = 100_000n

/** The delays of the "difficulty bomb" in blocks (EIP-649, 1234, 2384, 3554, 4345, 5133). */
const BOMB_DELAYS: readonly (readonly [AnyHardfork, bigint])[] = [
  ['grayGlacier', 11_400_000n],
  ['arrowGlacier', 10_700_000n],
  ['london', 9_700_000n],
  ['muirGlacier', 9_000_000n],
  ['constantinople', 5_000_000n],
  ['byzantium', 3_000_000n],
]

/** Returns the difficulty of the block after `parent` with this timestamp (Yellow Paper 4.3.4, EIP-2, EIP-100). */
export function nextDifficulty(rules: Rules, parent: Header, timestamp: bigint): bigint {
  const step = parent.difficulty / BOUND_DIVISOR
  const adjusted = parent.difficulty + step * adjustment(rules, parent, timestamp - parent.timestamp)
  return max(adjusted, MIN_DIFFICULTY) + bomb(rules, parent.number + 1n)
}

function adjustment(rules: Rules, parent: Header, seconds: bigint): bigint {
  if (rules.since('byzantium')) {
    const start = parent.ommersHash === EMPTY_OMMERS_HASH ? 1n : 2n
    return max(start - seconds / 9n, -99n)
  }
  if (rules.since('homestead')) return max(1n - seconds / 10n, -99n)
  return seconds < 13n ? 1n : -1n
}

function bomb(rules: Rules, number: bigint): bigint {
  const [, delay] = BOMB_DELAYS.find(([hardfork]) => rules.since(hardfork)) ?? ['', 0n]
  const periods = max(number - delay, 0n) / BOMB_PERIOD
  return periods > 1n ? 2n ** (periods - 2n) : 0n
}

function blockReward(rules: Rules): bigint {
  const ether = 10n ** 18n
  if (rules.since('constantinople')) return 2n * ether
  return rules.since('byzantium') ? 3n * ether : 5n * ether
}

/** Returns block rewards in wei by coinbase: first of the ommers, then of the block itself (Yellow Paper 11.3). */
export function miningRewards(
  rules: Rules,
  { coinbase, number }: Header,
  ommers: readonly Header[],
): (readonly [Address, bigint])[] {
  const reward = blockReward(rules)
  return [
    ...ommers.map((ommer) => [ommer.coinbase, ((ommer.number + 8n - number) * reward) / 8n] as const),
    [coinbase, reward + (BigInt(ommers.length) * reward) / 32n] as const,
  ]
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
