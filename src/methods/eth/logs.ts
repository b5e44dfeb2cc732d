/** Logs (seed 4.2). */

import { methodIn, params } from '../../rpc/method.ts'
import { parseFilter } from '../../wire/filter.ts'
import { answerLogs } from '../forked/logs.ts'

export const eth_getLogs = methodIn((dialect) => params(parseFilter(dialect)), answerLogs)
