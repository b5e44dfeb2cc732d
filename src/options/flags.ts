/** Flags that set options of a devnet, and their conversion to options. */
import type { ArtifactSource } from '../solidity/artifacts/solcJson.ts'
import { FORK_TAGS } from '../upstream/forkedNetwork.ts'
import type { DevnetOptions } from './options.ts'
import type { InvalidOption } from './values.ts'

/** Thrown for an invalid flag. The message names the flag, the expected and the received value. */
export class InvalidFlag extends Error {}

export const GROUPS = {
  chain: 'The chain:',
  fork: 'Forking a network:',
  accounts: 'Accounts:',
  blocks: 'Blocks and time:',
  answers: 'Responses:',
  server: 'Server:',
  files: 'Files:',
  console: 'Output:',
} as const

export interface Flag {
  readonly flag: string
  readonly group: keyof typeof GROUPS
  readonly option: keyof DevnetOptions
  /** Converts the flag's text to the option's value. Returns invalid text unchanged, for `parseOptions` to reject. */
  readonly read?: (text: string) => unknown
  /** The description of the flag. Default: the description of the option. */
  readonly meaning?: string
  readonly fallback?: string
  /** The expected value, in the flag's unit, for errors. Default: the expected value of the option. */
  readonly expected?: string
  /** Whether the flag may be repeated. The option's value is then the list of all values. */
  readonly isList?: true
}

const WEI_PER_ETHER = 10n ** 18n

/** Converts decimal digits to a number. Returns other text unchanged. */
const number = (text: string) => (/^\d+$/.test(text) ? Number(text) : text)
const bigint = (text: string) => (/^\d+$/.test(text) ? BigInt(text) : text)
/** Converts ether, with at most 18 decimals, to wei. Returns other text unchanged. */
const ether = (text: string) => {
  const [, whole, decimals = ''] = /^(\d+)(?:\.(\d{1,18}))?$/.exec(text) ?? []
  return whole === undefined ? text : BigInt(whole) * WEI_PER_ETHER + BigInt(decimals.padEnd(18, '0'))
}

/** Returns the value of `--artifacts`: a path, or solc's `{ input, output }` for two JSON files separated by a comma. */
export const artifactsIn = (text: string): ArtifactSource => {
  const [, input, output] = /^(.+\.json),(.+\.json)$/.exec(text) ?? []
  return input === undefined ? text : { input, output: output! }
}

/** The flag that sets a member of the option `l1`. */
const L1_FORK_URL = '--l1-fork-url <url>'

