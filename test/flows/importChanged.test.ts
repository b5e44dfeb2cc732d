/** One changed bit in a file of blocks: it is found, named, and nothing is lost. */
import { RLP } from '@ethereumjs/rlp'
import { describe, expect, it } from 'vitest'
import { toHex, toQuantity } from '../../src/bytes/hex.ts'
import type { Devnet, ImportFailed } from '../../src/index.ts'
import {
  altered,
  flipped,
  HEADER_FIELDS,
  type HeaderField,
  hashOf,
  partsOf,
  withField,
} from '../support/chains/alteredBlocks.ts'
import { block, blocks, chain, expectHead, hash, refusal, standingAt } from '../support/chains/imports.ts'
import { LENGTH } from '../support/chains/minedChain.ts'
import { withRandom } from '../support/random/random.ts'

/** What stands in a header field. */
function fieldOf(encoded: Uint8Array, field: HeaderField): Uint8Array {
  return partsOf(encoded).header[HEADER_FIELDS.indexOf(field)]!
}

/** How a header's field is printed. */
function shown(field: HeaderField, bytes: Uint8Array): string {
  const isQuantity = /^(difficulty|number|gasLimit|gasUsed|timestamp|baseFee|blobGas|excess)/.test(field)
  return isQuantity ? String(toQuantity(bytes)) : toHex(bytes)
}

describe.each([
  // Mined, with ommers. Of what mining left in a header only the next block knows; but two seconds more are more than ten
  // since its parent, which make it easier (EIP-2).
  { number: 5, fields: 15, found: { mixHash: 'hash', nonce: 'hash', timestamp: 'difficulty' } },
  { number: 22, fields: 16, found: { mixHash: 'hash', nonce: 'hash', timestamp: 'hash' } },
  // A contract notes prevRandao, nobody notes the time.
  { number: 30, fields: 17, found: { mixHash: 'stateRoot', timestamp: 'hash' } },
  // The parent's beacon block root is kept under the block's time (EIP-4788).
  {
    number: 46,
    fields: 21,
    found: { mixHash: 'hash', timestamp: 'stateRoot', parentBeaconBlockRoot: 'stateRoot' },
  },
] satisfies { number: number; fields: number; found: Partial<Record<HeaderField, HeaderField | 'hash'>> }[])(
  'a changed bit in the header of block $number',
  ({ number, fields, found }) => {
    /** By what a change shows, where that is not the field itself. */
    const shows: Partial<Record<HeaderField, HeaderField | 'hash'>> = {
      coinbase: 'stateRoot', // somebody else is paid
      gasLimit: 'hash', // still within what is allowed, and no part of the state
      extraData: 'hash',
      ...found,
    }

    it.each(HEADER_FIELDS.slice(0, fields))('is found in %s', async (field) => {
      const devnet = await standingAt(number - 1)
      const changed = withField(block(number), field, flipped)
      const before = fieldOf(block(number), field)
      const after = fieldOf(changed, field)
      const error = await refusal(devnet, [changed, ...blocks(number + 1, number + 2)])

      const flaw = shows[field] ?? field
      const numberOf = field === 'number' ? toQuantity(after) : BigInt(number)
      expect([error.field, error.blockNumber]).toEqual([flaw, numberOf])
      if (flaw === 'hash') {
        expect([error.stated, error.computed]).toEqual([hashOf(changed), hash(number)])
      } else {
        expect(error.stated).toBe(shown(flaw, fieldOf(changed, flaw)))
        if (flaw === field) expect(error.computed).toBe(shown(field, before))
        else expect(error.computed).not.toBe(error.stated)
      }
      // The message says as much; of a Bloom filter, where the two differ.
      expect(error.message).toContain(`block ${numberOf} (${hashOf(changed)}): ${flaw}: `)
      const values =
        flaw === 'logsBloom' ? [/says 0x….{2,16}…/, /gives 0x….{2,16}…/] : [error.stated!, error.computed!]
      for (const value of values) expect(error.message).toMatch(value)
      expect(error.message).toContain(`the chain is at block ${number - 1} (${hash(number - 1)})`)

      const head = { number: BigInt(number - 1), hash: hash(number - 1) }
      expect([error.imported, error.head]).toEqual([0, head])
      await expectHead(devnet, number - 1)
      expect(await devnet.import(blocks(number, number + 2))).toEqual({ imported: 3, known: 0 })
    })
  },
)

