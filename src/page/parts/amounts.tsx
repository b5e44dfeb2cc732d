/** Quantities and times. */
import { signal } from '@preact/signals'
import { grouped, wei } from '../format/quantity.ts'
import { absolute, relative } from '../format/time.ts'

/** The time of the page, each second. */
const now = signal(Date.now())
setInterval(() => {
  now.value = Date.now()
}, 1_000)

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
