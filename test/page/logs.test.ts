/** The view of logs: which are meant, and what a list of them shows. */
import { keccak256, toEventSelector, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { AnswerError } from '../../src/page/source/source.ts'
import { indexedOf, logsBack, meant, namesOf, ShownLogs } from '../../src/page/views/logs/logQuery.ts'
import { itemsOf } from '../../src/solidity/abi/codec.ts'

const ADDRESS = `0x${'ab'.repeat(20)}`
const EVENTS = itemsOf([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Paid(uint256 amount)',
  'event Paid(address who, uint256 amount)',
])
const NOTHING = { address: '', event: '', topic1: '', topic2: '', topic3: '', from: '', to: '' }

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

  it('takes numbers of blocks in hex, as JSON-RPC has them', () => {
    expect(meant({ ...NOTHING, from: '0x10', to: '0xFF' }, [])).toMatchObject({
      fromBlock: '0x10',
      toBlock: '0xff',
    })
  })

  it.each([
    [
      { address: '0x12' },
      'expected an address (0x and 40 hex digits) or the name of a known account, got 0x12',
    ],
    [{ from: '7', to: '3' }, 'the range ends at block 3, before it begins at block 7'],
    [{ event: 'Nobody' }, 'no known ABI has an event Nobody'],
    [{ event: 'Sync(nothing' }, 'no known ABI has an event Sync(nothing'],
    [{ from: '-1' }, 'got -1'],
    [{ from: '0x' }, 'got 0x'],
    [{ to: 'soon' }, 'got soon'],
  ])('%j is refused in words', (wrong, words) => {
    expect(meant({ ...NOTHING, ...wrong }, [])).toMatchObject({ problem: expect.stringContaining(words) })
  })

  const TRANSFER = toEventSelector('Transfer(address,address,uint256)')
  const WORD = `0x${'ab'.repeat(20).padStart(64, '0')}`

  it('is an account by its name, as the contract and as an indexed value', () => {
    const names = new Map([['account 1', ADDRESS]])
    const wanted = { ...NOTHING, address: 'Account 1', event: 'Transfer', topic2: 'account 1' }
    expect(meant(wanted, EVENTS, names)).toMatchObject({
      filter: { address: ADDRESS, topics: [[TRANSFER], null, [WORD]] },
    })
  })

  it('is indexed values by their types; of text the hash, of what is a topic already that', () => {
    const events = itemsOf(['event Note(string indexed text, int8 indexed level, uint256[] indexed marks)'])
    const topics = (topic1: string, topic2: string, topic3: string) => {
      const found = meant({ ...NOTHING, event: 'Note', topic1, topic2, topic3 }, events)
      return 'filter' in found ? found.filter.topics!.slice(1) : found.problem
    }
    expect(topics('a "b"', '-2', '')).toEqual([[keccak256(toHex('a "b"'))], [`0x${'f'.repeat(63)}e`]])
    expect(topics('', '', WORD)).toEqual([null, null, [WORD]])
    expect(topics('', '128', '')).toBe('level: expected int8: from -128 to 127, got "128"')
    expect(topics('', '', '[1]')).toContain('marks: a log has only the hash of a uint256[]')
  })

  it('takes topics for the values of an event that no ABI has, and none where overloads differ', () => {
    expect(indexedOf(toEventSelector('Nobody()'), EVENTS).map(({ type }) => type)).toEqual(
      Array.from({ length: 3 }, () => 'bytes32'),
    )
    expect(indexedOf('Transfer', EVENTS).map(({ name }) => name)).toEqual(['from', 'to'])
    expect(indexedOf('Nobody', EVENTS)).toEqual([])
    const overloaded = itemsOf(['event Put(uint8 indexed x)', 'event Put(address indexed x)'])
    expect(indexedOf('Put', overloaded)).toEqual([])
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
    blockHash: null,
    transactionHash: transaction as `0x${string}`,
    transactionIndex: null,
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

  it('puts older ones below all others, as many as there is room for', () => {
    const logs = new ShownLogs(4)
    logs.addOlder([log(3, 0, '0xa'), log(4, 0, '0xa')])
    logs.add([log(5, 0, '0xa')], true)
    expect(logs.hasRoom).toBe(true)
    logs.addOlder([log(1, 0, '0xa'), log(2, 0, '0xa')])
    expect(told(logs).map(([block]) => block)).toEqual([5, 4, 3, 2])
    expect([logs.hasRoom, logs.leftOut]).toEqual([false, 1])
  })
})

describe('a range that is not answered at once', () => {
  /** A devnet with a log in each of the blocks 0 to 9, of which it answers `most` at once. */
  function having(most: number) {
    const asked: string[] = []
    const request = async (method: string, [given]: readonly unknown[] = []) => {
      if (method === 'eth_getBlockByNumber') return { number: '0x9' }
      const { fromBlock, toBlock } = given as { fromBlock: string; toBlock: string }
      asked.push(`${fromBlock} ${toBlock}`)
      const from = fromBlock === 'earliest' ? 0 : Number(fromBlock)
      const to = toBlock === 'latest' ? 9 : Number(toBlock)
      if (to - from >= most) throw new AnswerError({ code: -32602, message: 'too many' })
      return Array.from({ length: to - from + 1 }, (_, i) => ({ blockNumber: from + i }))
    }
    const read = async (from: string, to: string) => {
      const parts: [first: number | undefined, blocks: unknown[]][] = []
      for await (const { logs, first } of logsBack({ request } as never, {}, from, to))
        parts.push([first, logs.map(({ blockNumber }) => blockNumber)])
      return parts
    }
    return { asked, read }
  }

  it('is read in parts from the newest block back, as small as they are answered', async () => {
    expect(await having(3).read('earliest', 'latest')).toEqual([
      [7, [7, 8, 9]],
      [4, [4, 5, 6]],
      [1, [1, 2, 3]],
      [undefined, [0]],
    ])
    expect(await having(4).read('0x2', '0x6')).toEqual([
      [4, [4, 5, 6]],
      [undefined, [2, 3]],
    ])
  })

  it('is asked for once where it is answered', async () => {
    const { asked, read } = having(10)
    expect(await read('earliest', 'latest')).toEqual([[undefined, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]]])
    expect(asked).toEqual(['earliest latest'])
  })

  it('fails where not even one block is answered', async () => {
    await expect(having(0).read('earliest', 'latest')).rejects.toThrow('too many')
    await expect(having(0).read('0x3', '0x3')).rejects.toThrow('too many')
  })
})
