/** Tokens by ERC-1155, held against its text: https://eips.ethereum.org/EIPS/eip-1155. */
import {
  decodeAbiParameters,
  encodeAbiParameters,
  encodeEventTopics,
  getAddress,
  numberToHex,
  pad,
  parseAbi,
  toFunctionSelector,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { multiBalances } from '../../src/page/accounts/tokens.ts'
import type { Source } from '../../src/page/source/source.ts'
import { tokenTransfers } from '../../src/page/views/transaction/callTree.ts'
import type { RpcLog } from '../../src/wire/encode.ts'

/** The events as the specification has them. */
const EVENTS = parseAbi([
  'event TransferSingle(address indexed _operator, address indexed _from, address indexed _to, uint256 _id, uint256 _value)',
  'event TransferBatch(address indexed _operator, address indexed _from, address indexed _to, uint256[] _ids, uint256[] _values)',
])

type Hex = `0x${string}`
const [OPERATOR, FROM, TO, GAME] = ['a', 'b', 'c', 'd'].map((digit) => `0x${digit.repeat(40)}`) as [
  Hex,
  Hex,
  Hex,
  Hex,
]
const NOBODY: Hex = `0x${'0'.repeat(40)}`

const log = (topics: readonly unknown[], data: Hex, address = GAME) =>
  ({ address, topics, data }) as unknown as RpcLog

const single = (from: Hex, to: Hex, id: bigint, value: bigint, contract = GAME) =>
  log(
    encodeEventTopics({
      abi: EVENTS,
      eventName: 'TransferSingle',
      args: { _operator: OPERATOR, _from: from, _to: to },
    }),
    encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [id, value]),
    contract,
  )

const batch = (from: Hex, to: Hex, ids: readonly bigint[], values: readonly bigint[]) =>
  log(
    encodeEventTopics({
      abi: EVENTS,
      eventName: 'TransferBatch',
      args: { _operator: OPERATOR, _from: from, _to: to },
    }),
    encodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], [ids, values]),
  )

const moved = (from: Hex, to: Hex, id: bigint, amount: bigint) => ({
  ...{ token: GAME, kind: 'amountOfId' as const },
  ...{ from, to, id, amount },
})

describe('the transfers that events tell of', () => {
  test('of one token, minting "from" 0x0 and burning "to" 0x0', () => {
    const logs = [single(FROM, TO, 7n, 3n), single(NOBODY, TO, 1n, 10n), single(FROM, NOBODY, 1n, 4n)]
    expect(tokenTransfers(logs)).toEqual([
      moved(FROM, TO, 7n, 3n),
      moved(NOBODY, TO, 1n, 10n),
      moved(FROM, NOBODY, 1n, 4n),
    ])
  })

  test('of several tokens, "matching" ids and values in their order', () => {
    expect(tokenTransfers([batch(FROM, TO, [9n, 2n, 9n], [1n, 0n, 5n])])).toEqual([
      moved(FROM, TO, 9n, 1n),
      moved(FROM, TO, 2n, 0n),
      moved(FROM, TO, 9n, 5n),
    ])
    expect(tokenTransfers([batch(FROM, TO, [], [])])).toEqual([])
  })

  test('that "the existence of a token ID" is told moves nothing', () => {
    expect(tokenTransfers([single(NOBODY, NOBODY, 7n, 0n)])).toEqual([])
  })

  test('ids have any size: "the top 128 bits" may be the type', () => {
    const id = (2n ** 255n) | 5n
    expect(tokenTransfers([single(FROM, TO, id, 1n)])).toEqual([moved(FROM, TO, id, 1n)])
  })

  test('what only looks like one is none', () => {
    const one = single(FROM, TO, 7n, 3n)
    const many = batch(FROM, TO, [1n, 2n], [3n, 4n])
    const dirty = `0x${'f'.repeat(24)}${FROM.slice(2)}`
    const all = [...one.topics, ...one.topics.slice(1)]
    expect(
      tokenTransfers([
        // Ids or amounts that are indexed, or parties that are not.
        log([...one.topics, numberToHex(7, { size: 32 })], one.data),
        log(one.topics.slice(0, 3), one.data),
        log(one.topics.slice(0, 1), `0x${all.map((topic) => topic.slice(2)).join('')}`),
        // Other data: a word less, a word more, an offset that leads out of it.
        log(one.topics, one.data.slice(0, -64) as Hex),
        log(one.topics, `${one.data}${'00'.repeat(32)}`),
        log(many.topics, one.data),
        log(many.topics, '0x'),
        // "_values … MUST match" the ids in number.
        batch(FROM, TO, [1n, 2n], [3n]),
        // Topics that are no addresses.
        log([one.topics[0], one.topics[1], dirty, one.topics[3]], one.data),
        log([one.topics[0], one.topics[1], one.topics[2], dirty], one.data),
        // Another event.
        log([pad('0x1'), ...one.topics.slice(1)], one.data),
      ]),
    ).toEqual([])
  })
})

