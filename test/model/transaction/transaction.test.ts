import { RLP } from '@ethereumjs/rlp'
import { keccak256 } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { fromHex, toHex, toQuantity } from '../../../src/bytes/hex.ts'
import {
  decodeIncludedTransaction,
  decodeTransaction,
  hasHighS,
  signTransaction,
} from '../../../src/model/transaction/signedTransaction.ts'
import {
  effectiveGasPrice,
  legacyV,
  type Transaction,
  type TransactionType,
} from '../../../src/model/transaction/transaction.ts'
import { MalformedTransaction } from '../../../src/model/transaction/transactionFields.ts'
import { KINDS, randomSigned, SENT_KINDS } from '../../support/chains/transactions.ts'
import { Random, withRandom } from '../../support/random/random.ts'

describe.each(KINDS)('a transaction, %s', (_, type, chainId) => {
  it(
    'decodes to the fields, the sender and the hash of what viem signed',
    withRandom(async (random) => {
      for (let i = 0; i < 15; i++) {
        const { raw, from, unsigned } = await randomSigned(random, type, chainId)
        const decoded = decodeIncludedTransaction(fromHex(raw))
        expect(decoded).toMatchObject(unsigned)
        expect(decoded.from).toBe(from)
        expect(decoded.hash).toBe(keccak256(raw))
        expect(toHex(decoded.raw)).toBe(raw)
      }
    }),
  )

  it(
    'is signed to the same bytes as by viem',
    withRandom(async (random) => {
      for (let i = 0; i < 15; i++) {
        const { raw, key, from, unsigned } = await randomSigned(random, type, chainId)
        const signed = signTransaction(unsigned, fromHex(key), from)
        expect(toHex(signed.raw)).toBe(raw)
        expect(signed).toEqual(decodeIncludedTransaction(fromHex(raw)))
      }
    }),
  )
})

describe.each(SENT_KINDS)('a transaction that a client sends, %s', (_, type, chainId) => {
  it(
    'decodes as it does when it stands in a block',
    withRandom(async (random) => {
      const raw = fromHex((await randomSigned(random, type, chainId)).raw)
      expect(decodeTransaction(raw)).toEqual(decodeIncludedTransaction(raw))
    }),
  )
})

describe('a legacy transaction', () => {
  // The example of EIP-155.
  const RAW =
    '0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83'

  it('decodes as EIP-155 says', () => {
    expect(decodeTransaction(fromHex(RAW))).toMatchObject({
      chainId: 1n,
      nonce: 9n,
      maxFeePerGas: 20n * 10n ** 9n,
      gasLimit: 21_000n,
      to: `0x${'35'.repeat(20)}`,
      value: 10n ** 18n,
      from: '0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f',
    })
  })

  it(
    'has v 27 or 28 without a chain, and twice the chain id plus 35 or 36 with one',
    withRandom(async (random) => {
      for (let i = 0; i < 8; i++) {
        const bare = decodeTransaction(fromHex((await randomSigned(random, 0, undefined)).raw))
        expect(legacyV(bare)).toBe(27n + BigInt(bare.signature.yParity))
        const bound = decodeTransaction(fromHex((await randomSigned(random, 0, 1337n)).raw))
        expect(legacyV(bound)).toBe(2709n + BigInt(bound.signature.yParity))
      }
    }),
  )
})

describe('effectiveGasPrice', () => {
  it.each([
    ['the base fee and the tip', 100n, 2n, 50n, 52n],
    ['no more than the maximum', 51n, 2n, 50n, 51n],
    ['the gas price where both are one', 70n, 70n, 50n, 70n],
  ])('is %s', (_, maxFeePerGas, maxPriorityFeePerGas, baseFeePerGas, expected) => {
    const transaction = { maxFeePerGas, maxPriorityFeePerGas } as Transaction
    expect(effectiveGasPrice(transaction, baseFeePerGas)).toBe(expected)
  })
})

