/** Strings that are written word by word, in either order. */
import { expect, it } from 'vitest'
import { toQuantity, toWord } from '../../../src/bytes/hex.ts'
import { keccak256 } from '../../../src/crypto/keccak.ts'
import { Layout, Preimages } from '../../../src/solidity/debug/layout.ts'
import { StorageNames } from '../../../src/solidity/debug/storageNames.ts'

const LONG = 'forty letters, which is more than a slot'
const NAMES = { members: () => undefined, underlying: () => undefined }
const CONTRACT = `0x${'c0'.repeat(20)}` as const
const layout = new Layout(
  {
    storage: [{ astId: 1, contract: '', label: 'text', offset: 0, slot: '3', type: 't_string_storage' }],
    types: { t_string_storage: { encoding: 'bytes', label: 'string', numberOfBytes: '32' } },
  },
  NAMES,
)

const first = toQuantity(keccak256(toWord(3n)))
const bytes = new TextEncoder().encode(LONG.padEnd(64, '\0'))
const LENGTH = [3n, BigInt(2 * LONG.length + 1)] as const
const DATA = [
  [first, toQuantity(bytes.subarray(0, 32))],
  [first + 1n, toQuantity(bytes.subarray(32))],
] as const

it.each([
  ['before', [...DATA, LENGTH]],
  ['after', [LENGTH, ...DATA]],
])('a long text is known whole where its bytes are written %s its length', (_, stores) => {
  const words = new Map<bigint, bigint>()
  const names = new StorageNames(new Preimages())
  const step = {}
  const word = (slot: bigint) => words.get(slot) ?? 0n
  const told = stores.flatMap(([slot, after]) => {
    const place = {
      isTransient: false,
      address: CONTRACT,
      slot,
      before: word(slot),
      after,
      target: undefined,
    }
    const { accesses } = names.accesses({ kind: 'write', ...place, word }, [layout], step)
    words.set(slot, after)
    return accesses
  })
  expect(told.map(({ name }) => name).sort()).toEqual(['text', 'text[0:32]', 'text[32:64]'])
  expect(told.find(({ name }) => name === 'text')).toMatchObject({ before: '', value: LONG })
})
