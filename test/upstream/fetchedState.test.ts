/** The remote state at one block: fetched in batches, shared between forks, wrong answers reported. */
import { describe, expect, it } from 'vitest'
import type { Address, Hash } from '../../src/bytes/hex.ts'
import { keccak256 } from '../../src/crypto/keccak.ts'
import { type MissingValue, NOT_FETCHED, type RemoteCall } from '../../src/state/remoteState.ts'
import { remoteStateOf } from '../../src/upstream/fetchedState.ts'
import { SharedValues } from '../../src/upstream/sharedForks.ts'
import type { Upstream, UpstreamAnswer, UpstreamRequest } from '../../src/upstream/upstream.ts'
import { failureOf } from '../support/nodes/upstreams.ts'

const A: Address = `0x${'aa'.repeat(20)}`
const B: Address = `0x${'bb'.repeat(20)}`
const EMPTY: Address = `0x${'ee'.repeat(20)}`
const BLOCK = { chainId: 1n, number: 0x10n, hash: hashOf(0x10n) }
const CALL: RemoteCall = { from: EMPTY, to: A, value: 0n, data: new Uint8Array([1, 2]) }

function hashOf(number: bigint): Hash {
  return `0x${number.toString(16).padStart(64, '0')}`
}

type Answers = Record<string, (params: readonly unknown[]) => unknown>

/** The answers of a node with two accounts. */
const ANSWERS: Answers = {
  eth_getBalance: ([address]) => (address === EMPTY ? '0x0' : '0x64'),
  eth_getTransactionCount: ([address]) => (address === EMPTY ? '0x0' : '0x5'),
  eth_getCode: ([address]) => (address === B ? '0x6001' : '0x'),
  eth_getStorageAt: ([, slot]) => `0x${(BigInt(slot as string) * 2n).toString(16).padStart(64, '0')}`,
  eth_getBlockByNumber: ([number]) => ({
    number,
    hash: hashOf(BigInt(number as string)),
    parentHash: hashOf(BigInt(number as string) - 1n),
  }),
}

interface Stub extends Upstream {
  readonly sent: UpstreamRequest[][]
}

function stub(answers: Answers = {}): Stub {
  const all: Answers = { ...ANSWERS, ...answers }
  const sent: UpstreamRequest[][] = []
  return {
    name: 'node.example',
    sent,
    async send(requests) {
      sent.push([...requests])
      await new Promise(setImmediate)
      return requests.map(({ method, params }): UpstreamAnswer => {
        const answer = all[method]
        if (answer === undefined)
          return { error: { code: -32601, message: `the method ${method} does not exist` } }
        const result = answer(params)
        return typeof result === 'object' && result !== null && 'error' in result
          ? (result as UpstreamAnswer)
          : { result }
      })
    },
    close() {},
  }
}

const account = (address: Address): MissingValue => ({ kind: 'account', address })
const slot = (address: Address, at: bigint): MissingValue => ({ kind: 'slot', address, slot: at })
const blockHash = (number: bigint): MissingValue => ({ kind: 'blockHash', number })

