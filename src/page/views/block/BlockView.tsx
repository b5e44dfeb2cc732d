/** One block. */
import { useAsked } from '../../live/asked.ts'
import { Answer, Nothing } from '../../parts/Answer.tsx'
import { Count, Time } from '../../parts/amounts.tsx'
import { Field, Fields } from '../../parts/Fields.tsx'
import { AddressLink, TransactionLink } from '../../parts/links.tsx'
import type { BlockAnswer } from '../../source/answers.ts'
import { source } from '../../source/index.ts'

/** `id`: a number in decimal, a hash or a tag. */
export function BlockView({ id }: { id: string }) {
  const asked = useAsked(() => blockOf(id), [id])
  return (
    <>
      <h1>Block {id}</h1>
      <Answer asked={asked.value}>
        {(block) => (block === null ? <Nothing>there is no such block</Nothing> : <Block block={block} />)}
      </Answer>
    </>
  )
}

function blockOf(id: string): Promise<BlockAnswer | null> {
  if (id.length === 66) return source().request('eth_getBlockByHash', [id, true])
  const selector = /^\d+$/.test(id) ? `0x${BigInt(id).toString(16)}` : id
  return source().request('eth_getBlockByNumber', [selector, true])
}

function Block({ block }: { block: BlockAnswer }) {
  return (
    <>
      <Fields>
        <Field name="number">
          <Count value={block.number} />
        </Field>
        <Field name="time">
          <Time seconds={block.timestamp} />
        </Field>
        <Field name="gas used">
          <Count value={block.gasUsed} /> of <Count value={block.gasLimit} />
        </Field>
        <Field name="fee recipient">
          <AddressLink address={block.miner} whole />
        </Field>
      </Fields>
      <h2>Transactions</h2>
      <ul>
        {block.transactions.map((transaction) => {
          const hash = typeof transaction === 'string' ? transaction : transaction.hash
          return (
            <li key={hash}>
              <TransactionLink hash={hash} whole />
            </li>
          )
        })}
      </ul>
    </>
  )
}
