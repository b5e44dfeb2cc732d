/**
 * A blockchain test of ethereum/execution-spec-tests, ethereum/tests or ethereum/legacytests, one JSON object in a line:
 * the genesis, the blocks, and the expected result.
 */
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

/** The fixture that a line holds. Throws `Unplayable`, naming `place`. */
export function parseFixture(line: string, place: string): Fixture {
  const record = parsed(line, place)
  const at = (member: string): Record<string, unknown> => {
    const value = record[member]
    if (typeof value !== 'object' || value === null) throw wrong(place, member, 'an object', value)
    return value as Record<string, unknown>
  }
  const text = (member: string): string => textOf(record[member], place, member)
  const network = text('network')
  const config = genesisConfig(network, (record.config ?? {}) as Record<string, unknown>)
  if (config === undefined)
    throw wrong(place, 'network', 'a network of scripts/consensus/networks.ts', network)
  const header = at('genesisBlockHeader')
  return {
    name: text('name'),
    network,
    // A genesis.json names the fields of block 0 as its header does; further ones are not read.
    genesis: { ...header, config, alloc: at('pre') },
    genesisHash: textOf(header.hash, place, 'genesisBlockHeader.hash'),
    blocks: blocksOf(record.blocks, place),
    lastHash: text('lastblockhash'),
    post:
      record.postState === undefined
        ? { kind: 'root', root: text('postStateHash') }
        : { kind: 'accounts', alloc: at('postState') },
  }
}

function blocksOf(value: unknown, place: string): TestBlock[] {
  if (!Array.isArray(value)) throw wrong(place, 'blocks', 'an array', value)
  return value.map((block: Record<string, unknown>, index) => {
    const { hash, expectException } = block
    return {
      rlp: Buffer.from(textOf(block.rlp, place, `blocks[${index}].rlp`).slice(2), 'hex'),
      hash: hash === undefined ? undefined : textOf(hash, place, `blocks[${index}].hash`),
      exceptions: exceptionsOf(hash, expectException, `${place}: blocks[${index}]`),
    }
  })
}

/** Old fixtures name no exception for invalid blocks, and have the headers of valid blocks only. */
function exceptionsOf(hash: unknown, exception: unknown, place: string): string[] | undefined {
  if (exception !== undefined) return textOf(exception, place, 'expectException').split('|')
  return hash === undefined ? [] : undefined
}

function parsed(line: string, place: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    throw new Unplayable(`${place}: not JSON: ${error instanceof Error ? error.message : error}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Unplayable(`${place}: expected a test, a JSON object, got ${line.slice(0, 40)}`)
  }
  return value as Record<string, unknown>
}

function textOf(value: unknown, place: string, member: string): string {
  if (typeof value !== 'string') throw wrong(place, member, 'a text', value)
  return value
}

function wrong(place: string, member: string, expected: string, got: unknown): Unplayable {
  return new Unplayable(`${place}: ${member}: expected ${expected}, got ${JSON.stringify(got) ?? 'nothing'}`)
}
