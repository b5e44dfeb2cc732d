/**
 * Every option of a devnet: its default, its meaning, its limits. Options are checked here and nowhere else; what comes
 * out (`Settings`) is complete and right.
 */
import * as v from 'valibot'
import type { Genesis } from './model/block/genesis.ts'
import { type Address, type Hash, ZERO_ADDRESS } from './model/bytes/hex.ts'
import { DERIVATION_PATH, TEST_MNEMONIC } from './model/developmentAccounts.ts'
import { HARDFORKS, type Hardfork } from './model/hardfork/hardfork.ts'
import { L2_CHAINS, SEQUENCER_FEE_VAULT } from './model/l2/l2.ts'
import { nearest } from './model/nearest.ts'
import { ORDERS } from './pool/order.ts'
import { DIALECTS } from './rpc/errors.ts'
import { parseGenesis } from './wire/genesis.ts'
import { InvalidValue, shown } from './wire/parser.ts'

const ETHER = 10n ** 18n
/** The least gas limit of a block: `minGasLimit` of the protocol (Yellow Paper, section 4.4.4). */
const MIN_GAS_LIMIT = 5_000n
/** Of the year 9999. */
const LAST_SECOND = 253_402_300_799

/** A whole number of at least `min`. */
function whole(what: string, min: number, max = Number.MAX_SAFE_INTEGER) {
  const expected = `${what} (a whole number from ${min}${max === Number.MAX_SAFE_INTEGER ? '' : ` to ${max}`})`
  return v.pipe(
    v.number(expected),
    v.safeInteger(expected),
    v.minValue(min, expected),
    v.maxValue(max, expected),
  )
}

/** A quantity of at least `min`, as a bigint or a whole number. */
function quantity(what: string, max: bigint, min = 0n) {
  const expected = `${what} (a bigint or a whole number from ${min} to ${max})`
  return v.union(
    [
      v.pipe(v.bigint(), v.minValue(min, expected), v.maxValue(max, expected)),
      v.pipe(
        v.number(),
        v.safeInteger(expected),
        v.minValue(Number(min), expected),
        v.transform((value) => BigInt(value)),
      ),
    ],
    expected,
  )
}

function oneOf<const T extends readonly string[]>(values: T) {
  return v.picklist(values, `one of ${values.join(', ')}`)
}

function option<S extends v.GenericSchema, const D extends v.InferInput<S>>(
  schema: S,
  fallback: D,
  meaning: string,
) {
  return v.pipe(v.optional(schema, fallback), v.description(meaning))
}

function optionWithoutDefault<S extends v.GenericSchema>(schema: S, meaning: string) {
  return v.pipe(v.optional(schema), v.description(meaning))
}

const yesOrNo = v.boolean('true or false')
const UINT64 = 2n ** 64n - 1n
const UINT256 = 2n ** 256n - 1n
const address = v.pipe(
  v.string('an address'),
  v.regex(/^0x[0-9a-fA-F]{40}$/, 'an address (0x and 40 hex digits)'),
  v.transform((text) => text.toLowerCase() as Address),
)
const hash = v.pipe(
  v.string('32 bytes'),
  v.regex(/^0x[0-9a-fA-F]{64}$/, '32 bytes (0x and 64 hex digits)'),
  v.transform((text) => text.toLowerCase() as Hash),
)

export const PROFILE_NAMES = [
  'default',
  'base-flashblocks',
  'op-flashblocks',
  'base-denim',
  'ethereum',
  'hardhat',
] as const
export type ProfileName = (typeof PROFILE_NAMES)[number]