export const FLAGS: readonly Flag[] = [
  { flag: '--profile <name>', group: 'chain', option: 'profile' },
  { flag: '--chain-id <id>', group: 'chain', option: 'chainId', read: number },
  { flag: '--hardfork <name>', group: 'chain', option: 'hardfork' },
  { flag: '--number <block>', group: 'chain', option: 'genesisBlockNumber', read: number },
  { flag: '--timestamp <seconds>', group: 'chain', option: 'timestamp', read: number },
  { flag: '--gas-limit <gas>', group: 'chain', option: 'gasLimit', read: bigint },
  { flag: '--disable-block-gas-limit', group: 'chain', option: 'disableBlockGasLimit' },
  { flag: '--code-size-limit <bytes>', group: 'chain', option: 'codeSizeLimit', read: number },
  { flag: '--base-fee <wei>', group: 'chain', option: 'baseFee', read: bigint },
  { flag: '--system-contracts', group: 'chain', option: 'systemContracts' },
  { flag: '--l2 <name>', group: 'chain', option: 'l2' },
  { flag: '--l2-upgrade <name>', group: 'chain', option: 'l2Upgrade' },
  {
    flag: '--l1 [chain-id]',
    group: 'chain',
    option: 'l1',
    read: (text) => (/^\d+$/.test(text) ? { chainId: Number(text) } : text),
    meaning:
      'also start the L1 of an L2, with the bridge contracts, on --l1-port; its time follows the L2 (chain id by default: 900)',
  },
  {
    flag: L1_FORK_URL,
    group: 'fork',
    option: 'l1',
    meaning: 'node of the L1 of the network that --fork-url names; also starts this L1, like --l1',
  },
  { flag: '--accounts <count>', group: 'accounts', option: 'accounts', read: number },
  {
    flag: '--balance <ether>',
    group: 'accounts',
    option: 'balance',
    read: ether,
    meaning: 'balance of each development account in ether (the option is in wei)',
    fallback: '10000',
    expected: 'ether, such as 10000 or 0.5',
  },
  { flag: '--mnemonic <words>', group: 'accounts', option: 'mnemonic' },
  { flag: '--derivation-path <path>', group: 'accounts', option: 'derivationPath' },
  { flag: '--auto-impersonate', group: 'accounts', option: 'autoImpersonate' },
  { flag: '--rhythm <name>', group: 'blocks', option: 'rhythm' },
  { flag: '--tick <ms>', group: 'blocks', option: 'tickMs', read: number },
  { flag: '--ticks-per-block <count>', group: 'blocks', option: 'ticksPerBlock', read: number },
  { flag: '--mixed-mining', group: 'blocks', option: 'mixedMining' },
  { flag: '--order <name>', group: 'blocks', option: 'order' },
  { flag: '--safe-distance <blocks>', group: 'blocks', option: 'safeDistance', read: number },
  { flag: '--finalized-distance <blocks>', group: 'blocks', option: 'finalizedDistance', read: number },
  {
    flag: '--history <blocks>',
    group: 'blocks',
    option: 'history',
    read: (text) => ({ blocks: number(text) }),
    fallback: 'all',
  },
  { flag: '--dialect <name>', group: 'answers', option: 'dialect' },
  { flag: '--receipts <when>', group: 'answers', option: 'receipts' },
  { flag: '--engine <name>', group: 'chain', option: 'engine' },
  {
    flag: '--artifacts <path>',
    group: 'files',
    option: 'artifacts',
    read: artifactsIn,
    isList: true,
    meaning:
      'artifacts of a compiler: the folder of Foundry (out) or Hardhat (artifacts), a file of build info, or input.json,output.json of solc; they name contracts and lines of Solidity; repeatable',
    fallback: 'those of the project in the working folder',
  },
  { flag: '--strict', group: 'answers', option: 'strict' },
  { flag: '--log-range-limit <blocks>', group: 'answers', option: 'logRangeLimit', read: number },
  { flag: '--call-timeout <ms>', group: 'answers', option: 'callTimeoutMs', read: number },
  { flag: '--call-memory-limit <bytes>', group: 'answers', option: 'callMemoryLimit', read: number },
  { flag: '--request-timeout <ms>', group: 'answers', option: 'requestTimeoutMs', read: number },
  {
    flag: '--no-console-logs',
    group: 'console',
    option: 'consoleLogs',
    meaning: 'do not print the output of `console.log` in Solidity',
  },
]

/** The flag of the option `genesis`. The feature that defines the flag reads the genesis file. */
export const INIT = '--init <file>'

/** Returns the flag that sets `option`, such as `--chain-id <id>`; `undefined` if no flag sets it. */
export function flagOf(option: keyof DevnetOptions): string | undefined {
  return option === 'genesis' ? INIT : FLAGS.find((row) => row.option === option)?.flag
}

export function nameOf(flag: string): string {
  return flag.split(' ')[0]!
}

