/** What is said of a word or a flag that the command line does not know: what may have been meant. */
import { nearest } from '../model/nearest.ts'
import { elsewhere } from './anvilFlags.ts'

/** Commander's refusal of a flag, with what does here what anvil, Hardhat or ganache have it for. */
export function withOurFlag(refusal: string): string {
  const [, flag = ''] = /unknown option '([^'=]+)/.exec(refusal) ?? []
  const ours = elsewhere(flag)
  return ours === undefined ? refusal : `error: unknown option '${flag}'\n(Here: ${ours})\n`
}

/** What is said of a first word that is no command. */
export function unknownCommand(word: string, commands: readonly string[]): string {
  const meant = nearest(word, commands)
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`
  return `expected flags, or one of the commands ${commands.join(', ')}, got "${word}"${hint}`
}
