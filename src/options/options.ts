import * as v from 'valibot'
import { ZERO_ADDRESS } from '../bytes/hex.ts'
import { ENGINE_NAMES } from '../engine/evm.ts'
import { DERIVATION_PATH, TEST_MNEMONIC } from '../model/account/developmentAccounts.ts'
import { type Genesis, LAST_FIRST_BLOCK } from '../model/block/genesis.ts'
import { HARDFORKS, type Hardfork } from '../model/hardfork/hardfork.ts'
import { DEFAULT_UPGRADE, L2_CHAINS, OWN_UPGRADES, type OwnUpgrade } from '../model/l2/l2.ts'
import { ORDERS } from '../pool/order.ts'
import type { ArtifactSource } from '../solidity/artifacts/solcJson.ts'
import { FORK_TAGS } from '../upstream/forkedNetwork.ts'
import type { UpstreamProvider } from '../upstream/providerTransport.ts'
import { DIALECTS } from '../wire/dialect.ts'
import { DEFAULT_MEMORY_LIMIT } from '../work/work.ts'
import {
  ARTIFACTS,
  address,
  artifactSource,
  hash,
  oneOf,
  option,
  optionWithoutDefault,
  quantity,
  UINT64,
  UINT256,
  whole,
  yesOrNo,
} from './values.ts'

const ETHER = 10n ** 18n
/** Minimum gas limit of a block (Yellow Paper, section 4.4.4). */
const MIN_GAS_LIMIT = 5_000n
/** The last second of the year 9999. */
const LAST_SECOND = 253_402_300_799

const URLS = 'a URL that begins with http://, https://, ws:// or wss://'
const FORK_CACHE = 'a folder, a file that ends in .jsonl, or false for no cache'
const FORK_BLOCKS =
  'a block number, a block hash, a transaction hash, or one of latest, safe, finalized, earliest'
/** Maximum delay of a JavaScript timer, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1

/** The block time of Ethereum, the chain id of the L1 of the OP Stack's own devnet, and the sequencing window of OP Mainnet. */
const L1_BLOCK_MS = 12_000
const L1_CHAIN_ID = 900
const SEQUENCING_WINDOW = 3_600

/** The option `fork`: the network to fork, and how to reach a node of it. Either `url` or `provider` is required. */
const forkOption = v.strictObject(
  {
    url: v.optional(v.pipe(v.string(URLS), v.regex(/^(https?|wss?):\/\/[^/]/i, URLS))),
    provider: v.optional(
      v.custom<UpstreamProvider>(
        (value) => typeof (value as UpstreamProvider | undefined)?.request === 'function',
        'an object with a method request (EIP-1193)',
      ),
    ),
    block: v.optional(
      v.union(
        [
          v.picklist(FORK_TAGS),
          v.pipe(
            v.number(),
            v.safeInteger(),
            v.minValue(0),
            v.transform((number) => BigInt(number)),
          ),
          v.pipe(v.bigint(), v.minValue(0n)),
          hash,
        ],
        FORK_BLOCKS,
      ),
    ),
    headers: v.optional(v.record(v.string(), v.string('the value of a header'), 'an object of HTTP headers')),
    timeoutMs: v.optional(whole('milliseconds', 1, LONGEST_TIMER)),
    retries: v.optional(whole('a number of retries', 0, LONGEST_TIMER)),
    requestsPerSecond: v.optional(
      v.pipe(v.number('requests per second (a number above 0)'), v.gtValue(0, 'a number above 0')),
    ),
    cache: v.optional(
      v.union(
        [v.pipe(v.string(), v.nonEmpty(), v.regex(/(?<!\.json)$/i, FORK_CACHE)), v.literal(false)],
        FORK_CACHE,
      ),
    ),
    offline: v.optional(v.boolean('true or false')),
    proofs: v.optional(v.boolean('true or false')),
  },
  'an object such as { url: "https://…", block: 22000000 }',
)

/** A devnet (class Devnet), as far as this room knows it. */
interface AnyDevnet {
  readonly settings: object
  readonly accounts: readonly object[]
}

const aDevnet = v.custom<AnyDevnet>(
  (value) => value instanceof Object && 'settings' in value && 'accounts' in value,
  'a devnet, which createDevnet returns',
)

