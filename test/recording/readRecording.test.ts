/** The parts of record and replay that need no devnet: lines, ids, times, differences. */
import { describe, expect, it } from 'vitest'
import { HeldTime } from '../../src/recording/heldTime.ts'
import { headText, readRecording } from '../../src/recording/readRecording.ts'
import {
  answerText,
  arrivalText,
  parseRecordedEvent,
  type RecordedAnswer,
} from '../../src/recording/recordedEvent.ts'
import { difference, GivenIds } from '../../src/recording/replay/comparison.ts'

describe('the first difference of two answers', () => {
  it.each([
    [1, 1, undefined],
    [null, null, undefined],
    [{ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, undefined],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, undefined],
    ['0x1', '0x01', { path: 'result', recorded: '0x1', answered: '0x01' }],
    [null, {}, { path: 'result', recorded: null, answered: {} }],
    [[], {}, { path: 'result', recorded: [], answered: {} }],
    [
      { a: [{ b: 1 }, { b: 2 }] },
      { a: [{ b: 1 }, { b: 3 }] },
      { path: 'result.a[1].b', recorded: 2, answered: 3 },
    ],
    [
      { a: 1, b: 1 },
      { a: 2, b: 2 },
      { path: 'result.a', recorded: 1, answered: 2 },
    ],
    [[1, 2], [1], { path: 'result[1]', recorded: 2, answered: undefined }],
    [{}, { a: null }, { path: 'result.a', recorded: undefined, answered: null }],
  ])('%j and %j', (recorded, answered, expected) => {
    expect(difference(recorded, answered, 'result')).toEqual(expected)
  })
})

describe('ids that a chain gives', () => {
  it('are put in the position of those of the recording, however they are written', () => {
    const ids = new GivenIds()
    ids.register('eth_newFilter', '0x5', '0x1')
    ids.register('evm_snapshot', '0x5', '0x9')
    expect(ids.translated('eth_getFilterChanges', ['0x5'])).toEqual(['0x1'])
    expect(ids.translated('eth_uninstallFilter', ['0x05'])).toEqual(['0x1'])
    expect(ids.translated('evm_revert', [5, 'more'])).toEqual(['0x9', 'more'])
  })

  it('that nobody gave stay, as does everything else', () => {
    const ids = new GivenIds()
    ids.register('eth_newFilter', '0x5', '0x1')
    ids.register('eth_blockNumber', '0x5', '0x2')
    expect(ids.translated('eth_getFilterLogs', ['0x6'])).toEqual(['0x6'])
    expect(ids.translated('eth_getFilterLogs', [{ id: 5 }])).toEqual([{ id: 5 }])
    expect(ids.translated('eth_getFilterLogs', [])).toEqual([])
    expect(ids.translated('eth_getBalance', ['0x5'])).toEqual(['0x5'])
  })
})

it('time stands for the command that runs, until its next step', () => {
  const time = new HeldTime(100)
  expect(time.receive(105, false, () => time.nowMs)).toBe(105)
  expect(time.nowMs).toBe(105)
  expect(time.receive(110, true, () => time.nowMs)).toBe(110)
  expect(time.nowMs).toBe(105)
  time.catchUp()
  expect(time.nowMs).toBe(110)
})

describe('a line', () => {
  it('has what it was made of', () => {
    const arrival = { tick: 3, position: { commands: 4, waiting: 2, steps: 1 }, ms: 700 }
    const answer = { kind: 'result', result: { a: [1] } } as const
    const line = `{"request":7,${arrivalText(arrival)},"connection":2,"faultless":true,"method":"m","params":[1],${answerText(answer)}}`
    expect(parseRecordedEvent(JSON.parse(line), '')).toEqual({
      kind: 'request',
      number: 7,
      ...arrival,
      connection: 2,
      isFaultless: true,
      method: 'm',
      params: [1],
      answer,
    })
  })

  it.each<RecordedAnswer>([
    { kind: 'result', result: null },
    { kind: 'error', error: { code: 3, message: 'm', data: '0x' } },
    { kind: 'never' },
  ])('has the answer %j', (answer) => {
    const line = `{"answer":1,${answerText(answer)}}`
    expect(parseRecordedEvent(JSON.parse(line), '')).toEqual({ kind: 'answer', request: 1, answer })
  })

  it('has null where nothing is answered', () => {
    expect(answerText({ kind: 'result', result: undefined })).toBe('"result":null')
  })
})

describe('a file', () => {
  const clock = { rhythm: 'manual', tickMs: 200, nowMs: 1, lastTickMs: 1, firstOffsetMs: 0 } as const
  const head = { by: '1.2.3', options: { dialect: 'base' }, startMs: 5, clock }
  const text = `${headText(head)}{"preseal":"state"}\n{"end":1}\n{"answer":1,"result":"für"}\n{"end":1}\n`
  const bytes = new TextEncoder().encode(text)
  const events = async (source: Parameters<typeof readRecording>[0]) => {
    const read: unknown[] = []
    for await (const { line, event } of (await readRecording(source)).events) {
      read.push([line, event.kind])
    }
    return read
  }

  it('is read, in whatever pieces it comes', async () => {
    const read = await readRecording(bytes)
    expect(read.head).toEqual(head)
    expect(new TextDecoder().decode(read.state)).toBe('{"preseal":"state"}\n{"end":1}\n')
    const whole = await events(bytes)
    expect(whole).toEqual([
      [4, 'answer'],
      [5, 'end'],
    ])
    for (const size of [1, 2, 7]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.slice(i * size, (i + 1) * size),
      )
      expect(await events(pieces)).toEqual(whole)
    }
  })

  it('that was cut off has its whole lines', async () => {
    expect(await events(bytes.slice(0, -4))).toEqual([[4, 'answer']])
    expect(await events(bytes.slice(0, -1))).toHaveLength(2)
    expect(await events(bytes.slice(0, -11))).toEqual([[4, 'answer']])
  })
})
