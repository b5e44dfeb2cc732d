/** The hardforks of another node's chain. */
import type { Header } from '../model/block/header.ts'
import {
  createForkSchedule,
  type ForkSchedule,
  FROM_THE_BEGINNING,
  type ScheduledFork,
} from '../model/hardfork/forkSchedule.ts'
import type { AnyHardfork, BlobSchedule, ChainConfig } from '../model/hardfork/hardfork.ts'
import { networkOf } from '../model/hardfork/networks.ts'
import { L1_BLOCK } from '../model/l2/l2.ts'
import { encodeQuantity } from '../wire/hex.ts'
import { parseRulesInForce, type RulesInForce } from './rulesInForce.ts'
import type { Upstream, UpstreamAnswer, UpstreamRequest } from './upstream.ts'

/**
 * Returns the hardforks of a chain: those of a public network by its chain id; else by `eth_config` (EIP-7910) where
 * the node has it; else the newest one that the members of the header prove. A chain with the predeploy L1Block is an
 * L2 of the OP Stack.
 *
 * Development nodes have chain ids of public networks, too: a network counts only if the header has the members of its
 * hardfork, and an L2 only if it has the predeploy.
 */
export async function scheduleOf(
  upstream: Upstream,
  { chainId, header }: { readonly chainId: bigint; readonly header: Header },
): Promise<ForkSchedule> {
  const network = networkOf(chainId)
  if (network !== undefined && network.schedule.config.l2 === undefined) {
    if (!network.hasEthereumHeaders || fits(network.schedule, header)) return network.schedule
  }
  const codeAt: UpstreamRequest = {
    method: 'eth_getCode',
    params: [L1_BLOCK, encodeQuantity(header.number)],
    isImmutable: true,
    isOptional: true,
  }
  // It is about the newest block; of a block that is as new as its rules it never changes.
  const configAt: UpstreamRequest = { method: 'eth_config', params: [], isImmutable: true, isOptional: true }
  const [code, config] = (await upstream.send([codeAt, configAt])) as [UpstreamAnswer, UpstreamAnswer]
  const isL2 = 'result' in code && typeof code.result === 'string' && code.result.length > 2
  if (network !== undefined && isL2) return network.schedule
  const l2: ChainConfig = isL2 ? { l2: 'op' } : {}
  const rules = 'result' in config ? parseRulesInForce(config.result) : []
  const scheduled = isL2 ? undefined : scheduledBy(rules, header, chainId)
  return scheduled ?? createForkSchedule(chainId, [fromTheBeginning(provenHardfork(header))], l2)
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
    if (rules.blobs !== undefined) blobs[hardfork] = rules.blobs
    forks.push(
      before === undefined
        ? fromTheBeginning(hardfork)
        : { hardfork, activation: { kind: 'time', timestamp: rules.activationTime } },
    )
  }
  const { depositContract } = current
  return createForkSchedule(chainId, forks, {
    blobs,
    ...(depositContract === undefined ? {} : { depositContract }),
  })
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
