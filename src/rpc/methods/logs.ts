/** Logs (seed 4.2). */
import { parseFilter } from '../../wire/filter.ts'
import { answerLogs } from '../forked/logs.ts'
import { methodIn, params } from '../method.ts'

export const eth_getLogs = methodIn((dialect) => params(parseFilter(dialect)), answerLogs)
