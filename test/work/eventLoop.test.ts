import { describe, expect, it, vi } from 'vitest'
import { EventLoop, type LoopTime } from '../../src/work/eventLoop.ts'
import { TimeLimitExceeded, Work, WorkCancelled } from '../../src/work/work.ts'

/** A time that moves when it is told to, and turns that come when they are asked for. */
class ManualTime implements LoopTime {
  nowMs = 0
  #next: (() => void)[] = []

  now(): number {
    return this.nowMs
  }

  soon(next: () => void): void {
    this.#next.push(next)
  }

  /** One turn of the event loop, and what is to be done in it. */
  async turn(): Promise<void> {
    const due = this.#next
    this.#next = []
    for (const next of due) next()
    for (let i = 0; i < 20; i++) await undefined
  }
}

/** Work of so many pieces, each of which takes 10 ms. */
async function pieces(time: ManualTime, work: Work, count: number, done: string[], name: string) {
  for (let i = 0; i < count; i++) {
    const pause = work.pause()
    if (pause !== undefined) await pause
    time.nowMs += 10
    done.push(name)
  }
}

describe('pause', () => {
  it('lets others have their turn whenever a slice of time is used up', async () => {
    const time = new ManualTime()
    const loop = new EventLoop(time, 40)
    const done: string[] = []
    void pieces(time, new Work({ loop }), 10, done, 'a')
    await undefined
    expect(done).toHaveLength(4)
    await time.turn()
    expect(done).toHaveLength(8)
    await time.turn()
    expect(done).toHaveLength(10)
  })

  it('never makes work wait that is done within a slice', async () => {
    const time = new ManualTime()
    const loop = new EventLoop(time, 40)
    const work = new Work({ loop })
    for (let i = 0; i < 3; i++) {
      expect(work.pause()).toBeUndefined()
      time.nowMs += 13
    }
  })

  it('gives all that runs in one turn a slice together, then one after the other a slice each', async () => {
    const time = new ManualTime()
    const loop = new EventLoop(time, 40)
    const done: string[] = []
    for (const name of ['a', 'b', 'c']) void pieces(time, new Work({ loop }), 6, done, name)
    await undefined
    expect(time.nowMs).toBe(40)
    expect(loop.waiting).toBe(3)
    const shares: string[] = []
    for (let turn = 0; turn < 3; turn++) {
      done.length = 0
      await time.turn()
      shares.push(done.join(''))
    }
    expect(shares).toEqual(['aa', 'bbbb', 'cccc'])
  })

  it('lets urgent work go on first', async () => {
    const time = new ManualTime()
    const loop = new EventLoop(time, 40)
    const done: string[] = []
    for (const name of ['a', 'b']) void pieces(time, new Work({ loop }), 9, done, name)
    void pieces(time, new Work({ loop, isUrgent: true }), 3, done, '!')
    await undefined
    done.length = 0
    await time.turn()
    expect(done.join('')).toBe('!!!')
  })

  it('begins a new slice in each turn', async () => {
    const time = new ManualTime()
    const loop = new EventLoop(time, 40)
    const work = new Work({ loop })
    expect(work.pause()).toBeUndefined()
    time.nowMs += 1_000
    await time.turn()
    expect(work.pause()).toBeUndefined()
  })
})

describe('the end of work', () => {
  it('comes when its time is over, and names the limit', () => {
    const time = new ManualTime()
    const work = new Work({ limitMs: 500, loop: new EventLoop(time, 40) })
    time.nowMs = 499
    expect(() => work.pause()).not.toThrow()
    time.nowMs = 500
    expect(() => work.pause()).toThrow(TimeLimitExceeded)
    expect(() => work.pause()).toThrow('500 ms')
  })

  it('asks for no turn for short work, and begins a slice for what comes later', () => {
    const time = new ManualTime()
    const soon = vi.spyOn(time, 'soon')
    const loop = new EventLoop(time, 40)
    for (let i = 0; i < 3; i++) expect(new Work({ loop }).pause()).toBeUndefined()
    expect(soon).not.toHaveBeenCalled()
    time.nowMs = 1_000
    const work = new Work({ loop })
    expect(work.pause()).toBeUndefined()
    expect(soon).toHaveBeenCalledOnce()
    time.nowMs = 1_039
    expect(work.pause()).toBeUndefined()
    time.nowMs = 1_040
    expect(work.pause()).toBeInstanceOf(Promise)
  })

  it('comes while it waits for its turn, too', async () => {
    const time = new ManualTime()
    const work = new Work({ limitMs: 500, loop: new EventLoop(time, 40) })
    work.pause()
    time.nowMs = 10
    work.pause()
    time.nowMs = 60
    const waiting = work.pause()
    time.nowMs = 700
    const ended = expect(waiting).rejects.toThrow(TimeLimitExceeded)
    await time.turn()
    await ended
  })

  it('is put off while the process stands still, but for a second', () => {
    const time = new ManualTime()
    const loop = new EventLoop(time, 40)
    const work = new Work({ limitMs: 1_500, loop })
    const call = work.forCall({ timeMs: 1_200, memoryBytes: 0 })
    time.nowMs += 60_000
    expect(() => call.pause()).not.toThrow()
    time.nowMs += 199
    expect(() => call.pause()).not.toThrow()
    time.nowMs += 1
    expect(() => call.pause()).toThrow('1200 ms')
    time.nowMs += 299
    expect(() => work.pause()).not.toThrow()
    time.nowMs += 1
    expect(() => work.pause()).toThrow('1500 ms')
  })

  it('never comes where there is no limit', () => {
    const time = new ManualTime()
    const work = new Work({ limitMs: 0, loop: new EventLoop(time, 40) })
    time.nowMs = 1e12
    expect(() => work.pause()).not.toThrow()
  })

  it('comes when its owner is closed', () => {
    const owner = { isClosed: false }
    const work = new Work({ owner, loop: new EventLoop(new ManualTime(), 40) })
    expect(() => work.pause()).not.toThrow()
    owner.isClosed = true
    expect(() => work.pause()).toThrow(WorkCancelled)
  })
})

describe('work without pauses', () => {
  it('runs in one piece, and ends when its time is over', () => {
    const time = new ManualTime()
    const work = new Work({ limitMs: 500, loop: new EventLoop(time, 40) }).withoutPauses()
    work.pause()
    time.nowMs = 100
    expect(work.pause()).toBeUndefined()
    time.nowMs = 500
    expect(() => work.pause()).toThrow(TimeLimitExceeded)
  })
})

describe('pauseAfter', () => {
  it('looks at the time only when enough gas was used', () => {
    let looks = 0
    const time = { now: () => looks++, soon: () => {} }
    const work = new Work({ loop: new EventLoop(time, 40) })
    for (let i = 0; i < 1_000; i++) work.pauseAfter(3)
    expect(looks).toBe(0)
    for (let i = 0; i < 10; i++) work.pauseAfter(20_000)
    expect(looks).toBe(10)
  })
})
