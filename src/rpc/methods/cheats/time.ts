/** Time, moved without making blocks. */
import { parseSeconds, smallAmount } from '../../../wire/amount.ts'
import { method, params } from '../../method.ts'

/** Answers by how many seconds time has been moved in all, as a JSON number (anvil, ganache). */
export const increaseTime = method(params(parseSeconds), async ({ sequencer }, seconds) =>
  Math.floor((await sequencer.steering.shiftTime(seconds * 1_000)) / 1_000),
)

/** From here on a number can only be milliseconds: as seconds it would be in the year 5138. */
const FIRST_MS = 100_000_000_000

/**
 * Seconds since 1970, or milliseconds, as ganache counts them. Answers by how many seconds time was moved forward. It may
 * also go back; blocks then have their parents' times until it has caught up.
 */
export const setTime = method(params(smallAmount(Number.MAX_SAFE_INTEGER)), async ({ sequencer }, time) => {
  const difference = await sequencer.steering.setTime(time < FIRST_MS ? time * 1_000 : time)
  return Math.max(0, Math.floor(difference / 1_000))
})
