import { describe, expect, it } from 'vitest'
import { type Address, type Hash, ZERO_HASH } from '../../src/bytes/hex.ts'
import { Chain, isMoment } from '../../src/chain/chain.ts'
import { hasState, type SealedBlock } from '../../src/chain/moment.ts'
import { keccakHash } from '../../src/crypto/keccak.ts'
import type { Header } from '../../src/model/block/header.ts'
import type { ExecutionResult } from '../../src/model/receipt/receipt.ts'
import type { Transaction } from '../../src/model/transaction/transaction.ts'
import { ChainRebuilder, type RecordMismatch } from '../../src/saving/chainRebuilder.ts'
import type { ChainRecord, Saved } from '../../src/saving/format/records.ts'
import { randomHeader } from '../support/chains/headers.ts'
import { type Signer, sign, signerOf } from '../support/chains/signing.ts'
import { address, blockHash } from '../support/engines/scenes.ts'
import { Random } from '../support/random/random.ts'

const ALICE: Signer = signerOf(`0x${'a1'.repeat(32)}`)
const HEADER = randomHeader(new Random(1), 'osaka')
const KEPT = { historyBlocks: undefined, sliceBlocks: 0, randaoSeed: ZERO_HASH }

function uncheckedBlock(
  number: number,
  hash: Hash,
  transactions: readonly Transaction[],
): Saved<'block'>['block'] {
  const header: Header = { ...HEADER, number: BigInt(number), parentHash: blockHash(BigInt(number - 1)) }
  return { header, hash, transactions, ommers: [], withdrawals: [] }
}

function block(number: number, transactions: readonly Transaction[] = []): Saved<'block'> {
  const kept = uncheckedBlock(number, blockHash(BigInt(number)), transactions)
  return { kind: 'block', block: kept, isStateKnown: true }
}

function preconfirmed(number: number, transactions: readonly Transaction[] = []): Saved<'preconfirmed'> {
  return { kind: 'preconfirmed', block: uncheckedBlock(number, ZERO_HASH, transactions), slices: 3 }
}

function account(at: Address, fields: Partial<Saved<'account'>>): Saved<'account'> {
  return { kind: 'account', address: at, isDeleted: false, storage: [], ...fields }
}

const RESULT: ExecutionResult = {
  status: 'success',
  root: undefined,
  gasUsed: 21_000n,
  logs: [{ address: address(7), topics: [], data: new Uint8Array() }],
  failure: undefined,
  blobGasPrice: undefined,
  l2: undefined,
}
const RECEIPT: ChainRecord = { kind: 'receipt', result: RESULT }

/** The chain of the records, or the misfit with the index of its record (none: at the end). */
function rebuilt(...records: ChainRecord[]): Chain | (RecordMismatch & { at?: number }) {
  const rebuilder = new ChainRebuilder(KEPT)
  for (const [at, record] of records.entries()) {
    const flaw = rebuilder.add(record)
    if (flaw !== undefined) return { ...flaw, at }
  }
  const state = rebuilder.finish()
  if ('expected' in state) return state
  return new Chain(state, { safeDistance: 32, finalizedDistance: 64, ...KEPT })
}

function chainFrom(...records: ChainRecord[]): Chain {
  const chain = rebuilt(...records)
  expect(chain).toBeInstanceOf(Chain)
  return chain as Chain
}

describe('the block under construction, in a chain that is made of its records', () => {
  const transaction = sign(ALICE)
  const open = () => chainFrom(block(0), block(1), preconfirmed(2, [transaction]), RECEIPT)

  it('is the one that goes on being built, and that readers see', () => {
    const chain = open()
    expect(chain.open).toBe(chain.preconfirmed)
    expect(chain.tip).toBe(chain.open)
    expect(chain.open).toMatchObject({ slices: 3, previous: undefined, block: { hash: ZERO_HASH } })
    expect(chain.latest.block.header.number).toBe(1n)
  })

  it('has no hash before it is sealed, whatever the record says', () => {
    const record = preconfirmed(2)
    const chain = chainFrom(block(0), block(1), {
      ...record,
      block: { ...record.block, hash: blockHash(9n) },
    })
    expect(chain.preconfirmed!.block.hash).toBe(ZERO_HASH)
  })

  it('has its transactions and logs, which are found', () => {
    const chain = open()
    expect(chain.find(transaction.hash)).toEqual({ block: chain.preconfirmed!.block, index: 0 })
    const wanted = { addresses: [address(7)], topics: [], minimumTopics: 0 }
    expect([...chain.preconfirmed!.logIndex.candidates(wanted, 2, 2)]).toEqual([{ number: 2, logs: [0] }])
    expect([...chain.state.history.logIndex.candidates(wanted, 0, 2)]).toEqual([])
  })

  it('has the state that its accounts make, over that of the block before', () => {
    const [alice, bob] = [address(1), address(2)]
    const chain = chainFrom(
      block(0),
      account(alice, { balance: 5n }),
      block(1),
      account(bob, { balance: 6n }),
      preconfirmed(2),
      account(alice, { balance: 7n }),
    )
    const balances = (sealed: SealedBlock) => [alice, bob].map((one) => balanceIn(sealed, one) ?? 0n)
    expect(balances(chain.pending)).toEqual([7n, 6n])
    expect(balances(chain.latest)).toEqual([5n, 6n])
    expect(balances(chain.state.history.genesis)).toEqual([5n, 0n])
  })

  it('is the end of the chain', () => {
    expect(rebuilt(block(0), preconfirmed(1), block(1))).toMatchObject({
      at: 2,
      expected: 'nothing more of the chain after the pre-confirmed block',
    })
  })
})

