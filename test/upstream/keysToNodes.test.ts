/** Keys that lead to a trie node by its path: found by trial near the root, listed by the upstream node further down. */
import { keccak256, numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { toBinary } from '../../src/bytes/bytes.ts'
import { type Address, fromHex, type Hash, type Hex } from '../../src/bytes/hex.ts'
import type { MissingNode } from '../../src/state/remoteState.ts'
import { KeysToNodes, smallestNumberWithPrefix } from '../../src/upstream/keysToNodes.ts'
import {
  type Upstream,
  type UpstreamAnswer,
  UpstreamFailed,
  type UpstreamRequest,
} from '../../src/upstream/upstream.ts'
import { BLOCK } from '../support/nodes/provingNode.ts'

const SHOP: Address = '0x000000000000000000000000000000000005109e'
const hashOfSlot = (slot: bigint): Hash => keccak256(numberToHex(slot, { size: 32 }))
const binary = (hash: Hex) => toBinary(fromHex(hash))

/** A node at the first nibbles of a hash. */
const at = (hash: Hash, depth: number, address?: Address): MissingNode => ({
  kind: 'node',
  address,
  hash: binary(keccak256('0x00')),
  key: binary(`${hash.slice(0, 2 + depth)}${'0'.repeat(64 - depth)}` as Hash),
  depth,
})

interface Asked extends Upstream {
  readonly requests: UpstreamRequest[]
}

function node(answer: (request: UpstreamRequest) => UpstreamAnswer): Asked {
  const requests: UpstreamRequest[] = []
  return {
    name: 'node.example',
    requests,
    send: async (asked) => {
      requests.push(...asked)
      return asked.map(answer)
    },
    close() {},
  }
}

const LACKING: UpstreamAnswer = { error: { code: -32601, message: 'the method does not exist' } }
/** A depth at which trials would take minutes. */
const DEEP = 9

describe('a number whose hash begins with given nibbles', () => {
  it('is the smallest one, as 32 bytes or as 20', async () => {
    for (const size of [32, 20]) {
      const hashes = Array.from({ length: 5_000 }, (_, number) => keccak256(numberToHex(number, { size })))
      for (const nibbles of [1, 2, 3]) {
        for (const hash of hashes.slice(4_000, 4_020)) {
          const first = hashes.findIndex((one) => one.startsWith(hash.slice(0, 2 + nibbles)))
          expect(await smallestNumberWithPrefix(binary(hash), nibbles, size)).toBe(BigInt(first))
        }
      }
    }
  })

  it('is found for as many nibbles as are remembered', async () => {
    const hash = keccak256('0x1234')
    const found = hashOfSlot(await smallestNumberWithPrefix(binary(hash), 5, 32))
    expect(found.slice(0, 7)).toBe(hash.slice(0, 7))
  })
})

describe('a key that leads to a node', () => {
  it('near the root is found without asking', async () => {
    const asked = node(() => LACKING)
    const keys = new KeysToNodes(asked, BLOCK)
    const hash = keccak256('0x5678')
    const slot = await keys.valueAt(at(hash, 3, SHOP))
    expect(slot).toMatchObject({ kind: 'slot', address: SHOP })
    expect(hashOfSlot((slot as { slot: bigint }).slot).slice(0, 5)).toBe(hash.slice(0, 5))
    const account = await keys.valueAt(at(hash, 3))
    expect(account).toMatchObject({ kind: 'account' })
    expect(keccak256((account as { address: Address }).address).slice(0, 5)).toBe(hash.slice(0, 5))
    expect(asked.requests).toEqual([])
  })

  it('far from the root is one that the node names: debug_storageRangeAt', async () => {
    const hash = hashOfSlot(77n)
    const storage = {
      [keccak256('0x01')]: { key: null, value: numberToHex(1, { size: 32 }) },
      [keccak256('0x02')]: { key: numberToHex(5, { size: 32 }), value: numberToHex(1, { size: 32 }) },
      [hash]: { key: numberToHex(77, { size: 32 }), value: numberToHex(1, { size: 32 }) },
    }
    const asked = node(() => ({ result: { storage, nextKey: null } }))
    const found = await new KeysToNodes(asked, BLOCK).valueAt(at(hash, DEEP, SHOP))
    expect(found).toEqual({ kind: 'slot', address: SHOP, slot: 77n })
    expect(asked.requests).toMatchObject([
      {
        method: 'debug_storageRangeAt',
        params: [BLOCK.hash, 0, SHOP, `${hash.slice(0, 2 + DEEP)}${'0'.repeat(64 - DEEP)}`, 16],
      },
    ])
  })

  it('far from the root of all accounts is one that the node names: debug_accountRange', async () => {
    const hash = keccak256(SHOP)
    const accounts = { [`pre(${hash})`]: {}, '0x0000000000000000000000000000000000000001': {}, [SHOP]: {} }
    const asked = node(() => ({ result: { root: '0x', accounts } }))
    expect(await new KeysToNodes(asked, BLOCK).valueAt(at(hash, DEEP))).toEqual({
      kind: 'account',
      address: SHOP,
    })
    expect(asked.requests[0]).toMatchObject({ method: 'debug_accountRange' })
  })

  it('is not there if the node names none; a method that it lacks is asked for once', async () => {
    const asked = node(() => LACKING)
    const keys = new KeysToNodes(asked, BLOCK)
    const place = at(hashOfSlot(77n), DEEP, SHOP)
    expect([await keys.valueAt(place), await keys.valueAt(place)]).toEqual([undefined, undefined])
    expect(asked.requests).toHaveLength(1)
    const silent = node(() => ({ result: { storage: {}, nextKey: null } }))
    expect(await new KeysToNodes(silent, BLOCK).valueAt(place)).toBeUndefined()
  })

  it('is not given up while the node cannot be reached, but without a network', async () => {
    const failing = (kind: 'unreachable' | 'offline') =>
      new KeysToNodes(
        node(() => {
          throw new UpstreamFailed({ kind, upstream: 'node.example', wrong: 'no answer', came: 'nothing' })
        }),
        BLOCK,
      ).valueAt(at(hashOfSlot(77n), DEEP, SHOP))
    await expect(failing('unreachable')).rejects.toMatchObject({ kind: 'unreachable' })
    expect(await failing('offline')).toBeUndefined()
  })
})
