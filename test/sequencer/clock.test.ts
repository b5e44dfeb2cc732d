import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  afterTurns,
  Clock,
  type TimeSource,
  yieldingEvery,
  yieldToEventLoop,
} from '../../src/sequencer/clock.ts'

/** 2025-01-01T00:00:00Z, from `date -u -d 2025-01-01 +%s`. */
const START = 1_735_689_600_000

describe('a clock under the manual rhythm', () => {
  it('starts in 2025 and stands still while the machine’s time goes on', () => {
    vi.useFakeTimers({ now: 5 })
    const clock = new Clock('manual', 200)
    expect([clock.nowMs, clock.seconds]).toEqual([START, BigInt(START / 1000)])
    vi.advanceTimersByTime(100_000)
    expect(clock.nowMs).toBe(START)
    vi.useRealTimers()
  })

  it('is moved by each tick to when that falls due', () => {
    const clock = new Clock('manual', 200)
    clock.tick()
    clock.tick()
    expect([clock.nowMs, clock.nextTickMs]).toEqual([START + 400, START + 600])
  })

  it('is moved forward and never back', () => {
    const clock = new Clock('manual', 200)
    clock.moveTo(START + 50)
    clock.moveTo(START - 50)
    clock.moveTo(START + 49)
    expect(clock.nowMs).toBe(START + 50)
  })

  it('is moved to when a tick falls due, however near that is', () => {
    const clock = new Clock('manual', 200)
    clock.moveTo(START + 199)
    clock.tick()
    expect([clock.nowMs, clock.nextTickMs]).toEqual([START + 200, START + 400])
  })

  it('keeps to the beat when a tick is a little late, and begins a new one when it is very late', () => {
    const clock = new Clock('manual', 200)
    clock.moveTo(START + 399)
    clock.tick()
    expect([clock.nowMs, clock.nextTickMs]).toEqual([START + 399, START + 400])
    clock.moveTo(START + 600)
    clock.tick()
    expect([clock.nowMs, clock.nextTickMs]).toEqual([START + 600, START + 800])
  })

  it('tells seconds by rounding down', () => {
    const clock = new Clock('manual', 200)
    clock.moveTo(START + 1_999)
    expect(clock.seconds).toBe(BigInt(START / 1000) + 1n)
  })

  it('goes back and forth to its marks', () => {
    const clock = new Clock('manual', 200)
    const first = clock.mark
    clock.tick()
    const second = clock.mark
    clock.restore(first)
    expect([clock.nowMs, clock.nextTickMs]).toEqual([START, START + 200])
    clock.restore(second)
    expect([clock.nowMs, clock.nextTickMs]).toEqual([START + 200, START + 400])
    expect(new Clock('manual', 200, second).mark).toEqual(second)
  })
})

