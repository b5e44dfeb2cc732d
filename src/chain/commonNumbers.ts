/** Numbers that are in several ascending lists of typed arrays. */

/** Returns the numbers from `from` to before `end` that are in all of `lists`. */
export function common(lists: readonly Uint32Array[], from: number, end: number): Uint32Array {
  const [shortest, ...others] = lists
    .map((list) => list.subarray(seek(list, from, 0), seek(list, end, 0)))
    .sort((a, b) => a.length - b.length) as [Uint32Array, ...Uint32Array[]]
  return others.reduce(intersection, shortest)
}

/**
 * Returns the numbers that are in both lists. Each list in turn skips to the position of the other, so runs of numbers
 * in only one list cost little.
 */
function intersection(numbers: Uint32Array, others: Uint32Array): Uint32Array {
  const both: number[] = []
  let at = 0
  let other = 0
  while (at < numbers.length && other < others.length) {
    const number = numbers[at]!
    other = seek(others, number, other)
    if (others[other] === number) {
      both.push(number)
      at++
    } else if (other < others.length) at = seek(numbers, others[other]!, at)
  }
  return Uint32Array.from(both)
}

/** Returns the index, from `start` on, of the first number of at least `value`: by exponential, then binary search. */
function seek(numbers: Uint32Array, value: number, start: number): number {
  let low = start
  let high = start
  for (let leap = 1; high < numbers.length && numbers[high]! < value; leap *= 2) {
    low = high + 1
    high += leap
  }
  if (high > numbers.length) high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}
