/** Logs (seed 4.2). */
import { queryLogs } from '../../chain/logs.ts'
import { encodeLogs } from '../../wire/encode.ts'
import { parseFilter } from '../../wire/filter.ts'
import { methodIn, params } from '../method.ts'
import { Problem } from '../problem.ts'

export const eth_getLogs = methodIn(
  (dialect) => params(parseFilter(dialect)),
  (context, filter) => {
    const answer = queryLogs(context.chain, filter, context.options.logLimits)
    if (answer.kind === 'logs') return encodeLogs(answer.logs)
    throw new Problem(answer.kind === 'unknownHash' ? { ...answer, kind: 'unknownLogBlock' } : answer)
  },
)
