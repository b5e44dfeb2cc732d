/** The view of logs: which are meant, and what a list of them shows. */
import { toEventSelector } from 'viem'
import { describe, expect, it } from 'vitest'
import { itemsOf } from '../../src/abi/codec.ts'
import { meant, namesOf } from '../../src/page/views/logs/logQuery.ts'
import { ShownLogs } from '../../src/page/views/logs/shownLogs.ts'

const ADDRESS = `0x${'ab'.repeat(20)}`
const EVENTS = itemsOf([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Paid(uint256 amount)',
  'event Paid(address who, uint256 amount)',
])
const NOTHING = { address: '', event: '', from: '', to: '' }

describe('what is meant', () => {
  it('is all logs where nothing is said, up to those of the open block', () => {
    expect(meant(NOTHING, [])).toEqual({ filter: {}, fromBlock: 'earliest', toBlock: 'pending' })
  })

  it('is the event of a name, all of them if it is overloaded', () => {
    const named = (event: string) => meant({ ...NOTHING, event }, EVENTS)
    expect(named('Transfer')).toMatchObject({
      filter: { topics: [[toEventSelector('Transfer(address,address,uint256)')]] },
    })
    expect(named('Paid')).toMatchObject({
      filter: { topics: [[toEventSelector('Paid(uint256)'), toEventSelector('Paid(address,uint256)')]] },
    })
  })

  it('is an event by its signature or its topic, also without an ABI', () => {
    const topic = toEventSelector('Sync(uint112,uint112)')
    for (const event of ['Sync(uint112,uint112)', 'event Sync(uint112,uint112)', topic]) {
      expect(meant({ ...NOTHING, event }, [])).toMatchObject({ filter: { topics: [[topic]] } })
    }
  })

  it('is an address and a range of blocks', () => {
    expect(meant({ ...NOTHING, address: ADDRESS, from: '16', to: 'latest' }, [])).toEqual({
      filter: { address: ADDRESS },
      fromBlock: '0x10',
      toBlock: 'latest',
    })
  })

  it.each([
    [{ address: '0x12' }, 'an address has 0x and 40 hex digits, got 0x12'],
    [{ event: 'Nobody' }, 'no known ABI has an event Nobody'],
    [{ event: 'Sync(nothing' }, 'no known ABI has an event Sync(nothing'],
    [{ from: '-1' }, 'got -1'],
    [{ to: 'soon' }, 'got soon'],
  ])('%j is refused in words', (wrong, words) => {
    expect(meant({ ...NOTHING, ...wrong }, [])).toMatchObject({ problem: expect.stringContaining(words) })
  })

  it('names overloaded events by their signatures', () => {
    expect(namesOf(EVENTS)).toEqual([
      'Paid(address,uint256)',
      'Paid(uint256)',
      'Transfer(address,address,uint256)',
    ])
  })
})

describe('the list', () => {
  const log = (block: number, index: number, transaction: string, removed = false) => ({
    address: ADDRESS as `0x${string}`,
    topics: [],
    data: '0x' as const,
    blockNumber: `0x${block.toString(16)}` as const,
    logIndex: `0x${index.toString(16)}` as const,
    transactionHash: transaction as `0x${string}`,
    removed,
  })
  const told = (logs: ShownLogs) =>
    logs
      .list()
      .map(({ log: { blockNumber, transactionHash }, state }) => [
        Number(blockNumber),
        transactionHash,
        state,
      ])

  it('has a log once: pre-confirmed, then sealed, whichever is told first', () => {
    const logs = new ShownLogs()
    logs.add([log(1, 0, '0xa'), log(1, 1, '0xb')], true)
    logs.add([log(1, 0, '0xa')], false)
    logs.add([log(1, 0, '0xa')], true)
    expect(told(logs)).toEqual([
      [1, '0xb', 'preconfirmed'],
      [1, '0xa', 'sealed'],
    ])
  })

  it('keeps a log that was reorganised away beside the one that took its place', () => {
    const logs = new ShownLogs()
    logs.add([log(2, 0, '0xa')], false)
    logs.add([log(2, 0, '0xa', true), log(2, 0, '0xc')], false)
    expect(told(logs)).toEqual([
      [2, '0xc', 'sealed'],
      [2, '0xa', 'reorged'],
    ])
  })

  it('leaves out the oldest of too many, and counts them', () => {
    const logs = new ShownLogs(3)
    logs.add(
      [1, 2, 3, 4, 5].map((block) => log(block, 0, '0xa')),
      false,
    )
    expect(told(logs).map(([block]) => block)).toEqual([5, 4, 3])
    expect(logs.leftOut).toBe(2)
  })
})
