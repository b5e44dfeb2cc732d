import { type Address, ZERO_ADDRESS } from '../bytes/hex.ts'
import type { Header } from '../model/block/header.ts'
import {
  type Activation,
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
import { PRECOMPILES } from '../model/hardfork/ruleTables.ts'
import { GAS_PRICE_ORACLE, L1_BLOCK, L2_UPGRADES, type L2Upgrade } from '../model/l2/l2.ts'
import { number } from '../wire/forkConfig.ts'
import { encodeQuantity, encodeWord, parseAddress, parseBytes } from '../wire/hex.ts'
import { entriesOf, InvalidValue, optional, type Parser, recordOf } from '../wire/parser.ts'
import { parsedAnswer } from './answers.ts'
import type { Upstream, UpstreamAnswer, UpstreamRequest } from './upstream.ts'

/**
 * Returns the fork schedule of a chain. For a public network, recognized by its chain id, returns a stored schedule,
 * for other chains the result of `eth_config` (EIP-7910) or, without this method, the newest hardfork that fields of
 * the header prove. A chain with the predeploys L1Block and GasPriceOracle is an L2 of the OP Stack.
 * Header and predeploys are always checked, because development nodes use the chain ids of public networks.
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
  // `eth_config` reports on the newest block, but its result stays the same while the current rules are in force.
  const configAt: UpstreamRequest = { method: 'eth_config', params: [], isImmutable: true, isOptional: true }
  const [code, config] = (await upstream.send([codeAt, configAt])) as [UpstreamAnswer, UpstreamAnswer]
  const l2Upgrade = hasCode(upstream, codeAt, code) ? await l2UpgradeOf(upstream, header) : undefined
  if (l2Upgrade !== undefined) return scheduleOfL2(network?.schedule, l2Upgrade, header, chainId)
  const rules = 'result' in config ? parseRulesInForce(config.result) : []
  return scheduledBy(rules, header, chainId) ?? provenSchedule(header, chainId, {})
}

/** Returns the fork schedule of an L2. Ignores `eth_config`, because an L2's precompiles differ from Ethereum's. */
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
  return createForkSchedule(
    chainId,
    [{ hardfork: provenHardfork(header), activation: FROM_THE_BEGINNING }],
    config,
  )
}

function provenHardfork(header: Header): AnyHardfork {
  if (header.requestsHash !== undefined) return 'prague'
  if (header.parentBeaconBlockRoot !== undefined) return 'cancun'
  if (header.withdrawalsRoot !== undefined) return 'shanghai'
  if (header.baseFeePerGas === undefined) return 'berlin'
  return header.difficulty === 0n ? 'paris' : 'london'
}

function fits(schedule: ForkSchedule, header: Header): boolean {
  const rules = schedule.at(header)
  return (
    rules.has(7685) === (header.requestsHash !== undefined) &&
    rules.has(4788) === (header.parentBeaconBlockRoot !== undefined) &&
    rules.has(4895) === (header.withdrawalsRoot !== undefined) &&
    rules.has(1559) === (header.baseFeePerGas !== undefined)
  )
}

