import { describe, expect, it } from 'vitest'
import { type Address, fromHex, type Hex, toHex } from '../../src/bytes/hex.ts'
import type { AccountProof } from '../../src/model/account/account.ts'
import { prove } from '../../src/state/accountReads.ts'
import { State } from '../../src/state/state.ts'
import { ReferenceWorld } from '../support/chains/accounts.ts'
import { provenAccount, provenSlot } from '../support/nodes/proofs.ts'
import { type Random, withRandom } from '../support/random/random.ts'

const ALICE: Address = '0x00000000000000000000000000000000000a11ce'
const BOB: Address = '0x0000000000000000000000000000000000000b0b'

/** keccak('') and keccak(rlp('')), Yellow Paper 4.1. */
const EMPTY_CODE_HASH = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'
const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
const ZERO_HASH = `0x${'00'.repeat(32)}`

describe('the proof of an account', () => {
  it(
    'shows what the state says of it and of its slots, in the nodes of @ethereumjs/statemanager',
    withRandom(async (random) => {
      for (const size of [1, 2, 20, 300]) {
        const { state, theirs, addresses } = await randomWorld(random, size)
        for (const address of [...random.list(10, () => random.pick(addresses)), random.hex(20)]) {
          const slots = random.list(random.below(6), () => randomSlot(random))
          const proof = prove(state, address, slots)
          await expectShown(state, proof)
          const account = await theirs.proof(address, slots)
          expect(proof.accountProof.map(toHex)).toEqual(account.accountProof)
          if (state.account(address) === undefined) continue
          expect(proof.storageProof.map(({ proof: nodes }) => nodes.map(toHex))).toEqual(
            account.storageProof.map(({ proof: nodes }) => nodes),
          )
          expect(proof).toMatchObject({
            address,
            nonce: BigInt(account.nonce),
            balance: BigInt(account.balance),
            codeHash: account.codeHash,
            storageHash: account.storageHash,
            storageProof: slots.map((slot, i) => ({ slot, value: BigInt(account.storageProof[i]!.value) })),
          })
        }
      }
    }),
  )

  it('is that of its own state, whatever came later', async () => {
    const before = State.empty.with([{ address: ALICE, balance: 1n, storage: [[1n, 1n]] }])
    const after = before.with([
      { address: ALICE, balance: 2n, storage: [[1n, 2n]] },
      { address: BOB, balance: 3n },
    ])
    for (const state of [after, before]) await expectShown(state, prove(state, ALICE, [1n]))
    expect(prove(before, BOB, [])).toMatchObject({ balance: 0n, codeHash: ZERO_HASH })
  })

  it('without code and storage has the hashes of nothing', () => {
    const state = State.empty.with([{ address: ALICE, balance: 1n }])
    expect(prove(state, ALICE, [0n])).toMatchObject({
      codeHash: EMPTY_CODE_HASH,
      storageHash: EMPTY_ROOT,
      storageProof: [{ slot: 0n, value: 0n, proof: [] }],
    })
  })

  it('that does not exist has zero hashes, and shows its absence', async () => {
    const state = State.empty.with([{ address: ALICE, balance: 1n, storage: [[0n, 1n]] }])
    const proof = prove(state, BOB, [0n])
    expect(proof).toMatchObject({
      address: BOB,
      nonce: 0n,
      balance: 0n,
      codeHash: ZERO_HASH,
      storageHash: ZERO_HASH,
      storageProof: [{ slot: 0n, value: 0n, proof: [] }],
    })
    await expectShown(state, proof)
  })

  it('has no nodes in an empty world', () => {
    expect(prove(State.empty, ALICE, [])).toMatchObject({ accountProof: [], storageProof: [] })
  })

  it('has its slots in the order in which they were asked for, as often as they were', () => {
    const state = State.empty.with([{ address: ALICE, storage: [[1n, 10n]] }])
    const { storageProof } = prove(state, ALICE, [2n, 1n, 2n, 1n])
    expect(storageProof.map(({ slot, value }) => [slot, value])).toEqual([
      [2n, 0n],
      [1n, 10n],
      [2n, 0n],
      [1n, 10n],
    ])
  })

  // ethereum/execution-apis, tests/eth_getProof/get-account-proof-with-storage.io: what go-ethereum answered. Slots and
  // code of that account are those of hive's test chain; its neighbours are not, so that the root's node is another.
  it('has the nodes and hashes of go-ethereum', () => {
    const address: Address = '0xaa00000000000000000000000000000000000000'
    const first = (byte: Hex) => BigInt(byte.padEnd(66, '0'))
    const state = State.empty.with([
      {
        address,
        nonce: 1n,
        balance: 1n,
        code: fromHex('0x6042'),
        storage: [
          [first('0x01'), first('0x01')],
          [first('0x02'), first('0x02')],
          [first('0x03'), 0x0303n],
        ],
      },
      { address: BOB, balance: 1n },
    ])
    const { accountProof, storageProof, ...account } = prove(state, address, [1n])
    expect(account).toEqual({
      address,
      nonce: 1n,
      balance: 1n,
      codeHash: '0xce92c756baff35fa740c3557c1a971fd24d2d35b7c8e067880d50cd86bb0bc99',
      storageHash: '0x8afc95b7d18a226944b9c2070b6bda1c3a36afcc3730429d47579c94b9fe5850',
    })
    expect(accountProof.map(toHex).slice(1)).toEqual([
      '0xf869a0335649db80be637d281db0cc5896b0ff9869d08379a80fdc38dd073bba633949b846f8440101a08afc95b7d18a226944b9c2070b6bda1c3a36afcc3730429d47579c94b9fe5850a0ce92c756baff35fa740c3557c1a971fd24d2d35b7c8e067880d50cd86bb0bc99',
    ])
    expect(storageProof).toMatchObject([{ slot: 1n, value: 0n }])
    expect(storageProof[0]!.proof.map(toHex)).toEqual([
      '0xf871808080a0ce028e108cf5c832b0a9afd3ed101183857b3b9ddaea5670c4f09b62e4d38d05a0de3ecad66628a5743ed089e3a35ebeedc25a922fb0ac346304613403911c18e0a0128c5f7abac505794cda09bde44d143e4736b50b1c42d6807a989c10af51e8d18080808080808080808080',
    ])
  })
})

