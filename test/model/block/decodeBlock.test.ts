import { createBlockFromRLP } from '@ethereumjs/block'
import { RLP } from '@ethereumjs/rlp'
import { beforeAll, describe, expect, it } from 'vitest'
import { toHex } from '../../../src/bytes/hex.ts'
import { encodeBlock } from '../../../src/model/block/block.ts'
import { decodeBlock, MalformedBlock, type UncheckedBlock } from '../../../src/model/block/decodeBlock.ts'
import { BLOCK_SHAPES, randomBlock, randomWithdrawal } from '../../support/chains/blocks.ts'
import { randomHeader, theirCommon } from '../../support/chains/headers.ts'
import { Random, withRandom } from '../../support/random/random.ts'

describe.each(BLOCK_SHAPES)('a block of %s', (hardfork) => {
  it(
    'is written as by @ethereumjs/block, read back as it was, and has its hash',
    withRandom(async (random) => {
      for (let i = 0; i < 4; i++) {
        const block = await randomBlock(random, hardfork)
        const bytes = encodeBlock(block)
        const common = theirCommon(hardfork)
        const theirs = createBlockFromRLP(bytes, { common, skipConsensusFormatValidation: true })
        expect(toHex(theirs.serialize())).toBe(toHex(bytes))
        expect(decodeBlock(bytes)).toEqual({ ...block, hash: toHex(theirs.hash()) })
      }
    }),
  )
})

it(
  'may have any extra data as block 0, as that of a clique chain has',
  withRandom(async (random) => {
    const block = await randomBlock(random, 'osaka')
    const extraData = random.bytes(97)
    const first = { ...block, header: { ...block.header, number: 0n, extraData } }
    expect(decodeBlock(encodeBlock(first)).header.extraData).toEqual(extraData)
    const later = { ...block, header: { ...block.header, number: 1n, extraData } }
    expect(() => decodeBlock(encodeBlock(later))).toThrow(
      'header.extraData: expected at most 32 bytes, got 97',
    )
  }),
)

type Item = Uint8Array | Item[]

