/** Until Byzantium receipts have the root of the state after their transaction, which a fork may have to fetch nodes for. */
import { expect, it } from 'vitest'
import { type Address, ZERO_ADDRESS, ZERO_HASH } from '../../../src/bytes/hex.ts'
import { LogIndex } from '../../../src/chain/logIndex.ts'
import { keccakOfHex } from '../../../src/crypto/keccak.ts'
import { blockContext } from '../../../src/engine/blockContext.ts'
import { Evm } from '../../../src/engine/evm.ts'
import { FetchingEngine } from '../../../src/engine/fetchingEngine.ts'
import { PREDEPLOYS } from '../../../src/model/bytecode/predeploys.ts'
import { createRules } from '../../../src/model/hardfork/hardfork.ts'
import { inGivenOrder } from '../../../src/pool/order.ts'
import { nextHeader, nextPosition, openBlock } from '../../../src/sequencer/block/openBlock.ts'
import { runSlice } from '../../../src/sequencer/block/slice.ts'
import { createGenesis } from '../../../src/sequencer/genesis.ts'
import { State } from '../../../src/state/state.ts'
import { whenFetched } from '../../../src/state/whenFetched.ts'
import { ALICE } from '../../support/chains/sequencers.ts'
import { sign } from '../../support/chains/signing.ts'
import { assemble } from '../../support/compilers/assembly.ts'
import { createEngine } from '../../support/engines/engineOfRun.ts'
import { standingOn } from '../../support/nodes/provingNode.ts'

const MORTAL: Address = `0x${'de'.repeat(20)}`

/** An address whose hash begins as that of another one does: both are under a branch with no third. */
function besides(address: Address): Address {
  const [first, second] = keccakOfHex(address)
  for (let number = 1; ; number++) {
    const other: Address = `0x${number.toString(16).padStart(40, '0')}`
    const hash = keccakOfHex(other)
    if (hash[0] === first && hash[1]! >> 4 === second! >> 4) return other
  }
}

it('each receipt has the root that it has with all accounts, after a deletion whose neighbour was not fetched', async () => {
  const rules = createRules('spuriousDragon', 31_337n)
  const settings = { coinbase: ZERO_ADDRESS, randaoSeed: ZERO_HASH }
  const { block } = createGenesis(rules, {
    ...settings,
    number: 0n,
    gasLimit: 30_000_000n,
    baseFeePerGas: 8n,
    timestamp: 0n,
    accounts: [],
    balance: 0n,
    contracts: PREDEPLOYS,
  })
  const whole = State.empty.with([
    { address: ALICE.address, balance: 10n ** 20n },
    { address: MORTAL, nonce: 1n, code: assemble('CALLER', 'SELFDESTRUCT') },
    { address: besides(MORTAL), balance: 1n },
  ])
  const header = nextHeader(rules, block.header, block.hash, nextPosition(block.header, 0n), settings)
  const context = blockContext(rules, header, () => undefined)
  const transactions = [
    sign(ALICE, { type: 0, gasLimit: 100_000n, to: MORTAL }),
    sign(ALICE, { type: 0, gasLimit: 100_000n, nonce: 1n, to: `0x${'77'.repeat(20)}`, value: 5n }),
  ]
  const roots = []
  for (const state of [whole, standingOn(whole).state]) {
    await whenFetched(() => state.requireAccounts([ALICE.address]))
    const open = openBlock(header, state, LogIndex.empty)
    const evm = new Evm(new FetchingEngine(createEngine(rules)))
    const slice = await runSlice(evm, open, inGivenOrder(transactions), context)
    expect(slice).toMatchObject({ dropped: [], delayed: [] })
    roots.push(slice.open.block.receipts.map(({ root }) => root))
  }
  expect(roots[0]).toHaveLength(2)
  expect(roots[0]).not.toContain(undefined)
  expect(roots[1]).toEqual(roots[0])
})
