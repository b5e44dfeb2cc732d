/** Logs (seed 4.2). */

import { params, readIn } from '../../rpc/method.ts'
import { parseFilter } from '../../wire/filter.ts'
import { answerLogs } from '../forked/logs.ts'

export const eth_getLogs = readIn((dialect) => params(parseFilter(dialect)), answerLogs)
