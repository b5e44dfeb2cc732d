/** The table of flags that set options of the devnet: their units, groups, and descriptions in `--help`. */
import { Option } from 'commander'
import * as v from 'valibot'
import { nearest } from '../model/text.ts'
import { type DevnetOptions, OPTIONS } from '../options/options.ts'
import { elsewhere } from './anvilFlags.ts'

/** An invalid flag; the message names the flag, the expected and the received value. */
export class InvalidFlag extends Error {}

/** The groups of flags in `--help`. */
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
  /** Returns the option's value for the flag's text; invalid text unchanged, for `parseOptions` to refuse. */
  readonly read?: (text: string) => unknown
  /** The description of the flag, if it differs from that of the option. */
  readonly meaning?: string
  readonly fallback?: string
  /** The expected values in the flag's unit, if they differ from those of the option. */
  readonly expected?: string
}

const WEI_PER_ETHER = 10n ** 18n

/** Returns the number in a text of digits; other text unchanged. */
export const number = (text: string) => (/^\d+$/.test(text) ? Number(text) : text)
const bigint = (text: string) => (/^\d+$/.test(text) ? BigInt(text) : text)
/** Converts ether with up to 18 decimals to wei. */
const ether = (text: string) => {
  const [, whole, decimals = ''] = /^(\d+)(?:\.(\d{1,18}))?$/.exec(text) ?? []
  return whole === undefined ? text : BigInt(whole) * WEI_PER_ETHER + BigInt(decimals.padEnd(18, '0'))
}

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
    meaning:
      'what compilers wrote: the folder of Foundry (out) or Hardhat (artifacts), or a file of build info; names contracts, and lines of Solidity',
    fallback: 'that of the project in the working folder',
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

/** The flag of the option `genesis`: the caller reads its file. */
export const INIT = '--init <file>'

/** Returns the flag that sets `option`, with its argument; `undefined` if there is none. */
export function flagOf(option: keyof DevnetOptions): string | undefined {
  return option === 'genesis' ? INIT : FLAGS.find((row) => row.option === option)?.flag
}

/** Returns the flag with the description, the values and the default of its option. */
export function documented(row: Flag): Option {
  const { flag, option, group, fallback } = row
  const text = meaningOf(row)
  const standard = fallback ?? String(v.getDefault(OPTIONS[option].pipe[0]))
  const isSwitch = !flag.includes('<')
  const shown = isSwitch || standard === 'undefined' ? text : `${text} (default: ${standard})`
  return new Option(flag, shown).helpGroup(GROUPS[group])
}

/** Returns the description of the option, and its values if they are words. */
export function meaningOf({ option, meaning }: Flag): string {
  const schema = OPTIONS[option]
  const text = meaning ?? v.getDescription(schema) ?? ''
  const { wrapped } = schema.pipe[0]
  return wrapped.type === 'picklist' ? `${text}: ${wrapped.options.join(', ')}` : text
}

/** Returns a flag that sets no option, in a group. */
export function grouped(
  group: keyof typeof GROUPS,
  flag: string,
  meaning: string,
  fallback?: string,
): Option {
  const option = new Option(flag, meaning).helpGroup(GROUPS[group])
  return fallback === undefined ? option : option.default(fallback)
}

/** Returns the name under which commander stores a flag: `--chain-id <id>` is `chainId`. */
export function attributeOf(flag: string): string {
  return new Option(flag).attributeName()
}

/** Returns commander's error for a flag, with the counterpart here if anvil, Hardhat or ganache has the flag. */
export function withOurFlag(refusal: string): string {
  const [, flag = ''] = /unknown option '([^'=]+)/.exec(refusal) ?? []
  const ours = elsewhere(flag)
  return ours === undefined ? refusal : `error: unknown option '${flag}'\n(Here: ${ours})\n`
}

/** Returns the message for an unknown command. */
export function unknownCommand(word: string, commands: readonly string[]): string {
  const meant = nearest(word, commands)
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`
  return `expected flags, or one of the commands ${commands.join(', ')}, got "${word}"${hint}`
}
