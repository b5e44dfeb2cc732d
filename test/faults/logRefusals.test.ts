/** The words of providers, as they were met: each row stands in an issue or in a program that reads them (see `logRefusals.ts`). */
import { describe, expect, it } from 'vitest'
import { LOG_PROVIDERS, type LogProvider } from '../../src/faults/fault.ts'
import { logRefusal, usualLimit } from '../../src/faults/logRefusals.ts'

const tooWide = (limit: number, from: bigint, last: bigint) =>
  ({ kind: 'rangeTooLarge', limit, from, to: from + BigInt(limit) - 1n, last }) as const

const SEEN: readonly [LogProvider, ReturnType<typeof tooWide>, status: number, code: number, string][] = [
  [
    'alchemy', // boundless-xyz/boundless#838
    tooWide(500, 0x1a30dfdn, 0x1a311e4n),
    400,
    -32600,
    'You can make eth_getLogs requests with up to a 500 block range. Based on your parameters, this block range should work: [0x1a30dfd, 0x1a30ff0]',
  ],
  ['ankr', tooWide(3_000, 1n, 3_001n), 200, -32600, 'block range is too wide'],
  [
    'base', // a request from `earliest` to mainnet.base.org
    tooWide(10_000, 0n, 20_000n),
    503,
    -32011,
    'no backend is currently healthy to serve traffic',
  ],
  [
    'chainstack',
    tooWide(100, 1n, 101n),
    200,
    -32602,
    'Block range limit exceeded. See more details at https://docs.chainstack.com/docs/limits#evm-range-limits',
  ],
  ['coinbase', tooWide(1_000, 1n, 1_001n), 200, -32005, 'please limit the query to at most 1000 blocks'],
  [
    'drpc', // foundry-rs/foundry#12687
    tooWide(10_000, 1n, 10_001n),
    400,
    35,
    'ranges over 10000 blocks are not supported on freetier',
  ],
  [
    'infura', // INFURA/infura#237
    tooWide(10_000, 0n, 1_000_000n),
    200,
    -32602,
    'range 1000000 exceeds limit of 10000',
  ],
  ['proxyd', tooWide(100, 0n, 0xc8n), 400, -32602, 'block range greater than 100 max'],
  ['publicnode', tooWide(50_000, 0n, 11_342_597n), 200, -32701, 'exceed maximum block range: 50000'],
  [
    'quicknode', // OffchainLabs/arbitrum-sdk#609
    tooWide(10_000, 0x16015bdn, 0x1605000n),
    413,
    -32614,
    'eth_getLogs is limited to a 10,000 range',
  ],
  [
    'reth', // foundry-rs/foundry#12687
    tooWide(100_000, 0n, 100_000n),
    200,
    -32602,
    'query exceeds max block range 100000',
  ],
]

describe('a refusal of too many blocks', () => {
  it.each(SEEN)('is said as by %s', (provider, excess, status, code, message) => {
    expect(logRefusal(provider, excess)).toEqual({ status, error: { code, message } })
  })

  it('is known of each provider', () => {
    expect(SEEN.map(([provider]) => provider)).toEqual(LOG_PROVIDERS)
  })

  it.each(SEEN.filter(([provider]) => provider !== 'proxyd'))(
    'is made at its usual limit by %s',
    (provider, { limit }) => {
      expect(usualLimit(provider)).toBe(limit)
    },
  )
})

describe('a refusal of too many results', () => {
  const tooMany = (limit: number, from: bigint, to: bigint) =>
    ({ kind: 'tooManyResults', limit, from, to }) as const

  it('is said as by Alchemy', () => {
    // ethers-io/ethers.js#4703
    expect(logRefusal('alchemy', tooMany(10_000, 0n, 0xd043b8n)).error).toEqual({
      code: -32602,
      message:
        'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on the response size, or you can request any block range with a cap of 10K logs in the response. Based on your parameters and the response size limit, this block range should work: [0x0, 0xd043b8]',
    })
  })

  it('is said as by Infura', () => {
    // ethers-io/ethers.js#4703, but for the case of the hex digits
    expect(logRefusal('infura', tooMany(10_000, 0xbde5f8n, 0x102dbccn)).error).toEqual({
      code: -32005,
      data: { from: '0xbde5f8', limit: 10_000, to: '0x102dbcc' },
      message: 'query returned more than 10000 results. Try with this block range [0xbde5f8, 0x102dbcc].',
    })
  })

  it('is said as by RETH, by RETH and by those whose words are not known', () => {
    // foundry-rs/foundry#12687
    const message = 'query exceeds max results 20000, retry with the range 23879634-23879696'
    for (const provider of ['reth', 'ankr', 'drpc'] as const) {
      const excess = tooMany(20_000, 23_879_634n, 23_879_696n)
      expect(logRefusal(provider, excess).error).toEqual({ code: -32602, message })
    }
  })
})
