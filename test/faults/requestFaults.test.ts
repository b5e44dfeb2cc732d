/** What is done with requests and connections that a fault befalls (CONTRACT 6): when, how often, and what is told of it. */
import { describe, expect, it } from 'vitest'
import type { Occasion } from '../../src/faults/dueFaults.ts'
import type { CutFault, RequestFault, Trigger } from '../../src/faults/fault.ts'
import { type FaultedRequest, RequestFaults } from '../../src/faults/requestFaults.ts'
import { chainOf } from '../support/chains/chains.ts'

const ONCE: Trigger = { kind: 'next', times: 1 }
const ALWAYS: Trigger = { kind: 'next', times: Number.POSITIVE_INFINITY }

/** Faults of requests on a chain with a log in each of blocks 0 to 9, with timers and slices that the test makes. */
function place() {
  const timers = new Map<() => void, number>()
  let onSlice: ((occasion: Occasion) => void) | undefined
  let watches = 0
  const faults = new RequestFaults({
    startTimer(ms, then) {
      timers.set(then, ms)
      return () => timers.delete(then)
    },
    onSlice(listener) {
      watches++
      onSlice = listener
      return () => {
        onSlice = undefined
      }
    },
  })
  const told: unknown[] = []
  faults.listeners.on('requestFault', ({ kind }, method) =>
    told.push(method === undefined ? [kind] : [kind, method]),
  )
  const chain = chainOf(Array.from({ length: 10 }, () => 1))
  let asked = 0
  let id = 0
  return {
    faults,
    told,
    timers,
    isWatching: () => onSlice !== undefined,
    watches: () => watches,
    asked: () => asked,
    slice: (block: bigint, slice?: number) => onSlice?.(slice === undefined ? { block } : { block, slice }),
    plan: (fault: RequestFault, trigger = ONCE) => faults.planRequest({ id: ++id, fault, trigger }),
    planCut: (trigger: Trigger, code?: number) => {
      const fault: CutFault = { kind: 'cutWebSockets', ...(code === undefined ? {} : { code }) }
      faults.planCut({ id: ++id, fault, trigger })
    },
    ask: (method: string, ...params: unknown[]) => {
      const request: FaultedRequest = { method, params, chain, dialect: 'base', isOnNetwork: false }
      return faults.applyFaults(request, () => {
        asked++
        return 'the answer' as const
      })
    },
  }
}

describe('a request that is late', () => {
  it('is carried out at once, and answered when its time has come', async () => {
    const { plan, ask, asked, timers, told } = place()
    plan({ kind: 'latency', ms: 50 })
    const answer = ask('eth_chainId')
    expect([asked(), [...timers.values()], told]).toEqual([1, [50], [['latency', 'eth_chainId']]])
    for (const come of timers.keys()) come()
    expect(await answer).toBe('the answer')
    expect(timers.size).toBe(0)
    expect(ask('eth_chainId')).toBe('the answer')
  })

  it('is answered at once where all is closed, and nothing is planned any more', async () => {
    const { faults, plan, planCut, ask, timers, isWatching } = place()
    plan({ kind: 'latency', ms: 50 }, ALWAYS)
    planCut(ALWAYS)
    const answer = ask('eth_chainId')
    faults.close()
    expect(await answer).toBe('the answer')
    expect([timers.size, faults.planned, faults.isEmpty, isWatching()]).toEqual([0, [], true, false])
    expect(ask('eth_chainId')).toBe('the answer')
  })

  it('may be refused, which is late then', async () => {
    const { plan, ask, asked, timers } = place()
    plan({ kind: 'latency', ms: 50 })
    plan({ kind: 'rpcError', code: -32005, message: 'slow down' })
    const answer = ask('eth_chainId')
    expect([...timers.values()]).toEqual([50])
    for (const come of timers.keys()) come()
    expect(await answer).toMatchObject({ kind: 'error', error: { code: -32005, message: 'slow down' } })
    expect(asked()).toBe(0)
  })
})

describe('a request that is lost', () => {
  it('was carried out where its answer is lost', () => {
    const { plan, ask, asked } = place()
    plan({ kind: 'timeout' })
    expect(ask('eth_sendRawTransaction')).toEqual({ kind: 'never' })
    expect(asked()).toBe(1)
  })

  it('was not where it never arrived', () => {
    const { plan, ask, asked } = place()
    plan({ kind: 'timeout', lost: 'request' })
    expect(ask('eth_sendRawTransaction')).toEqual({ kind: 'never' })
    expect(asked()).toBe(0)
  })

  it('subscribes to nothing: nobody would know the id', () => {
    const { plan, ask, asked } = place()
    plan({ kind: 'timeout' })
    expect(ask('eth_subscribe')).toEqual({ kind: 'never' })
    expect(asked()).toBe(0)
  })
})

