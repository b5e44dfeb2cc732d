/** Machines that are lent to runs. */
import { beforeEach, describe, expect, it } from 'vitest'
import { MachinePool } from '../../src/engine/machinePool.ts'
import type { MaybePromise } from '../../src/work/maybePromise.ts'
import { URGENT, Work, WorkCancelled } from '../../src/work/work.ts'

const AT_A_TIME = 16

interface Machine {
  readonly number: number
}

let created: number
let isSound: boolean
let failures: unknown[]
let pool: MachinePool<Machine>

beforeEach(() => {
  created = 0
  isSound = true
  failures = []
  pool = new MachinePool<Machine>({
    create: () => ({ number: ++created }),
    isReusable(_, failure) {
      failures.push(failure)
      return isSound
    },
  })
})

/** A run that lasts until `end` or `fail` is called. */
class LongRun {
  /** The number of its machine; absent until it has one. */
  machine: number | undefined
  readonly done: MaybePromise<void>
  end!: () => void
  fail!: () => void

  constructor(work: Work = new Work()) {
    this.done = pool.lend(work, ({ number }) => {
      this.machine = number
      return new Promise((resolve, reject) => {
        this.end = resolve
        this.fail = reject
      })
    })
  }
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('a run', () => {
  it('has the result of its function, at once if the function does', async () => {
    expect(pool.lend(URGENT, () => 5)).toBe(5)
    const later = pool.lend(URGENT, async () => 6)
    expect(later).toBeInstanceOf(Promise)
    expect(await later).toBe(6)
  })

  it('gets the machine of the last run', async () => {
    for (let i = 0; i < 3; i++) expect(pool.lend(URGENT, ({ number }) => number)).toBe(1)
    expect(await pool.lend(URGENT, async ({ number }) => number)).toBe(1)
  })

  it('gets a machine of its own while another run lasts', async () => {
    const [first, second] = [new LongRun(), new LongRun()]
    expect([first.machine, second.machine]).toEqual([1, 2])
    second.end()
    await second.done
    expect(pool.lend(URGENT, ({ number }) => number)).toBe(2)
  })

  it('gets a new machine after a run that left its machine unsound', async () => {
    const error = new Error('mine')
    const fail = () => {
      throw error
    }
    expect(() => pool.lend(URGENT, fail)).toThrow(error)
    expect(pool.lend(URGENT, ({ number }) => number)).toBe(1)
    isSound = false
    await expect(pool.lend(URGENT, async () => fail())).rejects.toBe(error)
    expect(failures).toEqual([{ error }, undefined, { error }])
    expect(pool.lend(URGENT, ({ number }) => number)).toBe(2)
  })
})

describe('a run while many others last', () => {
  it('waits for its turn, and runs whether the others succeed or fail', async () => {
    const others = Array.from({ length: AT_A_TIME }, () => new LongRun())
    const [first, second] = [new LongRun(), new LongRun()]
    await settled()
    expect([first.machine, second.machine]).toEqual([undefined, undefined])
    others[3]!.end()
    await settled()
    expect([first.machine, second.machine]).toEqual([4, undefined])
    others[5]!.fail()
    await expect(others[5]!.done).rejects.toBeUndefined()
    await settled()
    expect(second.machine).toBe(6)
    expect(created).toBe(AT_A_TIME)
  })

  it('begins at once if it is urgent', () => {
    for (let i = 0; i < AT_A_TIME; i++) new LongRun()
    expect(new LongRun(URGENT).machine).toBe(AT_A_TIME + 1)
  })

  it('ends with its work, and the one behind it has its turn', async () => {
    const others = Array.from({ length: AT_A_TIME }, () => new LongRun())
    const owner = { isClosed: false }
    const [cancelled, next] = [new LongRun(new Work({ owner })), new LongRun()]
    owner.isClosed = true
    others[0]!.end()
    await expect(cancelled.done).rejects.toThrow(WorkCancelled)
    await settled()
    expect(next.machine).toBe(1)
  })
})
