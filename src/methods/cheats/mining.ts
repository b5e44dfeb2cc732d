import type { RpcContext } from '../../rpc/context.ts'
import { params, steer } from '../../rpc/method.ts'
import type { Mining } from '../../sequencer/blockCommands.ts'
import { encodeBlock } from '../../wire/encode.ts'
import { parseSeconds, smallAmount } from '../../wire/hex.ts'
import { arrayOf, boolean, optional, recordOf, withDefault } from '../../wire/parser.ts'
import { forEachPaused, Work } from '../../work/work.ts'
import { requireGranted } from './blocks.ts'

/** The maximum number of blocks that one call mines, because all blocks are kept in memory. */
const MAX_BLOCKS = 1_000_000
const parseBlocks = smallAmount(MAX_BLOCKS)

/** Parameters: `[blocks?, seconds between them?]` */
export const mine = steer.long(
  params(withDefault(parseBlocks, 1), withDefault(parseSeconds, 0)),
  async ({ sequencer, work }, blocks, intervalSeconds) => {
    await sequencer.blocks.mine({ blocks, intervalSeconds }, undefined, work)
  },
)

/** Parameters: `[timestamp?]` or `[{timestamp?, blocks?}]` */
export const evm_mine = steer.long(params(optional(parseMineOptions)), async (context, options) => {
  await mineAt(context, options)
  return '0x0'
})

export const evm_mine_detailed = steer.long(params(optional(parseMineOptions)), async (context, options) => {
  const { blocks } = await mineAt(context, options)
  const { history } = context.chain.state
  const last = Number(history.latest.block.header.number)
  const mined = Array.from({ length: blocks }, (_, i) => history.block(last - blocks + 1 + i))
  const encoded: unknown[] = []
  // No time limit applies to this encoding, because the blocks have already been made.
  await forEachPaused(new Work(), mined, (block) => {
    if (block !== undefined) encoded.push(encodeBlock(block, 'full'))
  })
  return encoded
})

interface MineOptions {
  readonly timestamp: number | undefined
  readonly blocks: number
}

async function mineAt({ sequencer, work }: RpcContext, options?: MineOptions): Promise<Mining> {
  const mining = { blocks: options?.blocks ?? 1, intervalSeconds: 0 }
  const timestamp = options?.timestamp
  const at = timestamp === undefined ? undefined : BigInt(timestamp)
  requireGranted(await sequencer.blocks.mine(mining, at, work))
  return mining
}

function parseMineOptions(value: unknown, path: string): MineOptions {
  if (typeof value !== 'object') return { timestamp: parseSeconds(value, path), blocks: 1 }
  const record = recordOf(value, path, 'a timestamp, or an object {timestamp?, blocks?}')
  return {
    timestamp: optional(parseSeconds)(record.timestamp, `${path}.timestamp`),
    blocks: withDefault(parseBlocks, 1)(record.blocks, `${path}.blocks`),
  }
}

/** With `true`, each accepted transaction is mined immediately. With `false`, only the interval or a command mines. */
export const setAutomine = steer(params(boolean), automine)

async function automine({ sequencer }: RpcContext, isOn: boolean): Promise<void> {
  if (isOn) await sequencer.steering.setRhythm('instant')
  else if (sequencer.clock.rhythm === 'instant') await sequencer.steering.setRhythm('manual')
}

export const getAutomine = steer(params(), ({ sequencer }) => sequencer.clock.rhythm === 'instant')

/** ganache's method. Its parameter, a number of threads, is ignored. */
export const miner_start = steer(params(optional(parseSeconds)), (context, _) => automine(context, true))

export const miner_stop = steer(params(), ({ sequencer }) => sequencer.steering.setRhythm('manual'))

const MAX_BLOCK_SECONDS = 86_400

/** Sets the seconds between blocks. With 0, no blocks are made at intervals. */
export const setIntervalMining = steer(params(smallAmount(MAX_BLOCK_SECONDS)), (context, seconds) =>
  every(context, seconds * 1_000),
)

const FIRST_MS = 1_000

/** Reads numbers below 1,000 as seconds (anvil), others as milliseconds (Hardhat). Of a range, uses the minimum. */
export const evm_setIntervalMining = steer(params(parseIntervalOrRange), (context, interval) =>
  every(context, interval < FIRST_MS ? interval * 1_000 : interval),
)

function parseIntervalOrRange(value: unknown, path: string): number {
  const parse = smallAmount(MAX_BLOCK_SECONDS * 1_000)
  if (!Array.isArray(value)) return parse(value, path)
  const range = arrayOf(parse)(value, path)
  return Math.max(0, ...range) === 0 ? 0 : Math.max(FIRST_MS, Math.min(...range))
}

async function every({ sequencer }: RpcContext, ms: number): Promise<void> {
  if (ms > 0) await sequencer.steering.setRhythm('interval', ms)
  else if (sequencer.clock.rhythm === 'interval') await sequencer.steering.setRhythm('manual')
}

/** Returns the interval in seconds, rounded up because clients expect an integer; `null` without an interval. */
export const getIntervalMining = steer(params(), ({ sequencer }) =>
  sequencer.clock.rhythm === 'interval' ? Math.ceil(sequencer.steering.blockMs / 1_000) : null,
)
