/** Parses and encodes `config` of geth's genesis.json (go-ethereum `params/config.go`). Rejects unknown hardforks. */
import {
  type Activation,
  createForkSchedule,
  type ForkSchedule,
  FROM_THE_BEGINNING,
  type ScheduledFork,
} from '../model/hardfork/forkSchedule.ts'
import {
  type AnyHardfork,
  type BlobSchedule,
  blobsUnder,
  type DaoFork,
  isSince,
} from '../model/hardfork/hardfork.ts'
import { DEFAULT_UPGRADE, L2_CHAINS, L2_UPGRADES } from '../model/l2/l2.ts'
import { parseAddress } from './hex.ts'
import { entriesOf, InvalidValue, oneOf, optional, type Parser, recordOf } from './parser.ts'

const FORKS: readonly (readonly [key: string, hardfork: AnyHardfork, kind: 'block' | 'time'])[] = [
  ['homesteadBlock', 'homestead', 'block'],
  ['eip150Block', 'tangerineWhistle', 'block'],
  ['eip158Block', 'spuriousDragon', 'block'],
  ['byzantiumBlock', 'byzantium', 'block'],
  ['constantinopleBlock', 'constantinople', 'block'],
  ['petersburgBlock', 'petersburg', 'block'],
  ['istanbulBlock', 'istanbul', 'block'],
  ['muirGlacierBlock', 'muirGlacier', 'block'],
  ['berlinBlock', 'berlin', 'block'],
  ['londonBlock', 'london', 'block'],
  ['arrowGlacierBlock', 'arrowGlacier', 'block'],
  ['grayGlacierBlock', 'grayGlacier', 'block'],
  ['shanghaiTime', 'shanghai', 'time'],
  ['cancunTime', 'cancun', 'time'],
  ['pragueTime', 'prague', 'time'],
  ['osakaTime', 'osaka', 'time'],
  ['bpo1Time', 'bpo1', 'time'],
  ['bpo2Time', 'bpo2', 'time'],
  ['bpo3Time', 'bpo3', 'time'],
  ['bpo4Time', 'bpo4', 'time'],
  ['bpo5Time', 'bpo5', 'time'],
]
/** The merge has no member: a block of difficulty zero starts it. The merge precedes the hardfork of this member. */
const MERGE_BEFORE = 'shanghaiTime'

/** Members that are named like hardforks, but have no row in `FORKS`. */
const NOT_FORKS = new Set([
  'eip155Block', // the same hardfork as eip158Block, see below
  'eip150Hash',
  'mergeNetsplitBlock', // affects the fork id and connections, but no rules: see below
  'daoForkBlock', // an irregular change of state, and no other rules: see below
])