describe('the state of another node', () => {
  it('names what was not fetched, and has it after one batch', async () => {
    const node = stub()
    const state = remoteStateOf(node, BLOCK)
    expect([state.account(A), state.slot(A, 1n), state.blockHash(9n)]).toEqual([
      NOT_FETCHED,
      NOT_FETCHED,
      NOT_FETCHED,
    ])
    await state.fetch([account(A), account(B), account(EMPTY), slot(A, 0n), slot(A, 7n), blockHash(9n)])
    expect(node.sent).toHaveLength(1)
    expect(state.account(A)).toMatchObject({ balance: 100n, nonce: 5n, code: new Uint8Array() })
    expect(state.account(B)).toMatchObject({ codeHash: keccak256(new Uint8Array([0x60, 1])) })
    expect(state.account(EMPTY)).toBeUndefined()
    // Zero is a value that was fetched.
    expect([state.slot(A, 0n), state.slot(A, 7n), state.slot(A, 8n)]).toEqual([0n, 14n, NOT_FETCHED])
    expect([state.blockHash(9n), state.blockHash(8n), state.blockHash(7n)]).toEqual([
      hashOf(9n),
      hashOf(8n),
      NOT_FETCHED,
    ])
  })

  it('is that of the fork block: its number is in each request', async () => {
    const node = stub()
    const state = remoteStateOf(node, BLOCK)
    await state.fetch([account(A), slot(A, 1n)])
    expect(node.sent[0]!.map(({ params }) => params.at(-1))).toEqual(['0x10', '0x10', '0x10', '0x10'])
    expect(node.sent[0]!.every(({ isImmutable }) => isImmutable)).toBe(true)
    expect(state.blockHash(0x10n)).toBe(BLOCK.hash)
  })

  it('fetches each value once: named twice, named again, and while it is on its way', async () => {
    const node = stub()
    const state = remoteStateOf(node, BLOCK)
    await Promise.all([state.fetch([slot(A, 1n), slot(A, 1n)]), state.fetch([slot(A, 1n), slot(A, 2n)])])
    await state.fetch([slot(A, 1n), slot(A, 2n)])
    expect(node.sent.map((requests) => requests.length)).toEqual([1, 1])
  })

  it('has nothing of a batch with one wrong answer, and says which', async () => {
    const node = stub({ eth_getCode: () => '0x123' })
    const state = remoteStateOf(node, BLOCK)
    const failure = await failureOf(state.fetch([slot(A, 1n), account(A)]))
    expect(failure.kind).toBe('wrongAnswer')
    expect(failure.message).toContain(`eth_getCode(${A}, 0x10)`)
    expect(failure.message).toContain('result: expected bytes')
    expect([state.slot(A, 1n), state.account(A)]).toEqual([NOT_FETCHED, NOT_FETCHED])
    await failureOf(state.fetch([account(A)]))
    expect(node.sent).toHaveLength(2)
  })

  it('says that another block came than the one that was asked for', async () => {
    const node = stub({
      eth_getBlockByNumber: () => ({ number: '0x8', hash: hashOf(8n), parentHash: hashOf(7n) }),
    })
    const failure = await failureOf(remoteStateOf(node, BLOCK).fetch([blockHash(9n)]))
    expect(failure.message).toContain('expected the requested block (0x9), got "0x8"')
  })

  it.each([
    'missing trie node 5f1c (path ) state 0x5f1c is not available',
    'required historical state unavailable (reexec=128)',
    'state at block #16 is pruned',
    'historical state 5f1c is not available',
    'project does not have access to archive state',
  ])('says that an archive node is needed: %s', async (message) => {
    const node = stub({ eth_getBalance: () => ({ error: { code: -32000, message } }) })
    const failure = await failureOf(remoteStateOf(node, BLOCK).fetch([account(A)]))
    expect(failure.kind).toBe('notArchive')
    expect(failure.message).toContain('use an archive node')
    expect(failure.message).toContain(message)
  })
})

describe('guesses', () => {
  const SLOTS = [1n, 2n].map((slot): MissingValue => ({ kind: 'slot', address: A, slot }))

  it('come in the same batch', async () => {
    const node = stub()
    const state = remoteStateOf(node, BLOCK)
    await state.fetch([{ kind: 'account', address: A }], undefined, SLOTS)
    expect(node.sent).toHaveLength(1)
    expect([1n, 2n].map((slot) => state.slot(A, slot))).toEqual([2n, 4n])
  })

  it.each([
    ['an error', { error: { code: -32_000, message: 'no' } }],
    ['a wrong answer', 'none'],
  ])('that get %s are missing still, and nothing else is', async (_, answer) => {
    const node = stub({
      eth_getStorageAt: ([, slot]) => (BigInt(slot as string) === 1n ? answer : '0x4'),
    })
    const state = remoteStateOf(node, BLOCK)
    await state.fetch([{ kind: 'account', address: A }], undefined, SLOTS)
    expect(state.account(A)).toMatchObject({ balance: 100n })
    expect([1n, 2n].map((slot) => state.slot(A, slot))).toEqual([NOT_FETCHED, 4n])
  })
})

