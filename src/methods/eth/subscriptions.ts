import type { LogFilter } from '../../model/receipt/log.ts'
import { Problem } from '../../rpc/errors/problem.ts'
import {
  type Feed,
  type Feeds,
  logs,
  newFlashblocks,
  newFlashblockTransactions,
  newHeads,
  newPendingTransactions,
  pendingLogs,
} from '../../rpc/feeds.ts'
import { type ConnectionMethod, type Parsers, params, read, readIn } from '../../rpc/method.ts'
import type { ReadContext } from '../../rpc/readContext.ts'
import type { Subscriptions } from '../../rpc/subscriptions.ts'
import { yieldToEventLoop } from '../../sequencer/clock.ts'
import type { Dialect } from '../../wire/dialect.ts'
import { parseFilter } from '../../wire/filter.ts'
import { parseQuantity } from '../../wire/hex.ts'
import { anything, boolean, InvalidValue, type Parser, withDefault } from '../../wire/parser.ts'

export const eth_subscribe = onConnection(
  params(parseKind, anything),
  (subscriptions, context, name, extra) => subscriptions.add(kindOf(context, name)(context, extra)),
)

export const eth_unsubscribe = onConnection(params(parseQuantity), (subscriptions, _, id) =>
  subscriptions.remove(id),
)

function onConnection<A extends readonly unknown[]>(
  parsers: Parsers<A>,
  answer: (subscriptions: Subscriptions, context: ReadContext, ...args: A) => unknown,
): ConnectionMethod {
  const over = (subscriptions: Subscriptions) =>
    read(parsers, (context, ...args: A) => answer(subscriptions, context, ...args))
  return Object.assign(over, { parsers })
}

type Kind = (context: ReadContext, extra: unknown) => Feed

const EVERY_LOG: LogFilter = {
  criteria: { addresses: [], topics: [], minimumTopics: 0 },
  range: { kind: 'range', from: undefined, to: undefined },
}

/** The standard kinds of subscriptions, and `presealEvents`, an extension of preseal. */
const KINDS: ReadonlyMap<unknown, Kind> = new Map<unknown, Kind>([
  ['newHeads', kind(noExtra, newHeads)],
  ['logs', kind(logFilter, logs)],
  ['newPendingTransactions', kind(() => withDefault(boolean, false), newPendingTransactions)],
  ['syncing', kind(noExtra, syncing)],
  ['presealEvents', kind(noExtra, (_, __, { presealEvents }) => presealEvents.feed)],
])

/** The kinds of subscriptions of Base's nodes (docs.base.org, "Flashblocks API"). */
const FLASHBLOCK_KINDS: ReadonlyMap<unknown, Kind> = new Map<unknown, Kind>([
  ['pendingLogs', kind(logFilter, pendingLogs)],
  ['newFlashblocks', kind(noExtra, newFlashblocks)],
  ['newFlashblockTransactions', kind(fullOrFilter, newFlashblockTransactions)],
])

/** Emits `false` once, as geth does for a synchronised node. */
function syncing(): Feed {
  return (tell) => {
    let isOver = false
    // The notification waits until code that wraps `devnet.request` has received the subscription's id.
    void yieldToEventLoop().then(() => {
      if (!isOver) tell('false')
    })
    return () => {
      isOver = true
    }
  }
}

const ALL_KINDS: ReadonlyMap<unknown, Kind> = new Map([...KINDS, ...FLASHBLOCK_KINDS])

function parseKind(value: unknown, path: string): unknown {
  if (!ALL_KINDS.has(value)) throw new InvalidValue(path, oneOf(ALL_KINDS), value)
  return value
}

/** Throws a `Problem` for an unknown kind of subscription. Some kinds require Flashblocks. */
function kindOf({ options }: ReadContext, name: unknown): Kind {
  const kinds = options.subscriptions === 'all' ? ALL_KINDS : KINDS
  const found = kinds.get(name)
  if (found !== undefined) return found
  const { message } = new InvalidValue('params[0]', oneOf(kinds), name)
  throw new Problem({ kind: 'invalidParams', argument: 0, detail: message })
}

function oneOf(kinds: ReadonlyMap<unknown, Kind>): string {
  return `one of ${[...kinds.keys()].join(', ')}`
}

function kind<T>(
  parserOfExtra: (dialect: Dialect) => Parser<T>,
  feed: (feeds: Feeds, extra: T, context: ReadContext) => Feed,
): Kind {
  const read = readIn(
    (dialect) => params(anything, parserOfExtra(dialect)),
    (context, _, extra) => feed(context.feeds, extra, context),
  )
  return (context, extra) => read(context, [undefined, extra]) as Feed
}

/** Returns a parser that accepts an absent parameter or an empty object, because some clients send an empty object. */
function noExtra(): Parser<undefined> {
  return (value, path) => {
    const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0
    if (value !== undefined && value !== null && !isEmpty) throw new InvalidValue(path, 'nothing more', value)
    return undefined
  }
}

function fullOrFilter(dialect: Dialect): Parser<boolean | LogFilter> {
  const filter = parseFilter(dialect)
  return (value, path) => {
    if (typeof value === 'object' && value !== null) return filter(value, path)
    return withDefault(boolean, false)(value, path)
  }
}

/** Returns a parser of log filters. The filter's range has no effect: a subscription delivers only future logs. */
function logFilter(dialect: Dialect): Parser<LogFilter> {
  return withDefault(parseFilter(dialect), EVERY_LOG)
}
