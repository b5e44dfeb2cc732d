import { tooDeepText } from '../../chain/moment.ts'
import type { RpcContext } from '../../rpc/context.ts'
import { Problem } from '../../rpc/errors/problem.ts'
import { params, steer } from '../../rpc/method.ts'
import { parseReorg } from '../../rpc/reorgRequest.ts'
import type { Rhythm } from '../../sequencer/clock.ts'
import { encodeQuantity, smallAmount } from '../../wire/hex.ts'
import { InvalidValue, optional, type Parser } from '../../wire/parser.ts'
import { onlyMembers } from '../../wire/parts.ts'

const MAX_MS = 86_400_000
const parseMs = smallAmount(MAX_MS)

const parsePeriod: Parser<number> = (value, path) => {
  const ms = parseMs(value, path)
  if (ms === 0) throw new InvalidValue(path, `milliseconds from 1 to ${MAX_MS}`, value)
  return ms
}

const parseRhythm: Parser<Rhythm> = (value, path) => {
  if (value === 'interval' || value === 'manual' || value === 'instant') return value
  throw new InvalidValue(path, '"interval", "manual" or "instant"', value)
}

const parseMembers = onlyMembers({
  rhythm: optional(parseRhythm),
  blockMs: optional(parsePeriod),
  tickMs: optional(parsePeriod),
})

const parseChange: typeof parseMembers = (value, path) => {
  const change = parseMembers(value, path)
  if (change.blockMs === undefined || change.tickMs === undefined) return change
  throw new InvalidValue(`${path}.tickMs`, 'blockMs or tickMs, not both', change.tickMs)
}

/** Returns the rhythm, the time, and the block under construction. Times are JSON numbers, in milliseconds. */
export const preseal_getRhythm = steer(params(), (context) => encodeRhythm(context))

/** Changes the rhythm, or the time between ticks or blocks, but not the number of ticks per block. */
export const preseal_setRhythm = steer(params(parseChange), async (context, { rhythm, blockMs, tickMs }) => {
  const { steering } = context.sequencer
  const everyMs = tickMs === undefined ? blockMs : tickMs * steering.ticksPerBlock
  await steering.setRhythm(rhythm ?? context.clock.rhythm, everyMs)
  return encodeRhythm(context)
})

/** Makes one tick now, in any rhythm. Returns the block under construction after the tick; `null` if there is none. */
export const preseal_tick = steer(params(), async (context) => {
  await context.sequencer.blocks.tick()
  return encodeOpen(context)
})

/** Seals the block under construction, or an empty block if there is none. Returns its number and hash. */
export const preseal_seal = steer(params(), async ({ sequencer, chain }) => {
  await sequencer.blocks.seal()
  const { header, hash } = chain.latest.block
  return { blockNumber: encodeQuantity(header.number), blockHash: hash }
})

/** Parameters: `[{depth, transactions, blocks?}]`. Removes blocks now, and returns their hashes, oldest first. */
export const preseal_reorg = steer(params(parseReorg), async ({ sequencer }, request) => {
  const outcome = await sequencer.blocks.reorg(request)
  if (outcome.kind === 'reorged') return outcome.removed.map(({ block }) => block.hash)
  const detail = `params[0].${tooDeepText(request.depth, outcome.room)}`
  throw new Problem({ kind: 'invalidParams', argument: 0, detail })
})

function encodeRhythm(context: RpcContext): unknown {
  const { sequencer, options } = context
  const { ticksPerBlock, blockMs } = sequencer.steering
  const { clock } = sequencer
  const { rhythm } = clock
  return {
    rhythm,
    tickMs: clock.tickMs,
    ticksPerBlock,
    blockMs,
    time: clock.nowMs,
    nextTickMs: rhythm === 'interval' ? clock.nextTickMs : null,
    openBlock: encodeOpen(context),
    receipts: options.receipts,
  }
}

function encodeOpen({ chain: { preconfirmed } }: RpcContext): unknown {
  if (preconfirmed === undefined) return null
  const { block, slices } = preconfirmed
  return {
    blockNumber: encodeQuantity(block.header.number),
    slice: encodeQuantity(slices),
    transactionCount: encodeQuantity(block.transactions.length),
  }
}