describe('a changed bit in the body of a block', () => {
  /** What is said of block `number` after `change`, while the blocks that follow are as they were. */
  async function changed(
    number: number,
    change: (parts: ReturnType<typeof partsOf>) => void,
  ): Promise<{ devnet: Devnet; error: ImportFailed }> {
    const devnet = await standingAt(number - 1)
    const error = await refusal(devnet, [altered(block(number), change), ...blocks(number + 1, number + 2)])
    await expectHead(devnet, number - 1)
    expect(await devnet.import(blocks(number, number + 2))).toEqual({ imported: 3, known: 0 })
    return { devnet, error }
  }

  it.each([
    ['of type 0', 9, 0, 9],
    ['of type 1', 18, 0, 11],
    ['of type 2', 21, 0, 12],
    ['of type 3', 46, 2, 14],
    ['of type 4', 37, 0, 13],
  ])('is found in each field of a transaction %s', async (_, number, index, fields) => {
    for (let field = 0; field < fields; field++) {
      const { error } = await changed(number, ({ transactions }) => {
        const transaction = transactions[index]!
        if (transaction instanceof Uint8Array) {
          const values = RLP.decode(transaction.subarray(1)) as Nested[]
          values[field] = flippedWithin(values[field]!)
          transactions[index] = Uint8Array.of(transaction[0]!, ...RLP.encode(values))
        } else {
          transaction[field] = flipped(transaction[field]!)
        }
      })
      // Some signatures belong to nobody, and some values cannot be; all else shows in the root.
      expect(error.field, `field ${field}`).toMatch(
        new RegExp(`^(transactionsRoot|transactions\\[${index}\\])$`),
      )
      if (error.field !== 'transactionsRoot') continue
      expect(error.blockNumber).toBe(BigInt(number))
      expect(error.stated).toBe(toHex(fieldOf(block(number), 'transactionsRoot')))
      expect(error.computed).toMatch(/^0x[0-9a-f]{64}$/)
    }
  })

  it('is found in each field of an ommer', async () => {
    for (const [index, field] of HEADER_FIELDS.slice(0, 15).entries()) {
      const { error } = await changed(5, ({ ommers }) => {
        ommers[1]![index] = flipped(ommers[1]![index]!)
      })
      expect(error.field, field).toBe('ommersHash')
      expect(error.stated).toBe(toHex(fieldOf(block(5), 'ommersHash')))
    }
  })

  it('is found in each field of a withdrawal', async () => {
    for (let field = 0; field < 4; field++) {
      const { error } = await changed(30, ({ withdrawals }) => {
        withdrawals![1]![field] = flipped(withdrawals![1]![field]!)
      })
      expect(error.field).toBe('withdrawalsRoot')
      expect(error.stated).toBe(toHex(fieldOf(block(30), 'withdrawalsRoot')))
    }
  })
})

type Nested = Uint8Array | Nested[]

/** One bit turned over, of the last bytes that are somewhere within; an empty list gets a byte. */
function flippedWithin(value: Nested): Nested {
  if (value instanceof Uint8Array) return flipped(value)
  if (value.length === 0) return [Uint8Array.of(1)]
  return [...value.slice(0, -1), flippedWithin(value.at(-1)!)]
}

describe('a changed bit at the end of a file', () => {
  it('keeps out the last block but one, if only the last one shows it', async () => {
    const devnet = await standingAt(10)
    const changed = withField(block(11), 'extraData', flipped)
    const error = await refusal(devnet, [changed, block(12)])
    expect(error).toMatchObject({
      field: 'hash',
      stated: hashOf(changed),
      computed: hash(11),
      blockNumber: 11n,
    })
    await expectHead(devnet, 10)
    expect(await devnet.import(blocks(11, 12))).toEqual({ imported: 2, known: 0 })
  })

  it('keeps out both, if it may be in either of them', async () => {
    const devnet = await standingAt(10)
    const last = withField(block(12), 'parentHash', flipped)
    const error = await refusal(devnet, [block(11), last])
    const named = toHex(fieldOf(last, 'parentHash'))
    expect(error).toMatchObject({ field: 'hash', stated: hash(11), computed: named, blockNumber: 11n })
    await expectHead(devnet, 10)
    expect(await devnet.import(blocks(11, 12))).toEqual({ imported: 2, known: 0 })
  })
})

describe('any changed byte', () => {
  it(
    'is noticed, and the right file brings the chain to its end',
    withRandom(async (random) => {
      const wrong = new Set<string | undefined>()
      for (let i = 0; i < 60; i++) {
        const number = random.between(1, LENGTH - 2)
        const bytes = Uint8Array.from(block(number))
        const at = random.below(bytes.length)
        bytes[at]! ^= 1 << random.below(8)
        const devnet = await standingAt(number - 1)
        const error = await refusal(devnet, [bytes, ...blocks(number + 1, number + 2)])
        wrong.add(error.field)
        await expectHead(devnet, number - 1)
        await devnet.import(i === 0 ? chain.file : blocks(number, number + 1))
        await expectHead(devnet, i === 0 ? LENGTH : number + 1)
      }
      expect(wrong.size).toBeGreaterThan(3)
    }),
  )
})
