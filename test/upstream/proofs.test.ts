/** The remote state with proofs: verified against the state root, requested by account, cached if valid. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Address } from '../../src/bytes/hex.ts'
import { keccakHash } from '../../src/crypto/keccak.ts'
import { type MissingValue, NOT_FETCHED, type RemoteState } from '../../src/state/remoteState.ts'
import { State } from '../../src/state/state.ts'
import { type ExchangeStore, memoryStore } from '../../src/upstream/cacheFile.ts'
import { remoteStateOf } from '../../src/upstream/fetchedState.ts'
import { cachedUpstream } from '../../src/upstream/forkNode.ts'
import { offlineUpstream } from '../../src/upstream/offlineNodes.ts'
import { joinProofs } from '../../src/upstream/proofRequests.ts'
import {
  type Upstream,
  type UpstreamAnswer,
  UpstreamFailed,
  type UpstreamRequest,
} from '../../src/upstream/upstream.ts'
import { BLOCK, provingNode } from '../support/nodes/provingNode.ts'

const ALICE: Address = '0x00000000000000000000000000000000000a11ce'
const SHOP: Address = '0x000000000000000000000000000000000005109e'
const OTHER: Address = '0x00000000000000000000000000000000000510ff'
const NOBODY: Address = `0x${'ee'.repeat(20)}`
const CODE = Uint8Array.of(0x60, 0x00, 0x54)

const slots = (factor: bigint) =>
  Array.from({ length: 50 }, (_, i) => [BigInt(i), BigInt(i) * factor + 1n] as const)
let state: State

beforeAll(async () => {
  state = State.empty.with([
    { address: ALICE, nonce: 3n, balance: 5n },
    { address: SHOP, nonce: 1n, code: CODE, storage: slots(10n) },
    { address: OTHER, nonce: 1n, code: CODE, storage: slots(7n) },
    ...Array.from({ length: 60 }, (_, i) => ({
      address: `0x${(i + 16).toString(16).repeat(20)}` as Address,
      balance: 1n,
    })),
  ])
})

const account = (address: Address): MissingValue => ({ kind: 'account', address })
const slot = (address: Address, at: bigint): MissingValue => ({ kind: 'slot', address, slot: at })

/** The remote state of a fork behind its cache. */
function over(node: Upstream, store: ExchangeStore = memoryStore()): RemoteState {
  const upstream = cachedUpstream(joinProofs(node, '0x10'), store)
  return remoteStateOf(upstream, BLOCK, { provenBy: state.root() })
}

const shown = ({ method, params }: UpstreamRequest) => [method, params[0], (params[1] as unknown[]).length]