describe('the access list of a call', () => {
  const accessList = [{ address: B, storageKeys: [hashOf(1n), hashOf(2n)] }]

  it('is asked for with the first batch, and what it names comes with a second one', async () => {
    const node = stub({ eth_createAccessList: () => ({ accessList, gasUsed: '0x1' }) })
    const state = remoteStateOf(node, BLOCK)
    await state.fetch([account(A)], CALL)
    expect(node.sent.map((requests) => requests.length)).toEqual([4, 5])
    expect([state.slot(B, 1n), state.slot(B, 2n), state.account(B) === NOT_FETCHED]).toEqual([2n, 4n, false])
    await state.fetch([slot(A, 3n)], CALL)
    expect(node.sent.map((requests) => requests.length)).toEqual([4, 5, 1])
  })

  it('is asked for once only if the node has no such method', async () => {
    const node = stub()
    const state = remoteStateOf(node, BLOCK)
    await state.fetch([slot(A, 1n)], CALL)
    await state.fetch([slot(A, 2n)], { ...CALL, to: B })
    expect(node.sent.map((requests) => requests.length)).toEqual([2, 1])
  })

  it.each([
    ['an error', { error: { code: -32000, message: 'insufficient funds' } }],
    ['another form', { accessList: [{ address: 7 }] }],
    ['null', null],
  ])('may fail with %s: what was asked for is there', async (_, result) => {
    const state = remoteStateOf(stub({ eth_createAccessList: () => result }), BLOCK)
    await state.fetch([slot(A, 1n)], CALL)
    expect(state.slot(A, 1n)).toBe(2n)
  })

  it('may name what cannot be fetched', async () => {
    const node = stub({
      eth_createAccessList: () => ({ accessList }),
      eth_getStorageAt: ([address]) => (address === B ? 'nonsense' : hashOf(2n)),
    })
    const state = remoteStateOf(node, BLOCK)
    await state.fetch([slot(A, 1n)], CALL)
    expect([state.slot(A, 1n), state.slot(B, 1n)]).toEqual([2n, NOT_FETCHED])
  })
})

describe('states of one block', () => {
  it('share what was fetched, and say which answers they use', async () => {
    const shared = new SharedValues()
    const [first, second] = [stub(), stub()]
    await remoteStateOf(first, BLOCK, { shared }).fetch([slot(A, 1n)])
    const used: unknown[] = []
    const state = remoteStateOf(second, BLOCK, { shared, use: (exchanges) => used.push(...exchanges) })
    expect(used).toEqual([])
    expect(state.slot(A, 1n)).toBe(2n)
    await state.fetch([slot(A, 1n)])
    expect(second.sent).toHaveLength(0)
    expect(used).toEqual([
      { method: 'eth_getStorageAt', params: [A, hashOf(1n), '0x10'], result: hashOf(2n) },
    ])
    expect(remoteStateOf(second, BLOCK).slot(A, 1n)).toBe(NOT_FETCHED)
  })

  it('fetch for themselves what another one failed to fetch', async () => {
    const shared = new SharedValues()
    const failing = stub({ eth_getStorageAt: () => ({ error: { code: -32000, message: 'no' } }) })
    const failed = remoteStateOf(failing, BLOCK, { shared }).fetch([slot(A, 1n)])
    const node = stub()
    const state = remoteStateOf(node, BLOCK, { shared })
    await Promise.all([failureOf(failed), state.fetch([slot(A, 1n)])])
    expect(state.slot(A, 1n)).toBe(2n)
    expect(node.sent).toHaveLength(1)
  })
})
