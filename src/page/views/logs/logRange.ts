/** The logs of a range of blocks, which a devnet may not answer at once: it limits the blocks of a request, and their logs. */
import type { BlockAnswer, Hex, LogAnswer } from '../../source/answers.ts'
import { AnswerError, type Source } from '../../source/source.ts'
import type { LogFilter } from './logQuery.ts'

/** Logs of a part of the range, the oldest first. */
export interface LogPart {
  readonly logs: readonly LogAnswer[]
  /** The first block that was looked at so far; `undefined` where it is the first of the range. */
  readonly first: number | undefined
}

/** Blocks of a part at first: what a devnet answers unless it was told otherwise. */
const PART = 2_000

type Asks = Pick<Source, 'request'>

/**
 * Yields the logs of sealed blocks, from the newest back: all at once, or in parts that become smaller until they are answered. Throws what is
 * answered where not even the logs of one block are.
 */
export async function* logsBack(
  source: Asks,
  filter: LogFilter,
  fromBlock: string,
  toBlock: string,
): AsyncGenerator<LogPart, void> {
  const ask = (from: string, to: string) =>
    source.request<readonly LogAnswer[]>('eth_getLogs', [{ ...filter, fromBlock: from, toBlock: to }])
  let refused: unknown
  try {
    yield { logs: await ask(fromBlock, toBlock), first: undefined }
    return
  } catch (error) {
    // Devnets and networks have many words and codes for a range that is too large.
    if (!(error instanceof AnswerError)) throw error
    refused = error
  }
  const [from, to] = await Promise.all([numberOf(source, fromBlock), numberOf(source, toBlock)])
  if (from === undefined || to === undefined || from >= to) throw refused
  let size = Math.min(PART, Math.ceil((to - from + 1) / 2))
  for (let end = to; end >= from; ) {
    const first = Math.max(from, end - size + 1)
    let logs: readonly LogAnswer[]
    try {
      logs = await ask(hex(first), hex(end))
    } catch (error) {
      if (!(error instanceof AnswerError) || first === end) throw error
      size = Math.ceil((end - first + 1) / 2)
      continue
    }
    yield { logs, first: first === from ? undefined : first }
    end = first - 1
  }
}

/** Resolves with the number of a block that is given by its number or a tag; `undefined` where there is none. */
async function numberOf(source: Asks, block: string): Promise<number | undefined> {
  if (block === 'earliest') return 0
  if (block.startsWith('0x')) return Number(block)
  const answer = await source.request<BlockAnswer | null>('eth_getBlockByNumber', [block, false])
  return answer === null ? undefined : Number(answer.number)
}

function hex(number: number): Hex {
  return `0x${number.toString(16)}`
}
