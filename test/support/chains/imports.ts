/** Devnets that take in the chain of `minedChain.ts`, whole or in parts. */
import { numberToHex } from 'viem'
import { afterAll, expect, onTestFinished } from 'vitest'
import { type Hash, toHex } from '../../../src/bytes/hex.ts'
import { createDevnet, type Devnet, ImportFailed } from '../../../src/index.ts'
import { ask } from '../clients/clients.ts'
import { GENESIS, minedChain } from './minedChain.ts'

export const chain = await minedChain()

/** The bytes of a block. */
export function block(number: number): Uint8Array {
  return chain.encoded[number - 1]!
}

/** Blocks from one to another, both with it. */
export function blocks(first: number, last: number): readonly Uint8Array[] {
  return chain.encoded.slice(first - 1, last)
}

/** The hash that EthereumJS gave a block. */
export function hash(number: number): Hash {
  return toHex(chain.blocks[number - 1]!.block.hash())
}

/** A block as the devnet answers it. */
export function blockBy(
  devnet: Devnet,
  number: number | 'latest' | 'pending',
  isFull = false,
): Promise<Record<string, unknown>> {
  const at = typeof number === 'number' ? numberToHex(number) : number
  return ask(devnet, 'eth_getBlockByNumber', at, isFull)
}

/** Devnets that have the chain up to a block, by its number; tests work on forks of them. */
const grown = new Map<number, Devnet>()
afterAll(() => Promise.all([...grown.values()].map((devnet) => devnet.close())))

/** A devnet that has the chain up to block `head`. */
export async function standingAt(head: number): Promise<Devnet> {
  let parent = grown.get(head)
  if (parent === undefined) {
    const lower = Math.max(0, ...[...grown.keys()].filter((number) => number < head))
    parent = grown.get(lower)?.fork() ?? (await createDevnet({ genesis: GENESIS, rhythm: 'manual' }))
    grown.set(head, parent)
    await parent.import(blocks(lower + 1, head))
  }
  const devnet = parent.fork()
  onTestFinished(() => devnet.close())
  return devnet
}

/** Why `source` is refused. */
export async function refusal(
  devnet: Devnet,
  source: Parameters<Devnet['import']>[0],
): Promise<ImportFailed> {
  const outcome = await devnet.import(source).catch((error: unknown) => error)
  expect(outcome).toBeInstanceOf(ImportFailed)
  return outcome as ImportFailed
}

/** That the chain ends with its block `head`. */
export async function expectHead(devnet: Devnet, head: number): Promise<void> {
  expect(await ask(devnet, 'eth_getBlockByNumber', 'latest', false)).toMatchObject({
    number: `0x${head.toString(16)}`,
    hash: head === 0 ? toHex(chain.genesisBlock.hash()) : hash(head),
  })
}
