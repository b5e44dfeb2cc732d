/** Cheats that remove waiting transactions. Pre-confirmed and sealed transactions stay. */
import type { Hash } from '../../bytes/hex.ts'
import type { RpcContext } from '../../rpc/context.ts'
import { params, steer } from '../../rpc/method.ts'
import { parseAddress, parseHash } from '../../wire/hex.ts'

/** Returns the hash, as anvil does, or `null` if no transaction with this hash waits. */
export const dropTransactionByHash = steer(params(parseHash), async (context, hash) =>
  (await drop(context, hash)) ? hash : null,
)

export const dropTransaction = steer(params(parseHash), drop)

function drop({ sequencer }: RpcContext, hash: Hash): Promise<boolean> {
  return sequencer.submissions.drop((pool) => {
    const waiting = pool.get(hash)
    return waiting === undefined ? [] : [waiting]
  })
}

export const dropAllTransactions = steer(params(), async ({ sequencer }): Promise<void> => {
  await sequencer.submissions.drop(({ contents }) =>
    [...contents.bySender.entries()].flatMap(([, queue]) => queue.map(({ transaction }) => transaction)),
  )
})

export const removePoolTransactions = steer(
  params(parseAddress),
  async ({ sequencer }, sender): Promise<void> => {
    await sequencer.submissions.drop((pool) => pool.of(sender).map(({ transaction }) => transaction))
  },
)
