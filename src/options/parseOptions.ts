/** Checks options and completes them with their defaults. */
import * as v from 'valibot'
import { nearest } from '../model/api/text.ts'
import type { Genesis } from '../model/block/genesis.ts'
import { SEQUENCER_FEE_VAULT } from '../model/l2/l2.ts'
import { parseGenesis } from '../wire/genesis.ts'
import { InvalidValue } from '../wire/parser.ts'
import { type DevnetOptions, type ForkSettings, OPTIONS, optionsSchema, type Settings } from './options.ts'
import { withProfile } from './profiles.ts'
import { hintFor, InvalidOption } from './values.ts'

/** Returns the settings: all options, with defaults where `options` lacks them. Throws `InvalidOption`. */
export function parseOptions(options: DevnetOptions = {}): Settings {
  const result = v.safeParse(optionsSchema, withProfile(options))
  if (!result.success) throw toInvalidOption(result.issues[0])
  const settings = withCoinbase(options, withGenesis(options, result.output))
  if (settings.finalizedDistance < settings.safeDistance) {
    const expected = `at least safeDistance (${settings.safeDistance}): a final block is safe`
    throw new InvalidOption('finalizedDistance', expected, settings.finalizedDistance)
  }
  const { blocks = settings.pendingContextLag } = settings.history
  if (settings.pendingContextLag > blocks) {
    const expected = `at most history.blocks (${blocks}): calls need the block that they see`
    throw new InvalidOption('pendingContextLag', expected, settings.pendingContextLag)
  }
  requireForkable(options, settings)
  requireL1(options, settings)
  if (settings.mixedMining && settings.rhythm !== 'interval') {
    const expected = `false with the rhythm ${settings.rhythm}, because mixed mining needs the rhythm interval`
    throw new InvalidOption('mixedMining', expected, true)
  }
  return withProofs(settings)
}

/** Options that are rejected together with `fork`, because the fork block determines them. */
const FIXED_BY_FORK = ['genesis', 'genesisBlockNumber', 'systemContracts', 'l2Upgrade'] as const

function requireForkable(options: DevnetOptions, { fork }: Settings): void {
  if (fork === undefined) return
  const twice = FIXED_BY_FORK.find((name) => options[name] !== undefined)
  if (twice !== undefined) {
    throw new InvalidOption(twice, 'nothing, because the fork block decides it', options[twice])
  }
  requireNode('fork', fork)
}

function requireNode(name: string, { url, provider }: ForkSettings): void {
  if ((url === undefined) !== (provider === undefined)) return
  throw new InvalidOption(name, 'either url or provider', { url, provider })
}

function requireL1(options: DevnetOptions, { l1, l2, fork, genesis }: Settings): void {
  if (l1 === undefined) return
  if (genesis !== undefined || (l2 === 'none' && fork === undefined)) {
    const expected = 'nothing, unless the devnet is an L2 (option l2, or a profile of an L2) without genesis'
    throw new InvalidOption('l1', expected, options.l1)
  }
  if (l1.devnet !== undefined) {
    requireDevnetOnly(options, l1.devnet, fork)
    return
  }
  if ((fork === undefined) !== (l1.fork === undefined)) {
    const [missing, other] = fork === undefined ? ['fork', 'l1.fork'] : ['l1.fork', 'fork']
    const expected = `a network as well, because ${other} has one: an L2 and its L1 are forked together`
    throw new InvalidOption(missing!, expected, undefined)
  }
  if (fork === undefined || l1.fork === undefined) return
  requireNode('l1.fork', l1.fork)
  if (l1.fork.block !== undefined) {
    const expected = 'nothing, because the fork block of the L2 decides it: the L1 is forked at its L1 origin'
    throw new InvalidOption('l1.fork.block', expected, l1.fork.block)
  }
  if (fork.proofs === false) {
    throw new InvalidOption('fork.proofs', 'true with the option l1, because withdrawals are proven', false)
  }
}

