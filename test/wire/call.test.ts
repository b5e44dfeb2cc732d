import { describe, expect, it } from 'vitest'
import { ZERO_ADDRESS } from '../../src/bytes/hex.ts'
import {
  parseAccountOverrides,
  parseBlockOverrides,
  parseCall,
  parseCallFields,
} from '../../src/wire/call.ts'
import { encodeBytes, encodeQuantity, encodeWord } from '../../src/wire/hex.ts'
import { ConflictingValues } from '../../src/wire/parser.ts'
import { withRandom } from '../support/random/random.ts'
import { NO_OBJECT, refusal, refusals } from '../support/random/refusals.ts'

const A = `0x${'aA'.repeat(20)}`
const a = A.toLowerCase()
const WORD = `0x${'11'.repeat(32)}`
const AUTHORIZATION = { chainId: '0x1', address: A, nonce: '0x2', yParity: '0x1', r: '0x3', s: '0x4' }

const NO_FEE = { kind: 'none' }
const EMPTY_CALL = {
  from: ZERO_ADDRESS,
  to: undefined,
  gas: undefined,
  fee: NO_FEE,
  value: 0n,
  data: new Uint8Array(),
  accessList: [],
  authorizationList: [],
  blobVersionedHashes: [],
}

describe('parseCall', () => {
  it('has a default for everything', () => {
    expect(parseCall({}, 'x')).toEqual(EMPTY_CALL)
    const nothing = Object.fromEntries(
      Object.keys({ ...EMPTY_CALL, nonce: 0, input: 0, chainId: 0 }).map((name) => [name, null]),
    )
    expect(parseCall(nothing, 'x')).toEqual(EMPTY_CALL)
  })

  it(
    'reads what was written',
    withRandom((random) => {
      for (let i = 0; i < 200; i++) {
        const [gas, value, data] = [random.bigint(64), random.bigint(256), random.bytes(random.below(50))]
        const [from, to] = [random.hex(20), random.hex(20)]
        const written = {
          from,
          to,
          gas: encodeQuantity(gas),
          value: encodeQuantity(value),
          data: encodeBytes(data),
        }
        expect(parseCall(written, 'x')).toEqual({ ...EMPTY_CALL, from, to, gas, value, data })
      }
    }),
  )

  it('reads data by either name', () => {
    const data = Uint8Array.of(0xab)
    for (const call of [
      { data: '0xab' },
      { input: '0xab' },
      { data: '0xab', input: '0xAB' },
      { data: null, input: '0xab' },
    ]) {
      expect(parseCall(call, 'x').data).toEqual(data)
    }
  })

  it.each([
    [{}, NO_FEE],
    [{ gasPrice: '0x0' }, NO_FEE],
    [{ maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' }, NO_FEE],
    [{ gasPrice: '0x5' }, { kind: 'legacy', gasPrice: 5n }],
    [{ maxFeePerGas: '0x5' }, { kind: 'eip1559', maxFeePerGas: 5n, maxPriorityFeePerGas: 0n }],
    [
      { maxFeePerGas: '0x5', maxPriorityFeePerGas: '0x2' },
      { kind: 'eip1559', maxFeePerGas: 5n, maxPriorityFeePerGas: 2n },
    ],
    [{ maxPriorityFeePerGas: '0x2' }, { kind: 'eip1559', maxFeePerGas: undefined, maxPriorityFeePerGas: 2n }],
  ])('reads the fee of %j', (call, fee) => {
    expect(parseCall(call, 'x').fee).toEqual(fee)
  })

  it('reads access lists, authorizations and blob hashes', () => {
    const call = {
      accessList: [{ address: A, storageKeys: [WORD] }, { address: A }],
      authorizationList: [AUTHORIZATION],
      blobVersionedHashes: [WORD],
    }
    expect(parseCall(call, 'x')).toMatchObject({
      accessList: [
        { address: a, storageKeys: [WORD] },
        { address: a, storageKeys: [] },
      ],
      authorizationList: [{ chainId: 1n, address: a, nonce: 2n, yParity: 1, r: 3n, s: 4n }],
      blobVersionedHashes: [WORD],
    })
  })

  it('takes v for yParity, and leaves to EIP-7702 which parities are valid', () => {
    const { yParity: _, ...rest } = AUTHORIZATION
    const parity = (authorization: object) =>
      parseCall({ authorizationList: [authorization] }, 'x').authorizationList[0]?.yParity
    expect(parity({ ...rest, v: '0x0' })).toBe(0)
    expect(parity({ ...rest, yParity: '0xff' })).toBe(255)
    expect(() => parity({ ...rest, yParity: '0x100' })).toThrow(
      'yParity: expected a quantity of at most 8 bits',
    )
  })

  it('ignores what means nothing', () => {
    expect(parseCall({ type: 'banana', banana: 1 }, 'x')).toEqual(EMPTY_CALL)
  })

  refusals(parseCall, 'a call object', [...NO_OBJECT, [null, 'null'], [undefined, 'nothing']])

  const complaints: [object, string][] = [
    [{ from: '0x12' }, 'from: expected a 20-byte address (0x and 40 hex digits), got "0x12"'],
    [{ to: 'vitalik.eth' }, 'to: expected a 20-byte address (0x and 40 hex digits), got "vitalik.eth"'],
    [
      { gas: '0x10000000000000000' },
      'gas: expected a quantity of at most 64 bits (0x and hex digits without leading zeros, such as "0x1a"), got "0x10000000000000000"',
    ],
    [
      { gasPrice: 1 },
      'gasPrice: expected a quantity of at most 256 bits (0x and hex digits without leading zeros, such as "0x1a"), got 1',
    ],
    [{ maxFeePerGas: '1' }, 'maxFeePerGas: expected a quantity of at most 256 bits'],
    [{ maxPriorityFeePerGas: '0x' }, 'maxPriorityFeePerGas: expected a quantity of at most 256 bits'],
    [{ value: '0x01' }, 'value: expected a quantity of at most 256 bits'],
    [{ data: '0x1' }, 'data: expected bytes (0x and an even number of hex digits), got "0x1"'],
    [{ input: 'hello' }, 'input: expected bytes (0x and an even number of hex digits), got "hello"'],
    [{ nonce: -1 }, 'nonce: expected a quantity of at most 64 bits'],
    [{ chainId: '31337' }, 'chainId: expected a quantity of at most 256 bits'],
    [{ accessList: {} }, 'accessList: expected an array, got an object'],
    [{ accessList: [null] }, 'accessList[0]: expected an access list item {address, storageKeys}, got null'],
    [
      { accessList: [{ address: A }, {}] },
      'accessList[1].address: expected a 20-byte address (0x and 40 hex digits), got nothing',
    ],
    [
      { accessList: [{ address: A, storageKeys: ['0x0'] }] },
      'accessList[0].storageKeys[0]: expected 32 bytes (0x and 64 hex digits), got "0x0"',
    ],
    [{ authorizationList: 'x' }, 'authorizationList: expected an array, got "x"'],
    [
      { authorizationList: [7] },
      'authorizationList[0]: expected an authorization {chainId, address, nonce, yParity, r, s}, got 7',
    ],
    [
      { authorizationList: [{ ...AUTHORIZATION, nonce: null }] },
      'authorizationList[0].nonce: expected a quantity of at most 64 bits',
    ],
    [
      { authorizationList: [{ ...AUTHORIZATION, r: '0x00' }] },
      'authorizationList[0].r: expected a quantity of at most 256 bits',
    ],
    [
      { blobVersionedHashes: ['0x01'] },
      'blobVersionedHashes[0]: expected 32 bytes (0x and 64 hex digits), got "0x01"',
    ],
  ]
  it.each(complaints)('refuses %j', (call, message) => {
    expect(refusal(() => parseCall(call, 'params[0]')).message).toContain(`params[0].${message}`)
  })

  it('tells contradictions from wrong values', () => {
    for (const fees of [{ maxFeePerGas: '0x1' }, { maxPriorityFeePerGas: '0x0' }]) {
      expect(() => parseCall({ gasPrice: '0x0', ...fees }, 'x')).toThrow(ConflictingValues)
    }
    expect(() => parseCall({ data: '0x01', input: '0x02' }, 'x')).toThrow(ConflictingValues)
    expect(() => parseCall({ data: '0x', input: '0x00' }, 'x')).toThrow(ConflictingValues)
  })
})

describe('parseCallFields', () => {
  it('keeps apart what was said and what was not', () => {
    expect(parseCallFields({}, 'x')).toMatchObject({
      from: undefined,
      nonce: undefined,
      chainId: undefined,
      accessList: undefined,
      authorizationList: undefined,
    })
    expect(parseCallFields({ from: A, nonce: '0x0', chainId: '0x1', accessList: [] }, 'x')).toMatchObject({
      from: a,
      nonce: 0n,
      chainId: 1n,
      accessList: [],
    })
  })
})

describe('parseAccountOverrides', () => {
  const NOTHING = {
    balance: undefined,
    nonce: undefined,
    code: undefined,
    state: undefined,
    stateDiff: undefined,
    movePrecompileTo: undefined,
  }

  it('reads each member', () => {
    const slots = { [encodeWord(1n)]: encodeWord(2n) }
    expect(parseAccountOverrides({}, 'x')).toEqual([])
    expect(parseAccountOverrides({ [A]: {} }, 'x')).toEqual([{ address: a, ...NOTHING }])
    expect(
      parseAccountOverrides(
        { [A]: { balance: '0x1', nonce: '0x2', code: '0x03', state: slots, movePrecompileToAddress: A } },
        'x',
      ),
    ).toEqual([
      {
        address: a,
        balance: 1n,
        nonce: 2n,
        code: Uint8Array.of(3),
        state: [[1n, 2n]],
        stateDiff: undefined,
        movePrecompileTo: a,
      },
    ])
    expect(parseAccountOverrides({ [A]: { stateDiff: slots } }, 'x')).toEqual([
      { address: a, ...NOTHING, stateDiff: [[1n, 2n]] },
    ])
  })

  refusals(parseAccountOverrides, 'state overrides {address: {…}}', NO_OBJECT)

  const complaints: [object, string][] = [
    [{ '0x12': {} }, 'params[2]["0x12"]: expected a 20-byte address (0x and 40 hex digits), got "0x12"'],
    [{ [a]: null }, `params[2]["${a}"]: expected an account override, got null`],
    [{ [a]: { balance: '0x00' } }, `params[2]["${a}"].balance: expected a quantity of at most 256 bits`],
    [{ [a]: { nonce: 1 } }, `params[2]["${a}"].nonce: expected a quantity of at most 64 bits`],
    [
      { [a]: { code: '0x1' } },
      `params[2]["${a}"].code: expected bytes (0x and an even number of hex digits), got "0x1"`,
    ],
    [
      { [a]: { state: [] } },
      `params[2]["${a}"].state: expected slots {slot: value}, each of 32 bytes, got an array`,
    ],
    [
      { [a]: { stateDiff: { '0x0': WORD } } },
      `params[2]["${a}"].stateDiff["0x0"]: expected 32 bytes (0x and 64 hex digits), got "0x0"`,
    ],
    [
      { [a]: { stateDiff: { [WORD]: '0x0' } } },
      `params[2]["${a}"].stateDiff["${WORD}"]: expected 32 bytes (0x and 64 hex digits), got "0x0"`,
    ],
    [
      { [a]: { state: {}, stateDiff: {} } },
      `params[2]["${a}"]: expected either state (replaces all storage) or stateDiff (replaces some), not both, got an object`,
    ],
    [
      { [a]: { movePrecompileToAddress: '0x2' } },
      `params[2]["${a}"].movePrecompileToAddress: expected a 20-byte address`,
    ],
  ]
  it.each(complaints)('refuses %j', (overrides, message) => {
    expect(refusal(() => parseAccountOverrides(overrides, 'params[2]')).message).toContain(message)
  })
})

describe('parseBlockOverrides', () => {
  it('reads each member by the names of execution-apis', () => {
    expect(parseBlockOverrides({}, 'x')).toEqual({})
    expect(parseBlockOverrides({ number: null, banana: 1 }, 'x')).toEqual({})
    expect(
      parseBlockOverrides(
        {
          number: '0x1',
          time: '0x2',
          gasLimit: '0x3',
          feeRecipient: A,
          prevRandao: WORD,
          baseFeePerGas: '0x4',
          blobBaseFee: '0x5',
          difficulty: '0x6',
        },
        'x',
      ),
    ).toEqual({
      number: 1n,
      timestamp: 2n,
      gasLimit: 3n,
      coinbase: a,
      prevRandao: WORD,
      baseFeePerGas: 4n,
      blobBaseFee: 5n,
      difficulty: 6n,
    })
  })

  refusals(parseBlockOverrides, 'block overrides', NO_OBJECT)

  it.each([
    ['number', 'latest', 'a quantity of at most 64 bits'],
    ['time', 7, 'a quantity of at most 64 bits'],
    ['gasLimit', '0x', 'a quantity of at most 64 bits'],
    ['feeRecipient', '0x12', 'a 20-byte address'],
    ['prevRandao', '0x12', '32 bytes'],
    ['baseFeePerGas', '0x00', 'a quantity of at most 256 bits'],
    ['blobBaseFee', [], 'a quantity of at most 256 bits'],
  ])('refuses the %s %j', (name, value, expected) => {
    expect(refusal(() => parseBlockOverrides({ [name]: value }, 'params[3]')).message).toContain(
      `params[3].${name}: expected ${expected}`,
    )
  })
})
