/** Translates flags of anvil, Hardhat and ganache. The error for an untranslatable flag names its counterpart. */

import { InvalidFlag } from '../options/flags.ts'
import { wholeNumberOf } from '../terminal/flags.ts'
import flags from './anvilFlags.json' with { type: 'json' }

const SYNONYMS: ReadonlyMap<string, string> = new Map(Object.entries(flags.synonyms))

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
const COUNTERPARTS: ReadonlyMap<string, string> = new Map(Object.entries(flags.counterparts))

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