/** The table: name, what it may be, default, meaning. */
export const OPTIONS = {
  profile: option(
    oneOf(PROFILE_NAMES),
    'default',
    'which chain it stands in for: other defaults for the options below (see the table of profiles)',
  ),
  chainId: option(whole('a chain id', 1), 31337, 'EIP-155 chain id'),
  hardfork: option(oneOf(HARDFORKS), 'osaka', 'rules of the EVM and shape of blocks'),
  accounts: option(whole('a number of accounts', 0, 10_000), 10, 'development accounts with money, unlocked'),
  balance: option(quantity('wei', UINT256), 10_000n * ETHER, 'wei of each development account'),
  mnemonic: option(
    v.string('a BIP-39 mnemonic'),
    TEST_MNEMONIC,
    'BIP-39 mnemonic of the development accounts',
  ),
  derivationPath: option(
    v.pipe(v.string('a path'), v.regex(/^m(\/\d+'?)*\/?$/, "a BIP-32 path such as m/44'/60'/0'/0")),
    DERIVATION_PATH,
    'BIP-32 path of the development accounts; the index of each is added to it',
  ),
  autoImpersonate: option(
    yesOrNo,
    false,
    'whether any account may send without its key, as after `anvil_autoImpersonateAccount`',
  ),
  rhythm: option(
    oneOf(['interval', 'manual', 'instant']),
    'interval',
    'what makes blocks: time, commands alone, or each transaction at once',
  ),
  tickMs: option(
    whole('milliseconds', 1, 86_400_000),
    200,
    'milliseconds between ticks: each pre-confirms one slice',
  ),
  ticksPerBlock: option(
    whole('slices', 0, 100_000),
    1,
    'slices before a block is sealed; 0: each tick opens, runs and seals one block',
  ),
  mixedMining: option(
    yesOrNo,
    false,
    'whether each transaction is sealed at once under the rhythm `interval`, too, where time makes blocks besides',
  ),
  order: option(
    oneOf(ORDERS),
    'fees',
    'which waiting transactions go first: those with the higher tip, or those that came first (`fifo`)',
  ),
  sliceGasBudget: option(
    yesOrNo,
    false,
    'whether slice j of n may fill only j/n of the block, as a Flashblocks builder does',
  ),
  sliceHistory: option(
    whole('blocks', 0),
    1_000,
    'of how many sealed blocks it is remembered how they grew, slice by slice',
  ),
  subscriptions: option(
    oneOf(['all', 'standard']),
    'all',
    "kinds of eth_subscribe: with those of Base's Flashblocks, or Ethereum's alone",
  ),
  sealEmptyBlocks: option(yesOrNo, true, 'whether blocks without transactions are sealed'),
  gasLimit: option(
    quantity('gas', UINT64, MIN_GAS_LIMIT),
    30_000_000n,
    'gas limit of each block; below 21000 no transaction fits',
  ),
  disableBlockGasLimit: option(
    yesOrNo,
    false,
    'whether transactions and blocks may use more gas than `gasLimit`; other clients refuse such blocks',
  ),
  baseFee: option(
    quantity('wei', UINT64),
    1_000_000_000n,
    'base fee of block 0 in wei; later ones follow EIP-1559',
  ),
  coinbase: option(
    address,
    ZERO_ADDRESS,
    "who receives the tips; on an L2 by default its sequencer's vault (0x4200…0011)",
  ),
  randaoSeed: option(hash, `0x${'00'.repeat(32)}`, 'what prevRandao of each block is derived from'),
  timestamp: optionWithoutDefault(
    // What `Date.now()` gives is more than that.
    whole('seconds since 1970', 0, LAST_SECOND),
    'time of block 0 in seconds; by default now, under `manual` 2025-01-01T00:00:00Z',
  ),
  systemContracts: option(
    yesOrNo,
    false,
    'whether the contracts of EIP-2935, 4788, 7002 and 7251 exist and are called in each block',
  ),
  l2: option(
    oneOf(['none', ...L2_CHAINS]),
    'none',
    'whether it is an L2: a deposit opens each block, transactions pay for L1, and its contracts exist (Permit2, WETH, L1Block, GasPriceOracle)',
  ),
  genesis: optionWithoutDefault(
    v.custom<object>((value) => typeof value === 'object' && value !== null, 'a parsed genesis.json'),
    'what the chain begins with: a genesis.json of geth, parsed; it decides chain id, hardforks, accounts and block 0',
  ),
  safeDistance: option(whole('blocks', 0), 32, 'how many blocks `safe` trails `latest`'),
  finalizedDistance: option(whole('blocks', 0), 64, 'how many blocks `finalized` trails `latest`'),
  history: option(
    v.strictObject({ blocks: v.optional(whole('blocks', 1)) }, 'an object {blocks}'),
    {},
    'blocks: how many sealed blocks are kept with state, receipts and logs; by default all',
  ),
  pendingNonce: option(
    oneOf(['pool', 'preconfirmed']),
    'pool',
    'what the pending transaction count counts: also waiting transactions, or pre-confirmed ones alone',
  ),
  receipts: option(
    oneOf(['sealed', 'preconfirmed']),
    'sealed',
    'when a receipt exists for clients: once its block is sealed, or as soon as its transaction is pre-confirmed',
  ),
  pendingHash: option(
    oneOf(['zero', 'real']),
    'zero',
    'hash of the pre-confirmed block: zeros, or that of its header as it stands, under which nothing is ever found',
  ),
  pendingContextLag: option(
    whole('blocks', 0, 256),
    0,
    'how many blocks the block context of calls on `pending` stays behind',
  ),
  callContext: option(
    oneOf(['block', 'next']),
    'block',
    'block context (number, time, base fee) of calls and estimates that name no block, and of `pending` where nothing is pre-confirmed: that of `latest`, or of the block to come',
  ),
  codeSizeLimit: optionWithoutDefault(
    whole('bytes', 0, 2 ** 32),
    'bytes that a contract may have, init code twice as many; 0: any number; by default as the hardfork says (24,576)',
  ),
  structLogStorage: option(
    oneOf(['accessed', 'everyStep']),
    'accessed',
    'which steps of `structLogs` have `storage`: those that meet a slot, as in geth and Hardhat 3, or every step, as in Hardhat 2',
  ),
  lenient: option(
    yesOrNo,
    false,
    'whether block numbers and quantities may also come as JSON numbers and with leading zeros, as Hardhat takes them',
  ),
  dialect: option(oneOf(DIALECTS), 'base', 'codes and words of errors: Base and RETH, or geth'),
  strict: option(
    yesOrNo,
    false,
    'whether listeners answer by the letter of the service it stands in for: six methods, nothing left out',
  ),
  logRangeLimit: option(
    whole('blocks', 0),
    2_000,
    'sealed blocks that one eth_getLogs may span; 0: any number',
  ),
  logResultLimit: option(whole('logs', 0), 0, 'logs that one eth_getLogs may answer; 0: any number'),
  consoleLogs: option(yesOrNo, true, 'whether what Solidity says with `console.log` is printed'),
  requestTimeoutMs: option(
    whole('milliseconds', 0, 86_400_000),
    10_000,
    'milliseconds that one request over HTTP or WebSocket, or one batch of them, may work before it is ended with an error; 0: any number',
  ),
  batchLimit: option(whole('calls', 1), 1_000, 'calls that one JSON-RPC batch may have'),
  bodyLimit: option(
    whole('bytes', 1),
    5 * 1024 * 1024,
    'bytes that one HTTP request or WebSocket message may have',
  ),
  stateLimit: option(
    whole('bytes', 1),
    256 * 1024 * 1024,
    'bytes that one with a state file (`anvil_loadState`) may have, and the file in it when it is unpacked',
  ),
} as const

const schema = v.strictObject(OPTIONS, "an object such as { rhythm: 'manual' }")

/** What the options are under each profile unless something else is said (CONTRACT 5). */
export const PROFILES: Readonly<Record<ProfileName, DevnetOptions>> = {
  default: {},
  'base-flashblocks': {
    l2: 'base',
    ticksPerBlock: 10,
    sliceGasBudget: true,
    pendingNonce: 'preconfirmed',
    pendingContextLag: 1,
    receipts: 'preconfirmed',
  },
  'op-flashblocks': {
    l2: 'op',
    tickMs: 250,
    ticksPerBlock: 8,
    pendingHash: 'real',
    receipts: 'preconfirmed',
    subscriptions: 'standard',
  },
  // Base since November 2026: blocks of 200 ms; the kinds of Flashblocks are accepted, and there is nothing to tell.
  'base-denim': { l2: 'base', ticksPerBlock: 0 },
  ethereum: { ticksPerBlock: 60, subscriptions: 'standard', dialect: 'geth', systemContracts: true },
  // Hardhat's own network: a block for each transaction, estimates in the block to come, no limit of code, 20 accounts.
  hardhat: {
    rhythm: 'instant',
    callContext: 'next',
    codeSizeLimit: 0,
    accounts: 20,
    dialect: 'geth',
    subscriptions: 'standard',
    lenient: true,
  },
}

/** What may be said when a devnet is made; everything has a default. */
export type DevnetOptions = v.InferInput<typeof schema>
/** The options with nothing left open. */
export type Settings = Omit<v.InferOutput<typeof schema>, 'genesis' | 'hardfork'> & {
  readonly genesis: Genesis | undefined
  /** `undefined` with a genesis, which has a schedule of them. */
  readonly hardfork: Hardfork | undefined
}

/** An option that cannot be: which, what was expected, what came. */
export class InvalidOption extends Error {
  readonly option: string
  readonly expected: string
  /** The value that came, as the message shows it. */
  readonly received: string

  constructor(option: string, expected: string, value: unknown) {
    const received = shownOption(value)
    super(`option ${option}: expected ${expected}, got ${received}`)
    this.name = 'InvalidOption'
    this.option = option
    this.expected = expected
    this.received = received
  }
}

/** Options are JavaScript, which has values that JSON has not: `5n`, `NaN`. */
function shownOption(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  return typeof value === 'number' ? String(value) : shown(value)
}

/** The options with defaults filled in. Throws `InvalidOption`. */
export function parseOptions(options: DevnetOptions = {}): Settings {
  const result = v.safeParse(schema, withProfile(options))
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
  if (settings.mixedMining && settings.rhythm !== 'interval') {
    const expected = `false under the rhythm ${settings.rhythm}: it adds to blocks that time makes`
    throw new InvalidOption('mixedMining', expected, true)
  }
  return settings
}

function withProfile(options: DevnetOptions): DevnetOptions {
  const profile = PROFILES[options?.profile as ProfileName]
  if (profile === undefined) return options
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  return { ...profile, ...Object.fromEntries(given) }
}

/** The tips of an L2 go to its vault, unless somebody else is to have them. */
function withCoinbase({ coinbase }: DevnetOptions, settings: Settings): Settings {
  if (settings.l2 === 'none' || coinbase !== undefined) return settings
  return { ...settings, coinbase: SEQUENCER_FEE_VAULT }
}

/** Options that say what a genesis says, too. */
export const IN_GENESIS = [
  'chainId',
  'hardfork',
  'balance',
  'gasLimit',
  'baseFee',
  'timestamp',
  'systemContracts',
  'l2',
] as const satisfies readonly (keyof DevnetOptions)[]

/** What a genesis does not say of a devnet, as JSON: with one, these options make the same again. */
export function optionsBesideGenesis(settings: Settings): Record<string, unknown> {
  const { profile: _profile, genesis: _genesis, ...options } = settings
  const isBeside = ([name]: [string, unknown]) => !IN_GENESIS.some((decided) => decided === name)
  return Object.fromEntries(Object.entries(options).filter(isBeside))
}

function withGenesis(options: DevnetOptions, output: v.InferOutput<typeof schema>): Settings {
  if (output.genesis === undefined) return { ...output, genesis: undefined }
  const twice = IN_GENESIS.find((name) => options[name] !== undefined)
  if (twice !== undefined) {
    throw new InvalidOption(twice, 'nothing, because the genesis decides it', options[twice])
  }
  const genesis = parsedGenesis(output.genesis)
  const { timestamp, gasLimit } = genesis.header
  return {
    ...output,
    genesis,
    hardfork: undefined,
    l2: genesis.schedule.config.l2 ?? 'none',
    chainId: Number(genesis.schedule.chainId),
    balance: 0n,
    gasLimit,
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
    return new InvalidOption(String(name), `one of the options ${hintFor(String(name))}`, name)
  }
  return new InvalidOption(path, issue.message, issue.input)
}

/** What somebody may have meant who wrote `name`; all that there are, where nobody knows. */
function hintFor(name: string): string {
  const elsewhere = OF_OTHERS.get(name)
  if (elsewhere !== undefined) return `(${elsewhere})`
  const names = Object.keys(OPTIONS)
  const meant = nearest(name, names)
  return meant === undefined ? names.join(', ') : `(did you mean ${meant}?)`
}

/** What anvil, Hardhat and ganache call options, or have among them, and what says it here. */
const OF_OTHERS: ReadonlyMap<string, string> = new Map([
  ['blockTime', 'here: tickMs, with ticksPerBlock: 0'],
  ['noMining', "here: rhythm: 'manual'"],
  ['mining', 'here: rhythm'],
  ['automine', "here: rhythm: 'instant'"],
  ['blockGasLimit', 'here: gasLimit'],
  ['initialBaseFeePerGas', 'here: baseFee'],
  ['blockBaseFeePerGas', 'here: baseFee'],
  ['initialDate', 'here: timestamp'],
  ['accountsBalance', 'here: balance'],
  ['defaultBalance', 'here: balance'],
  ['totalAccounts', 'here: accounts'],
  ['port', 'devnet.listen takes it'],
  ['host', 'devnet.listen takes it'],
  ['allowedHosts', 'devnet.listen takes it'],
  ['fork', 'networks are not forked; devnet.fork() forks a devnet'],
  ['forking', 'networks are not forked; devnet.fork() forks a devnet'],
  ['forkUrl', 'networks are not forked; devnet.fork() forks a devnet'],
])
