/** What signals do to the command line: the first ends it in order, and what came with the first counts as it. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { yieldToEventLoop } from '../../src/sequencer/clock.ts'
import { endOnSignals } from '../../src/terminal/signals.ts'

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM'] as const

const exit = vi.fn()
const warn = vi.fn()
const end = vi.fn(async () => {})

beforeEach(() => {
  const exiting = vi.spyOn(process, 'exit').mockImplementation(exit as never)
  const before = SIGNALS.map((signal) => process.listeners(signal))
  endOnSignals(end, warn)
  return () => {
    exiting.mockRestore()
    for (const [index, signal] of SIGNALS.entries()) {
      for (const listener of process.listeners(signal)) {
        if (!before[index]!.includes(listener)) process.off(signal, listener)
      }
    }
  }
})
afterEach(() => {
  vi.useRealTimers()
  for (const mock of [exit, warn, end]) mock.mockReset()
})

const arrives = (signal: (typeof SIGNALS)[number]) => process.emit(signal)

it('a second one ends the process at once, half a second after the first or later', () => {
  vi.useFakeTimers()
  arrives('SIGINT')
  vi.advanceTimersByTime(499)
  arrives('SIGINT')
  expect([end.mock.calls.length, warn.mock.calls, exit.mock.calls]).toEqual([1, [], []])
  vi.advanceTimersByTime(1)
  arrives('SIGTERM')
  expect([end.mock.calls.length, exit.mock.calls]).toEqual([1, [[143]]])
  expect(warn).toHaveBeenCalledExactlyOnceWith(
    expect.stringContaining('stopped immediately by a second signal'),
  )
})

it('work that goes on for longer than a second is reported', () => {
  vi.useFakeTimers()
  arrives('SIGHUP')
  vi.advanceTimersByTime(999)
  expect(warn).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(warn).toHaveBeenCalledExactlyOnceWith(
    expect.stringContaining('press Ctrl-C again to stop immediately'),
  )
})

it('one that came with the first counts as it, however long the process computed before it could be read', async () => {
  arrives('SIGINT')
  for (const until = performance.now() + 1_200; performance.now() < until; ) {}
  // What is due is done first, then what came meanwhile is read.
  await yieldToEventLoop()
  arrives('SIGINT')
  expect([end.mock.calls.length, warn.mock.calls, exit.mock.calls]).toEqual([1, [], []])
})
