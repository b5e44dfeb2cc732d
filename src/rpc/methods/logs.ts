/** Logs (seed 4.2). */
import { queryLogs } from '../../chain/logs.ts'
import { logEncoder } from '../../wire/encode.ts'
import { parseFilter } from '../../wire/filter.ts'
import { methodIn, params } from '../method.ts'
import { Problem } from '../problem.ts'

export const eth_getLogs = methodIn(
  (dialect) => params(parseFilter(dialect)),
  (context, filter) => {
    const answer = queryLogs(context.chain, filter, context.options.logLimits, logEncoder())
    if (answer.kind === 'logs') return answer.logs
    throw new Problem(answer.kind === 'unknownHash' ? { ...answer, kind: 'unknownLogBlock' } : answer)
  },
)
