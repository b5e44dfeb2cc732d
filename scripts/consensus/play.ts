/** Plays a test: imports its blocks and compares the state after them. */
import { createDevnet, type Devnet, type DevnetOptions, ImportFailed } from '../../src/index.ts'
import type { Fixture, Post, TestBlock } from './fixture.ts'
import { isReason, reasonOf } from './reasons.ts'

export const ENGINES = ['wasm', 'ethereumjs', 'both'] as const satisfies readonly DevnetOptions['engine'][]
export type Engine = (typeof ENGINES)[number]

/** The outcome of a test: as expected, or its first difference. */
export type Outcome =
  | { readonly kind: 'same' }
  | { readonly kind: 'different'; readonly what: string; readonly expected: string; readonly got: string }

const SAME: Outcome = { kind: 'same' }

export async function play(fixture: Fixture, engine: Engine): Promise<Outcome> {
  const options = { engine, rhythm: 'manual', accounts: 1 } as const
  await using devnet = await createDevnet({ ...options, genesis: fixture.genesis })
  const { hash } = await headOf(devnet)
  if (hash !== fixture.genesisHash) return different('the hash of block 0', fixture.genesisHash, hash)
  const ended = isLine(fixture) ? await playLine(devnet, fixture) : await playTree(devnet, fixture)
  return ended instanceof Map ? await compareHead(ended, fixture, engine) : ended
}

/** Devnets by the hashes of their newest blocks. */
type Heads = Map<string, Devnet>

/** Whether all blocks are valid and each follows the one before it, so that they can be imported at once. */
function isLine({ blocks, genesisHash, lastHash }: Fixture): boolean {
  let parent: string | undefined = genesisHash
  for (const { rlp, hash, exceptions } of blocks) {
    if (exceptions !== undefined || hash === undefined || parentHashOf(rlp) !== parent) return false
    parent = hash
  }
  return parent === lastHash
}

async function playLine(devnet: Devnet, { blocks }: Fixture): Promise<Heads | Outcome> {
  const refused = await imported(
    devnet,
    blocks.map(({ rlp }) => rlp),
  )
  if (refused !== undefined) return different('its blocks', 'all of them imported', refused.message)
  return new Map([[(await headOf(devnet)).hash, devnet]])
}

/** Imports each block on a fork of the chain that ends with its parent; without one, of the chain that grew last. */
async function playTree(devnet: Devnet, { name, blocks, genesisHash }: Fixture): Promise<Heads | Outcome> {
  const heads: Heads = new Map([[genesisHash, devnet]])
  let newest = devnet
  for (const [index, block] of blocks.entries()) {
    const parent = parentHashOf(block.rlp)
    const fork = ((parent === undefined ? undefined : heads.get(parent)) ?? newest).fork()
    const refused = await imported(fork, [block.rlp])
    const flaw = compareRefusal(name, `blocks[${index}]`, block, refused)
    if (flaw !== undefined) return flaw
    const { hash } = await headOf(fork)
    if (refused === undefined) {
      if (block.hash !== undefined && block.hash !== hash) {
        return different(`the hash of blocks[${index}]`, block.hash, hash)
      }
      heads.set(hash, fork)
      newest = fork
    }
  }
  return heads
}

/** A refused block must be refused for a reason that the test names. */
function compareRefusal(
  test: string,
  what: string,
  { exceptions }: TestBlock,
  refused: ImportFailed | undefined,
): Outcome | undefined {
  if (exceptions === undefined) {
    return refused === undefined ? undefined : different(what, 'imported', refused.message)
  }
  const expected = `refused: ${exceptions.join(' or ') || 'for any reason'}`
  if (refused === undefined) return different(what, expected, 'imported')
  if (exceptions.length === 0) return undefined
  if (exceptions.some((exception) => isReason(exception, refused, test))) return undefined
  return different(what, expected, `${reasonOf(refused)}: ${refused.message}`)
}

async function compareHead(heads: Heads, { lastHash, post }: Fixture, engine: Engine): Promise<Outcome> {
  const devnet = heads.get(lastHash)
  if (devnet === undefined) return different('the newest block', lastHash, [...heads.keys()].join(', '))
  const { stateRoot } = await headOf(devnet)
  const root = post.kind === 'root' ? post.root : await rootOf(post, engine)
  if (root === stateRoot) return SAME
  const account = post.kind === 'root' ? undefined : await differentAccount(devnet, post)
  return account ?? different('the state root', root, stateRoot)
}

/** The state root of the accounts: that of a chain with this genesis. */
async function rootOf({ alloc }: Extract<Post, { kind: 'accounts' }>, engine: Engine): Promise<string> {
  const genesis = { config: { chainId: 1 }, alloc }
  await using devnet = await createDevnet({ engine, rhythm: 'manual', accounts: 1, genesis })
  return (await headOf(devnet)).stateRoot
}

interface PostAccount {
  readonly balance?: string
  readonly nonce?: string
  readonly code?: string
  readonly storage?: Readonly<Record<string, string>>
}

type Row = [what: string, expected: string, method: string, slot?: string]

/** The first account of the state that differs on the chain. Accounts on the chain alone are not found. */
async function differentAccount(
  devnet: Devnet,
  { alloc }: Extract<Post, { kind: 'accounts' }>,
): Promise<Outcome | undefined> {
  for (const [address, account] of Object.entries(alloc) as [string, PostAccount][]) {
    const { balance = '0x0', nonce = '0x0', code = '0x', storage = {} } = account
    const slots = Object.entries(storage).map(([slot, value]): Row => {
      return [`slot ${slot}`, value, 'eth_getStorageAt', `0x${slot.slice(2).padStart(64, '0')}`]
    })
    for (const [what, expected, method, ...key] of [
      ['balance', balance, 'eth_getBalance'],
      ['nonce', nonce, 'eth_getTransactionCount'],
      ['code', code, 'eth_getCode'],
      ...slots,
    ] satisfies Row[]) {
      const got = (await devnet.request({ method, params: [address, ...key, 'latest'] })) as string
      const isSame = what === 'code' ? got === expected.toLowerCase() : BigInt(got) === BigInt(expected)
      if (!isSame) return different(`${what} of ${address}`, expected, got)
    }
  }
  return undefined
}

/** The refusal of the blocks; `undefined` if they were imported. */
async function imported(devnet: Devnet, blocks: readonly Uint8Array[]): Promise<ImportFailed | undefined> {
  try {
    await devnet.import(blocks)
    return undefined
  } catch (error) {
    if (!(error instanceof ImportFailed)) throw error
    return error
  }
}

interface Head {
  readonly hash: string
  readonly stateRoot: string
}

async function headOf(devnet: Devnet): Promise<Head> {
  return (await devnet.request({ method: 'eth_getBlockByNumber', params: ['latest', false] })) as Head
}

/** The first field of the header in a block's RLP; `undefined` if there is none. */
function parentHashOf(rlp: Uint8Array): string | undefined {
  const header = contentAt(rlp, 0)
  const field = contentAt(rlp, header)
  if (rlp[field] !== 0xa0) return undefined
  return `0x${Buffer.from(rlp.subarray(field + 1, field + 33)).toString('hex')}`
}

/** The index of the content of the RLP list at `at`. */
function contentAt(rlp: Uint8Array, at: number): number {
  const first = rlp[at] ?? 0
  return first > 0xf7 ? at + 1 + first - 0xf7 : at + 1
}

function different(what: string, expected: string, got: string): Outcome {
  return { kind: 'different', what, expected, got }
}
