import { describe, expect, it } from 'vitest'
import type { Planned, RequestFault, Trigger } from '../../src/faults/fault.ts'
import { dueContextLag, requestOutcome } from '../../src/faults/requestOutcome.ts'

const ONCE: Trigger = { kind: 'next', times: 1 }
const ALWAYS: Trigger = { kind: 'next', times: Infinity }
const NEVER: Trigger = { kind: 'chance', probability: 0, seed: 1 }

function planned(...faults: (readonly [RequestFault, Trigger?])[]): Planned<RequestFault>[] {
  return faults.map(([fault, trigger = ONCE], i) => ({ id: i + 1, fault, trigger }))
}

const fate = (all: readonly Planned<RequestFault>[], method = 'eth_call') =>
  requestOutcome(all, method, () => undefined)

const BUSY: RequestFault = { kind: 'rpcError', code: -32000, message: 'busy' }
const LOST: RequestFault = { kind: 'timeout' }
const LATE: RequestFault = { kind: 'latency', ms: 10 }

describe('what becomes of a request', () => {
  it('is an answer where nothing is planned, or nothing of that happens', () => {
    expect(fate([])).toEqual({ ending: { kind: 'answered' }, lateMs: 0, due: [], planned: [] })
    const unlikely = fate(planned([BUSY, NEVER]))
    expect([unlikely.ending, unlikely.planned.length]).toEqual([{ kind: 'answered' }, 1])
  })

  it('is what the first says that happens; the others wait for another', () => {
    const all = planned([BUSY, NEVER], [LOST], [BUSY])
    const { ending, due, planned: left } = fate(all)
    expect(ending).toEqual({ kind: 'lost', what: 'answer' })
    expect([due, left.map(({ id }) => id)]).toEqual([[LOST], [1, 3]])
  })

  it('is late by all that is planned, whatever the end', () => {
    const all = planned([LATE], [BUSY], [LATE, ALWAYS])
    const { ending, lateMs, planned: left } = fate(all)
    expect([ending.kind, lateMs, left.map(({ id }) => id)]).toEqual(['refused', 20, [3]])
  })

  it('is late by a number that follows from the seed, which moves on', () => {
    const all = planned([{ kind: 'latency', ms: [1, 1_000], seed: 5 }, ALWAYS])
    const first = fate(all)
    const second = fate(first.planned)
    expect(first.lateMs).not.toBe(second.lateMs)
    expect(fate(all).lateMs).toBe(first.lateMs)
  })

  it('leaves alone what is meant for other methods, and for calls on pending', () => {
    const all = planned([{ ...BUSY, method: 'eth_getLogs' }], [{ kind: 'contextLag', blocks: 1 }])
    expect(fate(all)).toMatchObject({ ending: { kind: 'answered' }, planned: all })
  })

  it('is never anything but an answer where preseal itself is controlled', () => {
    const all = planned([BUSY, ALWAYS], [LATE, ALWAYS])
    expect(fate(all, 'preseal_clearFaults')).toMatchObject({ ending: { kind: 'answered' }, lateMs: 0 })
  })

  it('is a refusal of logs only where they are refused', () => {
    const all = planned([{ kind: 'logRange', provider: 'reth' }, ALWAYS])
    const error = { code: 1, message: 'too many' }
    const refused = requestOutcome(all, 'eth_getLogs', () => ({ error, status: 413 }))
    expect(refused.ending).toEqual({ kind: 'refused', error, http: { status: 413 } })
    expect(fate(all, 'eth_getLogs')).toMatchObject({ ending: { kind: 'answered' }, due: [] })
  })
})

describe('how far a call lags behind', () => {
  it('is what the first says that happens, or nothing at all', () => {
    const all = planned(
      [{ kind: 'contextLag', blocks: 9 }, NEVER],
      [{ kind: 'contextLag', blocks: 2 }],
      [{ kind: 'contextLag', blocks: 3 }, ALWAYS],
    )
    const first = dueContextLag(all)
    const second = dueContextLag(first.planned)
    expect([first.lag, second.lag, dueContextLag(planned([LATE])).lag]).toEqual([2, 3, undefined])
  })

  it('is never more than asked for', () => {
    let all = planned([{ kind: 'contextLag', blocks: [1, 3] }, ALWAYS])
    const seen = new Set<number | undefined>()
    for (let i = 0; i < 50; i++) {
      const { lag, planned: left } = dueContextLag(all)
      seen.add(lag)
      all = [...left]
    }
    expect([...seen].sort()).toEqual([1, 2, 3])
  })
})