/** Requires that nothing else decides what the L1 is, if it is a devnet. */
function requireDevnetOnly({ l1 }: DevnetOptions, devnet: object, fork: ForkSettings | undefined): void {
  if (fork !== undefined) {
    const expected = 'nothing, because the L1 is a devnet: an L2 and its L1 are forked together (l1.fork)'
    throw new InvalidOption('fork', expected, fork)
  }
  const others = l1 === devnet ? {} : (l1 as { readonly [name: string]: unknown })
  for (const name of ['chainId', 'tickMs', 'fork']) {
    const value = others[name]
    if (value !== undefined)
      throw new InvalidOption(`l1.${name}`, 'nothing, because the devnet decides it', value)
  }
}

/** The state of a forked L2 is fetched with proofs if its L1 exists. Otherwise withdrawals could not be proven there. */
function withProofs(settings: Settings): Settings {
  const { fork, l1 } = settings
  return fork === undefined || l1 === undefined ? settings : { ...settings, fork: { ...fork, proofs: true } }
}

/** On an L2, the default coinbase is the sequencer's fee vault. */
function withCoinbase({ coinbase }: DevnetOptions, settings: Settings): Settings {
  if (settings.l2 === 'none' || coinbase !== undefined) return settings
  return { ...settings, coinbase: SEQUENCER_FEE_VAULT }
}

/** Options that are rejected together with `genesis`, because the genesis.json determines them. */
export const FIXED_BY_GENESIS = [
  'chainId',
  'hardfork',
  'balance',
  'gasLimit',
  'baseFee',
  'genesisBlockNumber',
  'timestamp',
  'systemContracts',
  'l2',
  'l2Upgrade',
] as const satisfies readonly (keyof DevnetOptions)[]

/** Returns the options that a recording stores. The genesis.json and the state are stored separately. */
export function recordedOptions(settings: Settings): Record<string, unknown> {
  // Paths of artifacts are valid on one machine only. `settings` already contains the values of the profile.
  const {
    profile: _profile,
    genesis: _genesis,
    l1: _l1,
    artifacts: _artifacts,
    fork: _fork,
    ...options
  } = settings
  const isBeside = ([name]: [string, unknown]) => !FIXED_BY_GENESIS.some((decided) => decided === name)
  return Object.fromEntries(Object.entries(options).filter(isBeside))
}

function withGenesis(options: DevnetOptions, output: v.InferOutput<typeof optionsSchema>): Settings {
  if (output.genesis === undefined) return { ...output, genesis: undefined }
  const twice = FIXED_BY_GENESIS.find((name) => options[name] !== undefined)
  if (twice !== undefined) {
    throw new InvalidOption(twice, 'nothing, because the genesis decides it', options[twice])
  }
  const genesis = parsedGenesis(output.genesis)
  const { number, timestamp, gasLimit } = genesis.header
  return {
    ...output,
    genesis,
    hardfork: undefined,
    l2Upgrade: undefined,
    l2: genesis.schedule.config.l2 ?? 'none',
    chainId: Number(genesis.schedule.chainId),
    balance: 0n,
    gasLimit,
    genesisBlockNumber: Number(number),
    timestamp: output.rhythm === 'manual' ? Number(timestamp) : undefined,
  }
}

function parsedGenesis(value: object): Genesis {
  try {
    return parseGenesis(value, 'genesis')
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error
    throw new InvalidOption(error.path, error.expected, error.value)
  }
}

function toInvalidOption(issue: v.BaseIssue<unknown>): InvalidOption {
  const path = v.getDotPath(issue) ?? 'options'
  if (issue.type === 'strict_object' && issue.expected === 'never') {
    const name = issue.path?.at(-1)?.key
    return new InvalidOption(
      String(name),
      `one of the options ${hintFor(String(name), Object.keys(OPTIONS))}`,
      name,
    )
  }
  return new InvalidOption(path, issue.message, issue.input, meantValue(path, issue.input))
}

function meantValue(name: string, value: unknown): string | undefined {
  if (typeof value !== 'string' || !Object.hasOwn(OPTIONS, name)) return undefined
  const { wrapped } = OPTIONS[name as keyof DevnetOptions].pipe[0]
  return wrapped.type === 'picklist' ? nearest(value, wrapped.options) : undefined
}
