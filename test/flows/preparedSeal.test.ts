import { MerklePatriciaTrie } from '@ethereumjs/mpt'
import { RLP } from '@ethereumjs/rlp'
import { bytesToHex, hexToBytes } from '@ethereumjs/util'
import { expect, it } from 'vitest'
import { Emitter } from '../../fixtures/contracts/Emitter.ts'
import type { Hex } from '../../src/bytes/hex.ts'
import { createDevnet, type Devnet } from '../../src/index.ts'

/** Transactions of a slice: enough that the seal of its block is prepared. */
const BUSY = 20

/** Adds a slice of creations, each with other bytes after its code: the receipts and transactions all differ. */
async function addSlice(devnet: Devnet, first: number): Promise<void> {
  for (let i = first; i < first + BUSY; i++) {
    const { address: from } = devnet.accounts[i % devnet.accounts.length]!
    await devnet.request({
      method: 'eth_sendTransaction',
      params: [{ from, data: `${Emitter.bytecode}${i.toString(16).padStart(4, '0')}`, gas: '0x100000' }],
    })
  }
  await devnet.tick()
}

/** Throws unless the roots of the newest block are those that EthereumJS computes of its transactions and receipts. */
async function expectRoots(devnet: Devnet): Promise<void> {
  const ask = (method: string, ...params: unknown[]) => devnet.request({ method, params })
  const block = (await ask('eth_getBlockByNumber', 'latest', false)) as Record<string, string> & {
    transactions: string[]
  }
  const raws = (await Promise.all(
    block.transactions.map((hash) => ask('debug_getRawTransaction', hash)),
  )) as Hex[]
  const receipts = (await ask('debug_getRawReceipts', 'latest')) as Hex[]
  expect({ transactions: block.transactionsRoot, receipts: block.receiptsRoot }).toEqual({
    transactions: await rootOf(raws),
    receipts: await rootOf(receipts),
  })
}

async function rootOf(items: readonly Hex[]): Promise<string> {
  const trie = new MerklePatriciaTrie()
  for (const [index, item] of items.entries()) await trie.put(RLP.encode(index), hexToBytes(item))
  return bytesToHex(trie.root())
}

it.each(['base-flashblocks', 'op-flashblocks', 'ethereum'] as const)(
  'a block of several busy slices has the roots of all of them, with profile %s',
  async (profile) => {
    const devnet = await createDevnet({ profile, rhythm: 'manual', gasLimit: 1_000_000_000n })
    for (let slice = 0; slice < 4; slice++) await addSlice(devnet, slice * BUSY)
    // The last slice has few transactions.
    await devnet.request({
      method: 'eth_sendTransaction',
      params: [{ from: devnet.accounts[0]!.address, to: devnet.accounts[1]!.address, value: '0x1' }],
    })
    await devnet.tick()
    await devnet.seal()
    await expectRoots(devnet)
    await devnet.close()
  },
)

it('forks of a devnet with a busy slice go on with different blocks', async () => {
  const devnet = await createDevnet({ ticksPerBlock: 10, rhythm: 'manual', gasLimit: 1_000_000_000n })
  await addSlice(devnet, 0)
  const fork = await devnet.fork()
  await addSlice(devnet, 100)
  await addSlice(fork, 200)
  await addSlice(devnet, 300)
  for (const each of [devnet, fork]) {
    await each.seal()
    await expectRoots(each)
    await each.close()
  }
})
