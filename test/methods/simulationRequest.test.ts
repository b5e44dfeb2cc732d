import { describe, expect, it } from 'vitest'
import { parseSimulationRequest } from '../../src/methods/eth/simulate.ts'
import { NO_ARRAY, NO_OBJECT, type Refused, refusal, refusals } from '../support/random/refusals.ts'

const A = `0x${'aA'.repeat(20)}`
const a = A.toLowerCase()
const WORD = `0x${'11'.repeat(32)}`
const WITHDRAWAL = { index: '0x1', validatorIndex: '0x2', address: A, amount: '0x3' }

const parse = (value: unknown) => parseSimulationRequest(value, 'params[0]')

/** What is said of a block. */
function refused(block: unknown): string {
  return refusal(() => parse({ blockStateCalls: [{}, block] })).message
}

describe('a simulation', () => {
  it('needs nothing but a block', () => {
    const plain = {
      simulation: {
        blocks: [{ override: {}, accounts: [], calls: [] }],
        tracesTransfers: false,
        isValidated: false,
      },
      transactions: 'hashes',
    }
    expect(parse({ blockStateCalls: [{}] })).toEqual(plain)
    const nothing = { blockOverrides: null, stateOverrides: null, calls: null }
    expect(
      parse({
        blockStateCalls: [nothing],
        traceTransfers: null,
        validation: null,
        returnFullTransactions: null,
      }),
    ).toEqual(plain)
  })

  it('says what is wanted', () => {
    const wishes = { traceTransfers: true, validation: true, returnFullTransactions: true }
    expect(parse({ blockStateCalls: [{}], ...wishes })).toMatchObject({
      simulation: { tracesTransfers: true, isValidated: true },
      transactions: 'full',
    })
  })

  it('says what is otherwise in its blocks', () => {
    const blockOverrides = {
      number: '0x1',
      time: '0x2',
      gasLimit: '0x3',
      feeRecipient: A,
      prevRandao: WORD,
      baseFeePerGas: '0x4',
      blobBaseFee: '0x5',
      beaconRoot: WORD,
      withdrawals: [WITHDRAWAL],
    }
    const stateOverrides = { [A]: { balance: '0x1' } }
    const { simulation } = parse({ blockStateCalls: [{ blockOverrides, stateOverrides }] })
    expect(simulation.blocks).toMatchObject([
      {
        override: {
          number: 1n,
          timestamp: 2n,
          gasLimit: 3n,
          coinbase: a,
          prevRandao: WORD,
          baseFeePerGas: 4n,
          blobBaseFee: 5n,
          parentBeaconBlockRoot: WORD,
          withdrawals: [{ index: 1n, validatorIndex: 2n, address: a, amountGwei: 3n }],
        },
        accounts: [{ address: a, balance: 1n }],
      },
    ])
  })

  it('has calls with all that transactions have, and of which all may be absent', () => {
    const calls = [
      {},
      {
        type: '0x1',
        from: A,
        to: A,
        gas: '0x1',
        nonce: '0x2',
        chainId: '0x3',
        value: '0x4',
        input: '0x05',
        gasPrice: '0x6',
        accessList: [{ address: A, storageKeys: [WORD] }],
      },
      { maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' },
      { to: A, blobVersionedHashes: [WORD], maxFeePerBlobGas: '0x3' },
    ]
    const { simulation } = parse({ blockStateCalls: [{ calls }] })
    expect(simulation.blocks[0]!.calls).toMatchObject([
      { from: undefined, to: undefined, gas: undefined, nonce: undefined, requestedType: undefined },
      {
        requestedType: 1,
        from: a,
        to: a,
        gas: 1n,
        nonce: 2n,
        chainId: 3n,
        value: 4n,
        data: Uint8Array.of(5),
        gasPrice: 6n,
        accessList: [{ address: a, storageKeys: [WORD] }],
      },
      { maxFeePerGas: 1n, maxPriorityFeePerGas: 2n },
      { blobVersionedHashes: [WORD], maxFeePerBlobGas: 3n },
    ])
  })

  refusals(parseSimulationRequest, 'a simulation {blockStateCalls: […]}', NO_OBJECT)

  it.each<Refused>([...NO_ARRAY, [undefined, 'nothing'], [null, 'null'], [[], 'an array']])(
    'has no blocks in %j',
    (blockStateCalls, shown) => {
      const { message } = refusal(() => parse({ blockStateCalls }))
      expect(message).toBe(
        `params[0].blockStateCalls: expected an array of at least one block {blockOverrides?, stateOverrides?, calls?}, got ${shown}`,
      )
    },
  )

  it.each(['traceTransfers', 'validation', 'returnFullTransactions'])(
    'is told %s by true or false',
    (name) => {
      for (const value of [0, 1, 'true', {}, []]) {
        const { message } = refusal(() => parse({ blockStateCalls: [{}], [name]: value }))
        expect(message).toContain(`params[0].${name}: expected true or false, got `)
      }
    },
  )

  it.each<[string, unknown, string]>([
    ['blocks', 5, ': expected a block {blockOverrides?, stateOverrides?, calls?}, got 5'],
    ['block overrides', { blockOverrides: [] }, '.blockOverrides: expected block overrides, got an array'],
    [
      'state overrides',
      { stateOverrides: [] },
      '.stateOverrides: expected state overrides {address: {…}}, got an array',
    ],
    ['calls', { calls: {} }, '.calls: expected an array of calls, got an object'],
    ['a call', { calls: [{}, 5] }, '.calls[1]: expected a call object, got 5'],
    [
      'a member of a call',
      { calls: [{ to: '0x12' }] },
      '.calls[0].to: expected a 20-byte address (0x and 40 hex digits), got "0x12"',
    ],
    [
      'a type',
      { calls: [{ type: '0x5' }] },
      '.calls[0].type: expected one of 0x0, 0x1, 0x2, 0x3, 0x4, got "0x5"',
    ],
    [
      'authorizations',
      { calls: [{ to: A, authorizationList: [] }] },
      '.calls[0].authorizationList: expected at least one authorization (EIP-7702), got an array',
    ],
    [
      'a creation with blobs',
      { calls: [{ blobVersionedHashes: [WORD] }] },
      '.calls[0].to: expected a 20-byte address, which a transaction with blobs needs (EIP-4844), got nothing',
    ],
    [
      'a number',
      { blockOverrides: { number: 5 } },
      '.blockOverrides.number: expected a quantity of at most 64 bits (0x and hex digits without leading zeros, such as "0x1a"), got 5',
    ],
    [
      'randomness',
      { blockOverrides: { prevRandao: '0x01' } },
      '.blockOverrides.prevRandao: expected 32 bytes (0x and 64 hex digits), or a quantity, got "0x01"',
    ],
    [
      'randomness of other letters',
      { blockOverrides: { prevRandao: `0x${'g'.repeat(64)}` } },
      `.blockOverrides.prevRandao: expected 32 bytes (0x and 64 hex digits), or a quantity, got "0x${'g'.repeat(64)}"`,
    ],
    [
      'a beacon root',
      { blockOverrides: { beaconRoot: '0x1' } },
      '.blockOverrides.beaconRoot: expected 32 bytes (0x and 64 hex digits), got "0x1"',
    ],
    [
      'withdrawals',
      { blockOverrides: { withdrawals: {} } },
      '.blockOverrides.withdrawals: expected an array of at most 16 withdrawals {index, validatorIndex, address, amount}, got an object',
    ],
    [
      'so many withdrawals',
      { blockOverrides: { withdrawals: Array(17).fill(WITHDRAWAL) } },
      '.blockOverrides.withdrawals: expected an array of at most 16 withdrawals {index, validatorIndex, address, amount}, got an array',
    ],
    [
      'a withdrawal',
      { blockOverrides: { withdrawals: [{ ...WITHDRAWAL, amount: null }] } },
      '.blockOverrides.withdrawals[0].amount: expected a quantity of at most 64 bits (0x and hex digits without leading zeros, such as "0x1a"), got null',
    ],
  ])('cannot have %s like that', (_, block, message) => {
    expect(refused(block)).toBe(`params[0].blockStateCalls[1]${message}`)
  })

  it('takes what it does not know for nothing', () => {
    const { simulation } = parse({
      blockStateCalls: [{ blockOverrides: { parentHash: 5 }, more: 5 }],
      validate: 'yes',
    })
    expect(simulation).toMatchObject({ blocks: [{ override: {} }], isValidated: false })
  })
})
