/** A clock that is steered while it runs: shifted, rewound, given another rhythm. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Clock, type Rhythm } from '../../src/sequencer/clock.ts'

const START = 1_735_689_600_000
const MACHINE = 1_000_000

beforeEach(() => {
  vi.useFakeTimers({ now: MACHINE })
})
afterEach(() => {
  vi.useRealTimers()
})

function running(rhythm: Rhythm): { clock: Clock; ticks: number[] } {
  const clock = new Clock(rhythm, 200)
  const ticks: number[] = []
  clock.start(() => {
    clock.tick()
    ticks.push(clock.nowMs)
  })
  return { clock, ticks }
}

describe('a clock that is shifted', () => {
  it('goes on from there, and its next tick comes when it would have come', () => {
    const { clock, ticks } = running('interval')
    vi.advanceTimersByTime(150)
    clock.shift(60_000)
    expect(clock.nowMs).toBe(MACHINE + 60_150)
    vi.advanceTimersByTime(49)
    expect(ticks).toEqual([])
    vi.advanceTimersByTime(1)
    expect(ticks).toEqual([MACHINE + 60_200])
  })

  it('tells by how much in all, also after a mark', () => {
    const clock = new Clock('manual', 200)
    clock.shift(1_000)
    const { mark } = clock
    clock.shift(-300)
    expect([clock.shiftedMs, clock.nowMs]).toEqual([700, START + 700])
    clock.restore(mark)
    expect([clock.shiftedMs, clock.nowMs]).toEqual([1_000, START + 1_000])
    expect(new Clock('manual', 200, mark).shiftedMs).toBe(1_000)
  })
})

describe('a clock that is rewound', () => {
  it('is where it began, if it stands still', () => {
    const clock = new Clock('manual', 200)
    clock.shift(5_000)
    clock.tick()
    clock.rewind(START)
    expect([clock.nowMs, clock.nextTickMs, clock.shiftedMs]).toEqual([START, START + 200, 0])
  })

  it("is where the machine's time is, if it runs", () => {
    const { clock } = running('interval')
    clock.shift(5_000)
    vi.advanceTimersByTime(1_000)
    clock.rewind(START)
    expect([clock.nowMs, clock.shiftedMs]).toEqual([MACHINE + 1_000, 0])
  })

  it('is as far from the machine as it began, if it runs', () => {
    const clock = new Clock('interval', 200, { nowMs: MACHINE - 7_000, lastTickMs: MACHINE - 7_000 })
    clock.shift(5_000)
    vi.advanceTimersByTime(1_000)
    clock.rewind(START)
    expect([clock.nowMs, clock.nextTickMs]).toEqual([MACHINE - 6_000, MACHINE - 5_800])
  })
})

describe('the mark with which a clock continues from another', () => {
  const at = (nowMs: number) => ({ nowMs, lastTickMs: nowMs - 50, shiftedMs: 9 })

  it('is that of the other, if it stands still', () => {
    expect(new Clock('manual', 200).continuing(at(77), START + 1)).toEqual(at(77))
  })

  it.each([
    ['its own time', MACHINE - 3, MACHINE - 2, MACHINE],
    ["the other's, if that is later", MACHINE + 5, MACHINE + 2, MACHINE + 5],
    ['the earliest time allowed, if that is later', MACHINE + 5, MACHINE + 9, MACHINE + 9],
  ])('is %s, with its ticks counted from there, if it runs', (_, otherMs, earliestMs, nowMs) => {
    expect(new Clock('interval', 200).continuing(at(otherMs), earliestMs)).toEqual({
      nowMs,
      lastTickMs: nowMs,
      shiftedMs: 9,
    })
  })
})

describe('a clock that becomes another', () => {
  it('has its rhythm, its ticks, its time and its beginning', () => {
    const other = new Clock('interval', 300, { nowMs: MACHINE - 5_000, lastTickMs: MACHINE - 5_100 })
    other.shift(40)
    const clock = new Clock('instant', 200)
    clock.restoreState(other.state)
    expect(clock.state).toEqual(other.state)
    expect([clock.rhythm, clock.tickMs, clock.nextTickMs]).toEqual(['interval', 300, MACHINE - 4_760])
    clock.rewind(START)
    expect(clock.nowMs).toBe(MACHINE - 5_000)
  })
})

describe('a clock with another rhythm', () => {
  it('makes ticks from now on, and then none', () => {
    const { clock, ticks } = running('instant')
    vi.advanceTimersByTime(10_000)
    clock.setRhythm('interval', 300)
    vi.advanceTimersByTime(650)
    clock.setRhythm('manual')
    vi.advanceTimersByTime(10_000)
    expect(ticks).toEqual([MACHINE + 10_300, MACHINE + 10_600])
    expect([clock.rhythm, clock.tickMs, clock.nowMs]).toEqual(['manual', 300, MACHINE + 20_650])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('moves by whole ticks where its time stood still', () => {
    const { clock, ticks } = running('manual')
    clock.setRhythm('interval')
    vi.advanceTimersByTime(399)
    expect(ticks).toEqual([START + 200])
    expect(clock.nowMs).toBe(START + 200)
  })

  it('makes no ticks once it was stopped', () => {
    const { clock } = running('instant')
    clock.stop()
    clock.setRhythm('interval')
    expect(vi.getTimerCount()).toBe(0)
  })
})