describe('what an account has', () => {
  const LOOK_ALIKE: Hex = `0x${'e'.repeat(40)}`
  const SILENT: Hex = `0x${'5'.repeat(40)}`

  /** A chain with `logs`, on which GAME tells balances of ten times the id, and nothing of id 3. */
  function having(logs: readonly RpcLog[], fork: number | null = null) {
    const asked: unknown[] = []
    const request = (async (method: string, params: readonly unknown[]) => {
      asked.push([method, ...params])
      if (method === 'hardhat_metadata') {
        return { forkedNetwork: fork === null ? null : { forkBlockNumber: fork } }
      }
      if (method === 'eth_getLogs') return logs
      if (method === 'eth_getBlockByNumber') return { number: '0x64' }
      const [{ to, data }] = params as [{ to: Hex; data: Hex }]
      if (data.startsWith('0x01ffc9a7')) {
        // ERC-165: the selector of the interface in the first four bytes of a word.
        expect(data).toBe(`0x01ffc9a7${'d9b67a26'.padEnd(64, '0')}`)
        if (to === LOOK_ALIKE) throw new Error('execution reverted')
        return numberToHex(1, { size: 32 })
      }
      if (to === SILENT) return '0x'
      const [owners, ids] = decodeAbiParameters(
        [{ type: 'address[]' }, { type: 'uint256[]' }],
        `0x${data.slice(10)}`,
      )
      expect(data.slice(0, 10)).toBe(toFunctionSelector('balanceOfBatch(address[],uint256[])'))
      expect(owners).toEqual(ids.map(() => getAddress(TO)))
      return encodeAbiParameters([{ type: 'uint256[]' }], [ids.map((id) => (id === 3n ? 0n : id * 10n))])
    }) as Source['request']
    return { request, asked }
  }

  test('of the ids that were sent to it, those of which it has some, by contracts that say what they are (ERC-165)', async () => {
    const { request, asked } = having([
      single(FROM, TO, 7n, 3n),
      batch(FROM, TO, [3n, 2n], [1n, 1n]),
      single(FROM, TO, 7n, 3n),
      single(FROM, TO, 7n, 3n, LOOK_ALIKE),
      single(FROM, TO, 4n, 3n, SILENT),
    ])
    const { balances, isCut } = await multiBalances(request, TO.toUpperCase().replace('X', 'x'), 'pending')
    expect(isCut).toBe(false)
    expect(balances).toEqual([
      { contract: SILENT, id: 4n, balance: undefined },
      { contract: GAME, id: 2n, balance: 20n },
      { contract: GAME, id: 7n, balance: 70n },
    ])
    const events = ['TransferSingle', 'TransferBatch'] as const
    const topics = events.map((eventName) => encodeEventTopics({ abi: EVENTS, eventName })[0])
    expect(asked).toContainEqual([
      'eth_getLogs',
      { fromBlock: 'earliest', toBlock: 'pending', topics: [topics, null, null, pad(TO)] },
    ])
  })

  test('on a fork, of those that were sent to it since', async () => {
    const { request, asked } = having([single(FROM, TO, 7n, 3n)], 90)
    const { balances } = await multiBalances(request, TO, { blockNumber: '0x64', slice: '0x2' })
    expect(balances).toHaveLength(1)
    expect(asked).toContainEqual([
      'eth_getLogs',
      expect.objectContaining({ fromBlock: '0x5b', toBlock: '0x64' }),
    ])
    const before = having([], 100)
    expect(await multiBalances(before.request, TO, 'earliest')).toEqual({ balances: [], isCut: false })
  })

  test('of very many ids, the last that were sent to it', async () => {
    const ids = Array.from({ length: 300 }, (_, i) => BigInt(i + 10))
    const { request } = having([batch(FROM, TO, ids, ids), single(FROM, TO, 7n, 1n)])
    const { balances, isCut } = await multiBalances(request, TO, 'latest')
    expect(isCut).toBe(true)
    expect(balances).toHaveLength(100)
    expect(balances).toContainEqual({ contract: GAME, id: 7n, balance: 70n })
  })
})
