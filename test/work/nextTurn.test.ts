/** Which of an environment's functions begin the next turn of the event loop. */
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import { createScheduler } from '../../src/work/eventLoop.ts'

let opened: MessagePort[] = []

class Channel extends MessageChannel {
  constructor() {
    super()
    opened = [this.port1, this.port2]
  }
}

/** Browsers make timers within timers wait. */
const setTimeout = () => {
  throw new Error('expected no timer')
}

afterEach(() => {
  for (const port of opened) port.close()
  opened = []
})

test('a browser begins turns by messages, without a timer, in the order of the calls and behind all promises', async () => {
  const next = createScheduler({ MessageChannel: Channel, setTimeout })
  const order: string[] = []
  await new Promise<void>((resolve) => {
    next(() => {
      order.push('first')
      void Promise.resolve().then(() => order.push('promise of the first'))
      next(() => {
        order.push('third')
        resolve()
      })
    })
    next(() => order.push('second'))
    order.push('now')
  })
  expect(order).toEqual(['now', 'first', 'promise of the first', 'second', 'third'])
})

test('Node begins turns by its own function, without a channel', () => {
  const setImmediate = (next: () => void) => next
  expect(createScheduler({ setImmediate, MessageChannel: Channel, setTimeout })).toBe(setImmediate)
  expect(opened).toEqual([])
})

test('what has neither begins turns by timers', async () => {
  const { setTimeout } = globalThis
  await expect(
    new Promise<void>((resolve) => createScheduler({ setTimeout })(resolve)),
  ).resolves.toBeUndefined()
})
