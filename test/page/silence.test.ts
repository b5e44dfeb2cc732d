/** When the page says that nothing comes from the devnet, and when it asks. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Silence } from '../../src/page/live/connection.ts'

/** A silence with what it asked and told, and how a question ends. */
function looked() {
  const told: boolean[] = []
  const asked: { resolve(): void; reject(error: Error): void }[] = []
  const silence = new Silence(() => new Promise<void>((resolve, reject) => asked.push({ resolve, reject })))
  silence.isSilent.subscribe((isSilent) => told.push(isSilent))
  // What is told to begin with.
  told.length = 0
  const look = (times: number) => {
    for (let i = 0; i < times; i++) silence.look()
  }
  return { silence, told, asked, look }
}

test('as long as something comes, nothing is asked', () => {
  const { silence, told, asked, look } = looked()
  for (let i = 0; i < 10; i++) {
    look(4)
    silence.hear()
  }
  expect([asked.length, told]).toEqual([0, []])
})

test('a devnet that is quiet and answers is asked every five seconds, and nothing is told', async () => {
  const { told, asked, look } = looked()
  for (let i = 1; i <= 3; i++) {
    look(4)
    expect(asked).toHaveLength(i - 1)
    look(1)
    asked[i - 1]!.resolve()
    await nextTurn()
  }
  expect([asked.length, told]).toEqual([3, []])
})

test('one that does not answer is silent after three seconds, is not asked again, and is there with the answer', async () => {
  const { told, asked, look } = looked()
  look(5 + 2)
  expect(told).toEqual([])
  look(100)
  expect([asked.length, told]).toEqual([1, [true]])
  asked[0]!.resolve()
  await nextTurn()
  expect(told).toEqual([true, false])
})

test('what comes before the answer takes it back', () => {
  const { silence, told, look } = looked()
  look(5 + 3)
  silence.hear()
  expect(told).toEqual([true, false])
  // The question from before is not answered still.
  look(3)
  expect(told).toEqual([true, false, true])
})

test('one that cannot be asked is silent, and is asked again five seconds later', async () => {
  const { told, asked, look } = looked()
  look(5)
  asked[0]!.reject(new Error('refused'))
  await nextTurn()
  expect(told).toEqual([true])
  look(4)
  expect(asked).toHaveLength(1)
  look(1)
  expect(asked).toHaveLength(2)
  asked[1]!.resolve()
  await nextTurn()
  expect(told).toEqual([true, false])
})
