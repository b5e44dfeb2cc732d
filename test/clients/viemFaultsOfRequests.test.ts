/**
 * What viem's watchers are told where requests and connections go wrong: in tables, which test/support/clients/watchers.ts explains.
 *
 * Those who poll call `onError` for each poll that fails, and go on. Of blocks they tell the newest with their next poll,
 * and pass over those between; a filter keeps its logs until they are asked for. Over WebSocket events need no request. For
 * a block viem asks when it is told of its head; where it gets none, it calls `onBlock` with `undefined` and `onError` not at
 * all.
 */
import { describe, it } from 'vitest'
import type { Devnet } from '../../src/index.ts'
import { yieldToEventLoop } from '../../src/sequencer/clock.ts'
import { holdTimers } from '../support/clients/heldTimers.ts'
import { watched } from '../support/clients/watchers.ts'

const BUSY = { method: 'eth_get*', message: 'busy' }
const UNAVAILABLE = { status: 503, body: 'Service Unavailable' }

/** Takes all faults back. */
const heal = ({ faults }: Devnet) => faults.clear()

/** Resolves when so many requests have met a fault. */
function met(devnet: Devnet, count: number): Promise<void> {
  return new Promise((resolve) => {
    let left = count
    devnet.on('requestFault', () => {
      left--
      if (left === 0) resolve()
    })
  })
}

/** Milliseconds that only pass where a test lets them. */
const HELD_MS = 1_234_567

/** Lets the time of a request, `HELD_MS`, be over as soon as it alone is under way, or none but others that are lost. */
function endLost(devnet: Devnet): void {
  let lost = 0
  const look = () => {
    if (lost === 0 || limits.count > lost) return
    lost = 0
    limits.pass()
  }
  const limits = holdTimers(HELD_MS, look)
  devnet.on('requestFault', ({ kind }) => {
    if (kind !== 'timeout') return
    lost++
    look()
  })
}