function scheduledBy(
  all: readonly RulesInForce[],
  header: Header,
  chainId: bigint,
): ForkSchedule | undefined {
  const [current] = all
  if (current === undefined || current.activationTime > header.timestamp) return undefined
  const forks: ScheduledFork[] = []
  const blobs: Partial<Record<AnyHardfork, BlobSchedule>> = {}
  for (const rules of all) {
    const before = forks.at(-1)?.hardfork
    // If only the blob schedules differ, the hardfork is a "blob parameter only" hardfork (EIP-7892).
    const hardfork =
      before !== undefined && isSameCode(before, rules.hardfork) ? nextBpo(before) : rules.hardfork
    if (hardfork === undefined) break
    // Ethereum's own blob schedule is omitted, as in the fork schedule of a devnet without a fork.
    if (rules.blobs !== undefined && !areEqual(rules.blobs, blobsUnder(hardfork, {})))
      blobs[hardfork] = rules.blobs
    const later: Activation = { kind: 'time', timestamp: rules.activationTime }
    forks.push({ hardfork, activation: before === undefined ? FROM_THE_BEGINNING : later })
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

/** Returns the newest active upgrade of an L2, read from flags in the lowest bytes of slot 0 of the GasPriceOracle. */
async function l2UpgradeOf(upstream: Upstream, header: Header): Promise<L2Upgrade | undefined> {
  const codeAt = codeRequest(GAS_PRICE_ORACLE, header)
  const flagsAt: UpstreamRequest = {
    method: 'eth_getStorageAt',
    params: [GAS_PRICE_ORACLE, encodeWord(0n), encodeQuantity(header.number)],
    isImmutable: true,
  }
  const [code, flags] = (await upstream.send([codeAt, flagsAt])) as [UpstreamAnswer, UpstreamAnswer]
  if (!hasCode(upstream, codeAt, code)) return undefined
  const word = parsedAnswer(upstream, flagsAt, parseBytes, flags)
  // Each upgrade sets its own flag and leaves the earlier flags set.
  const activated = [...word]
    .reverse()
    .slice(0, L2_UPGRADES.length - 1)
    .filter((flag) => flag === 1).length
  return L2_UPGRADES[activated]
}

function codeRequest(address: Address, { number }: Header): UpstreamRequest {
  return { method: 'eth_getCode', params: [address, encodeQuantity(number)], isImmutable: true }
}

function hasCode(upstream: Upstream, request: UpstreamRequest, answer: UpstreamAnswer): boolean {
  return parsedAnswer(upstream, request, parseBytes, answer).length > 0
}

interface RulesInForce {
  readonly activationTime: bigint
  /** The hardfork that introduced the newest listed precompile, because EIP-7910 reports no names of hardforks. */
  readonly hardfork: AnyHardfork
  readonly blobs: BlobSchedule | undefined
  readonly depositContract: Address | undefined
}

/** Returns the rules of the current, the next and the last hardfork; an empty list for a malformed result. */
function parseRulesInForce(result: unknown): readonly RulesInForce[] {
  try {
    const { current, next, last } = recordOf(result, 'result', 'an object {current, next, last}')
    const all = [current, next, last].map((value) => optional(parseRules)(value, 'result'))
    const times = new Set<bigint>()
    // The next and the last hardfork are often the same.
    return all.flatMap((rules) => {
      if (rules === undefined || times.has(rules.activationTime)) return []
      times.add(rules.activationTime)
      return [rules]
    })
  } catch (error) {
    if (error instanceof InvalidValue) return []
    throw error
  }
}

const RECOGNIZED: ReadonlySet<AnyHardfork> = new Set(['cancun', 'prague', 'osaka'])

const parseRules: Parser<RulesInForce> = (value, path) => {
  const record = recordOf(value, path, 'rules')
  const precompiles = entriesOf(record.precompiles, `${path}.precompiles`, 'addresses of precompiles')
  const addresses = new Set(precompiles.map(([name, at]) => parseAddress(at, `${path}.precompiles.${name}`)))
  const hardfork = PRECOMPILES.findLast(
    ({ address, since }) => RECOGNIZED.has(since) && addresses.has(address),
  )?.since
  if (hardfork === undefined)
    throw new InvalidValue(`${path}.precompiles`, 'precompiles of Cancun or later', value)
  const contracts = recordOf(record.systemContracts ?? {}, `${path}.systemContracts`, 'addresses')
  const deposits = optional(parseAddress)(contracts.DEPOSIT_CONTRACT_ADDRESS, `${path}.systemContracts`)
  return {
    activationTime: number(64)(record.activationTime, `${path}.activationTime`),
    hardfork,
    blobs: optional(parseBlobs)(record.blobSchedule, `${path}.blobSchedule`),
    // Some nodes report the zero address if there is no deposit contract.
    depositContract: deposits === ZERO_ADDRESS ? undefined : deposits,
  }
}

const parseBlobs: Parser<BlobSchedule> = (value, path) => {
  const record = recordOf(value, path, 'a blob schedule')
  return {
    target: Number(number(32)(record.target, `${path}.target`)),
    max: Number(number(32)(record.max, `${path}.max`)),
    baseFeeUpdateFraction: number(64)(record.baseFeeUpdateFraction, `${path}.baseFeeUpdateFraction`),
  }
}