describe('a malformed block', () => {
  const EMPTY = new Uint8Array(0)
  /** A block of Prague with two transactions, two withdrawals, and two ommers (which only its decoder does not mind). */
  let valid: [header: Item[], transactions: Item[], ommers: Item[][], withdrawals: Item[][]]

  beforeAll(async () => {
    const random = new Random(4895)
    const block = await randomBlock(random, 'prague')
    const bytes = encodeBlock({
      ...block,
      transactions: [block.transactions[0]!, block.transactions.at(-1)!],
      ommers: [randomHeader(random, 'berlin'), randomHeader(random, 'london')],
      withdrawals: [randomWithdrawal(random), randomWithdrawal(random)],
    })
    valid = RLP.decode(bytes) as typeof valid
  })

  /** The bytes of the valid block after `change`. */
  function spoilt(change: (block: typeof valid) => void): Uint8Array {
    const block = structuredClone(valid)
    change(block)
    return RLP.encode(block)
  }

  /** What is said about the valid block after `change`: the field and the reason. */
  function complaint(change: (block: typeof valid) => void): string {
    return complaintAbout(spoilt(change))
  }

  function complaintAbout(bytes: Uint8Array): string {
    try {
      decodeBlock(bytes)
    } catch (error) {
      if (!(error instanceof MalformedBlock)) throw error
      expect(error.message).toBe(`${error.field}: ${error.reason}`)
      return error.message
    }
    throw new Error('nothing was thrown')
  }

  it('is not this one, before anything is spoilt', () => {
    expect(decodeBlock(spoilt(() => {})).transactions).toHaveLength(2)
  })

  it.each([
    ['no bytes', '', 'block: expected a list, got bytes'],
    ['bytes in place of the list', '83ffffff', 'block: expected a list, got bytes'],
    ['a list that ends early', 'c3c0c0', /^block: not canonical RLP \(/],
    ['a remainder', 'c3c0c0c0c0', /^block: not canonical RLP \(/],
    ['a short list with a long head', 'f803c0c0c0', /^block: not canonical RLP \(/],
  ])('is %s', (_, digits, expected) => {
    expect(complaintAbout(Buffer.from(digits, 'hex'))).toMatch(expected)
  })

  it.each([0, 1, 2, 5])('has %i parts', (count) => {
    const expected = `block: a block has 3 parts (header, transactions, ommers), since Shanghai 4 (withdrawals), got ${count}`
    expect(complaintAbout(RLP.encode([...valid, []].slice(0, count)))).toBe(expected)
  })

  it.each([
    [0, 'header'],
    [1, 'transactions'],
    [2, 'ommers'],
    [3, 'withdrawals'],
  ])('has bytes as part %i', (index, field) => {
    expect(complaint((block) => block.splice(index, 1, EMPTY as never))).toBe(
      `${field}: expected a list, got bytes`,
    )
  })

  it.each([0, 14, 18, 19, 22])('has %i fields in its header', (count) => {
    const sizes = '15 (before London), 16 (London), 17 (Shanghai), 20 (Cancun), 21 (Prague)'
    const expected = `header: a header has ${sizes} fields, got ${count}`
    expect(complaint(([header]) => header.splice(0, 21, ...[...header, EMPTY].slice(0, count)))).toBe(
      expected,
    )
  })

  /** The Yellow Paper's 4.3 and the EIPs: hashes 32 bytes, and so on; `most` where fewer are right, too. */
  const HEADER_FIELDS = [
    ['parentHash', 32],
    ['ommersHash', 32],
    ['coinbase', 20],
    ['stateRoot', 32],
    ['transactionsRoot', 32],
    ['receiptsRoot', 32],
    ['logsBloom', 256],
    ['difficulty', { most: 32 }],
    ['number', { most: 8 }],
    ['gasLimit', { most: 8 }],
    ['gasUsed', { most: 8 }],
    ['timestamp', { most: 8 }],
    ['extraData', { most: 32 }],
    ['mixHash', 32],
    ['nonce', 8],
    ['baseFeePerGas', { most: 32 }],
    ['withdrawalsRoot', 32],
    ['blobGasUsed', { most: 8 }],
    ['excessBlobGas', { most: 8 }],
    ['parentBeaconBlockRoot', 32],
    ['requestsHash', 32],
  ] as const
  const FIELDS = HEADER_FIELDS.map(([name, size], index) => [name, size, index] as const)

  it.each(FIELDS)('has a header whose %s has the wrong size', (name, size, index) => {
    const withBytes = (length: number) =>
      complaint(([header]) => header.splice(index, 1, new Uint8Array(length).fill(7)))
    if (typeof size !== 'number') {
      const { most } = size
      expect(withBytes(most + 1)).toBe(`header.${name}: expected at most ${most} bytes, got ${most + 1}`)
      return
    }
    for (const length of [0, size - 1, size + 1]) {
      expect(withBytes(length)).toBe(`header.${name}: expected ${size} bytes, got ${length}`)
    }
  })

  it.each(FIELDS)('has a header with a list as its %s', (name, _, index) => {
    for (const list of [[], [EMPTY]]) {
      expect(complaint(([header]) => header.splice(index, 1, list))).toBe(
        `header.${name}: expected bytes, got a list`,
      )
    }
  })

  it.each(FIELDS.filter(([name, size]) => typeof size !== 'number' && name !== 'extraData'))(
    'has a header with leading zeros in its %s',
    (name, _, index) => {
      for (const zeros of [Uint8Array.of(0), Uint8Array.of(0, 1)]) {
        expect(complaint(([header]) => header.splice(index, 1, zeros))).toBe(
          `header.${name}: a quantity has no leading zero bytes`,
        )
      }
    },
  )

  it('says the same of its ommers’ headers, and which of them it was', () => {
    expect(complaint(([, , ommers]) => ommers[1]!.splice(2, 1, new Uint8Array(19)))).toBe(
      'ommers[1].coinbase: expected 20 bytes, got 19',
    )
    expect(complaint(([, , ommers]) => ommers.splice(0, 1, EMPTY as never))).toBe(
      'ommers[0]: expected a list, got bytes',
    )
    expect(complaint(([, , ommers]) => ommers[0]!.pop())).toMatch(
      /^ommers\[0\]: a header has 15 .* fields, got 14$/,
    )
  })

  it.each([
    ['index', 0, new Uint8Array(9).fill(1), 'expected at most 8 bytes, got 9'],
    ['index', 0, Uint8Array.of(0), 'a quantity has no leading zero bytes'],
    ['validatorIndex', 1, new Uint8Array(9).fill(1), 'expected at most 8 bytes, got 9'],
    ['validatorIndex', 1, Uint8Array.of(0, 5), 'a quantity has no leading zero bytes'],
    ['address', 2, EMPTY, 'expected 20 bytes, got 0'],
    ['address', 2, new Uint8Array(21), 'expected 20 bytes, got 21'],
    ['amount', 3, new Uint8Array(9).fill(1), 'expected at most 8 bytes, got 9'],
    ['amount', 3, Uint8Array.of(0), 'a quantity has no leading zero bytes'],
    ['amount', 3, [], 'expected bytes, got a list'],
  ])('has a withdrawal whose %s is wrong', (name, index, value, reason) => {
    expect(complaint(([, , , withdrawals]) => withdrawals[1]!.splice(index, 1, value))).toBe(
      `withdrawals[1].${name}: ${reason}`,
    )
  })

  it('has a withdrawal with a field too few or too many, or that is none', () => {
    const spoil = (change: (withdrawals: Item[][]) => void) =>
      complaint(([, , , withdrawals]) => change(withdrawals))
    const expected = 'withdrawals[1]: a withdrawal has 4 fields (EIP-4895), got'
    expect(spoil((withdrawals) => withdrawals[1]!.pop())).toBe(`${expected} 3`)
    expect(spoil((withdrawals) => withdrawals[1]!.push(EMPTY))).toBe(`${expected} 5`)
    expect(spoil((withdrawals) => withdrawals.splice(1, 1, EMPTY as never))).toBe(
      'withdrawals[1]: expected a list, got bytes',
    )
  })

  it('has a transaction that is none, and says what its decoder says', () => {
    const withTransaction = (item: Item) => complaint(([, transactions]) => transactions.splice(1, 1, item))
    expect(withTransaction(EMPTY)).toBe('transactions[1]: no bytes')
    expect(withTransaction([])).toBe('transactions[1]: a legacy transaction has 9 fields, got 0')
    expect(withTransaction(Uint8Array.of(5, 0xc0))).toBe(
      'transactions[1]: type 5 is not supported; expected legacy or type 1, 2, 3 or 4',
    )
    expect(withTransaction(Uint8Array.of(2, 0xc0))).toBe('transactions[1]: type 2 has 12 fields, got 0')
  })

  it('has a legacy transaction as a byte string, which would be a second encoding of the same block', () => {
    const bytes = spoilt(([, transactions]) => transactions.splice(0, 1, RLP.encode(transactions[0]!)))
    expect(complaintAbout(bytes)).toBe('transactions[0]: a legacy transaction is a list, got bytes')
  })

  it('has a legacy transaction with a list in it', () => {
    expect(complaint(([, transactions]) => (transactions[0] as Item[]).splice(5, 1, []))).toBe(
      'transactions[0]: the fields of a legacy transaction are bytes, got a list',
    )
  })

  it(
    'is what any change to its bytes makes of it, or another block with exactly these bytes',
    withRandom(async (random) => {
      const blocks: Uint8Array[] = []
      for (const hardfork of BLOCK_SHAPES) blocks.push(encodeBlock(await randomBlock(random, hardfork)))
      let decoded = 0
      for (let i = 0; i < 700; i++) {
        const bytes = mutated(random, random.pick(blocks))
        const block = decodedOrNothing(bytes)
        if (block === undefined) continue
        decoded++
        expect(toHex(encodeBlock(block))).toBe(toHex(bytes))
      }
      expect(decoded).toBeGreaterThan(10)
    }),
  )

  it(
    'is what any change to its items makes of it, or another block with exactly these bytes',
    withRandom(async (random) => {
      const blocks: Item[][] = []
      for (const hardfork of BLOCK_SHAPES) {
        blocks.push(RLP.decode(encodeBlock(await randomBlock(random, hardfork))) as Item[])
      }
      let decoded = 0
      for (let i = 0; i < 500; i++) {
        const items = structuredClone(random.pick(blocks))
        rearrange(random, items)
        const bytes = RLP.encode(items)
        const block = decodedOrNothing(bytes)
        if (block === undefined) continue
        decoded++
        expect(toHex(encodeBlock(block))).toBe(toHex(bytes))
      }
      expect(decoded).toBeGreaterThan(10)
    }),
  )

  it.each([6_000, 7_000, 8_000, 20_000])(
    'is one whose lists are nested %i deep, wherever they are',
    (depth) => {
      const nested = nestedLists(depth)
      const none = Uint8Array.of(0xc0)
      const [header, transactions] = valid.map((part) => RLP.encode(part)) as [Uint8Array, Uint8Array]
      for (const parts of [
        [nested, none, none],
        [header, nested, none],
        [header, listAround([nested]), none],
        [header, transactions, nested],
        [header, transactions, none, nested],
      ]) {
        expect(complaintAbout(listAround(parts))).toMatch(
          /^(block|header|(transactions|ommers|withdrawals)\[0\]): /,
        )
      }
    },
  )
})

/** The block, or nothing if it is malformed. */
function decodedOrNothing(bytes: Uint8Array): UncheckedBlock | undefined {
  try {
    return decodeBlock(bytes)
  } catch (error) {
    if (!(error instanceof MalformedBlock)) throw error
    return undefined
  }
}

function mutated(random: Random, bytes: Uint8Array): Uint8Array {
  const changed = [...bytes]
  for (let rest = random.between(1, 3); rest > 0; rest--) {
    const index = random.below(changed.length)
    if (random.chance(0.8)) changed[index] = random.below(256)
    else if (random.chance(0.5)) changed.splice(index, random.between(1, 4))
    else changed.splice(index, 0, random.below(256))
  }
  return Uint8Array.from(changed)
}

/** Changes one item somewhere in `list`: removes it, doubles it, or replaces it. */
function rearrange(random: Random, list: Item[]): void {
  const index = random.below(list.length)
  const item = list[index]
  if (Array.isArray(item) && item.length > 0 && random.chance(0.9)) {
    rearrange(random, item)
    return
  }
  switch (random.below(4)) {
    case 0:
      list.splice(index, 1)
      break
    case 1:
      if (item !== undefined) list.splice(index, 0, structuredClone(item))
      break
    case 2:
      list.splice(index, 1, random.chance(0.5) ? [] : random.bytes(random.pick([0, 1, 8, 9, 20, 32, 33])))
      break
    case 3:
      if (item instanceof Uint8Array) list.splice(index, 1, random.bytes(item.length))
      break
  }
}

function listAround(items: readonly Uint8Array[]): Uint8Array {
  const payload = Buffer.concat(items)
  return Buffer.concat([headOf(payload.length), payload])
}

/** The first bytes of a list with so many bytes in it (Yellow Paper, appendix B). */
function headOf(size: number): Uint8Array {
  if (size < 56) return Uint8Array.of(0xc0 + size)
  const digits = size.toString(16)
  const length = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex')
  return Uint8Array.of(0xf7 + length.length, ...length)
}

/** A list in a list in a list. */
function nestedLists(depth: number): Uint8Array {
  const heads: Uint8Array[] = []
  for (let size = 0; heads.length < depth; size += heads.at(-1)!.length) heads.push(headOf(size))
  return Buffer.concat(heads.reverse())
}
