/** A block as JSON-RPC has it; of one with many transactions, what is told without them. */
import { changesAt } from '../../live/changes.ts'
import { useFollowed } from '../../live/followed.ts'
import { PAST } from '../../moment.ts'
import { Answer } from '../../parts/Answer.tsx'
import { Count } from '../../parts/amounts.tsx'
import { Json } from '../../parts/Json.tsx'
import type { BlockAnswer } from '../../source/answers.ts'
import { source } from '../../source/index.ts'
import type { ShownBlock } from './block.ts'

const MOST_TRANSACTIONS = 1_000

export function BlockJson({ shown: { block, at, transactionCount } }: { shown: ShownBlock }) {
  const isLong = transactionCount > MOST_TRANSACTIONS
  const asked = useFollowed<unknown>(
    () =>
      isLong
        ? Promise.resolve(undefined)
        : source().request<BlockAnswer | null>(
            at.length === 66 ? 'eth_getBlockByHash' : 'eth_getBlockByNumber',
            [at, false],
          ),
    [at, transactionCount],
    changesAt(PAST),
  )
  return (
    <>
      {isLong && (
        <p class="quiet">
          without the hashes of its <Count value={transactionCount} /> transactions, as{' '}
          <code>preseal_getBlockSummary</code> has it
        </p>
      )}
      <Answer asked={asked.value}>
        {(whole) => <Json value={isLong ? block : whole} what={`block ${Number(block.number)}`} />}
      </Answer>
    </>
  )
}
