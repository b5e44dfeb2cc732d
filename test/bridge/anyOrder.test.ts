/** An L2 and its L1 under random commands and faults: after each of them, the L2 is what derivation says. */
import type { Hex } from 'viem'
import { expect, it } from 'vitest'
import { originOf } from '../../src/bridge/l1Origin.ts'
import { batchOf } from '../../src/bridge/outages.ts'
import { userDeposits } from '../../src/bridge/userDeposits.ts'
import { hasState } from '../../src/chain/moment.ts'
import { createDevnet, type Devnet } from '../../src/index.ts'
import { userTransactions } from '../../src/model/block/block.ts'
import { OP_ON_L1 } from '../support/clients/bridge.ts'
import { STRANGER } from '../support/clients/clients.ts'
import { type Random, withRandom } from '../support/random/random.ts'

type Pair = Devnet & { readonly l1: Devnet }

const PORTAL = OP_ON_L1.portal.toLowerCase() as Hex
const WINDOW = 4
const COMMANDS = 40

/** Expects each L2 block to have the origin, the deposits and the transactions that it may have, and the safe ones. */
function expectDerived({ l1, wires: { context } }: Pair): void {
  const [onL1, onL2] = [l1.wires.context.chain.state.history, context.chain.state.history]
  const latest = BigInt(onL1.end - 1)
  const { outages } = context.sequencer.marks.now.l1!
  let before = -1n
  for (let number = 0; number < onL2.end; number++) {
    const l2 = onL2.keptBlock(number)!
    if (!hasState(l2)) throw new Error(`block ${number} has no state`)
    const origin = originOf(l2)
    expect(onL1.hash(Number(origin.number)), `origin of ${number}`).toBe(origin.hash)
    expect([before, before + 1n], `origin of ${number}`).toContain(origin.number)
    expect(origin.timestamp).toBeLessThanOrEqual(l2.block.header.timestamp)
    if (number > 0) {
      const isFirst = origin.number > before
      const expected = isFirst ? userDeposits(onL1.block(Number(origin.number))!, PORTAL) : []
      const deposits = l2.block.transactions.slice(1).filter(({ deposit }) => deposit !== undefined)
      expect(deposits.map(({ hash }) => hash)).toEqual(expected.map(({ hash }) => hash))
      const batch = batchOf(origin.number, outages, BigInt(WINDOW))
      const isSafe = (batch ?? origin.number + BigInt(WINDOW)) <= latest
      expect(BigInt(number) <= context.chain.trailing('safe'), `block ${number} is safe`).toBe(isSafe)
      if (isSafe && batch === undefined) expect(userTransactions(l2.block)).toEqual([])
    }
    before = origin.number
  }
}

async function act(random: Random, pair: Pair, snapshots: ReturnType<Devnet['snapshot']>[]): Promise<Pair> {
  const { l1, faults } = pair
  const few = 1 + random.below(3)
  const reorg = { depth: few, transactions: random.pick(['keep', 'wait', 'drop'] as const) }
  const from = random.pick(pair.accounts).address
  switch (random.below(13)) {
    case 0:
      await l1.send({ to: OP_ON_L1.portal, value: 1n, gas: 200_000n, until: 'accepted' })
      break
    case 1:
      await pair.send({ from, to: STRANGER, value: 1n, until: 'accepted' })
      break
    case 2:
      await l1.mine(few)
      break
    case 3:
      await pair.mine(few)
      break
    case 4:
      await pair.advance({ seconds: 1 + random.below(20) })
      break
    case 5:
      await faults.withholdBatches({ l1Blocks: 1 + random.below(8) })
      break
    case 6:
      await faults.missL1Slots({ slots: few })
      break
    case 7:
      if (few <= l1.wires.context.chain.removable) await l1.faults.reorg(reorg)
      break
    case 8:
      if (few <= pair.wires.context.chain.removable) await faults.reorg(reorg)
      break
    case 9:
      await l1.faults.planReorg(reorg)
      break
    case 10:
      if (snapshots.length > 0) await pair.restore(snapshots.pop()!)
      else snapshots.push(pair.snapshot())
      break
    case 11:
      await pair.load(Buffer.concat([...pair.dump()]))
      break
    default: {
      snapshots.length = 0
      const fork = pair.fork() as Pair
      await pair.close()
      return fork
    }
  }
  return pair
}

it(
  'is derived from its L1, whatever is done to both, and whatever goes wrong',
  withRandom(async (random) => {
    let pair: Pair = await createDevnet({
      ...{ profile: 'op-flashblocks', rhythm: 'manual', tickMs: 500, ticksPerBlock: random.pick([0, 2]) },
      l1: { tickMs: 4_000, sequencingWindow: WINDOW },
    })
    const snapshots: ReturnType<Devnet['snapshot']>[] = []
    for (let i = 0; i < COMMANDS; i++) {
      pair = await act(random, pair, snapshots)
      await pair.wires.sequencer.queue.idle()
      expectDerived(pair)
    }
    await pair.close()
  }),
)