describe('decoding rejects', () => {
  const TYPES = [0, 1, 2, 3, 4] as const
  const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const EMPTY = new Uint8Array(0)

  /** Decoded RLP fields of a valid transaction of each type, for a test to spoil. */
  let valid: Record<TransactionType, Fields>

  beforeAll(async () => {
    const random = new Random(7702)
    const fieldsOf = async (type: TransactionType) => {
      // With an access list, so that there is one to spoil.
      for (;;) {
        const { raw, unsigned } = await randomSigned(random, type, 31_337n)
        if (type !== 0 && !unsigned.accessList.some(({ storageKeys }) => storageKeys.length > 0)) continue
        if (unsigned.nonce < 256n || unsigned.to === undefined) continue
        return RLP.decode(type === 0 ? raw : `0x${raw.slice(4)}`) as Fields
      }
    }
    valid = {
      0: await fieldsOf(0),
      1: await fieldsOf(1),
      2: await fieldsOf(2),
      3: await fieldsOf(3),
      4: await fieldsOf(4),
    }
  })

  type Item = Uint8Array | Item[]
  type Fields = Item[]

  function spoil(type: TransactionType, change: (fields: Fields) => void): Uint8Array {
    const fields = structuredClone(valid[type])
    change(fields)
    return encode(type, fields)
  }

  function encode(type: TransactionType, fields: Fields): Uint8Array {
    const payload = RLP.encode(fields)
    return type === 0 ? payload : Uint8Array.of(type, ...payload)
  }

  /** As a client sends it, but for type 3, which only stands in blocks. */
  function decode(raw: Uint8Array): Transaction {
    return raw[0] === 3 ? decodeIncludedTransaction(raw) : decodeTransaction(raw)
  }

  function reasonOf(raw: Uint8Array, decoder = decode): string {
    try {
      decoder(raw)
    } catch (error) {
      if (error instanceof MalformedTransaction) {
        expect(error.message).toBe(`malformed transaction: ${error.reason}`)
        return error.reason
      }
      throw error
    }
    throw new Error('nothing was thrown')
  }

  it('nothing that was not spoilt', () => {
    for (const type of TYPES) expect(decode(spoil(type, () => {})).type).toBe(type)
  })

  it('no bytes', () => expect(reasonOf(EMPTY)).toBe('no bytes'))

  it.each([0, 3, 5, 0x7f, 0x80, 0xbf])('type %d from a client', (type) => {
    expect(reasonOf(Uint8Array.of(type, 0xc0), decodeTransaction)).toBe(
      `type ${type} is not supported; expected legacy or type 1, 2 or 4`,
    )
  })

  it.each([0, 5, 0x7f, 0x80, 0xbf])('type %d in a block', (type) => {
    expect(reasonOf(Uint8Array.of(type, 0xc0), decodeIncludedTransaction)).toBe(
      `type ${type} is not supported; expected legacy or type 1, 2, 3 or 4`,
    )
  })

  it.each([
    ['an empty payload', '02', 'expected a list of fields, got bytes'],
    ['bytes in place of the list', '0283ffffff', 'expected a list of fields, got bytes'],
    ['a list that ends early', '02c3c0', 'not canonical RLP'],
    ['a legacy list that ends early', 'f8', 'not canonical RLP'],
    ['a long head on a short list', 'f801c0', 'not canonical RLP'],
  ])('%s', (_, digits, reason) => expect(reasonOf(Buffer.from(digits, 'hex'))).toBe(reason))

  it('lists nested deeper than the stack', () => {
    let nested = Uint8Array.of(0xc0)
    for (let i = 0; i < 55; i++) nested = Uint8Array.of(0xc0 + nested.length, ...nested)
    const opened = new Uint8Array(100_000).fill(0xc1)
    expect(reasonOf(nested)).toBe('a legacy transaction has 9 fields, got 1')
    expect(reasonOf(opened)).toBe('not canonical RLP')
  })

  it.each(TYPES)('bytes after the list of type %d', (type) => {
    expect(reasonOf(Uint8Array.of(...spoil(type, () => {}), 0))).toBe('not canonical RLP')
  })

  it.each([
    [0, 9],
    [1, 11],
    [2, 12],
    [3, 14],
    [4, 13],
  ] as const)('type %d with a field too few or too many', (type, count) => {
    const owner = type === 0 ? 'a legacy transaction' : `type ${type}`
    expect(reasonOf(spoil(type, (fields) => fields.pop()))).toBe(
      `${owner} has ${count} fields, got ${count - 1}`,
    )
    expect(reasonOf(spoil(type, (fields) => fields.push(EMPTY)))).toBe(
      `${owner} has ${count} fields, got ${count + 1}`,
    )
  })

  const QUANTITIES = [
    [0, [0, 1, 2, 4, 6, 7, 8]],
    [1, [0, 1, 2, 3, 5, 8, 9, 10]],
    [2, [0, 1, 2, 3, 4, 6, 9, 10, 11]],
    [3, [0, 1, 2, 3, 4, 6, 9, 11, 12, 13]],
    [4, [0, 1, 2, 3, 4, 6, 10, 11, 12]],
  ] as const

  it.each(QUANTITIES)(
    'a quantity of type %d with leading zeros, as a list or above 32 bytes',
    (type, indexes) => {
      for (const index of indexes) {
        for (const zeros of [Uint8Array.of(0), Uint8Array.of(0, 1)]) {
          const raw = spoil(type, (fields) => fields.splice(index, 1, zeros))
          expect(reasonOf(raw)).toMatch(/^(field \d|signature): a quantity has no leading zero bytes$/)
        }
        expect(reasonOf(spoil(type, (fields) => fields.splice(index, 1, [])))).toMatch(
          /^(field \d|signature): expected a quantity, got a list$/,
        )
        const long = new Uint8Array(33).fill(1)
        expect(reasonOf(spoil(type, (fields) => fields.splice(index, 1, long)))).toMatch(
          /^(field \d|signature): a quantity has at most (8|32) bytes, got 33$/,
        )
      }
    },
  )

  // EIP-2681 bounds the nonce; geth and reth hold both in 64 bits.
  it.each([
    [0, [0, 2]],
    [1, [1, 3]],
    [2, [1, 4]],
    [3, [1, 4]],
    [4, [1, 4]],
  ] as const)('a nonce or gas limit of type %d above 64 bits', (type, indexes) => {
    for (const index of indexes) {
      const raw = spoil(type, (fields) => fields.splice(index, 1, Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0)))
      expect(reasonOf(raw)).toBe(`field ${index}: a quantity has at most 8 bytes, got 9`)
    }
  })

  it.each([
    [0, 3, 5],
    [1, 4, 6],
    [2, 5, 7],
    [3, 5, 7],
    [4, 5, 7],
  ] as const)(
    'a destination of the wrong size, and lists in place of bytes, in type %d',
    (type, to, data) => {
      for (const length of [1, 19, 21, 32]) {
        const raw = spoil(type, (fields) => fields.splice(to, 1, new Uint8Array(length).fill(9)))
        expect(reasonOf(raw)).toBe('to: expected 20 bytes')
      }
      for (const index of [to, data]) {
        expect(reasonOf(spoil(type, (fields) => fields.splice(index, 1, [])))).toBe(
          `field ${index}: expected bytes, got a list`,
        )
      }
    },
  )

  it('an access list that is none', () => {
    const reason = (accessList: Item) => reasonOf(spoil(2, (fields) => fields.splice(8, 1, accessList)))
    const address = new Uint8Array(20)
    const key = new Uint8Array(32)
    expect(reason(EMPTY)).toBe('access list: expected a list')
    expect(reason([EMPTY])).toBe('access list item: expected a list')
    expect(reason([[address.subarray(1), []]])).toBe('access list address: expected 20 bytes')
    expect(reason([[[], []]])).toBe('access list address: expected 20 bytes')
    expect(reason([[address, EMPTY]])).toBe('storage keys: expected a list')
    expect(reason([[address, [key.subarray(1)]]])).toBe('storage key: expected 32 bytes')
    expect(reason([[address, [[]]]])).toBe('storage key: expected 32 bytes')
    expect(reason([[]])).toBe('an access list item has 2 fields, got 0')
    expect(reason([[address]])).toBe('an access list item has 2 fields, got 1')
    // Were it accepted, one signature would fit many hashes.
    expect(reason([[address, [key], EMPTY]])).toBe('an access list item has 2 fields, got 3')
  })

  it('type 3 without blobs or destination', () => {
    expect(reasonOf(spoil(3, (fields) => fields.splice(10, 1, [])))).toBe('there are no blobs (EIP-4844)')
    expect(reasonOf(spoil(3, (fields) => fields.splice(5, 1, EMPTY)))).toBe(
      'type 3 needs a destination (EIP-4844)',
    )
  })

  it('versioned hashes that are none', () => {
    const reason = (hashes: Item) => reasonOf(spoil(3, (fields) => fields.splice(10, 1, hashes)))
    const hash = new Uint8Array(32).fill(1)
    expect(reason(EMPTY)).toBe('field 10: expected a list')
    expect(reason(hash)).toBe('field 10: expected a list')
    for (const wrong of [EMPTY, hash.subarray(1), Uint8Array.of(1, ...hash), [hash]]) {
      expect(reason([hash, wrong])).toBe('versioned hash: expected 32 bytes')
    }
  })

  it('type 3 as it travels with its blobs, which are not kept', () => {
    const [blobs, commitments, proofs] = [[new Uint8Array(64)], [new Uint8Array(48)], [new Uint8Array(48)]]
    const wrapped = encode(3, [valid[3], blobs, commitments, proofs])
    expect(reasonOf(wrapped)).toBe('type 3 has 14 fields, got 4')
  })

  it('type 4 without authorizations or destination', () => {
    expect(reasonOf(spoil(4, (fields) => fields.splice(9, 1, [])))).toBe(
      'the authorization list is empty (EIP-7702)',
    )
    expect(reasonOf(spoil(4, (fields) => fields.splice(5, 1, EMPTY)))).toBe(
      'type 4 needs a destination (EIP-7702)',
    )
  })

  it('an authorization that is none', () => {
    const tuple = (): Item[] => structuredClone((valid[4][9] as Item[][])[0]!)
    const reason = (change: (tuple: Item[]) => Item) =>
      reasonOf(spoil(4, (fields) => fields.splice(9, 1, [change(tuple())])))
    const at = (index: number, value: Item) =>
      reason((tuple) => {
        tuple[index] = value
        return tuple
      })
    expect(reason(() => EMPTY)).toBe('authorization: expected a list')
    expect(reason((tuple) => tuple.slice(1))).toBe('an authorization has 6 fields, got 5')
    expect(reason((tuple) => [...tuple, EMPTY])).toBe('an authorization has 6 fields, got 7')
    expect(at(0, new Uint8Array(33).fill(1))).toBe(
      'authorization chain id: a quantity has at most 32 bytes, got 33',
    )
    expect(at(1, EMPTY)).toBe('authorization address: expected 20 bytes')
    expect(at(5, Uint8Array.of(0))).toBe('authorization s: a quantity has no leading zero bytes')
    // EIP-7702: nonce < 2**64 and y_parity < 2**8, or the transaction is not valid.
    expect(at(2, new Uint8Array(9).fill(1))).toBe(
      'authorization nonce: a quantity has at most 8 bytes, got 9',
    )
    expect(at(3, Uint8Array.of(1, 0))).toBe('authorization yParity: a quantity has at most 1 bytes, got 2')
  })

  it('high s, whose mirror image the same key could have made, from a client', () => {
    for (const type of [0, 1, 2, 4] as const) {
      expect(reasonOf(mirrored(type), decodeTransaction)).toBe('the signature has a high s (EIP-2)')
    }
  })

  it('no high s in a block, where Homestead must have come first', () => {
    for (const type of TYPES) {
      const transaction = decodeIncludedTransaction(mirrored(type))
      expect(hasHighS(transaction)).toBe(true)
      expect(transaction.from).toBe(decodeIncludedTransaction(spoil(type, () => {})).from)
      expect(hasHighS(decodeIncludedTransaction(spoil(type, () => {})))).toBe(false)
    }
  })

  /** A valid transaction with the other signature of the two that its key could have made: n − s, and the other parity. */
  function mirrored(type: TransactionType): Uint8Array {
    return spoil(type, (fields) => {
      const s = BigInt(toHex(fields.at(-1) as Uint8Array))
      fields.splice(-1, 1, number(ORDER - s))
      const parity = toQuantity(fields.at(-3) as Uint8Array)
      // v of EIP-155 is odd for the even parity.
      const other = type === 0 ? (parity % 2n === 1n ? parity + 1n : parity - 1n) : 1n - parity
      fields.splice(-3, 1, number(other))
    })
  }

  it('a yParity other than 0 and 1', () => {
    for (const type of [1, 2, 3, 4] as const) {
      const raw = spoil(type, (fields) => fields.splice(-3, 1, Uint8Array.of(27)))
      expect(reasonOf(raw)).toBe('yParity is 0 or 1, got 27')
    }
  })

  it.each([0, 1, 26, 29, 34])('v = %d in a legacy transaction', (v) => {
    const raw = spoil(0, (fields) => fields.splice(6, 1, v === 0 ? EMPTY : Uint8Array.of(v)))
    expect(reasonOf(raw)).toBe(`v is 27, 28 or at least 35 (EIP-155), got ${v}`)
  })

  it('r and s that fit no key', () => {
    for (const [r, s] of [
      [EMPTY, Uint8Array.of(1)],
      [Uint8Array.of(1), EMPTY],
      [new Uint8Array(32).fill(0xff), Uint8Array.of(1)],
      [Uint8Array.of(5), Uint8Array.of(1)],
    ] as const) {
      for (const type of TYPES) {
        expect(reasonOf(spoil(type, (fields) => fields.splice(-2, 2, r, s)))).toBe(
          'no sender can be recovered from the signature',
        )
      }
    }
  })

  it(
    'flipped, lost and inserted bytes with MalformedTransaction and nothing else',
    withRandom(async (random) => {
      const cases = await Promise.all(KINDS.map(([, type, chainId]) => randomSigned(random, type, chainId)))
      for (let i = 0; i < 2000; i++) {
        expectDecodedOrMalformed(mutateBytes(random, fromHex(random.pick(cases).raw)))
      }
    }),
  )

  it(
    'wrongly built lists with MalformedTransaction and nothing else',
    withRandom((random) => {
      let decoded = 0
      for (let i = 0; i < 2000; i++) {
        const type = random.pick(TYPES)
        const raw = spoil(type, (fields) => {
          for (let rest = random.between(1, 2); rest > 0; rest--) mutateList(random, fields)
        })
        if (expectDecodedOrMalformed(raw)) decoded++
      }
      expect(decoded).toBeGreaterThan(0)
    }),
  )

  /** What decodes must be the one encoding of what it decodes to: else one signature would fit two hashes. */
  function expectDecodedOrMalformed(raw: Uint8Array): boolean {
    let transaction: Transaction
    try {
      transaction = decodeIncludedTransaction(raw)
    } catch (error) {
      expect(error).toBeInstanceOf(MalformedTransaction)
      return false
    }
    if (transaction.type === 3 || hasHighS(transaction)) {
      expect(() => decodeTransaction(raw)).toThrow(MalformedTransaction)
    } else expect(decodeTransaction(raw).from).toBe(transaction.from)
    expect(toHex(encode(transaction.type as TransactionType, fieldsOf(transaction)))).toBe(toHex(raw))
    expect(transaction.hash).toBe(keccak256(raw))
    return true
  }

  function mutateList(random: Random, list: Item[]): void {
    const index = random.below(list.length)
    const item = list[index]
    if (Array.isArray(item) && item.length > 0 && random.chance(0.7)) {
      mutateList(random, item)
      return
    }
    switch (random.below(6)) {
      case 0:
        list.splice(index, 1)
        break
      case 1:
        list.splice(index, 0, structuredClone(random.pick(list)))
        break
      case 2:
        list.splice(index, 1, [])
        break
      case 3:
        list.splice(index, 1, random.bytes(random.pick([0, 1, 2, 8, 9, 20, 32, 33])))
        break
      case 4:
        list.push(random.chance(0.5) ? new Uint8Array(0) : [])
        break
      case 5:
        if (item instanceof Uint8Array && item.length > 0) list.splice(index, 1, mutateBytes(random, item))
        break
    }
  }

  function mutateBytes(random: Random, bytes: Uint8Array): Uint8Array {
    const changed = [...bytes]
    for (let rest = random.between(1, 3); rest > 0; rest--) {
      const index = random.below(changed.length)
      if (random.chance(0.8)) changed[index] = random.below(256)
      else if (random.chance(0.5)) changed.splice(index, random.between(1, 4))
      else changed.splice(index, 0, random.below(256))
    }
    return Uint8Array.from(changed)
  }

  function number(value: bigint): Uint8Array {
    const digits = value.toString(16)
    return value === 0n
      ? EMPTY
      : Uint8Array.from(Buffer.from(digits.length % 2 ? `0${digits}` : digits, 'hex'))
  }

  /** The fields in the order of EIP-155, EIP-2930, EIP-1559, EIP-4844 and EIP-7702. */
  function fieldsOf(tx: Transaction): Item[] {
    const { r, s, yParity } = tx.signature
    const to = tx.to === undefined ? EMPTY : fromHex(tx.to)
    const parity = BigInt(yParity)
    if (tx.type === 0) {
      const v = tx.chainId === undefined ? 27n + parity : tx.chainId * 2n + 35n + parity
      return [
        number(tx.nonce),
        number(tx.maxFeePerGas),
        number(tx.gasLimit),
        to,
        number(tx.value),
        tx.data,
        ...[v, r, s].map(number),
      ]
    }
    const fees = tx.type === 1 ? [tx.maxFeePerGas] : [tx.maxPriorityFeePerGas, tx.maxFeePerGas]
    const accessList = tx.accessList.map(({ address, storageKeys }) => [
      fromHex(address),
      storageKeys.map(fromHex),
    ])
    const authorizationList = tx.authorizationList.map((a) => [
      number(a.chainId),
      fromHex(a.address),
      ...[a.nonce, BigInt(a.yParity), a.r, a.s].map(number),
    ])
    return [
      ...[tx.chainId ?? 0n, tx.nonce, ...fees, tx.gasLimit].map(number),
      to,
      number(tx.value),
      tx.data,
      accessList,
      ...(tx.type === 3 ? [number(tx.maxFeePerBlobGas!), tx.blobVersionedHashes!.map(fromHex)] : []),
      ...(tx.type === 4 ? [authorizationList] : []),
      ...[parity, r, s].map(number),
    ]
  }
})
