/** Methods for logs and filters. `eth_getFilterChanges` returns the results since the last request for the filter. */
import { asRemoved } from '../../chain/logs.ts'
import { logsOf, type PlacedLog } from '../../model/block/block.ts'
import type { Selector } from '../../model/block/selector.ts'
import { matches } from '../../model/receipt/log.ts'
import { Problem } from '../../rpc/errors/problem.ts'
import type { Filter } from '../../rpc/filters.ts'
import { params, read, readIn } from '../../rpc/method.ts'
import type { ReadContext } from '../../rpc/readContext.ts'
import { encodeLogs } from '../../wire/encode.ts'
import { parseFilter } from '../../wire/filter.ts'
import { encodeQuantity, parseQuantity } from '../../wire/hex.ts'
import { answerLogs } from '../forked/logs.ts'

export const eth_getLogs = readIn((dialect) => params(parseFilter(dialect)), answerLogs)

export const eth_newBlockFilter = read(params(), ({ filters }) => installed(filters.addBlocks()))

export const eth_newPendingTransactionFilter = read(params(), ({ filters }) =>
  installed(filters.addTransactions()),
)

export const eth_newFilter = readIn(
  (dialect) => params(parseFilter(dialect)),
  ({ filters }, filter) => installed(filters.addLogs(filter)),
)

export const eth_uninstallFilter = read(params(parseQuantity), ({ filters }, id) => filters.remove(id))

export const eth_getFilterChanges = read(params(parseQuantity), (context, id) => {
  const filter = used(context, id)
  switch (filter.kind) {
    case 'blocks':
      return filter.blocks.splice(0).map(({ hash }) => hash)
    case 'logs':
      return encodeLogs(newLogs(filter))
    case 'transactions':
      return filter.hashes.splice(0)
  }
})

/** Returns all logs in the range of the filter, including those that were returned before. */
export const eth_getFilterLogs = read(params(parseQuantity), (context, id) => {
  const filter = used(context, id)
  if (filter.kind !== 'logs') throw new Problem({ kind: 'unknownFilter', id })
  return answerLogs(context, filter.filter)
})

function installed(id: bigint | undefined): string {
  if (id === undefined) throw new Problem({ kind: 'tooManyFilters' })
  return encodeQuantity(id)
}

function used({ filters }: ReadContext, id: bigint): Filter {
  const filter = filters.get(id)
  if (filter === undefined) throw new Problem({ kind: 'unknownFilter', id })
  return filter
}

/** Returns the matching logs of the blocks that were sealed or removed since the last request. */
function newLogs({ blocks, filter }: Extract<Filter, { kind: 'logs' }>): PlacedLog[] {
  const { range, criteria } = filter
  const fresh = blocks.splice(0)
  if (range.kind === 'block') return []
  // Only a bound that is a number excludes blocks, because a tag such as `latest` selects other blocks over time.
  const from = numberOf(range.from)
  const to = numberOf(range.to)
  return fresh
    .filter(({ block: { header } }) => (from ?? header.number) <= header.number)
    .filter(({ block: { header } }) => header.number <= (to ?? header.number))
    .flatMap(({ block, isRemoved }) => [...logsOf(block)].map(isRemoved ? asRemoved : (placed) => placed))
    .filter(({ log }) => matches(log, criteria))
}

function numberOf(selector: Selector | undefined): bigint | undefined {
  return selector?.kind === 'number' ? selector.number : undefined
}
