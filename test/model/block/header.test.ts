import { createHash } from 'node:crypto'
import { RLP } from '@ethereumjs/rlp'
import { keccak256 } from 'viem'
import { describe, expect, it } from 'vitest'
import { fromHex, toHex, ZERO_ADDRESS, ZERO_HASH } from '../../../src/bytes/hex.ts'
import {
  EMPTY_OMMERS_HASH,
  EMPTY_REQUESTS_HASH,
  type Header,
  hashHeader,
  headerFields,
  shareWith,
} from '../../../src/model/block/header.ts'
import { EMPTY_BLOOM } from '../../../src/model/receipt/log.ts'
import { randomHeader, toEthereumJsHeader } from '../../support/chains/headers.ts'
import { withRandom } from '../../support/random/random.ts'

/** Each hardfork with the number of fields that its headers have. */
const SHAPES = [
  ['berlin', 15],
  ['london', 16],
  ['paris', 16],
  ['shanghai', 17],
  ['cancun', 20],
  ['prague', 21],
  ['osaka', 21],
] as const

describe('hashHeader', () => {
  it.each(SHAPES)('gives the hash of @ethereumjs/block in %s', (hardfork, count) =>
    withRandom((random) => {
      for (let i = 0; i < 20; i++) {
        const header = randomHeader(random, hardfork)
        const theirs = toEthereumJsHeader(header, hardfork)
        expect(toHex(RLP.encode(headerFields(header) as Uint8Array[]))).toBe(toHex(theirs.serialize()))
        expect(hashHeader(header)).toBe(toHex(theirs.hash()))
        expect(headerFields(header)).toHaveLength(count)
      }
    })(),
  )

  it('gives the hash of mainnet’s genesis block', () => {
    const genesis: Header = {
      parentHash: ZERO_HASH,
      ommersHash: EMPTY_OMMERS_HASH,
      coinbase: ZERO_ADDRESS,
      stateRoot: '0xd7f8974fb5ac78d9ac099b9ad5018bedc2ce0a72dad1827a1709da30580f0544',
      transactionsRoot: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
      receiptsRoot: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
      logsBloom: EMPTY_BLOOM,
      difficulty: 0x400000000n,
      number: 0n,
      gasLimit: 5000n,
      gasUsed: 0n,
      timestamp: 0n,
      extraData: fromHex('0x11bbe8db4e347b4e8c937c1c8370e4b5ed33adb3db69cbdb7a38e1e50b1b82fa'),
      prevRandao: ZERO_HASH,
      nonce: fromHex('0x0000000000000042'),
      baseFeePerGas: undefined,
      withdrawalsRoot: undefined,
      blobGasUsed: undefined,
      excessBlobGas: undefined,
      parentBeaconBlockRoot: undefined,
      requestsHash: undefined,
    }
    expect(hashHeader(genesis)).toBe('0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3')
  })
})

describe('the empty hashes', () => {
  it('are those of the empty list (Yellow Paper) and of no requests (EIP-7685)', () => {
    expect(EMPTY_OMMERS_HASH).toBe(keccak256('0xc0'))
    expect(EMPTY_REQUESTS_HASH).toBe(`0x${createHash('sha256').digest('hex')}`)
  })
})

describe('shareWith', () => {
  it(
    'leaves a header what it was, and holds what is the same only once',
    withRandom((random) => {
      for (let i = 0; i < 50; i++) {
        const before = randomHeader(random, random.pick(SHAPES)[0])
        const other = randomHeader(random, random.pick(SHAPES)[0])
        const mixed = Object.fromEntries(
          Object.entries(before).map(([field, value]) => [
            field,
            random.chance(0.5) ? structuredClone(value) : other[field as keyof Header],
          ]),
        ) as unknown as Header
        const copy = structuredClone(mixed)
        shareWith(before, mixed)
        expect(mixed).toEqual(copy)
        for (const field of ['logsBloom', 'extraData', 'nonce'] as const) {
          const isSame = toHex(mixed[field]) === toHex(before[field])
          expect(mixed[field] === before[field]).toBe(isSame)
        }
      }
    }),
  )
})
