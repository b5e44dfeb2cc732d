import type { Hash } from '../../bytes/hex.ts'
import { hasBlock } from '../../chain/chain.ts'
import { blockNumberOf, queryLogs, rangeTooLarge } from '../../chain/logs.ts'
import { byHash, isPending, LATEST, PENDING, type Selector } from '../../model/block/selector.ts'
import type { LogCriteria, LogFilter } from '../../model/receipt/log.ts'
import { Problem } from '../../rpc/errors/problem.ts'
import type { ReadContext } from '../../rpc/readContext.ts'
import type { ForkedNetwork } from '../../upstream/forkedNetwork.ts'
import type { UpstreamRequest } from '../../upstream/upstream.ts'
import { logEncoder } from '../../wire/encode.ts'
import { encodeQuantity } from '../../wire/hex.ts'
import { isNetworkBlock } from './forwarding.ts'

export function answerLogs(
  context: ReadContext,
  filter: LogFilter,
): readonly unknown[] | Promise<readonly unknown[]> {
  const { network, chain } = context
  const { criteria, range } = filter
  if (network === undefined) return logsHere(context, filter)
  if (range.kind === 'block') {
    return range.hash !== network.block.hash && hasBlock(chain.at(byHash(range.hash)))
      ? logsHere(context, filter)
      : logsOfBlock(context, network, criteria, range.hash)
  }
  const first = range.from ?? LATEST
  const last = range.to ?? (isPending(first) ? first : LATEST)
  const from = blockNumberOf(chain, first)
  const to = blockNumberOf(chain, last)
  // The devnet answers requests with a wrong range, so that the error is the same as without a fork.
  const isWrong = to < from || to > chain.pending.block.header.number
  if (isWrong || from > network.block.number) return logsHere(context, filter)
  return logsAcross(context, network, criteria, { from, to, withPending: isPending(last) })
}

function logsHere({ chain, options }: ReadContext, filter: LogFilter): readonly unknown[] {
  const answer = queryLogs(chain, filter, options.logLimits, logEncoder())
  if (answer.kind === 'logs') return answer.logs
  throw new Problem(answer.kind === 'unknownHash' ? { ...answer, kind: 'unknownLogBlock' } : answer)
}

async function logsOfBlock(
  context: ReadContext,
  network: ForkedNetwork,
  criteria: LogCriteria,
  hash: Hash,
): Promise<readonly unknown[]> {
  if (!(await isNetworkBlock(network, hash))) {
    return logsHere(context, { criteria, range: { kind: 'block', hash } })
  }
  return asList(await network.ask(request(criteria, { blockHash: hash })))
}

async function logsAcross(
  context: ReadContext,
  network: ForkedNetwork,
  criteria: LogCriteria,
  { from, to, withPending }: { readonly from: bigint; readonly to: bigint; readonly withPending: boolean },
): Promise<readonly unknown[]> {
  const { range: limit, results } = context.options.logLimits
  const sealed = withPending ? context.chain.latest.block.header.number : to
  if (rangeTooLarge(limit, from, sealed) !== undefined) {
    // Blocks before the first block of the network are not counted, because they do not exist.
    const first = await network.firstNumber()
    const tooLarge = rangeTooLarge(limit, from < first ? first : from, sealed)
    if (tooLarge !== undefined) throw new Problem(tooLarge)
  }
  const { number: fork } = network.block
  // The devnet's logs are read before the request to the node, to exclude blocks that are sealed during the request.
  const newer =
    to <= fork && !withPending
      ? []
      : logsHere(context, {
          criteria,
          range: { kind: 'range', from: atNumber(fork + 1n), to: withPending ? PENDING : atNumber(to) },
        })
  const range = { fromBlock: encodeQuantity(from), toBlock: encodeQuantity(to < fork ? to : fork) }
  const logs = [...asList(await network.ask(request(criteria, range))), ...newer]
  if (results > 0 && logs.length > results && from < to) {
    throw new Problem({ kind: 'tooManyResults', limit: results, from, to: (from + to) / 2n })
  }
  return logs
}

function request({ addresses, topics, minimumTopics }: LogCriteria, blocks: object): UpstreamRequest {
  const positions = Array.from({ length: Math.max(minimumTopics, topics.length) }, (_, i) => topics[i] ?? [])
  const wanted = positions.map((position) => (position.length === 0 ? null : position))
  const from = addresses.length === 0 ? {} : { address: addresses }
  return { method: 'eth_getLogs', params: [{ ...blocks, ...from, topics: wanted }] }
}

function asList(answer: unknown): unknown[] {
  if (Array.isArray(answer)) return answer
  throw new TypeError('eth_getLogs of the network did not return a list')
}

function atNumber(number: bigint): Selector {
  return { kind: 'number', number }
}