describe('a question for logs', () => {
  const range = (fromBlock: string, toBlock: string) => ({ fromBlock, toBlock })
  const limited = (fields: { blocks?: number; results?: number }) => {
    const made = place()
    made.plan({ kind: 'logRange', provider: 'infura', ...fields }, ALWAYS)
    return (filter: unknown) => made.ask('eth_getLogs', filter)
  }

  it('is refused with more blocks than the fault says', () => {
    const ask = limited({ blocks: 4 })
    expect(ask(range('0x1', '0x4'))).toBe('the answer')
    expect(ask(range('0x1', '0x5'))).toMatchObject({ kind: 'error', error: { code: -32602 } })
  })

  it('is refused with more results, of which there may be any number where the fault says nothing of them', () => {
    const ask = limited({ blocks: 9, results: 3 })
    expect(ask(range('0x1', '0x3'))).toBe('the answer')
    expect(ask(range('0x1', '0x4'))).toMatchObject({ kind: 'error', error: { code: -32005 } })
    expect(limited({ blocks: 9 })(range('0x1', '0x9'))).toBe('the answer')
  })

  it('is refused at the provider’s own limit, where the fault says nothing of blocks', () => {
    const { plan, ask } = place()
    // Infura: 10,000 blocks (INFURA/infura#237).
    plan({ kind: 'logRange', provider: 'infura' }, ALWAYS)
    expect(ask('eth_getLogs', range('0x0', '0x9'))).toBe('the answer')
  })

  it('that is wrong in itself is answered as that', () => {
    const ask = limited({ blocks: 1 })
    for (const filter of [{ address: '0x12' }, 5, undefined]) expect(ask(filter)).toBe('the answer')
  })
})

describe('what is planned', () => {
  it('can be taken back by its id, once', () => {
    const { faults, plan, planCut, ask } = place()
    plan({ kind: 'rpcError', code: 1, message: 'first' }, ALWAYS)
    plan({ kind: 'rpcError', code: 2, message: 'second' }, ALWAYS)
    planCut(ALWAYS)
    expect(faults.planned.map(({ id }) => id)).toEqual([1, 2, 3])
    expect([faults.remove(1), faults.remove(1), faults.remove(9)]).toEqual([true, false, false])
    expect(ask('eth_chainId')).toMatchObject({ error: { code: 2 } })
    expect([faults.remove(3), faults.remove(3)]).toEqual([true, false])
    expect(faults.planned.map(({ id }) => id)).toEqual([2])
    faults.clear()
    expect(faults.isEmpty).toBe(true)
  })
})

describe('the lag of a call’s context', () => {
  it('is what the fault says, and the usual one without and after it', () => {
    const { faults, plan, told } = place()
    expect(faults.contextLag(2)).toBe(2)
    plan({ kind: 'latency', ms: 5 }, ALWAYS)
    expect(faults.contextLag(2)).toBe(2)
    plan({ kind: 'contextLag', blocks: 4 })
    expect([faults.contextLag(2), faults.contextLag(2)]).toEqual([4, 2])
    plan({ kind: 'contextLag', blocks: 0 })
    expect(faults.contextLag(2)).toBe(0)
    expect(told).toEqual([['contextLag'], ['contextLag']])
  })
})

describe('connections', () => {
  it('are all cut, each port’s once, and none of a port that is closed', () => {
    const { faults } = place()
    const cut: unknown[] = []
    const leave = faults.onCut((code) => {
      cut.push(['first', code])
      return 2
    })
    faults.onCut((code) => {
      cut.push(['second', code])
      return 3
    })
    expect(faults.cut(1012)).toBe(5)
    leave()
    expect(faults.cut(undefined)).toBe(3)
    expect(cut).toEqual([
      ['first', 1012],
      ['second', 1012],
      ['second', undefined],
    ])
  })

  it('are cut after the slice was told to those who listen', async () => {
    const { faults, planCut, slice, told } = place()
    const happened: string[] = []
    faults.onCut(() => happened.push('cut'))
    planCut({ kind: 'at', block: 2n, slice: 1 })
    slice(1n, 1)
    slice(2n, 1)
    happened.push('told')
    await Promise.resolve()
    expect(happened).toEqual(['told', 'cut'])
    expect(told).toEqual([['cutWebSockets']])
    slice(2n, 1)
    await Promise.resolve()
    expect(happened).toHaveLength(2)
  })

  it('are watched for once, and only while a cut is planned', async () => {
    const { faults, planCut, slice, isWatching, watches } = place()
    expect(isWatching()).toBe(false)
    planCut({ kind: 'at', block: 5n })
    planCut({ kind: 'next', times: 2 })
    expect([isWatching(), watches()]).toEqual([true, 1])
    slice(1n, 1)
    expect(faults.planned).toHaveLength(2)
    slice(1n, 2)
    expect(faults.planned.map(({ id }) => id)).toEqual([1])
    expect(isWatching()).toBe(true)
    faults.remove(1)
    expect(isWatching()).toBe(false)
  })
})