describe('viem is told', () => {
  it('where calls see an older block: nothing of that', async () => {
    const { devnet, sees } = await watched()
    await devnet.faults.contextLag(3)
    await sees(`
      done    | blocks, HTTP | pending, HTTP | events, HTTP | blocks, WebSocket | events, WebSocket
      watch   | 1            | 1             | –            | –                 | –
      a, tick | –            | 2?: a         | –            | –                 | –
      seal    | 2: a         | –             | a 2#0        | 2: a              | a 2#0
    `)
  })

  it('where answers come late: the same as ever, where one question waits for the answer to the other', async () => {
    const { devnet, sees } = await watched()
    await devnet.faults.latency({ method: 'eth_get*', ms: [1, 20] })
    await sees(`
      done    | blocks, HTTP | pending, HTTP | events, HTTP | blocks, WebSocket | events, WebSocket
      watch   | 1            | 1             | –            | –                 | –
      a, tick | –            | 2?: a         | –            | –                 | –
      seal    | 2: a         | –             | a 2#0        | 2: a              | a 2#0
      b, mine | 3: b         | 3: b          | b 3#0        | 3: b              | b 3#0
    `)
  })

  it('where one answer is later than the next: over WebSocket of a block before its predecessor', async () => {
    const answers = holdTimers(HELD_MS)
    let asked = Promise.resolve()
    const late = (ms: number) => async (devnet: Devnet) => {
      await devnet.faults.latency({ method: 'eth_getBlockByNumber', ms }, { times: 1 })
      asked = met(devnet, 1)
    }
    const { sees } = await watched({
      steps: {
        late: late(HELD_MS),
        // Not late at all, but noticed.
        next: late(0),
        asked: () => asked,
        async answer() {
          await yieldToEventLoop()
          answers.pass()
        },
      },
    })
    // It asks for each block as soon as it hears of it. Those who poll do so when both are there, and pass over the first.
    await sees(`
      done                                               | blocks, HTTP | pending, HTTP | events, HTTP | blocks, WebSocket | events, WebSocket
      watch                                              | 1            | 1             | –            | –                 | –
      late, a, mine, asked, next, b, mine, asked, answer | 3: b         | 3: b          | a 2#0, b 3#0 | 3: b, 2: a        | a 2#0, b 3#0
    `)
  })

  it('where answers are lost: neither of the block nor, over HTTP, of what the filter has told to nobody', async () => {
    const timeout = HELD_MS
    const { devnet, sees } = await watched({
      http: { timeout },
      socket: { timeout },
      steps: { lose: ({ faults }) => faults.timeout({ method: 'eth_get*' }, 'always'), heal },
    })
    endLost(devnet)
    await sees(`
      done          | blocks, HTTP             | pending, HTTP            | events, HTTP             | blocks, WebSocket | events, WebSocket
      watch         | 1                        | 1                        | –                        | –                 | –
      lose, a, mine | ! The request timed out. | ! The request timed out. | ! The request timed out. | undefined         | a 2#0
      heal, b, mine | 3: b                     | 3: b                     | b 3#0                    | 3: b              | b 3#0
    `)
  })

  it('where questions are lost: of events with the next, for the filter keeps them', async () => {
    const { devnet, sees } = await watched({
      http: { timeout: HELD_MS },
      steps: { lose: ({ faults }) => faults.timeout({ method: 'eth_getFilterChanges', lost: 'request' }) },
    })
    endLost(devnet)
    await sees(`
      done          | blocks, HTTP | pending, HTTP | events, HTTP             | blocks, WebSocket | events, WebSocket
      watch         | 1            | 1             | –                        | –                 | –
      lose, a, mine | 2: a         | 2: a          | ! The request timed out. | 2: a              | a 2#0
      b, mine       | 3: b         | 3: b          | a 2#0, b 3#0             | 3: b              | b 3#0
    `)
  })

  it('where it asks again for an answer that was lost: not even that there was one, with events in it', async () => {
    const { devnet, sees } = await watched({
      http: { timeout: HELD_MS, retryCount: 3, retryDelay: 1 },
      steps: { lose: ({ faults }) => faults.timeout({ method: 'eth_getFilterChanges' }) },
    })
    endLost(devnet)
    await sees(`
      done          | blocks, HTTP | pending, HTTP | events, HTTP | blocks, WebSocket | events, WebSocket
      watch         | 1            | 1             | –            | –                 | –
      lose, a, mine | 2: a         | 2: a          | –            | 2: a              | a 2#0
      b, mine       | 3: b         | 3: b          | b 3#0        | 3: b              | b 3#0
    `)
  })

  it('where it is refused with 429: an error at each poll, and all events afterwards', async () => {
    // It does not ask again, though it may: it does not know the code that comes with the status.
    const { sees } = await watched({
      http: { retryCount: 3 },
      socket: { retryCount: 3 },
      steps: {
        refuse: ({ faults }) => faults.httpStatus({ method: 'eth_get*', status: 429 }, 'always'),
        heal,
      },
    })
    await sees(`
      done            | blocks, HTTP      | pending, HTTP     | events, HTTP      | blocks, WebSocket | events, WebSocket
      watch           | 1                 | 1                 | –                 | –                 | –
      refuse, a, mine | ! over rate limit | ! over rate limit | ! over rate limit | undefined         | a 2#0
      b, mine         | ! over rate limit | ! over rate limit | ! over rate limit | undefined         | b 3#0
      heal            | 3: b              | 3: b              | a 2#0, b 3#0      | –                 | –
    `)
  })

  it('where it is refused with 503 and a page: the page', async () => {
    const { sees } = await watched({
      steps: {
        refuse: ({ faults }) => faults.httpStatus({ method: 'eth_get*', ...UNAVAILABLE }, 'always'),
        heal,
      },
    })
    await sees(`
      done            | blocks, HTTP            | pending, HTTP           | events, HTTP            | blocks, WebSocket | events, WebSocket
      watch           | 1                       | 1                       | –                       | –                 | –
      refuse, a, mine | ! "Service Unavailable" | ! "Service Unavailable" | ! "Service Unavailable" | undefined         | a 2#0
      heal, b, mine   | 3: b                    | 3: b                    | a 2#0, b 3#0            | 3: b              | b 3#0
    `)
  })

  it('where it asks again after pages, and often enough: nothing of them', async () => {
    const method = 'eth_getFilterChanges'
    const { sees } = await watched({
      http: { retryCount: 3, retryDelay: 1 },
      steps: {
        async refuse({ faults }) {
          await faults.httpStatus({ method, ...UNAVAILABLE }, { times: 2 })
          await faults.httpStatus({ method, status: 429, body: 'slow down', retryAfterSeconds: 0 })
        },
      },
    })
    await sees(`
      done            | blocks, HTTP | pending, HTTP | events, HTTP | blocks, WebSocket | events, WebSocket
      watch           | 1            | 1             | –            | –                 | –
      refuse, a, mine | 2: a         | 2: a          | a 2#0        | 2: a              | a 2#0
    `)
  })

  it('where it is refused with -32000: nothing of events until the second poll after it', async () => {
    const { sees } = await watched({
      steps: { refuse: ({ faults }) => faults.rpcError({ ...BUSY, code: -32000 }, 'always'), heal },
    })
    // So nodes say that they have no such filter, and whatever the words are, viem installs a new one with its next poll.
    // What the old one had, and what comes before the new one, is told to nobody.
    await sees(`
      done            | blocks, HTTP | pending, HTTP | events, HTTP | blocks, WebSocket | events, WebSocket
      watch           | 1            | 1             | –            | –                 | –
      refuse, a, mine | ! busy       | ! busy        | ! busy       | undefined         | a 2#0
      heal, b, mine   | 3: b         | 3: b          | –            | 3: b              | b 3#0
      c, mine         | 4: c         | 4: c          | c 4#0        | 4: c              | c 4#0
    `)
  })

  it('where it is refused with another code: all events afterwards', async () => {
    const { sees } = await watched({
      steps: { refuse: ({ faults }) => faults.rpcError({ ...BUSY, code: -32603 }, 'always'), heal },
    })
    await sees(`
      done            | blocks, HTTP | pending, HTTP | events, HTTP | blocks, WebSocket | events, WebSocket
      watch           | 1            | 1             | –            | –                 | –
      refuse, a, mine | ! busy       | ! busy        | ! busy       | undefined         | a 2#0
      heal, b, mine   | 3: b         | 3: b          | a 2#0, b 3#0 | 3: b              | b 3#0
    `)
  })

  it('where it may not subscribe: that, twice, and over WebSocket nothing ever', async () => {
    const { devnet, sees } = await watched()
    await devnet.faults.rpcError({ method: 'eth_subscribe', code: -32005, message: 'busy' }, { times: 2 })
    await sees(`
      done    | blocks, HTTP | pending, HTTP | events, HTTP | blocks, WebSocket | events, WebSocket
      watch   | 1            | 1             | –            | ! busy, ! busy    | ! busy, ! busy
      a, mine | 2: a         | 2: a          | a 2#0        | –                 | –
    `)
  })

  it('where a provider refuses ranges of logs: nothing of that, for filters are no ranges', async () => {
    const { devnet, sees } = await watched()
    await devnet.faults.logRange({ provider: 'ankr', blocks: 1 })
    await sees(`
      done             | blocks, HTTP | pending, HTTP | events, HTTP | blocks, WebSocket | events, WebSocket
      watch            | 1            | 1             | –            | –                 | –
      a, mine, b, mine | 3: b         | 3: b          | a 2#0, b 3#0 | 2: a, 3: b        | a 2#0, b 3#0
    `)
  })

  it('where the provider has no filters, either: over HTTP an error for ever, once too many blocks came between two polls', async () => {
    const { devnet, sees } = await watched({ steps: { heal } })
    const method = 'eth_newFilter'
    await devnet.faults.rpcError({ method, code: -32601, message: 'no filters here' }, 'always')
    await devnet.faults.logRange({ provider: 'ankr', blocks: 1 })
    // It asks again from where it stopped, so each question is for more blocks than the one before.
    await sees(`
      done             | blocks, HTTP | pending, HTTP | events, HTTP              | blocks, WebSocket | events, WebSocket
      watch            | 1            | 1             | –                         | –                 | –
      mine             | 2            | 2             | –                         | 2                 | –
      a, mine, b, mine | 4: b         | 4: b          | ! block range is too wide | 3: a, 4: b        | a 3#0, b 4#0
      c, mine          | 5: c         | 5: c          | ! block range is too wide | 5: c              | c 5#0
      heal             | –            | –             | a 3#0, b 4#0, c 5#0       | –                 | –
    `)
  })

  it('where its connection is cut: that, and nothing more over it', async () => {
    const { sees } = await watched()
    await sees(`
      done    | blocks, HTTP | pending, HTTP | events, HTTP | blocks, WebSocket             | events, WebSocket
      watch   | 1            | 1             | –            | –                             | –
      cut     | –            | –             | –            | ! The socket has been closed. | ! The socket has been closed.
      a, mine | 2: a         | 2: a          | a 2#0        | –                             | –
    `)
  })

  it('where it connects again: of the cut, twice, and what comes afterwards; of what it missed, nothing', async () => {
    const connections = holdTimers(HELD_MS)
    let connectedAgain = Promise.resolve()
    const { sees } = await watched({
      socket: { reconnect: { attempts: 5, delay: HELD_MS } },
      steps: {
        async expect(devnet) {
          // Not late at all, but noticed.
          await devnet.faults.latency({ method: 'eth_subscribe', ms: 0 }, { times: 2 })
          connectedAgain = met(devnet, 2)
        },
        connect() {
          connections.pass()
          return connectedAgain
        },
      },
    })
    // The watcher of blocks cannot be stopped any more: viem ends its first subscription, and the connection has another.
    await sees(`
      done                          | blocks, HTTP | pending, HTTP | events, HTTP | blocks, WebSocket                                            | events, WebSocket
      watch                         | 1            | 1             | –            | –                                                            | –
      expect, a, cut, mine, connect | 2: a         | 2: a          | a 2#0        | ! The socket has been closed., ! The socket has been closed. | ! The socket has been closed., ! The socket has been closed.
      b, mine                       | 3: b         | 3: b          | b 3#0        | 3: b                                                         | b 3#0
      unwatch, c, mine              | 4: c         | 4: c          | c 4#0        | 4: c                                                         | –
    `)
  })
})