describe('a state with proofs', () => {
  it('is asked for by account, with all its slots in one request', async () => {
    const node = provingNode(state)
    const remote = over(node)
    await remote.fetch([account(SHOP), slot(SHOP, 1n), account(ALICE), slot(SHOP, 2n), slot(SHOP, 99n)])
    expect(node.batches).toHaveLength(1)
    expect(node.batches[0]!.filter(({ method }) => method === 'eth_getProof').map(shown)).toEqual([
      ['eth_getProof', SHOP, 3],
      ['eth_getProof', ALICE, 0],
    ])
    expect(remote.account(SHOP)).toMatchObject({ nonce: 1n, balance: 0n, code: CODE, hasStorage: true })
    expect(remote.account(ALICE)).toMatchObject({ nonce: 3n, balance: 5n, hasStorage: false })
    expect([1n, 2n, 99n].map((at) => remote.slot(SHOP, at))).toEqual([11n, 21n, 0n])
    await remote.fetch([slot(SHOP, 5n), slot(SHOP, 6n)])
    expect(node.batches[1]!.map(shown)).toEqual([['eth_getProof', SHOP, 2]])
    expect(remote.slot(SHOP, 6n)).toBe(61n)
  })

  it('knows that an account does not exist, and has no slots', async () => {
    const remote = over(provingNode(state))
    await remote.fetch([account(NOBODY), slot(NOBODY, 1n)])
    expect([remote.account(NOBODY), remote.slot(NOBODY, 1n)]).toEqual([undefined, 0n])
  })

  it('has an account without a balance, a nonce and code if there is a leaf of it', async () => {
    const before = state
    state = state.with([{ address: NOBODY }])
    try {
      const remote = over(provingNode(state))
      await remote.fetch([account(NOBODY)])
      expect(remote.account(NOBODY)).toMatchObject({ nonce: 0n, balance: 0n })
    } finally {
      state = before
    }
  })

  it('is kept by account and slot, so that without the network it does not matter what was asked together', async () => {
    const store = memoryStore()
    const first = over(provingNode(state), store)
    await first.fetch([account(SHOP), slot(SHOP, 1n), slot(SHOP, 2n)])
    await first.fetch([slot(SHOP, 3n)])
    const offline = remoteStateOf(
      offlineUpstream('node.example', store, { came: 'offline', right: 'record it' }),
      BLOCK,
      {
        provenBy: state.root(),
      },
    )
    await offline.fetch([account(SHOP), slot(SHOP, 2n), slot(SHOP, 3n)])
    await offline.fetch([slot(SHOP, 1n)])
    expect([1n, 2n, 3n].map((at) => offline.slot(SHOP, at))).toEqual([11n, 21n, 31n])
    await expect(offline.fetch([slot(SHOP, 4n)])).rejects.toMatchObject({ kind: 'offline' })
  })

  it('asks for many slots in several requests', async () => {
    const node = provingNode(state)
    const remote = over(node)
    await remote.fetch(Array.from({ length: 150 }, (_, i) => slot(SHOP, BigInt(i))))
    const proofs = node.batches.flat().filter(({ method }) => method === 'eth_getProof')
    expect(proofs.map((request) => shown(request)[2])).toEqual([64, 64, 22])
    expect(remote.slot(SHOP, 49n)).toBe(491n)
  })

  it('says that a node has no proofs', async () => {
    const node = provingNode(state, (answer, { method }) =>
      method === 'eth_getProof'
        ? { error: { code: -32601, message: 'the method eth_getProof does not exist' } }
        : answer,
    )
    await expect(over(node).fetch([account(ALICE)])).rejects.toThrow(
      /no proofs: the error -32601 .* use a node that supports eth_getProof, or disable proofs/,
    )
  })
})

interface Proof {
  address: string
  balance: string
  nonce: string
  codeHash: string
  storageHash: string
  accountProof: string[]
  storageProof: SlotProof[]
}

interface SlotProof {
  key: string
  value: string
  proof: string[]
}

/** The nodes with a bit of one of them flipped. */
const flipped = (nodes: readonly string[], index: number): string[] =>
  nodes.map((node, at) => (at === index ? `${node.slice(0, -1)}${node.endsWith('0') ? '1' : '0'}` : node))

/** The proofs of the slots with members of one of them changed. */
const slotWith = (
  { storageProof }: Proof,
  index: number,
  change: (slot: SlotProof) => Partial<SlotProof>,
): Partial<Proof> => ({
  storageProof: storageProof.map((slot, at) => (at === index ? { ...slot, ...change(slot) } : slot)),
})

const MISSING = /no node with the hash 0x/