/** Verifies `proof` against the root: it proves the answer of the state. */
async function expectShown(
  state: State,
  { address, storageHash, accountProof, storageProof }: AccountProof,
): Promise<void> {
  const shown = await provenAccount(state.root(), address, accountProof.map(toHex))
  const account = state.account(address)
  if (account === undefined) {
    expect(shown).toBeUndefined()
    return
  }
  const { nonce, balance, codeHash } = account
  expect(shown).toEqual({ nonce, balance, storageHash, codeHash: toHex(codeHash) })
  for (const { slot, proof } of storageProof) {
    expect(await provenSlot(storageHash, slot, proof.map(toHex))).toBe(state.storage(address, slot))
  }
}

/** The same accounts in a state of ours and in a world of theirs. */
async function randomWorld(random: Random, size: number) {
  const theirs = new ReferenceWorld()
  const changes = random.list(size, () => ({
    address: random.hex(20),
    nonce: random.bigint(64),
    balance: random.bigint(256),
    code: random.bytes(random.pick([0, 0, 1, 40])),
    storage: new Map(random.list(random.pick([0, 1, 2, 30]), () => [randomSlot(random), random.bigint(256)])),
  }))
  for (const { address, nonce, balance, code, storage } of changes) {
    await theirs.putAccount(address, nonce, balance)
    if (code.length > 0) await theirs.putCode(address, code)
    for (const [slot, value] of storage) if (value > 0n) await theirs.putStorage(address, slot, value)
  }
  return { state: State.empty.with(changes), theirs, addresses: changes.map(({ address }) => address) }
}

/** Few slots, so that some of the requested ones exist. */
function randomSlot(random: Random): bigint {
  return random.chance(0.8) ? BigInt(random.below(40)) : random.bigint(256)
}