describe('a clock under the interval rhythm', () => {
  const MACHINE = 1_000_000

  beforeEach(() => {
    vi.useFakeTimers({ now: MACHINE })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** A clock that makes a tick whenever one falls due, and when that was. */
  function running(): { clock: Clock; ticks: number[] } {
    const clock = new Clock('interval', 200)
    const ticks: number[] = []
    clock.start(() => {
      clock.tick()
      ticks.push(clock.nowMs)
    })
    return { clock, ticks }
  }

  it('calls for a tick every 200 ms', () => {
    const { ticks } = running()
    vi.advanceTimersByTime(1_000)
    expect(ticks).toEqual([200, 400, 600, 800, 1_000].map((ms) => MACHINE + ms))
  })

  it('does not run ahead of the machine where a timer comes a millisecond early', () => {
    const { clock } = running()
    for (let due = 200; due <= 2_000; due += 200) {
      vi.setSystemTime(MACHINE + due - 1)
      clock.tick()
      expect([clock.nowMs, clock.nextTickMs]).toEqual([MACHINE + due - 1, MACHINE + due + 200])
    }
  })

  it.each([
    [2, MACHINE + 198],
    [3, MACHINE + 200],
  ])('is moved by a tick that comes %i ms early to %i: a timer is early by two at most', (earlyMs, nowMs) => {
    const { clock } = running()
    vi.setSystemTime(MACHINE + 200 - earlyMs)
    clock.tick()
    expect([clock.nowMs, clock.nextTickMs]).toEqual([nowMs, MACHINE + 400])
  })

  it('sets its timers by the machine, though the time that it reads is held', () => {
    const { clock, ticks } = running()
    const held: TimeSource = { ...clock.timeSource, nowMs: MACHINE }
    clock.setTimeSource(held)
    vi.setSystemTime(MACHINE + 150)
    clock.wake()
    vi.advanceTimersByTime(50)
    expect(ticks).toHaveLength(1)
  })

  it('runs with the machine, ahead of it by what it was moved', () => {
    const { clock } = running()
    clock.moveTo(MACHINE + 5_000)
    vi.setSystemTime(MACHINE + 30)
    expect(clock.nowMs).toBe(MACHINE + 5_030)
  })

  it('comes to its next tick sooner by what it was moved', () => {
    const { clock, ticks } = running()
    clock.moveTo(MACHINE + 150)
    vi.advanceTimersByTime(49)
    expect(ticks).toEqual([])
    vi.advanceTimersByTime(1)
    expect(ticks).toEqual([MACHINE + 200])
  })

  it('counts from a tick that was made before its time', () => {
    const { clock, ticks } = running()
    vi.advanceTimersByTime(50)
    clock.tick() // that of 200
    expect(clock.nowMs).toBe(MACHINE + 200)
    vi.advanceTimersByTime(199)
    expect(ticks).toEqual([])
    vi.advanceTimersByTime(1)
    expect(ticks).toEqual([MACHINE + 400])
  })

  it('goes on from a mark as if no time had passed', () => {
    const { clock, ticks } = running()
    vi.advanceTimersByTime(150)
    const { mark } = clock
    vi.advanceTimersByTime(10_000)
    ticks.length = 0
    clock.restore(mark)
    expect(clock.nowMs).toBe(MACHINE + 150)
    vi.advanceTimersByTime(50)
    expect(ticks).toEqual([MACHINE + 200])
  })

  it('comes to the tick of a mark in the time that was left, whenever that is restored', () => {
    const { clock, ticks } = running()
    vi.advanceTimersByTime(150)
    const { mark } = clock
    vi.advanceTimersByTime(10_030)
    ticks.length = 0
    clock.restore(mark)
    vi.advanceTimersByTime(49)
    expect(ticks).toEqual([])
    vi.advanceTimersByTime(1)
    expect(ticks).toEqual([MACHINE + 200])
  })

  it('has no timer once it is stopped', () => {
    const { clock } = running()
    clock.stop()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('calls for nothing any more once it is stopped, whatever is done to it', () => {
    const { clock, ticks } = running()
    clock.stop()
    clock.tick()
    clock.moveTo(MACHINE + 10_000)
    clock.wake()
    clock.restore(clock.mark)
    vi.advanceTimersByTime(10_000)
    expect(ticks).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each(['manual', 'instant'] as const)('sets no timer under %s', (rhythm) => {
    const onTick = vi.fn()
    const clock = new Clock(rhythm, 200)
    clock.start(onTick)
    clock.tick()
    vi.advanceTimersByTime(10_000)
    expect(onTick).not.toHaveBeenCalled()
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a step of a command', () => {
  it('is reported after its change, and waits before it if it is to', async () => {
    const clock = new Clock('manual', 200)
    const order: string[] = []
    clock.setTimeSource({
      ...clock.timeSource,
      pause: () => Promise.resolve().then(() => void order.push('pause')),
      onStep: () => void order.push('step'),
    })
    await clock.step(() => void order.push('change'))
    expect(order).toEqual(['pause', 'change', 'step'])
  })
})

describe('work of many pieces', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('lets others have their turn each time so many milliseconds are over', async () => {
    vi.useFakeTimers({ now: 0, toFake: ['Date'] })
    const pause = yieldingEvery(20)
    vi.setSystemTime(19)
    expect(pause()).toBeUndefined()
    vi.setSystemTime(20)
    await pause()
    vi.setSystemTime(39)
    expect(pause()).toBeUndefined()
    vi.setSystemTime(40)
    expect(pause()).toBeInstanceOf(Promise)
  })
})

describe('time in turns of the event loop', () => {
  it('is over after as many milliseconds as it is long', async () => {
    const begin = performance.now()
    await new Promise<void>((resolve) => afterTurns(120, resolve))
    expect(performance.now() - begin).toBeGreaterThan(110)
  })

  it('is not over after one turn that took longer: what was due meanwhile comes first', async () => {
    const order: string[] = []
    const over = new Promise<void>((resolve) =>
      afterTurns(100, () => {
        order.push('over')
        resolve()
      }),
    )
    for (const end = performance.now() + 150; performance.now() < end; ) {}
    await yieldToEventLoop()
    order.push('work')
    await over
    expect(order).toEqual(['work', 'over'])
  })

  it('never ends if it is cancelled, in whichever turn', async () => {
    let calls = 0
    const cancel = afterTurns(120, () => calls++)
    await new Promise((resolve) => setTimeout(resolve, 70))
    cancel()
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(calls).toBe(0)
  })
})
