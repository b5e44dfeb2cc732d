/** The hardforks of another node's chain. */
import type { Header } from '../model/block/header.ts'
import {
  createForkSchedule,
  type ForkSchedule,
  FROM_THE_BEGINNING,
  type ScheduledFork,
  withConfig,
} from '../model/hardfork/forkSchedule.ts'
import {
  type AnyHardfork,
  type BlobSchedule,
  blobsUnder,
  type ChainConfig,
} from '../model/hardfork/hardfork.ts'
import { networkOf } from '../model/hardfork/networks.ts'
import { L1_BLOCK, type L2Upgrade } from '../model/l2/l2.ts'
import { codeRequest, hasCode, l2UpgradeOf } from './l2UpgradeOf.ts'
import { parseRulesInForce, type RulesInForce } from './rulesInForce.ts'
import type { Upstream, UpstreamAnswer, UpstreamRequest } from './upstream.ts'

/**
 * Returns the hardforks of a chain: those of a public network by its chain id; else by `eth_config` (EIP-7910) where
 * the node has it; else the newest one that the members of the header prove. A chain with the predeploys L1Block and
 * GasPriceOracle is an L2 of the OP Stack.
 *
 * Development nodes have chain ids of public networks, too: a network counts only if the header has the members of its
 * hardfork, and an L2 only if it has the predeploys.
 */
export async function scheduleOf(
  upstream: Upstream,
  { chainId, header }: { readonly chainId: bigint; readonly header: Header },
): Promise<ForkSchedule> {
  const network = networkOf(chainId)
  if (network !== undefined && network.schedule.config.l2 === undefined) {
    if (!network.hasEthereumHeaders || fits(network.schedule, header)) return network.schedule
  }
  const codeAt = codeRequest(L1_BLOCK, header)
  // It is about the newest block; of a block that is as new as its rules it never changes.
  const configAt: UpstreamRequest = { method: 'eth_config', params: [], isImmutable: true, isOptional: true }
  const [code, config] = (await upstream.send([codeAt, configAt])) as [UpstreamAnswer, UpstreamAnswer]
  const l2Upgrade = hasCode(upstream, codeAt, code) ? await l2UpgradeOf(upstream, header) : undefined
  if (l2Upgrade !== undefined) return scheduleOfL2(network?.schedule, l2Upgrade, header, chainId)
  const rules = 'result' in config ? parseRulesInForce(config.result) : []
  return scheduledBy(rules, header, chainId) ?? provenSchedule(header, chainId, {})
}

/**
 * Returns the hardforks of an L2. Its `eth_config`, if it has one, says nothing: its precompiles are those of another
 * hardfork than Ethereum's.
 */
function scheduleOfL2(
  known: ForkSchedule | undefined,
  l2Upgrade: L2Upgrade,
  header: Header,
  chainId: bigint,
): ForkSchedule {
  const config = { l2: known?.config.l2 ?? 'op', l2Upgrade }
  return known !== undefined && fits(known, header)
    ? withConfig(known, config)
    : provenSchedule(header, chainId, config)
}

function provenSchedule(header: Header, chainId: bigint, config: ChainConfig): ForkSchedule {
  return createForkSchedule(chainId, [fromTheBeginning(provenHardfork(header))], config)
}

/** Returns the newest hardfork that the members of a header prove. */
export function provenHardfork(header: Header): AnyHardfork {
  if (header.requestsHash !== undefined) return 'prague'
  if (header.parentBeaconBlockRoot !== undefined) return 'cancun'
  if (header.withdrawalsRoot !== undefined) return 'shanghai'
  if (header.baseFeePerGas === undefined) return 'berlin'
  return header.difficulty === 0n ? 'paris' : 'london'
}

/** Returns whether a header has the members that its hardfork gives it. */
function fits(schedule: ForkSchedule, header: Header): boolean {
  const rules = schedule.at(header)
  return (
    rules.has(7685) === (header.requestsHash !== undefined) &&
    rules.has(4788) === (header.parentBeaconBlockRoot !== undefined) &&
    rules.has(4895) === (header.withdrawalsRoot !== undefined) &&
    rules.has(1559) === (header.baseFeePerGas !== undefined)
  )
}

/**
 * Returns the schedule of the rules that a node has in force and will have; `undefined` if they say nothing about the
 * fork block, which may be older.
 */
function scheduledBy(
  all: readonly RulesInForce[],
  header: Header,
  chainId: bigint,
): ForkSchedule | undefined {
  const [current, ...later] = all
  if (current === undefined || current.activationTime > header.timestamp) return undefined
  const forks: ScheduledFork[] = []
  const blobs: Partial<Record<AnyHardfork, BlobSchedule>> = {}
  for (const rules of [current, ...later]) {
    const before = forks.at(-1)?.hardfork
    // Rules with the same code and another blob schedule are a "blob parameter only" hardfork (EIP-7892).
    const hardfork =
      before !== undefined && isSameCode(before, rules.hardfork) ? nextBpo(before) : rules.hardfork
    if (hardfork === undefined) break
    // Those of Ethereum need no naming: the schedule is then that of a devnet with this hardfork.
    if (rules.blobs !== undefined && !areEqual(rules.blobs, blobsUnder(hardfork, {})))
      blobs[hardfork] = rules.blobs
    forks.push(
      before === undefined
        ? fromTheBeginning(hardfork)
        : { hardfork, activation: { kind: 'time', timestamp: rules.activationTime } },
    )
  }
  const { depositContract } = current
  return createForkSchedule(chainId, forks, {
    ...(Object.keys(blobs).length === 0 ? {} : { blobs }),
    ...(depositContract === undefined ? {} : { depositContract }),
  })
}

function areEqual(one: BlobSchedule, other: BlobSchedule | undefined): boolean {
  return (
    one.target === other?.target &&
    one.max === other.max &&
    one.baseFeeUpdateFraction === other.baseFeeUpdateFraction
  )
}

const BPOS: readonly AnyHardfork[] = ['osaka', 'bpo1', 'bpo2', 'bpo3', 'bpo4', 'bpo5']

function isSameCode(before: AnyHardfork, hardfork: AnyHardfork): boolean {
  return before === hardfork || (hardfork === 'osaka' && BPOS.includes(before))
}

function nextBpo(before: AnyHardfork): AnyHardfork | undefined {
  const at = BPOS.indexOf(before)
  return at === -1 ? undefined : BPOS[at + 1]
}

function fromTheBeginning(hardfork: AnyHardfork): ScheduledFork {
  return { hardfork, activation: FROM_THE_BEGINNING }
}
