/** What is said of a word or a flag that the command line does not know: what may have been meant. */
import { nearest } from '../model/nearest.ts'

/** Commander's refusal of a flag, with the flag of ours that does what anvil, Hardhat or ganache have it for. */
export function withOurFlag(refusal: string): string {
  const [, flag = ''] = /unknown option '([^'=]+)/.exec(refusal) ?? []
  const ours = OF_OTHERS.get(flag)
  return ours === undefined ? refusal : `error: unknown option '${flag}'\n(Here: ${ours})\n`
}

/** What is said of a first word that is no command. */
export function unknownCommand(word: string, commands: readonly string[]): string {
  const meant = nearest(word, commands)
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`
  return `expected flags, or one of the commands ${commands.join(', ')}, got "${word}"${hint}`
}

const NOT_FORKED = 'networks are not forked; a fixture deploys what is needed of one (--fixture), or --import'
const BLOCK_TIME = '--tick <ms> with --ticks-per-block 0'

const OF_OTHERS: ReadonlyMap<string, string> = new Map([
  ['-p', '--port <port>'],
  ['-a', '--accounts <count>'],
  ['-m', '--mnemonic <words>'],
  ['-s', '--silent'],
  ['-q', '--silent'],
  ['--quiet', '--silent'],
  ['--hostname', '--host <address>'],
  ['-b', BLOCK_TIME],
  ['--block-time', BLOCK_TIME],
  ['--blockTime', BLOCK_TIME],
  ['--no-mining', '--rhythm manual'],
  ['--no-mine', '--rhythm manual'],
  ['--auto-impersonate', 'anvil_autoImpersonateAccount, by a fixture or a request'],
  ['--timestamp', 'a genesis.json with a timestamp (--init)'],
  ['--block-base-fee-per-gas', '--base-fee <wei>'],
  ['--steps-tracing', 'always so: debug_traceTransaction'],
  ['--print-traces', '--trace'],
  ['--verbose', '--trace'],
  ['-f', NOT_FORKED],
  ['--fork', NOT_FORKED],
  ['--fork-url', NOT_FORKED],
  ['--rpc-url', NOT_FORKED],
  ['--fork-block-number', NOT_FORKED],
])
