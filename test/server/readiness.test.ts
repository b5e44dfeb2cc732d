import { describe, expect, it } from 'vitest'
import { ENOUGH, QUICK_MS, REST_MS, Readiness } from '../../src/server/readiness.ts'

/** The turns of an event loop that each take 0.01 ms, and sleep for 1 ms if nobody has asked for the turn. */
class Turns {
  nowMs = 0
  slept = 0
  #next: (() => void)[] = []

  now(): number {
    return this.nowMs
  }

  soon(next: () => void): void {
    this.#next.push(next)
  }

  run(count: number): void {
    for (let i = 0; i < count; i++) {
      const due = this.#next
      this.#next = []
      if (due.length === 0) this.slept++
      this.nowMs += due.length === 0 ? 1 : 0.01
      for (const next of due) next()
    }
  }
}

/** So many turns that a request is late, and the turn after it sleeps. */
const LATE = Math.ceil(QUICK_MS / 0.01) + 2

function respondQuickly(readiness: Readiness, count: number): void {
  for (let i = 0; i < count; i++) readiness.responded()
}

describe('after responses in quick succession', () => {
  it('polls for the next request without sleeping', () => {
    const turns = new Turns()
    const readiness = new Readiness(turns)
    readiness.responded()
    turns.nowMs += QUICK_MS / 2
    readiness.responded()
    turns.run(8)
    readiness.responded()
    turns.run(8)
    expect(turns.slept).toBe(0)
  })

  it('sleeps when a request is late, and does not poll for a while if it has found few', () => {
    const turns = new Turns()
    const readiness = new Readiness(turns)
    respondQuickly(readiness, 2 + ENOUGH - 1)
    turns.run(LATE)
    const { slept } = turns
    expect(slept).toBeGreaterThan(0)
    respondQuickly(readiness, 2)
    turns.run(1)
    expect(turns.slept).toBe(slept + 1)

    turns.nowMs += REST_MS
    respondQuickly(readiness, 2)
    turns.run(5)
    expect(turns.slept).toBe(slept + 1)
  })

  it('polls again at once if it has found many requests before one was late', () => {
    const turns = new Turns()
    const readiness = new Readiness(turns)
    respondQuickly(readiness, 2 + ENOUGH)
    turns.run(LATE)
    const { slept } = turns
    expect(slept).toBeGreaterThan(0)
    respondQuickly(readiness, 2)
    turns.run(5)
    expect(turns.slept).toBe(slept)
  })

  it('asks for one turn at a time, however many clients there are', () => {
    const turns = new Turns()
    const readiness = new Readiness(turns)
    for (let i = 0; i < 100; i++) readiness.responded()
    let asked = 0
    const soon = turns.soon.bind(turns)
    turns.soon = (next) => {
      asked++
      soon(next)
    }
    turns.run(8)
    expect(asked).toBe(8)
  })
})

describe('after responses far apart', () => {
  it('never polls', () => {
    const turns = new Turns()
    const readiness = new Readiness(turns)
    for (let i = 0; i < 10; i++) {
      readiness.responded()
      turns.run(1)
    }
    expect(turns.slept).toBe(10)
  })
})
