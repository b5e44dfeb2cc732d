/** Waiting transactions, given up. Those that are pre-confirmed or sealed stay. */
import type { Hash } from '../../../model/bytes/hex.ts'
import { parseAddress, parseHash } from '../../../wire/hex.ts'
import type { RpcContext } from '../../context.ts'
import { method, params } from '../../method.ts'

/** anvil answers the hash, or `null` where nothing waits under it. */
export const dropTransactionByHash = method(params(parseHash), async (context, hash) =>
  (await drop(context, hash)) ? hash : null,
)

/** Hardhat answers whether anything was dropped. */
export const dropTransaction = method(params(parseHash), drop)

function drop({ sequencer }: RpcContext, hash: Hash): Promise<boolean> {
  return sequencer.submissions.drop((pool) => {
    const waiting = pool.get(hash)
    return waiting === undefined ? [] : [waiting]
  })
}

export const dropAllTransactions = method(params(), async ({ sequencer }): Promise<void> => {
  await sequencer.submissions.drop(({ contents }) =>
    [...contents.bySender.entries()].flatMap(([, queue]) => queue.map(({ transaction }) => transaction)),
  )
})

/** Those of one sender. */
export const removePoolTransactions = method(
  params(parseAddress),
  async ({ sequencer }, sender): Promise<void> => {
    await sequencer.submissions.drop((pool) => pool.of(sender).map(({ transaction }) => transaction))
  },
)