describe('records that do not fit', () => {
  it('are blocks whose number is not the next', () => {
    expect(rebuilt(block(0), block(2))).toMatchObject({ at: 1, expected: 'block 1', received: 'block 2' })
    expect(rebuilt(block(1))).toMatchObject({ at: 0, expected: 'block 0' })
  })

  it('are blocks with another parent', () => {
    const record = block(1)
    const header = { ...record.block.header, parentHash: blockHash(77n) }
    expect(rebuilt(block(0), { ...record, block: { ...record.block, header } })).toMatchObject({
      at: 1,
      expected: `the block after ${blockHash(0n)}`,
      received: `the one after ${blockHash(77n)}`,
    })
  })

  it('are fewer receipts than transactions, and more', () => {
    const transaction = sign(ALICE)
    expect(rebuilt(block(0), block(1, [transaction]))).toMatchObject({
      expected: '1 receipts of block 1',
      received: '0',
    })
    expect(rebuilt(block(0), block(1, [transaction]), RECEIPT, RECEIPT)).toMatchObject({
      at: 3,
      received: 'one more',
    })
    expect(rebuilt(block(0), RECEIPT)).toMatchObject({ at: 1 })
    chainFrom(block(0), block(1, [transaction]), RECEIPT, block(2, [sign(ALICE, { nonce: 1n })]), RECEIPT)
  })

  it('are accounts before the first block, or of a block whose state is not known', () => {
    expect(rebuilt(account(address(1), { balance: 1n }))).toMatchObject({ at: 0 })
    const unknown: Saved<'block'> = { ...block(1), isStateKnown: false }
    expect(rebuilt(block(0), unknown, account(address(1), { balance: 1n }))).toMatchObject({ at: 2 })
  })

  it('are accounts with code that stands in no record before', () => {
    const code = Uint8Array.of(1, 2, 3)
    const owner = account(address(1), { codeHash: keccakHash(code) })
    expect(rebuilt(block(0), owner)).toMatchObject({ at: 1, received: keccakHash(code) })
    const chain = chainFrom(block(0), { kind: 'code', code }, owner)
    expect(chain.latest.state.code(address(1))).toEqual(code)
  })

  it('are changes by hand anywhere but after block 0 and before block 1', () => {
    const changed = (after: bigint): ChainRecord => ({ kind: 'changed', after })
    expect(rebuilt(changed(0n))).toMatchObject({ at: 0 })
    expect(rebuilt(block(0), block(1), changed(0n))).toMatchObject({ at: 2 })
    expect(rebuilt(block(0), changed(1n))).toMatchObject({ at: 1 })
    const one = address(1)
    const chain = chainFrom(
      block(0),
      account(one, { balance: 1n }),
      changed(0n),
      account(one, { balance: 2n }),
    )
    expect(chain.latest.state.account(one)?.balance).toBe(2n)
    expect(balanceIn(chain.state.history.origin, one)).toBe(1n)
  })

  it('are hashes of pruned blocks after one that was kept', () => {
    const pruned = (...numbers: bigint[]): ChainRecord => ({ kind: 'pruned', hashes: numbers.map(blockHash) })
    expect(rebuilt(pruned(0n))).toMatchObject({ at: 0 })
    expect(rebuilt(block(0), block(1), pruned(2n))).toMatchObject({ at: 2 })
    const chain = chainFrom(block(0), pruned(1n, 2n), pruned(3n), block(4))
    expect(chain.at({ kind: 'number', number: 3n })).toEqual({
      kind: 'prunedHistory',
      number: 3n,
      oldest: 4n,
    })
    expect(chain.blockHash(2n)).toBe(blockHash(2n))
    expect(rebuilt(block(0), pruned(1n), block(2), pruned(3n))).toMatchObject({ at: 3 })
  })

  it('are none at all, or nothing of the newest state', () => {
    expect(rebuilt()).toEqual({ expected: 'a block', received: 'none' })
    const unknown: Saved<'block'> = { ...block(1), isStateKnown: false }
    expect(rebuilt(block(0), unknown)).toEqual({
      expected: 'accounts after the newest block',
      received: 'none',
    })
  })
})

describe('a chain that is made of its records', () => {
  it('has blocks of which the state is not known, and says so', () => {
    const unknown: Saved<'block'> = { ...block(1), isStateKnown: false }
    const chain = chainFrom(block(0), unknown, block(2))
    expect(chain.at({ kind: 'number', number: 1n })).toMatchObject({ kind: 'unknownState' })
    expect(isMoment(chain.at({ kind: 'number', number: 2n }))).toBe(true)
  })

  it('has as many accounts as records say, also where these are very many', () => {
    const many = Array.from({ length: 4_097 }, (_, i) => account(address(i + 1), { balance: BigInt(i + 1) }))
    const { state } = chainFrom(block(0), ...many).latest
    expect(many.filter((one) => state.account(one.address)?.balance !== one.balance)).toEqual([])
  })

  it('holds equal values of neighbouring headers once', () => {
    const [first, second] = [block(0), block(1)]
    const bloom = new Uint8Array(HEADER.logsBloom)
    const chain = chainFrom(first, {
      ...second,
      block: { ...second.block, header: { ...second.block.header, logsBloom: bloom } },
    })
    expect(chain.latest.block.header.logsBloom).toBe(first.block.header.logsBloom)
  })

  it('lets accounts be deleted', () => {
    const one = address(1)
    const gone = account(one, { isDeleted: true })
    const chain = chainFrom(block(0), account(one, { balance: 1n }), block(1), gone)
    expect(chain.latest.state.account(one)).toBeUndefined()
    expect(balanceIn(chain.state.history.genesis, one)).toBe(1n)
  })
})

/** The balance of an account after a block whose state is known. */
function balanceIn(sealed: SealedBlock, address: Address): bigint | undefined {
  return hasState(sealed) ? sealed.state.account(address)?.balance : undefined
}