/** Wrong answers about the shop, by the changed members, and the error for each. */
const LIES: readonly (readonly [name: string, lie: (proof: Proof) => Partial<Proof>, came: RegExp])[] = [
  ['balance', () => ({ balance: '0x7' }), /the balance 7, but the proof shows 0/],
  ['nonce', () => ({ nonce: '0x7' }), /the nonce 7, but the proof shows 1/],
  ['hash of the code', ({ storageHash }) => ({ codeHash: storageHash }), /the codeHash 0x/],
  ['root of the storage', ({ codeHash }) => ({ storageHash: codeHash }), /the storageHash 0x/],
  [
    'value of a slot',
    (proof) => slotWith(proof, 0, () => ({ value: '0x7' })),
    /the value 0x0*7, but the proof shows 0x0*b/,
  ],
  [
    'value of an empty slot',
    (proof) => slotWith(proof, 1, () => ({ value: '0x7' })),
    /the value 0x0*7, but the proof shows 0x0*$|the proof shows 0x0+;/,
  ],
  [
    'absence of a slot',
    (proof) => slotWith(proof, 0, ({ proof: nodes }) => ({ value: '0x0', proof: nodes.slice(0, 1) })),
    MISSING,
  ],
  [
    'slot in the place of another',
    (proof) => slotWith(proof, 0, ({ key }) => ({ ...proof.storageProof[1]!, key })),
    MISSING,
  ],
  [
    'key of a slot',
    ({ storageProof }) => ({ storageProof: storageProof.toReversed() }),
    /a proof of the slot 0x/,
  ],
  ['account', () => ({ address: OTHER }), /a proof of the account 0x/],
  ['node of an account', ({ accountProof }) => ({ accountProof: flipped(accountProof, 1) }), MISSING],
  ['root', ({ accountProof }) => ({ accountProof: flipped(accountProof, 0) }), MISSING],
  [
    'missing node of an account',
    ({ accountProof }) => ({ accountProof: accountProof.slice(0, -1) }),
    MISSING,
  ],
  ['absence without nodes', () => ({ balance: '0x0', nonce: '0x0', accountProof: [] }), MISSING],
  [
    'node of a slot',
    (proof) => slotWith(proof, 0, ({ proof: nodes }) => ({ proof: flipped(nodes, 0) })),
    MISSING,
  ],
  [
    'missing node of a slot',
    (proof) => slotWith(proof, 0, ({ proof: nodes }) => ({ proof: nodes.slice(0, -1) })),
    MISSING,
  ],
]

describe('a node that lies', () => {
  const lying = (lie: (proof: Proof) => Partial<Proof>) =>
    provingNode(state, (answer, { method }) => {
      if (method !== 'eth_getProof' || !('result' in answer)) return answer
      const proof = answer.result as Proof
      return { result: { ...proof, ...lie(proof) } }
    })

  it.each(LIES)('about the %s is found out, and nothing of the answer is kept', async (_, lie, came) => {
    const store = memoryStore()
    const remote = over(lying(lie), store)
    const values = [account(SHOP), slot(SHOP, 1n), slot(SHOP, 99n)]
    const failure = await remote.fetch(values).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(UpstreamFailed)
    expect(failure).toMatchObject({ kind: 'wrongProof', upstream: 'node.example' })
    expect((failure as Error).message).toMatch(
      /a wrong answer to eth_getProof\(0x0+5109e, .*; the answers of the node must be proven/,
    )
    expect((failure as Error).message).toMatch(came)
    expect([remote.account(SHOP), remote.slot(SHOP, 1n)]).toEqual([NOT_FETCHED, NOT_FETCHED])
    const honest = over(provingNode(state), store)
    await honest.fetch(values)
    expect(honest.slot(SHOP, 1n)).toBe(11n)
  })

  it('with the proof of another account is found out', async () => {
    const honest = provingNode(state)
    const node: Upstream = {
      ...honest,
      send: (requests) =>
        honest.send(
          requests.map(({ params: [, ...rest], ...request }) => ({ ...request, params: [OTHER, ...rest] })),
        ),
    }
    await expect(over(node).fetch([account(SHOP)])).rejects.toMatchObject({ kind: 'wrongProof' })
  })

  it('about code is found out', async () => {
    const node = provingNode(
      state,
      (answer, { method }): UpstreamAnswer => (method === 'eth_getCode' ? { result: '0x6001' } : answer),
    )
    await expect(over(node).fetch([account(SHOP)])).rejects.toThrow(
      new RegExp(
        `eth_getCode.*code with the hash ${keccakHash(Uint8Array.of(0x60, 1))}, but the proof of the account shows`,
      ),
    )
  })

  it('consistently, about another state, is found out by the root of the block', async () => {
    const other = state.with([{ address: SHOP, storage: [[1n, 7n]] }])
    await expect(over(provingNode(other)).fetch([account(SHOP)])).rejects.toMatchObject({
      kind: 'wrongProof',
    })
  })

  it('in the form of its answers is told so', async () => {
    const node = provingNode(state, (answer, { method }) =>
      method === 'eth_getProof' ? { result: null } : answer,
    )
    await expect(over(node).fetch([account(SHOP)])).rejects.toMatchObject({ kind: 'wrongAnswer' })
    const short = lying(() => ({ storageProof: [] }))
    await expect(over(short).fetch([slot(SHOP, 1n)])).rejects.toMatchObject({ kind: 'wrongAnswer' })
  })
})