const L1_MEMBERS = v.strictObject(
  {
    devnet: v.optional(aDevnet),
    chainId: v.optional(whole('a chain id', 1)),
    tickMs: v.optional(whole('milliseconds', 1_000, 86_400_000)),
    sequencingWindow: v.optional(whole('blocks of the L1', 1)),
    fork: v.optional(forkOption),
  },
  'true, or options of the L1 such as { chainId: 1 }',
)

/**
 * The option `l1`. Accounts and engine are those of the L2, unless the L1 is a devnet. The default chain id of a fork is that of
 * the network.
 */
const l1Option = v.pipe(
  v.lazy((value) => (value === true ? v.literal(true) : isDevnet(value) ? aDevnet : L1_MEMBERS)),
  v.transform((l1) => {
    const members =
      l1 === true ? {} : isDevnet(l1) ? { devnet: l1 } : (l1 as v.InferOutput<typeof L1_MEMBERS>)
    const { chainId, tickMs = L1_BLOCK_MS, fork, devnet, sequencingWindow = SEQUENCING_WINDOW } = members
    return {
      chainId: fork === undefined ? (chainId ?? L1_CHAIN_ID) : chainId,
      tickMs,
      fork,
      devnet,
      sequencingWindow,
    }
  }),
)

function isDevnet(value: unknown): value is AnyDevnet {
  return v.is(aDevnet, value)
}

export const PROFILE_NAMES = [
  'default',
  'base-flashblocks',
  'op-flashblocks',
  'base-denim',
  'ethereum',
  'hardhat',
] as const
export type ProfileName = (typeof PROFILE_NAMES)[number]

