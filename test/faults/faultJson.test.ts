import { describe, expect, it } from 'vitest'
import { encodeWhen, parseCut, parseFault, type When } from '../../src/faults/faultJson.ts'
import { parseReorg } from '../../src/rpc/reorgRequest.ts'

const SEED = 42
const HASH = `0x${'Ab'.repeat(32)}`

function read(value: unknown) {
  return parseFault(SEED)(value, 'fault')
}

const ONCE = { kind: 'next', times: 1 }
const ALWAYS = { kind: 'next', times: Number.POSITIVE_INFINITY }

describe('a fault in JSON', () => {
  it.each([
    [{ kind: 'omitSlice' }, ONCE],
    [{ kind: 'duplicateSlice' }, ONCE],
    [{ kind: 'delaySlice', slices: 3 }, ONCE],
    [{ kind: 'absentPending', slices: 1_000_000 }, ONCE],
    [{ kind: 'stalePending', slices: 1 }, ONCE],
    [{ kind: 'cutWebSockets' }, ONCE],
    [{ kind: 'cutWebSockets', code: 4999 }, ONCE],
    [{ kind: 'dropTransaction', lands: 'never' }, ONCE],
    [{ kind: 'sealDifferently', order: 'reversed', laterSeconds: 2 }, ONCE],
    [{ kind: 'reorg', depth: 2, transactions: 'drop', blocks: 0 }, ONCE],
    [{ kind: 'reorg', depth: 2, transactions: [[]] }, ONCE],
    [{ kind: 'latency', ms: 5 }, ALWAYS],
    [{ kind: 'latency', method: 'eth_*', ms: [5, 10], seed: 4_294_967_295 }, ALWAYS],
    [{ kind: 'timeout', lost: 'request' }, ONCE],
    [{ kind: 'httpStatus', status: 599, retryAfterSeconds: 0, body: '<html>' }, ONCE],
    [{ kind: 'rpcError', code: -32000, message: '', data: null }, ONCE],
    [{ kind: 'logRange', provider: 'alchemy', blocks: 10, results: 5 }, ALWAYS],
    [{ kind: 'contextLag', blocks: [0, 5] }, ALWAYS],
  ])('is what it says: %j', (form, trigger) => {
    expect(read(form)).toEqual({ fault: form, trigger })
  })

  it('has hashes in lower case, and nothing that is null', () => {
    expect(read({ kind: 'dropTransaction', hash: HASH, lands: 'next', when: null }).fault).toEqual({
      kind: 'dropTransaction',
      hash: HASH.toLowerCase(),
      lands: 'next',
    })
    expect(read({ kind: 'latency', method: null, ms: 1 }).fault).toEqual({ kind: 'latency', ms: 1 })
  })

  it.each<[unknown, string]>([
    [undefined, 'fault: expected a fault: an object {kind, …, when?}, got nothing'],
    [[], 'fault: expected a fault'],
    [{}, 'fault.kind: expected one of omitSlice, duplicateSlice, '],
    [{ kind: 'toString' }, 'fault.kind: expected one of'],
    [{ kind: ['omitSlice'] }, 'fault.kind: expected one of'],
    [{ kind: 'omitSlice', slice: 3 }, 'fault.slice: expected one of the members kind, when, got 3'],
    [{ kind: 'delaySlice', slices: 0 }, 'fault.slices: expected a whole number from 1 to 1000000, got 0'],
    [{ kind: 'delaySlice', slices: 1.5 }, 'fault.slices: '],
    [{ kind: 'delaySlice', slices: '2' }, 'fault.slices: '],
    [{ kind: 'dropTransaction' }, 'fault.lands: expected one of next, never, got nothing'],
    [{ kind: 'dropTransaction', lands: 'next', hash: '0x12' }, 'fault.hash: expected 32 bytes'],
    [{ kind: 'sealDifferently' }, 'fault: expected at least one of order, laterSeconds, prevRandao'],
    [{ kind: 'sealDifferently', order: 'random' }, 'fault.order: expected one of reversed, got "random"'],
    [{ kind: 'sealDifferently', laterSeconds: 0 }, 'fault.laterSeconds: '],
    [{ kind: 'cutWebSockets', code: 1006 }, 'fault.code: expected a close code that a server may send'],
    [{ kind: 'cutWebSockets', code: 999 }, 'fault.code: '],
    [{ kind: 'reorg', depth: 0, transactions: 'keep' }, 'fault.depth: '],
    [
      { kind: 'reorg', depth: 1, transactions: 'lose' },
      'fault.transactions: expected one of keep, wait, drop',
    ],
    [
      { kind: 'reorg', depth: 1, transactions: ['0x'] },
      'fault.transactions[0]: expected the raw transactions',
    ],
    [{ kind: 'reorg', depth: 1, transactions: [['0x01']] }, 'fault.transactions[0][0]: expected a signed'],
    [
      { kind: 'reorg', depth: 1, transactions: [[], []] },
      'fault.transactions: expected the transactions of at most 1 blocks, which come in place of the 1',
    ],
    [{ kind: 'latency' }, 'fault.ms: '],
    [{ kind: 'latency', ms: [3, 2] }, 'fault.ms: expected the smaller number first'],
    [{ kind: 'latency', ms: [3] }, 'fault.ms: expected a number, or an array of two: from and to'],
    [{ kind: 'latency', ms: -1 }, 'fault.ms: '],
    [{ kind: 'latency', ms: 1, method: '' }, 'fault.method: expected a method, or a prefix and a star'],
    [{ kind: 'latency', ms: 1, method: 'eth_*Logs' }, 'fault.method: '],
    [{ kind: 'latency', ms: 1, method: 'eth_getLogs ' }, 'fault.method: '],
    [{ kind: 'timeout', lost: 'all' }, 'fault.lost: expected one of answer, request'],
    [{ kind: 'httpStatus', status: 200 }, 'fault.status: expected an HTTP status from 400 to 599, got 200'],
    [{ kind: 'httpStatus' }, 'fault.status: '],
    [{ kind: 'httpStatus', status: 429, retryAfterSeconds: -1 }, 'fault.retryAfterSeconds: '],
    [{ kind: 'rpcError', code: 1.5, message: '' }, 'fault.code: expected a JSON-RPC error code'],
    [{ kind: 'rpcError', code: 1 }, 'fault.message: expected a text, got nothing'],
    [{ kind: 'logRange', provider: 'me' }, 'fault.provider: expected one of alchemy, ankr, base, '],
    [{ kind: 'logRange', provider: 'base', blocks: 0 }, 'fault.blocks: '],
    [{ kind: 'contextLag', blocks: 257 }, 'fault.blocks: '],
  ])('cannot be %j', (form, message) => {
    expect(() => read(form)).toThrow(message)
  })
})

