/** The networks that tests name, as the `config` of a genesis.json. */

/** The keys that each network adds to the one before it, oldest first. */
const NETWORKS: readonly (readonly [name: string, keys: readonly string[]])[] = [
  ['Frontier', []],
  ['Homestead', ['homesteadBlock']],
  ['EIP150', ['eip150Block']],
  ['EIP158', ['eip155Block', 'eip158Block']],
  ['Byzantium', ['byzantiumBlock']],
  ['Constantinople', ['constantinopleBlock']],
  ['ConstantinopleFix', ['petersburgBlock']],
  ['Istanbul', ['istanbulBlock']],
  ['MuirGlacier', ['muirGlacierBlock']],
  ['Berlin', ['berlinBlock']],
  ['London', ['londonBlock']],
  ['ArrowGlacier', ['arrowGlacierBlock']],
  ['GrayGlacier', ['grayGlacierBlock']],
  ['Paris', ['terminalTotalDifficulty']],
  ['Shanghai', ['shanghaiTime']],
  ['Cancun', ['cancunTime']],
  ['Prague', ['pragueTime']],
  ['Osaka', ['osakaTime']],
  ['BPO1', ['bpo1Time']],
  ['BPO2', ['bpo2Time']],
  ['BPO3', ['bpo3Time']],
  ['BPO4', ['bpo4Time']],
  ['BPO5', ['bpo5Time']],
]

const ALIASES: Readonly<Record<string, string>> = {
  TangerineWhistle: 'EIP150',
  SpuriousDragon: 'EIP158',
  Petersburg: 'ConstantinopleFix',
  Merge: 'Paris',
}

/** The deposit contract of mainnet, whose chain id the tests have (EIP-6110). */
const DEPOSIT_CONTRACT = '0x00000000219ab540356cbb839cbe05303d7705fa'

/**
 * The `config` of `network`, such as `Prague`, `FrontierToHomesteadAt5`, `ShanghaiToCancunAtTime15k` or
 * `ArrowGlacierToParisAtDiffC0000`; the second argument is the test's own config: chain id and blob schedule. `undefined` for
 * an unknown name.
 */
export function genesisConfig(
  network: string,
  { chainid, blobSchedule }: Record<string, unknown>,
): Record<string, unknown> | undefined {
  const starts = startsOf(network)
  if (starts === undefined) return undefined
  return {
    chainId: chainid ?? 1,
    ...starts,
    depositContractAddress: DEPOSIT_CONTRACT,
    ...(blobSchedule === undefined ? {} : { blobSchedule: lowerCased(blobSchedule) }),
  }
}

function startsOf(network: string): Record<string, unknown> | undefined {
  const [, before, after, at] = /^(\w+?)To(\w+?)At(\w+)$/.exec(network) ?? [undefined, network]
  const earlier = keysUntil(before!)
  if (earlier === undefined) return undefined
  const starts: Record<string, unknown> = Object.fromEntries(earlier.map((key) => [key, 0]))
  if (after === undefined || at === undefined) return starts
  // The only hardfork that changes the state and no rules.
  if (after === 'Dao') return { ...starts, daoForkBlock: Number(at), daoForkSupport: true }
  const later = keysUntil(after)
  if (later === undefined) return undefined
  for (const key of later.slice(earlier.length)) starts[key] = startOf(key, at)
  return starts
}

/** `15k` is a time, `C0000` behind `Diff` a total difficulty, a plain number a block. */
function startOf(key: string, at: string): unknown {
  const [, time] = /^Time(\d+)k$/.exec(at) ?? []
  if (time !== undefined) return Number(time) * 1_000
  const [, difficulty] = /^Diff([0-9A-F]+)$/.exec(at) ?? []
  if (difficulty !== undefined) return key === 'terminalTotalDifficulty' ? `0x${difficulty}` : 0
  return Number(at)
}

function keysUntil(name: string): string[] | undefined {
  const index = NETWORKS.findIndex(([network]) => network === (ALIASES[name] ?? name))
  return index < 0 ? undefined : NETWORKS.slice(0, index + 1).flatMap(([, keys]) => keys)
}

/** `Cancun` of a test is `cancun` of a genesis.json. */
function lowerCased(schedule: unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schedule as object).map(([name, value]) => [name.toLowerCase(), value]),
  )
}
