/** Cheats that set fields of the open block if the open block is empty, otherwise of the block after the open block. */

import type { RpcContext } from '../../rpc/context.ts'
import { Problem } from '../../rpc/errors/problem.ts'
import { params, steer } from '../../rpc/method.ts'
import type { TimestampOutcome } from '../../sequencer/steering.ts'
import { parseExtraData } from '../../wire/header.ts'
import {
  amountUpTo,
  parseAddress,
  parseAmount,
  parsePaddedHash,
  parseSeconds,
  smallAmount,
} from '../../wire/hex.ts'

export const setNextBlockTimestamp = steer(params(parseSeconds), async (context, timestamp) =>
  requireGranted(await context.sequencer.steering.setNextTimestamp(BigInt(timestamp))),
)

/** Throws a `Problem` if the sequencer refused the timestamp because it is before that of the parent block. */
export function requireGranted(outcome: TimestampOutcome): void {
  if (outcome.kind === 'granted') return
  const detail = `params[0]: expected a timestamp of at least ${outcome.earliest}, the earliest of the next block`
  throw new Problem({ kind: 'invalidParams', argument: 0, detail })
}

export const setNextBlockBaseFeePerGas = steer(params(parseAmount), (context, baseFeePerGas) => {
  requireBaseFee(context)
  return context.sequencer.steering.overrideNext({ baseFeePerGas })
})

function requireBaseFee({ rules }: RpcContext): void {
  if (rules.has(1559)) return
  const detail = `blocks have no base fee under ${rules.hardfork} (EIP-1559 came with london)`
  throw new Problem({ kind: 'unsupported', detail })
}

export const setPrevRandao = steer(params(parsePaddedHash), ({ sequencer }, prevRandao) =>
  sequencer.steering.overrideNext({ prevRandao }),
)

/** Sets the gas limit from the next block on. Returns `true` under all names, as in anvil, Hardhat and ganache. */
export const setBlockGasLimit = steer(params(amountUpTo(2n ** 64n - 1n)), async ({ sequencer }, gasLimit) => {
  await sequencer.steering.overrideNext({ gasLimit })
  return true
})

export const setCoinbase = steer(params(parseAddress), ({ sequencer }, coinbase) =>
  sequencer.steering.cheat((cheats) => ({ ...cheats, coinbase })),
)

export const setExtraData = steer(params(parseExtraData), ({ sequencer }, extraData) =>
  sequencer.steering.cheat((cheats) => ({ ...cheats, extraData })),
)

export const setBlockTimestampInterval = steer(params(parseSeconds), ({ sequencer }, seconds) =>
  setInterval(sequencer, BigInt(seconds)),
)

/** The parameter is in milliseconds, because viem's client in the mode `hardhat` multiplies seconds by 1,000. */
export const setBlockTimestampIntervalMs = steer(
  params(smallAmount(Number.MAX_SAFE_INTEGER)),
  ({ sequencer }, ms) => setInterval(sequencer, BigInt(Math.floor(ms / 1_000))),
)

/** Returns whether there was an interval to remove. */
export const removeBlockTimestampInterval = steer(params(), async ({ sequencer }) => {
  const was = sequencer.upcoming.cheats.timestampInterval !== undefined
  await setInterval(sequencer, undefined)
  return was
})

function setInterval(
  sequencer: RpcContext['sequencer'],
  timestampInterval: bigint | undefined,
): Promise<void> {
  return sequencer.steering.cheat((cheats) => ({ ...cheats, timestampInterval }))
}

/** Always fails, as in anvil, Hardhat and ganache: chains with base fees have no minimum gas price. */
export const setMinGasPrice = steer(params(parseAmount), ({ rules }, _): void => {
  const detail = rules.has(1559)
    ? 'there is no minimum gas price where EIP-1559 is active; use hardhat_setNextBlockBaseFeePerGas'
    : 'there is no minimum gas price here: any is taken'
  throw new Problem({ kind: 'unsupported', detail })
})

/** Returns the total time offset in seconds, as a JSON number, as anvil and ganache do. */
export const increaseTime = steer(params(parseSeconds), async ({ sequencer }, seconds) =>
  Math.floor((await sequencer.steering.shiftTime(seconds * 1_000)) / 1_000),
)

/** From this number on, `evm_setTime` reads its parameter as milliseconds: as seconds, it would mean the year 5138. */
const FIRST_MS = 100_000_000_000

/**
 * Sets the time: seconds since 1970, or milliseconds as in ganache. Returns the seconds by which the time was moved
 * forward. If the new time is before the latest block, new blocks repeat its timestamp until the time reaches it.
 */
export const setTime = steer(params(smallAmount(Number.MAX_SAFE_INTEGER)), async ({ sequencer }, time) => {
  const difference = await sequencer.steering.setTime(time < FIRST_MS ? time * 1_000 : time)
  return Math.max(0, Math.floor(difference / 1_000))
})
