/** Quantities and times. */
import { computed, signal } from '@preact/signals'
import { grouped, wei } from '../format/quantity.ts'
import { absolute, relative } from '../format/time.ts'
import { clock, pace } from '../live/chain.ts'

/** Counts seconds. */
const second = signal(0)
setInterval(() => {
  second.value++
}, 1_000)

/** The time of the devnet: it may be years from that of the page, and stand still. It is told together with the pace. */
const now = computed(() => {
  void [second.value, pace.value]
  return clock.timeMs(performance.now()) ?? Date.now()
})

/** An amount of wei, given in hex. */
export function Wei({ amount }: { amount: string }) {
  const value = BigInt(amount)
  return (
    <span class="number" title={`${value} wei`}>
      {wei(value)}
    </span>
  )
}

/** A number, given in hex or as such. */
export function Count({ value }: { value: string | number | bigint }) {
  const number = BigInt(value)
  return (
    <span class="number" title={String(number)}>
      {grouped(number)}
    </span>
  )
}

/** The time of a block, given in seconds in hex. */
export function Time({ seconds }: { seconds: string }) {
  const then = Number(seconds) * 1_000
  return (
    <time dateTime={absolute(then)} title={absolute(then)}>
      {relative(then, now.value)}
    </time>
  )
}
