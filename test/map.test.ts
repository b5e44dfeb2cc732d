/** Who may import whom: the rooms of `src` from bottom to top, and the packages that each may use. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const EVERYWHERE = ['@ethereumjs/common', '@ethereumjs/util', '@noble/hashes']

const ROOMS: Record<string, { rooms: string[]; packages: string[] }> = {
  model: {
    rooms: [],
    packages: [
      '@ethereumjs/block',
      '@ethereumjs/rlp',
      '@ethereumjs/tx',
      '@noble/curves',
      '@scure/bip32',
      '@scure/bip39',
      'hash-wasm',
      'micro-eth-signer',
      'secp256k1',
    ],
  },
  wire: { rooms: ['model'], packages: [] },
  // What bytes mean to people: by an ABI, or by the signatures of console.log. A devnet runs without it.
  abi: { rooms: ['model'], packages: ['ox', 'node:util'] },
  // All Merkle roots are made here, by a trie of our own: @ethereumjs/mpt is what the tests hold it against.
  state: { rooms: ['model'], packages: [] },
  // Block and transaction are types that runTx wants; the rest is the machine itself.
  evm: {
    rooms: ['state', 'model'],
    packages: ['@ethereumjs/block', '@ethereumjs/evm', '@ethereumjs/tx', '@ethereumjs/vm'],
  },
  pool: { rooms: ['state', 'model'], packages: [] },
  chain: { rooms: ['state', 'model'], packages: [] },
  sequencer: { rooms: ['chain', 'pool', 'evm', 'state', 'model'], packages: [] },
  rpc: { rooms: ['sequencer', 'chain', 'pool', 'evm', 'wire', 'state', 'model'], packages: [] },
  server: { rooms: ['rpc'], packages: ['cors', 'express', 'node:http', 'node:net', 'node:stream', 'ws'] },
  // The command line is a user of the whole: it alone of the rooms sees the devnet itself.
  cli: {
    rooms: ['top', 'server', 'sequencer', 'rpc', 'abi', 'model'],
    packages: [
      'commander',
      'jiti',
      'ora',
      'picocolors',
      'valibot',
      'node:fs',
      'node:path',
      'node:stream',
      'node:url',
    ],
  },
}

const SOURCE = join(import.meta.dirname, '../src')

/** The modules that a file imports, types included. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/(?:\bfrom |\bimport |\bimport\()'([^'\n]+)'/g)].map(([, module]) => module!)
}

function filesOf(room: string): string[] {
  return readdirSync(join(SOURCE, room), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => join(SOURCE, room, name))
}

/** What `module`, imported by `file`, belongs to: a room, `top` (a file of `src` itself), or a package. */
function ownerOf(file: string, module: string): string {
  if (!module.startsWith('.'))
    return module
      .split('/')
      .slice(0, module.startsWith('@') ? 2 : 1)
      .join('/')
  const [room, ...rest] = join(file, '..', module)
    .slice(SOURCE.length + 1)
    .split('/')
  return rest.length === 0 ? 'top' : room!
}

describe('the import map', () => {
  it.each(Object.keys(ROOMS))('lets %s import only what lies below it', (room) => {
    const { rooms, packages } = ROOMS[room]!
    const allowed = new Set([room, ...rooms, ...packages, ...EVERYWHERE])
    const wrong = filesOf(room).flatMap((file) =>
      importsOf(file)
        .map((module) => ({ module, owner: ownerOf(file, module) }))
        .filter(({ owner }) => !allowed.has(owner))
        .map(({ module }) => `${file.slice(SOURCE.length + 1)} -> ${module}`),
    )
    expect(wrong).toEqual([])
  })

  it('has a row for each room', () => {
    const rooms = readdirSync(SOURCE, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(rooms.map(({ name }) => name).sort()).toEqual(Object.keys(ROOMS).sort())
  })
})