/** The accepted values, the default and the description of each option. */
export const OPTIONS = {
  profile: option(
    oneOf(PROFILE_NAMES),
    'default',
    'chain to simulate: sets the defaults of other options (see the table of profiles)',
  ),
  chainId: option(whole('a chain id', 1), 31337, 'EIP-155 chain id'),
  hardfork: option(oneOf(HARDFORKS), 'osaka', 'hardfork, which sets EVM rules and block fields'),
  accounts: option(
    whole('a number of accounts', 0, 10_000),
    10,
    'number of funded, unlocked development accounts',
  ),
  balance: option(quantity('wei', UINT256), 10_000n * ETHER, 'balance of each development account in wei'),
  mnemonic: option(
    v.string('a BIP-39 mnemonic'),
    TEST_MNEMONIC,
    'BIP-39 mnemonic of the development accounts',
  ),
  derivationPath: option(
    v.pipe(v.string('a path'), v.regex(/^m(\/\d+'?)*\/?$/, "a BIP-32 path such as m/44'/60'/0'/0")),
    DERIVATION_PATH,
    'BIP-32 path of the development accounts; the index of each account is appended to it',
  ),
  privateKeys: optionWithoutDefault(
    v.array(hash, 'an array of private keys (0x and 64 hex digits each)'),
    'private keys of the development accounts, in place of `accounts` and `mnemonic`',
  ),
  autoImpersonate: option(
    yesOrNo,
    false,
    'whether transactions may be sent from any account without its key, as after `anvil_autoImpersonateAccount`',
  ),
  rhythm: option(
    oneOf(['interval', 'manual', 'instant']),
    'interval',
    'when blocks are made: by time (`interval`), by commands only (`manual`), or at once for each transaction (`instant`)',
  ),
  tickMs: option(
    whole('milliseconds', 1, 86_400_000),
    200,
    'milliseconds between ticks; each tick pre-confirms one slice',
  ),
  ticksPerBlock: option(
    whole('slices', 0, 100_000),
    1,
    'number of slices in a block; 0: each tick opens, fills and seals one block',
  ),
  mixedMining: option(
    yesOrNo,
    false,
    'whether each transaction is sealed at once under the rhythm `interval`, in addition to the blocks made by time',
  ),
  order: option(
    oneOf(ORDERS),
    'fees',
    'order of waiting transactions: by tip, highest first (`fees`), or by arrival (`fifo`)',
  ),
  sliceGasBudget: option(
    yesOrNo,
    false,
    'whether slice j of n is limited to j/n of the block gas limit, as in Flashblocks builders',
  ),
  sliceHistory: option(whole('blocks', 0), 1_000, 'number of sealed blocks whose slices are kept'),
  subscriptions: option(
    oneOf(['all', 'standard']),
    'all',
    "kinds of eth_subscribe: Ethereum's and those of Base's Flashblocks (`all`), or Ethereum's only (`standard`)",
  ),
  sealEmptyBlocks: option(yesOrNo, true, 'whether blocks without transactions are sealed'),
  gasLimit: option(
    quantity('gas', UINT64, MIN_GAS_LIMIT),
    30_000_000n,
    'gas limit of each block; a transaction needs at least 21000',
  ),
  disableBlockGasLimit: option(
    yesOrNo,
    false,
    'whether transactions and blocks may use more gas than `gasLimit`; other clients reject such blocks',
  ),
  baseFee: option(
    quantity('wei', UINT64),
    1_000_000_000n,
    'base fee of the first block in wei; later base fees follow EIP-1559',
  ),
  coinbase: option(
    address,
    ZERO_ADDRESS,
    "recipient of the tips; on an L2 by default the sequencer's fee vault (0x4200…0011)",
  ),
  randaoSeed: option(hash, `0x${'00'.repeat(32)}`, 'seed of the `prevRandao` of each block'),
  genesisBlockNumber: option(
    whole('a block number', 0, Number(LAST_FIRST_BLOCK)),
    0,
    'number of the first block; later blocks count from it',
  ),
  timestamp: optionWithoutDefault(
    // The maximum rejects milliseconds, such as the result of `Date.now()`.
    whole('seconds since 1970', 0, LAST_SECOND),
    'timestamp of the first block in seconds; by default the current time, or 2025-01-01T00:00:00Z with the rhythm `manual`',
  ),
  systemContracts: option(
    yesOrNo,
    false,
    'whether the system contracts of EIP-2935, 4788, 7002 and 7251 exist and are called in each block',
  ),
  l2: option(
    oneOf(['none', ...L2_CHAINS]),
    'none',
    'L2 to simulate: each block begins with a deposit transaction, transactions pay the L1 fee, and the predeploys exist (those of the OP Stack for WETH, bridges, withdrawals, fees and L1 attributes, without proxies; Permit2)',
  ),
  l2Upgrade: option(
    oneOf(OWN_UPGRADES),
    DEFAULT_UPGRADE,
    'upgrade of the OP Stack, which sets the rules of fees and deposits of an L2',
  ),
  l1: optionWithoutDefault(
    l1Option,
    'L1 beside the L2, as `devnet.l1`: an Ethereum devnet with the bridge contracts, whose time follows the L2: `true`, or `chainId` (default: 900), `tickMs`, the time between blocks (default: 12,000), `sequencingWindow`, the number of L1 blocks in which the batch of an L2 block must come (default: 3,600), and `fork`, the L1 of the network that `fork` names; or a devnet of Ethereum with `ticksPerBlock: 0`',
  ),
  genesis: optionWithoutDefault(
    v.custom<object>((value) => typeof value === 'object' && value !== null, 'a parsed genesis.json'),
    'genesis of the chain: a parsed genesis.json of geth, which sets chain id, hardforks, accounts and the first block',
  ),
  fork: optionWithoutDefault(
    forkOption,
    'network to fork: `url` or `provider` of a node, `block`, `headers`, `timeoutMs`, `retries`, `requestsPerSecond`, `cache`, `offline`, `proofs`',
  ),
  artifacts: optionWithoutDefault(
    v.pipe(
      v.union([artifactSource, v.array(artifactSource, ARTIFACTS)], ARTIFACTS),
      v.transform((given): readonly ArtifactSource[] => (Array.isArray(given) ? given : [given])),
    ),
    "artifacts of compilers: folders (`out` of Foundry, `artifacts` of Hardhat), files, or `{ input, output }` of solc; `deploy('Token')` finds contracts in them, and code is recognized by them; by default those of the project in the working folder",
  ),
  safeDistance: option(whole('blocks', 0), 32, 'number of blocks from `safe` to `latest`'),
  finalizedDistance: option(whole('blocks', 0), 64, 'number of blocks from `finalized` to `latest`'),
  history: option(
    v.strictObject({ blocks: v.optional(whole('blocks', 1)) }, 'an object {blocks}'),
    {},
    '`blocks`: number of sealed blocks kept with state, receipts and logs; by default all',
  ),
  pendingNonce: option(
    oneOf(['pool', 'preconfirmed']),
    'pool',
    'transactions counted by `eth_getTransactionCount` on `pending`: waiting and pre-confirmed ones (`pool`), or only pre-confirmed ones (`preconfirmed`)',
  ),
  pendingBlock: option(
    oneOf(['preconfirmed', 'pool']),
    'preconfirmed',
    'transactions in the block `pending`: pre-confirmed ones (`preconfirmed`), or, while there are none, those that a block mined now would contain (`pool`), as in Hardhat without automine',
  ),
  receipts: option(
    oneOf(['sealed', 'preconfirmed']),
    'sealed',
    'when clients find a receipt: once the block is sealed (`sealed`), or once the transaction is pre-confirmed (`preconfirmed`)',
  ),
  pendingHash: option(
    oneOf(['zero', 'real']),
    'zero',
    'hash of the pre-confirmed block: zeros (`zero`), or the hash of its current header (`real`); requests by this hash find no block',
  ),
  pendingContextLag: option(
    whole('blocks', 0, 256),
    0,
    'number of blocks by which the block context of calls on `pending` lags behind the state',
  ),
  callContext: option(
    oneOf(['block', 'next']),
    'block',
    'block context (number, time, base fee) of calls and estimates without a block, and of `pending` if nothing is pre-confirmed: that of `latest` (`block`), or of the next block (`next`)',
  ),
  checkCallBalance: option(
    yesOrNo,
    true,
    'whether calls, estimates and access lists fail if the sender lacks the balance for value and gas, or the fee is below the base fee; on Hardhat’s network they do not',
  ),
  allowBlocksWithSameTimestamp: option(
    yesOrNo,
    true,
    "whether a block may have its parent's timestamp; otherwise the clock is moved to one second after the parent, as in Hardhat",
  ),
  allowQueuedTransactions: option(
    yesOrNo,
    true,
    'whether transactions may wait while each is sealed at once (`instant`, `mixedMining`); otherwise one with a later nonce or a fee below the base fee is refused, as in Hardhat',
  ),
  allowLowerNonces: option(
    yesOrNo,
    true,
    'whether `hardhat_setNonce` may lower a nonce, or set one while transactions wait; on Hardhat’s network it may not',
  ),
  codeSizeLimit: optionWithoutDefault(
    whole('bytes', 0, 2 ** 32),
    'size limit of contract code in bytes, and half the limit of init code; 0: no limit; by default the limit of the hardfork (24,576)',
  ),
  engine: optionWithoutDefault(
    oneOf(ENGINE_NAMES),
    'EVM that runs code: preseal’s own in WebAssembly (`wasm`), EthereumJS, many times slower (`ethereumjs`), or both, which must agree (`both`); by default the environment variable PRESEAL_ENGINE, or `wasm`',
  ),
  structLogStorage: option(
    oneOf(['accessed', 'everyStep']),
    'accessed',
    'steps of `structLogs` with `storage`: those that read or write a slot, as in geth and Hardhat 3, or every step, as in Hardhat 2',
  ),
  lenient: option(
    yesOrNo,
    false,
    'whether block numbers and quantities may also be JSON numbers or have leading zeros, and errors of halted code have the data `0x`, as in Hardhat',
  ),
  dialect: option(
    oneOf(DIALECTS),
    'base',
    'codes and messages of errors: those of Base and Reth (`base`), of geth (`geth`), or of geth but with those of Hardhat for refused transactions (`hardhat`)',
  ),
  strict: option(
    yesOrNo,
    false,
    'whether listeners serve exactly the API of the simulated service: six methods, all parameters required',
  ),
  logRangeLimit: option(
    whole('blocks', 0),
    2_000,
    'maximum number of sealed blocks of one eth_getLogs request; 0: no limit',
  ),
  logResultLimit: option(
    whole('logs', 0),
    0,
    'maximum number of logs in one eth_getLogs response; 0: no limit',
  ),
  consoleLogs: option(yesOrNo, true, 'whether the output of `console.log` in Solidity is printed'),
  callTimeoutMs: option(
    whole('milliseconds', 0, 86_400_000),
    5_000,
    'time limit in milliseconds of the code that one call, estimate, simulation or trace of a call runs, which then fails; 0: no limit',
  ),
  callMemoryLimit: option(
    whole('bytes', 1, DEFAULT_MEMORY_LIMIT),
    128 * 1024 * 1024,
    'maximum memory in bytes of the code that one call, estimate, simulation or trace of a call runs, which then fails; a transaction may take 1 GiB',
  ),
  requestTimeoutMs: option(
    whole('milliseconds', 0, 86_400_000),
    10_000,
    'time limit in milliseconds of one request, or one batch, over HTTP or WebSocket, which then fails; 0: no limit',
  ),
  batchLimit: option(whole('calls', 1), 1_000, 'maximum number of calls in one JSON-RPC batch'),
  bodyLimit: option(
    whole('bytes', 1),
    5 * 1024 * 1024,
    'maximum size in bytes of one HTTP request or WebSocket message',
  ),
  stateLimit: option(
    whole('bytes', 1),
    256 * 1024 * 1024,
    'maximum size in bytes of one request with a state file (`anvil_loadState`), and of its decompressed file',
  ),
} as const

export const optionsSchema = v.strictObject(OPTIONS, "an object such as { rhythm: 'manual' }")

export type ForkSettings = v.InferOutput<typeof forkOption>

/** Options of `createDevnet`. Each is optional. */
export type DevnetOptions = v.InferInput<typeof optionsSchema>
/** The options of a devnet, with defaults for those that were not given. */
export type Settings = Omit<v.InferOutput<typeof optionsSchema>, 'genesis' | 'hardfork' | 'l2Upgrade'> & {
  readonly genesis: Genesis | undefined
  /** The hardfork of all blocks. `undefined` with the option `genesis`, because a genesis.json has a fork schedule. */
  readonly hardfork: Hardfork | undefined
  /** `undefined` with the options `genesis` and `fork`, whose chains may be of an older upgrade. */
  readonly l2Upgrade: OwnUpgrade | undefined
}

/** Flags that the configuration file may set besides options of the devnet, with the kind of value each takes. */
export const FLAG_KINDS = {
  port: 'number',
  l1Port: 'number',
  host: 'text',
  allowedHosts: 'list',
  allowedOrigins: 'list',
  /** Whether the port serves the page that shows the chain in a browser. */
  page: 'switch',
  readOnlyPage: 'switch',
  open: 'switch',
  /** Fixtures to run before the devnet listens, in this order. */
  fixtures: 'files',
  faults: 'file',
  init: 'file',
  import: 'file',
  importRules: 'text',
  export: 'file',
  exportGenesis: 'file',
  loadState: 'file',
  dumpState: 'file',
  state: 'file',
  /** The number of seconds between two writes of the state file. */
  stateInterval: 'number',
  record: 'file',
  trace: 'switch',
  logRequests: 'switch',
  quietRequests: 'switch',
  silent: 'switch',
  json: 'switch',
  /** Number of words of a new random mnemonic: 12, 15, 18, 21 or 24. */
  mnemonicRandom: 'number',
  /** Maximum number of chains that `preseal serve` has at the same time. */
  maxChains: 'number',
} as const

type FlagKinds = typeof FLAG_KINDS
export type FlagKind = FlagKinds[keyof FlagKinds]

interface FlagValues {
  readonly number: number
  readonly text: string
  readonly list: readonly string[]
  readonly switch: boolean
  readonly file: string
  readonly files: readonly string[]
}

/** Flags that a configuration file may set besides options of the devnet. Paths are relative to that file. */
export type CommandLineOptions = {
  readonly [N in keyof FlagKinds]?: N extends 'importRules' ? 'ethereum' | 'devnet' : FlagValues[FlagKinds[N]]
}

/** The default export of a configuration file: options and flags. */
export interface Config extends DevnetOptions, CommandLineOptions {}

/** Returns `config` unchanged. Calling it gives editors and compilers the type of the configuration. */
export function defineConfig(config: Config): Config {
  return config
}
