/** Messages for unknown words and flags of the command line, with the probably intended ones. */
import { nearest } from '../model/nearest.ts'
import { elsewhere } from './anvilFlags.ts'

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
