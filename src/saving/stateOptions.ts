/** Compares hardforks and chain id of a state file and a devnet, or makes options of a new devnet from the file. */
import type { Address, Hash } from '../bytes/hex.ts'
import type { ByteSource } from '../model/block/blockStream.ts'
import { type ForkSchedule, uniformSchedule } from '../model/hardfork/forkSchedule.ts'
import { HARDFORKS, type Hardfork } from '../model/hardfork/hardfork.ts'
import { type L2Chain, OWN_UPGRADES, type OwnUpgrade } from '../model/l2/l2.ts'
import { encodeForkConfig } from '../wire/forkConfig.ts'
import { LoadFailed } from './format/loadFailed.ts'
import { readStateFile } from './format/readStateFile.ts'
import type { SavedFork } from './format/records.ts'

/** Throws `LoadFailed` if the file's hardforks or chain id (`theirs`) differ from the devnet's (`ours`). */
export function requireRules(theirs: ForkSchedule, ours: ForkSchedule): void {
  if (configText(theirs) === configText(ours)) return
  const wanted = `the rules of this devnet (${rulesText(ours)})`
  throw new LoadFailed(1, wanted, `${rulesText(theirs)}; make a devnet with ${optionsText(theirs)}`, 'config')
}

function configText(schedule: ForkSchedule): string {
  return JSON.stringify(encodeForkConfig(schedule))
}

function rulesText(schedule: ForkSchedule): string {
  return `chain id ${schedule.chainId}, ${uniformHardfork(schedule) ?? 'hardforks as in config'}`
}

function optionsText(schedule: ForkSchedule): string {
  const hardfork = uniformHardfork(schedule)
  return hardfork === undefined
    ? 'genesis: { config, alloc: {} }, with the config of this line'
    : `chainId: ${schedule.chainId}, hardfork: '${hardfork}'`
}

/** Returns the hardfork of all blocks; `undefined` if there are several hardforks or unusual parameters. */
function uniformHardfork(schedule: ForkSchedule): Hardfork | undefined {
  const last = schedule.forks.at(-1)!.hardfork
  const hardfork = HARDFORKS.find((name) => name === last)
  if (hardfork === undefined) return undefined
  return configText(uniformSchedule(hardfork, schedule.chainId)) === configText(schedule)
    ? hardfork
    : undefined
}

/** Options of a devnet that can load a state file. */
export interface StateOptions {
  readonly chainId: number
  /** `undefined` if the file has several hardforks. */
  readonly hardfork: Hardfork | undefined
  /** A genesis.json with chain id and hardforks, without accounts, because the state file replaces block 0. */
  readonly genesis: object
  readonly coinbase: Address
  readonly randaoSeed: Hash
  readonly fork: SavedFork | undefined
  /** The options of an L2 with its L1, which cannot have a genesis.json. */
  readonly pair: PairOptions | undefined
}

interface PairOptions {
  readonly chainId: number
  readonly hardfork: Hardfork | undefined
  readonly l2: L2Chain
  readonly l2Upgrade: OwnUpgrade | undefined
  readonly l1: { readonly chainId: number }
}

/** Returns the options in the first line of a state file; `undefined` for a file of anvil. Throws `LoadFailed`. */
export async function stateOptions(source: ByteSource): Promise<StateOptions | undefined> {
  for await (const part of readStateFile(source)) {
    if (part.kind !== 'head') return undefined
    const { schedule, coinbase, randaoSeed, fork, l1 } = part.head
    return {
      chainId: Number(schedule.chainId),
      hardfork: uniformHardfork(schedule),
      genesis: { config: encodeForkConfig(schedule), alloc: {} },
      coinbase,
      randaoSeed,
      fork,
      pair: l1 && pairOptions(schedule, l1.schedule),
    }
  }
  return undefined
}

function pairOptions(schedule: ForkSchedule, ofL1: ForkSchedule): PairOptions | undefined {
  const { l2, l2Upgrade } = schedule.config
  return (
    l2 && {
      chainId: Number(schedule.chainId),
      hardfork: HARDFORKS.find((name) => name === schedule.forks.at(-1)!.hardfork),
      l2,
      l2Upgrade: OWN_UPGRADES.find((name) => name === l2Upgrade),
      l1: { chainId: Number(ofL1.chainId) },
    }
  )
}
