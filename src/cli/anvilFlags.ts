/** Translates flags of anvil, Hardhat and ganache. The error for an untranslatable flag names its counterpart. */

import { InvalidFlag } from '../options/flags.ts'
import { wholeNumberOf } from '../terminal/flags.ts'

const KEPT = '--history <blocks>'

const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['-f', '--fork-url'],
  ['--fork', '--fork-url'],
  ['--rpc-url', '--fork-url'],
  ['--fork-chain-id', '--chain-id'],
  ['--cache-path', '--fork-cache'],
  ['-p', '--port'],
  ['-a', '--accounts'],
  ['-m', '--mnemonic'],
  ['-q', '--silent'],
  ['--quiet', '--silent'],
  ['--hostname', '--host'],
  ['--allow-origin', '--allowed-origins'],
  ['--transaction-block-keeper', '--history'],
  ['--block-base-fee-per-gas', '--base-fee'],
  ['--auto-unlock', '--auto-impersonate'],
  ['--disable-console-log', '--no-console-logs'],
  ['--no-console-log', '--no-console-logs'],
  ['--print-traces', '--trace'],
  ['--no-mine', '--no-mining'],
  ['--blockTime', '--block-time'],
  ['-b', '--block-time'],
])

/** Flags of other tools, each with a function that converts its value to several flags of preseal. */
const EXPANSIONS: ReadonlyMap<string, (value: string) => readonly string[]> = new Map([
  [
    '--block-time',
    (text) => ['--tick', String(Math.round(secondsOf(text) * 1_000)), '--ticks-per-block', '0'],
  ],
  [
    '--slots-in-an-epoch',
    (text) => {
      const slots = wholeNumberOf('--slots-in-an-epoch', 'a number of blocks', text, 0)
      return ['--safe-distance', text, '--finalized-distance', String(slots * 2)]
    },
  ],
])

const SWITCHES: ReadonlyMap<string, readonly string[]> = new Map([
  ['--no-mining', ['--rhythm', 'manual']],
  ['--disable-code-size-limit', ['--code-size-limit', '0']],
  // preseal can always trace steps.
  ['--steps-tracing', []],
  ['--preserve-historical-states', []],
  ['--disable-min-priority-fee', []],
  ['--no-storage-caching', ['--no-fork-cache']],
  // preseal limits the rate only if --fork-requests-per-second is given.
  ['--no-rate-limit', []],
  ['--no-rpc-rate-limit', []],
  ['--no-priority-fee', []],
  ['--enable-tx-gas-limit', []],
  ['--tx-gas-limit', []],
])

/** Flags that cannot be translated, each with the text that names its counterpart in preseal. */
const COUNTERPARTS: ReadonlyMap<string, string> = new Map([
  ['-s', '--state-interval <seconds>, or --silent'],
  ['-v', '--trace'],
  ['--verbosity', '--trace'],
  ['--verbose', '--trace'],
  ['--md', '--json'],
  ['--color', 'the variables NO_COLOR=1 and FORCE_COLOR=1'],
  ['--config-out', '--json, whose line "listening" has the accounts'],
  ['--ipc', '--port: only HTTP and WebSocket are supported'],
  ['-j', 'preseal runs in one thread'],
  ['--threads', 'preseal runs in one thread'],
  ['--jobs', 'preseal runs in one thread'],
  ['--max-persisted-states', KEPT],
  ['--prune-history', KEPT],
  ['--max-transactions', '--gas-limit <gas> limits the size of a block'],
  ['--mnemonic-seed-unsafe', '--mnemonic <words>, or --mnemonic-random'],
  ['--mnemonic-seed', '--mnemonic <words>, or --mnemonic-random'],
  ['--no-cors', '--allowed-origins <origins>'],
  ['--no-request-size-limit', 'the option bodyLimit of createDevnet and of preseal.config.ts'],
  ['--gas-price', '--base-fee <wei>'],
  ['--disable-pool-balance-checks', '--balance <ether>, or anvil_setBalance'],
  ['--disable-default-create2-deployer', 'anvil_setCode with 0x removes the deployer'],
  ['--memory-limit', '--call-memory-limit <bytes>'],
  ['-n', '--l2 <name> or --profile <name>'],
  ['--network', '--l2 <name> or --profile <name>'],
  ['--optimism', '--l2 op or --profile op-flashblocks'],
  ['--compute-units-per-second', '--fork-requests-per-second <count>'],
  ['--fork-retry-backoff', 'retries wait longer each time; --retries <count>'],
  ['--celo', 'Celo is not supported'],
])

/** Returns the arguments of a command line with the flags of other tools translated. Throws `InvalidFlag`. */
export function translateFlags(words: readonly string[]): string[] {
  const translated: string[] = []
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!
    if (word === '--') return [...translated, ...words.slice(i)]
    const [name, value] = parted(word)
    const flag = SYNONYMS.get(name) ?? name
    const [expand, alone] = [EXPANSIONS.get(flag), SWITCHES.get(flag)]
    if (alone !== undefined && value === undefined) translated.push(...alone)
    else if (expand !== undefined) translated.push(...expand(value ?? words[++i] ?? ''))
    else translated.push(value === undefined ? flag : `${flag}=${value}`)
  }
  return translated
}

/** Returns commander's error message. If another tool has the unknown flag, adds its counterpart in preseal. */
export function withCounterpart(refusal: string): string {
  const [, flag = ''] = /unknown option '([^'=]+)/.exec(refusal) ?? []
  const ours = COUNTERPARTS.get(/^-v+$/.test(flag) ? '-v' : flag)
  return ours === undefined ? refusal : `error: unknown option '${flag}'\n(In preseal: ${ours})\n`
}

function parted(word: string): [name: string, value: string | undefined] {
  const at = word.startsWith('-') ? word.indexOf('=') : -1
  return at === -1 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)]
}

function secondsOf(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  throw new InvalidFlag(`--block-time: expected seconds, such as 2 or 0.5, got "${text}"`)
}
