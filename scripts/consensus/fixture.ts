/**
 * A blockchain test of ethereum/execution-spec-tests, ethereum/tests or ethereum/legacytests, one JSON object in a line:
 * the genesis, the blocks, and the expected result.
 */
import * as v from 'valibot'
import { Unplayable } from '../commandLine.ts'
import { genesisConfig } from './networks.ts'

export interface Fixture {
  readonly name: string
  readonly network: string
  readonly genesis: object
  readonly genesisHash: string
  readonly blocks: readonly TestBlock[]
  /** The newest block of the chain that wins. */
  readonly lastHash: string
  readonly post: Post
}

export interface TestBlock {
  readonly rlp: Uint8Array
  /** Absent if the fixture does not have the header. */
  readonly hash: string | undefined
  /** Exceptions for which it may be refused; empty: any; absent: the block is valid. */
  readonly exceptions: readonly string[] | undefined
}

export type Post =
  | { readonly kind: 'accounts'; readonly alloc: object }
  | { readonly kind: 'root'; readonly root: string }

const text = v.string('a text')
const object = v.looseObject({}, 'an object')

const LINE = v.object(
  {
    name: text,
    network: text,
    config: v.optional(object, {}),
    genesisBlockHeader: v.looseObject({ hash: text }, 'an object'),
    pre: object,
    blocks: v.array(
      v.object({ rlp: text, hash: v.optional(text), expectException: v.optional(text) }),
      'an array',
    ),
    lastblockhash: text,
    postState: v.optional(object),
    postStateHash: v.optional(text),
  },
  'a test, a JSON object',
)

/** The fixture that a line holds. Throws `Unplayable`, naming `place`. */
export function parseFixture(line: string, place: string): Fixture {
  const { success, output, issues } = v.safeParse(LINE, parsed(line, place))
  if (!success) throw wrong(place, v.getDotPath(issues[0]) ?? 'the line', issues[0].message, issues[0].input)
  const { name, network, genesisBlockHeader, pre, lastblockhash, postState, postStateHash } = output
  const config = genesisConfig(network, output.config)
  if (config === undefined)
    throw wrong(place, 'network', 'a network of scripts/consensus/networks.ts', network)
  if (postState === undefined && postStateHash === undefined)
    throw wrong(place, 'postState', 'an object', undefined)
  return {
    name,
    network,
    // A genesis.json names the fields of block 0 as its header does; further ones are not read.
    genesis: { ...genesisBlockHeader, config, alloc: pre },
    genesisHash: genesisBlockHeader.hash,
    blocks: output.blocks.map(({ rlp, hash, expectException }) => ({
      rlp: Buffer.from(rlp.slice(2), 'hex'),
      hash,
      // Old fixtures name no exception for invalid blocks, and have the headers of valid blocks only.
      exceptions: expectException?.split('|') ?? (hash === undefined ? [] : undefined),
    })),
    lastHash: lastblockhash,
    post:
      postState === undefined
        ? { kind: 'root', root: postStateHash ?? '' }
        : { kind: 'accounts', alloc: postState },
  }
}

function parsed(line: string, place: string): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    throw new Unplayable(`${place}: not JSON: ${error instanceof Error ? error.message : error}`)
  }
}

function wrong(place: string, member: string, expected: string, got: unknown): Unplayable {
  return new Unplayable(`${place}: ${member}: expected ${expected}, got ${JSON.stringify(got) ?? 'nothing'}`)
}
