/** The flags that begin the chain on a network, with the names that anvil gives them. They set members of the option `fork`. */
import type { DevnetOptions } from '../options/options.ts'
import { FORK_TAGS } from '../upstream/forkedNetwork.ts'
import { attributeOf, grouped, InvalidFlag, number } from './flagTable.ts'

type Fork = NonNullable<DevnetOptions['fork']>

interface ForkFlag {
  readonly flag: string
  readonly member: keyof Fork
  readonly meaning: string
  /** Returns the member for the flag's text; wrong text unchanged, for `parseOptions` to refuse. */
  readonly read?: (text: string) => unknown
  /** The flag may be given more than once. */
  readonly isList?: true
}

export const FORK_FLAGS: readonly ForkFlag[] = [
  {
    flag: '--fork-url <url>',
    member: 'url',
    meaning: 'node of a network to begin on, over HTTP or WebSocket; URL@BLOCK names the block, too',
  },
  {
    flag: '--fork-block-number <block>',
    member: 'block',
    meaning: 'block of the network to begin after: a number, a hash or a tag (default: latest)',
    read: number,
  },
  {
    flag: '--fork-transaction-hash <hash>',
    member: 'block',
    meaning: 'transaction of the network to begin before: the others before it in its block are run again',
  },
  {
    flag: '--fork-header <header>',
    member: 'headers',
    meaning: 'HTTP header for the node, such as "Authorization: Bearer …"; repeatable',
    isList: true,
  },
  {
    flag: '--timeout <ms>',
    member: 'timeoutMs',
    meaning: 'time limit of one request to the node in milliseconds',
    read: number,
  },
  {
    flag: '--retries <count>',
    member: 'retries',
    meaning: 'number of times that a request to the node is repeated if it fails',
    read: number,
  },
  {
    flag: '--fork-requests-per-second <count>',
    member: 'requestsPerSecond',
    meaning: 'limit of requests to the node',
    read: number,
  },
  {
    flag: '--fork-cache <path>',
    member: 'cache',
    meaning:
      "file that ends in .jsonl, or folder, for what the node has answered (default: the user's folder of caches, for nodes of other machines)",
  },
  { flag: '--no-fork-cache', member: 'cache', meaning: 'keep nothing of the network on the disk' },
  {
    flag: '--offline',
    member: 'offline',
    meaning: 'ask no network: all that is needed must be in the cache (default: PRESEAL_OFFLINE)',
  },
  {
    flag: '--fork-proofs',
    member: 'proofs',
    meaning: 'fetch state with proofs and hold it against the state root of the fork block: roots are exact',
  },
]

export const FORK_OPTIONS = FORK_FLAGS.map(({ flag, meaning, isList }) => {
  const option = grouped('fork', flag, meaning)
  return isList === true
    ? option.argParser((text: string, before: string[] = []) => [...before, text])
    : option
})

/** Returns the option `fork` with the members that flags set; `undefined` if there is none. Throws `InvalidFlag`. */
export function forkOf(
  named: Readonly<Record<string, unknown>>,
  before: DevnetOptions['fork'],
): DevnetOptions['fork'] {
  const members: Record<string, unknown> = {}
  for (const { flag, member, read, isList } of FORK_FLAGS) {
    const value = named[attributeOf(flag)]
    // commander keeps --no-fork-cache as a --fork-cache that is false.
    if (value === undefined || (value === false) !== flag.startsWith('--no-')) continue
    if (member === 'url') Object.assign(members, atBlock(String(value)))
    else if (isList === true) members[member] = headersOf(value as string[])
    else members[member] = typeof value === 'string' && read !== undefined ? read(value) : value
  }
  if (Object.keys(members).length === 0) return before
  const fork = { ...before, ...members } as Fork
  if (fork.url !== undefined || fork.provider !== undefined) return fork
  throw new InvalidFlag(`${flagOfMember(Object.keys(members)[0]!)}: expected --fork-url beside it, got none`)
}

/** Returns the flag that sets a member of the option `fork`. */
export function flagOfMember(member: string): string {
  return FORK_FLAGS.find((row) => row.member === member)!.flag.split(' ')[0]!
}

/** Splits `URL@BLOCK`. An `@` before the host ends a user name. */
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
