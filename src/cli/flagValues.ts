/** Parses the values of flags that set no option of the devnet. Each function throws `InvalidFlag`. */
import { IMPORT_RULES, type ImportRules } from '../sequencer/import/blockFlaw.ts'
import { isOrigin } from '../server/origins.ts'
import type { Given } from './commandLine.ts'
import { InvalidFlag } from './flagTable.ts'
import type { Invocation } from './invocation.ts'

/** Returns the whole number in the text of a flag; `noun`: what is counted by it. */
export function wholeNumberOf(
  flag: string,
  noun: string,
  text: string,
  from: number,
  to = Number.POSITIVE_INFINITY,
): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= from && value <= to) return value
  const range = to === Number.POSITIVE_INFINITY ? `of at least ${from}` : `from ${from} to ${to}`
  throw new InvalidFlag(`${flag}: expected ${noun} (a whole number ${range}), got "${text}"`)
}

/** Returns the form of the report. */
export function mannerOf({ silent, json }: Given): Invocation['report'] {
  return silent === true ? 'silent' : json === true ? 'json' : 'text'
}

/** `replay` has no such flag. */
export function importRulesOf(name = 'ethereum'): ImportRules {
  const rules = IMPORT_RULES.find((one) => one === name)
  if (rules === undefined) {
    throw new InvalidFlag(`--import-rules: expected ${IMPORT_RULES.join(' or ')}, got "${name}"`)
  }
  return rules
}

const MNEMONIC_WORDS = [12, 15, 18, 21, 24]

export function wordsOf(random: unknown, mnemonic: unknown): number | undefined {
  if (random === undefined || random === false) return undefined
  if (mnemonic !== undefined) {
    throw new InvalidFlag('--mnemonic-random: expected nothing beside --mnemonic, which says all words')
  }
  const words = random === true ? 12 : Number(random)
  if (MNEMONIC_WORDS.includes(words)) return words
  throw new InvalidFlag(`--mnemonic-random: expected 12, 15, 18, 21 or 24 words, got "${random}"`)
}

export function listOf(text: unknown): string[] | undefined {
  return (text as string | undefined)?.split(',').map((name) => name.trim())
}

export function originsOf(origins: string[] | undefined): readonly string[] | undefined {
  const wrong = origins?.find((origin) => !isOrigin(origin))
  if (wrong === undefined) return origins
  throw new InvalidFlag(
    `--allowed-origins: expected origins such as http://localhost:3000 (or null, or *), separated by commas, got "${wrong}"`,
  )
}

export function requestsOf({ logRequests, quietRequests }: Record<string, unknown>): Invocation['requests'] {
  if (logRequests === true && quietRequests === true) {
    throw new InvalidFlag(
      '--quiet-requests: expected nothing beside --log-requests, which prints all of them',
    )
  }
  return logRequests === true ? 'all' : quietRequests === true ? 'none' : 'refused'
}