describe('when a fault is to happen, in JSON', () => {
  const at = (when: unknown, kind = 'omitSlice') => read({ kind, when }).trigger

  it('is each time, so many times, in a place, or by chance', () => {
    expect(at('always')).toEqual(ALWAYS)
    expect(at({ times: 3 })).toEqual({ kind: 'next', times: 3 })
    expect(at({ block: 5 })).toEqual({ kind: 'at', block: 5n })
    expect(at({ block: '0x5', slice: 2 })).toEqual({ kind: 'at', block: 5n, slice: 2 })
    expect(at({ probability: 0.5, seed: 7 })).toEqual({ kind: 'chance', probability: 0.5, seed: 7 })
    expect(at({ probability: 1 })).toEqual({ kind: 'chance', probability: 1, seed: SEED })
  })

  it.each<When>([
    'always',
    { times: 2 },
    { block: 5 },
    { block: 5, slice: 2 },
    { probability: 0.1, seed: 3 },
  ])('is written as it is read: %j', (when) => {
    expect(encodeWhen(at(when))).toEqual(when)
  })

  it.each<[unknown, string]>([
    ['never', 'fault.when: expected "always", {times}, {block, slice?} or {probability, seed?}'],
    [{}, 'fault.when: expected "always"'],
    [{ times: 0 }, 'fault.when.times: expected a whole number of at least 1, got 0'],
    [
      { times: 1, block: 2 },
      'fault.when: expected "always", {times}, {block, slice?} or {probability, seed?}, not {block,times}',
    ],
    [{ block: -1 }, 'fault.when.block: '],
    [{ slice: 1 }, 'fault.when: expected'],
    [{ probability: 1.1 }, 'fault.when.probability: expected a number from 0 to 1, got 1.1'],
    [{ probability: 0.5, seed: -1 }, 'fault.when.seed: '],
  ])('cannot be %j', (when, message) => {
    expect(() => at(when)).toThrow(message)
  })

  it('is in no slice for what happens at a seal, and in no block for what happens to a request', () => {
    const drop = { kind: 'dropTransaction', lands: 'next' }
    expect(read({ ...drop, when: { block: 3 } }).trigger).toEqual({ kind: 'at', block: 3n })
    expect(() => read({ ...drop, when: { block: 3, slice: 1 } })).toThrow(
      'fault.when: expected "always", {times}, {block} or {probability, seed?}, not {block,slice}',
    )
    expect(() => read({ kind: 'timeout', when: { block: 3 } })).toThrow(
      'fault.when: expected "always", {times} or {probability, seed?}, not {block}',
    )
  })
})

describe('what is to happen now, in JSON', () => {
  it('is a reorg without a kind and a time', () => {
    const wish = { depth: 3, transactions: 'keep', blocks: 4 }
    expect(parseReorg(wish, 'reorg')).toEqual(wish)
    expect(() => parseReorg({ ...wish, when: 'always' }, 'reorg')).toThrow(
      'reorg.when: expected one of the members depth, transactions, blocks, got "always"',
    )
  })

  it('is a cut, with a code or without', () => {
    expect([parseCut(undefined, 'cut'), parseCut({}, 'cut'), parseCut({ code: 1001 }, 'cut')]).toEqual([
      undefined,
      undefined,
      1001,
    ])
    expect(() => parseCut({ code: 1005 }, 'cut')).toThrow('cut.code: ')
    expect(() => parseCut({ kode: 1001 }, 'cut')).toThrow('cut.kode: expected one of the members code')
  })
})