export function parseForkConfig(config: Record<string, unknown>, path: string): ForkSchedule {
  const chainId = number(53)(config.chainId, `${path}.chainId`)
  if (chainId === 0n) throw new InvalidValue(`${path}.chainId`, 'a chain id from 1', config.chainId)
  refuseUnknown(config, path)
  const member = <T>(name: string, parse: Parser<T>) => optional(parse)(config[name], `${path}.${name}`)
  const forks: ScheduledFork[] = [{ hardfork: 'frontier', activation: FROM_THE_BEGINNING }]
  const terminal = member('terminalTotalDifficulty', terminalTotalDifficulty)
  // A hardfork activated by time implies the merge.
  const merges =
    terminal !== undefined || FORKS.some(([key, , kind]) => kind === 'time' && isGiven(config[key]))
  let youngest: { readonly key: string; readonly start: bigint; readonly kind: string } | undefined
  for (const [key, hardfork, kind] of FORKS) {
    if (key === MERGE_BEFORE && merges) forks.push({ hardfork: 'paris', activation: { kind: 'merge' } })
    const start = member(key, number(64))
    if (start === undefined) continue
    if (youngest !== undefined && youngest.kind === kind && start < youngest.start) {
      throw new InvalidValue(
        `${path}.${key}`,
        `at least ${youngest.start}: it comes after ${youngest.key}`,
        config[key],
      )
    }
    youngest = { key, start, kind }
    forks.push({
      hardfork,
      activation: kind === 'block' ? { kind, number: start } : { kind, timestamp: start },
    })
  }
  const depositContract = member('depositContractAddress', parseAddress)
  const mergeNetsplitBlock = member('mergeNetsplitBlock', number(64))
  // Members that only preseal knows and geth ignores. OP Stack clients describe upgrades of an L2 by other members.
  // Without `l2Upgrade` the chain is of Isthmus, because files of the time before Jovian lack the member.
  const l2 = member('l2', oneOf(L2_CHAINS))
  const l2Upgrade = member('l2Upgrade', oneOf(L2_UPGRADES)) ?? 'isthmus'
  const dao = parseDaoFork(config, path)
  return createForkSchedule(chainId, forks, {
    blobs: parseBlobSchedules(config.blobSchedule, `${path}.blobSchedule`),
    ...(depositContract === undefined ? {} : { depositContract }),
    ...(l2 === undefined ? {} : { l2, l2Upgrade }),
    ...(dao === undefined ? {} : { dao }),
    ...(terminal === undefined ? {} : { terminalTotalDifficulty: terminal }),
    ...(mergeNetsplitBlock === undefined ? {} : { mergeNetsplitBlock }),
  })
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** Parses the total difficulty of the merge. Accepts JSON numbers beyond 2^53, such as mainnet's. */
const terminalTotalDifficulty: Parser<bigint> = (value, path) => {
  if (typeof value === 'number' && value >= 0 && Number.isInteger(value)) return BigInt(value)
  return number(256)(value, path)
}

/** Parses `daoForkBlock` and `daoForkSupport`. As in geth, the default of `daoForkSupport` is false. */
function parseDaoFork(config: Record<string, unknown>, path: string): DaoFork | undefined {
  const { daoForkSupport } = config
  const block = optional(number(64))(config.daoForkBlock, `${path}.daoForkBlock`)
  if (isGiven(daoForkSupport) && typeof daoForkSupport !== 'boolean') {
    throw new InvalidValue(`${path}.daoForkSupport`, 'true or false', daoForkSupport)
  }
  return block === undefined ? undefined : { block, isSupported: daoForkSupport === true }
}

/** Encodes a fork schedule as geth's `config`. Hardforks implied by later ones are included. */
export function encodeForkConfig({ chainId, forks, config }: ForkSchedule): Record<string, unknown> {
  const starts = FORKS.flatMap(([key, hardfork, kind]) => {
    // Schedules may skip hardforks that only delayed the difficulty bomb or changed blob limits.
    const fork = /Glacier$|^bpo/.test(hardfork)
      ? forks.find((one) => one.hardfork === hardfork)
      : forks.find((one) => isSince(one.hardfork, hardfork))
    const start = fork && startOf(fork.activation, kind)
    return start === undefined ? [] : [{ key, hardfork, start }]
  })
  const blobs = starts.flatMap(({ hardfork }) => {
    const schedule = blobsUnder(hardfork, config)
    return schedule === undefined ? [] : [[hardfork, encodeBlobSchedule(schedule)] as const]
  })
  const merges = forks.some(({ hardfork }) => isSince(hardfork, 'paris'))
  const spuriousDragon = starts.find(({ hardfork }) => hardfork === 'spuriousDragon')
  return {
    chainId: Number(chainId),
    ...Object.fromEntries(starts.map(({ key, start }) => [key, encodeNumber(start)])),
    ...(spuriousDragon === undefined ? {} : { eip155Block: encodeNumber(spuriousDragon.start) }),
    ...(merges ? { terminalTotalDifficulty: encodeTotal(config.terminalTotalDifficulty ?? 0n) } : {}),
    ...(config.dao && {
      daoForkBlock: encodeNumber(config.dao.block),
      daoForkSupport: config.dao.isSupported,
    }),
    ...(config.mergeNetsplitBlock === undefined
      ? {}
      : { mergeNetsplitBlock: encodeNumber(config.mergeNetsplitBlock) }),
    ...(config.depositContract === undefined ? {} : { depositContractAddress: config.depositContract }),
    ...(config.l2 === undefined ? {} : { l2: config.l2, l2Upgrade: config.l2Upgrade ?? DEFAULT_UPGRADE }),
    ...(blobs.length === 0 ? {} : { blobSchedule: Object.fromEntries(blobs) }),
  }
}

/** Returns the block number or the time of an activation; `undefined` if it has none. Block 0 is also time 0. */
function startOf(activation: Activation, kind: 'block' | 'time'): bigint | undefined {
  switch (activation.kind) {
    case 'block':
      return kind === 'block' || activation.number === 0n ? activation.number : undefined
    case 'time':
      return kind === 'time' ? activation.timestamp : undefined
    case 'merge':
      return undefined
  }
}

function encodeBlobSchedule({ target, max, baseFeeUpdateFraction }: BlobSchedule): Record<string, unknown> {
  return { target, max, baseFeeUpdateFraction: encodeNumber(baseFeeUpdateFraction) }
}

/** Encodes a JSON number, as geth does. A value beyond 2^53 becomes a decimal string, to be exact. */
function encodeNumber(value: bigint): number | string {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : String(value)
}

/** Encodes a JSON number if it is exact and has no exponent. Other values become strings, which geth rejects. */
function encodeTotal(value: bigint): number | string {
  const number = Number(value)
  return number < 1e21 && BigInt(number) === value ? number : String(value)
}

function refuseUnknown(config: Record<string, unknown>, path: string): void {
  const known = new Set(FORKS.map(([key]) => key))
  for (const [key, value] of Object.entries(config)) {
    const isFork = /(Block|Time)$/.test(key) && !known.has(key) && !NOT_FORKS.has(key)
    if (isFork && isGiven(value)) {
      throw new InvalidValue(`${path}.${key}`, `no hardfork but ${[...known].join(', ')}`, value)
    }
  }
  if (isGiven(config.clique)) {
    throw new InvalidValue(
      `${path}.clique`,
      'nothing: signed blocks (EIP-225) are not supported',
      config.clique,
    )
  }
  const { eip155Block, eip158Block } = config
  if (isGiven(eip155Block) && eip155Block !== eip158Block) {
    throw new InvalidValue(
      `${path}.eip155Block`,
      `the same as eip158Block (${JSON.stringify(eip158Block)}): both are Spurious Dragon`,
      eip155Block,
    )
  }
}

function parseBlobSchedules(value: unknown, path: string): Partial<Record<AnyHardfork, BlobSchedule>> {
  if (value === undefined || value === null) return {}
  const names = new Set(FORKS.map(([, hardfork]) => hardfork as string))
  return Object.fromEntries(
    entriesOf(value, path, 'an object from hardforks to their blob schedules').map(([name, schedule]) => {
      const at = `${path}.${name}`
      if (!names.has(name)) throw new InvalidValue(at, `one of ${[...names].join(', ')}`, name)
      const record = recordOf(schedule, at, 'an object {target, max, baseFeeUpdateFraction}')
      const target = number(32)(record.target, `${at}.target`)
      const max = number(32)(record.max, `${at}.max`)
      if (target > max) throw new InvalidValue(`${at}.target`, `at most max (${max})`, record.target)
      const baseFeeUpdateFraction = number(64)(record.baseFeeUpdateFraction, `${at}.baseFeeUpdateFraction`)
      if (baseFeeUpdateFraction === 0n) {
        throw new InvalidValue(`${at}.baseFeeUpdateFraction`, 'a number from 1', record.baseFeeUpdateFraction)
      }
      return [name, { target: Number(target), max: Number(max), baseFeeUpdateFraction }]
    }),
  )
}

/** Returns a parser of numbers of at most `bits` bits, in any form that geth accepts. */
export function number(bits: number): Parser<bigint> {
  const expected = `a number of at most ${bits} bits (a JSON number, or text such as "26" or "0x1a")`
  return (value, path) => {
    const isNumber = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    const isText = typeof value === 'string' && value.length < 100 && /^(0x[0-9a-fA-F]+|\d+)$/.test(value)
    if (!isNumber && !isText) throw new InvalidValue(path, expected, value)
    const parsed = BigInt(value as string | number)
    if (parsed >= 2n ** BigInt(bits)) throw new InvalidValue(path, expected, value)
    return parsed
  }
}