/** Returns commander's name of a flag, such as `chainId` for `--chain-id <id>`. */
export function attributeOf(flag: string): string {
  return nameOf(flag)
    .replace(/^--(no-)?/, '')
    .replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** Returns the options that flags set. `named` has the values of flags, keyed by commander's names. */
export function optionsIn(named: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const options: Record<string, unknown> = {}
  for (const { flag, option, read } of FLAGS) {
    const value = named[attributeOf(flag)]
    if (value === undefined) continue
    if (Array.isArray(value) && read !== undefined) options[option] = value.map((one) => read(one))
    else if (flag === L1_FORK_URL) options.l1 = { ...(options.l1 as object), fork: { url: value } }
    else options[option] = typeof value === 'string' && read !== undefined ? read(value) : value
  }
  return options
}

/** Converts an option's error into an error that names the option's flag. */
export function toInvalidFlag(error: InvalidOption): InvalidFlag {
  const [name, member] = error.option.split('.')
  const { expected, received } = error
  if (name === 'fork') {
    return new InvalidFlag(`${flagOfMember(member ?? 'url')}: expected ${expected}, got ${received}`)
  }
  if (name === 'l1' && member === 'fork') {
    return new InvalidFlag(`${nameOf(L1_FORK_URL)}: expected ${expected}, got ${received}`)
  }
  if (name === 'genesis') return new InvalidFlag(error.message.replace(/^option /, '--init: '))
  const row = FLAGS.find(({ option }) => option === name)
  return new InvalidFlag(
    row === undefined
      ? error.message
      : `${nameOf(row.flag)}: expected ${row.expected ?? expected}, got ${received}`,
  )
}

type Fork = NonNullable<DevnetOptions['fork']>

type ForkFlag = readonly [
  flag: string,
  member: keyof Fork,
  meaning: string,
  /** Converts the flag's text to the member's value; `'list'`: the flag may be repeated. */
  read?: ((text: string) => unknown) | 'list',
]

/** Flags that set members of the option `fork`. anvil has most of them under the same names. */
export const FORK_FLAGS: readonly ForkFlag[] = [
  [
    '--fork-url <url>',
    'url',
    'node of the network to fork, over HTTP or WebSocket; URL@BLOCK also names the block',
  ],
  [
    '--fork-block-number <block>',
    'block',
    'block of the network to fork: a number, a hash or a tag (default: latest)',
    number,
  ],
  [
    '--fork-transaction-hash <hash>',
    'block',
    'transaction of the network to fork before; the earlier transactions of its block are repeated',
  ],
  [
    '--fork-header <header>',
    'headers',
    'HTTP header for the node, such as "Authorization: Bearer …"; repeatable',
    'list',
  ],
  ['--timeout <ms>', 'timeoutMs', 'time limit of one request to the node in milliseconds', number],
  ['--retries <count>', 'retries', 'number of retries of a failed request to the node', number],
  ['--fork-requests-per-second <count>', 'requestsPerSecond', 'limit of requests to the node', number],
  [
    '--fork-cache <path>',
    'cache',
    "file that ends in .jsonl, or folder, that caches responses of the node (default: the user's cache folder, except for nodes on this machine)",
  ],
  ['--no-fork-cache', 'cache', 'do not cache the network on disk'],
  [
    '--offline',
    'offline',
    'send no requests to the network: all data must be in the cache (default: PRESEAL_OFFLINE)',
  ],
  [
    '--fork-proofs',
    'proofs',
    'fetch state with proofs and verify it against the state root of the fork block: roots are exact',
  ],
]

/** Returns the option `fork`, which is `before` with the members that flags set. Throws `InvalidFlag`. */
export function forkOf(
  named: Readonly<Record<string, unknown>>,
  before: DevnetOptions['fork'],
): DevnetOptions['fork'] {
  const members: Record<string, unknown> = {}
  for (const [flag, member, , read] of FORK_FLAGS) {
    const value = named[attributeOf(flag)]
    // commander stores `--no-fork-cache` as the value `false` of `--fork-cache`.
    if (value === undefined || (value === false) !== flag.startsWith('--no-')) continue
    if (member === 'url') Object.assign(members, atBlock(String(value)))
    else if (read === 'list') members[member] = headersOf(value as string[])
    else members[member] = typeof value === 'string' && read !== undefined ? read(value) : value
  }
  if (Object.keys(members).length === 0) return before
  const fork = { ...before, ...members } as Fork
  if (fork.url !== undefined || fork.provider !== undefined) return fork
  throw new InvalidFlag(`${flagOfMember(Object.keys(members)[0]!)}: expected --fork-url as well, got none`)
}

function flagOfMember(member: string): string {
  return nameOf(FORK_FLAGS.find(([, name]) => name === member)![0])
}

/** Splits `URL@BLOCK`. An `@` before the host belongs to a user name. */
function atBlock(text: string): { url: string; block?: unknown } {
  const [, url, block] = /^(.*[^/]+.*)@([0-9a-zA-Z]+)$/.exec(text) ?? []
  if (url === undefined || !URL.canParse(url) || new URL(url).host === '') return { url: text }
  return /^(\d+|0x[0-9a-fA-F]{64})$/.test(block!) || FORK_TAGS.some((tag) => tag === block)
    ? { url, block: number(block!) }
    : { url: text }
}

function headersOf(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':')
      if (at < 1)
        throw new InvalidFlag(
          '--fork-header: expected a name, a colon and a value, got a text without a colon',
        )
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()] as const
    }),
  )
}
