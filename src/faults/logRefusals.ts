/** How real providers refuse eth_getLogs requests. Each comment names an issue or a program that quotes the message. */
import type { LogAnswer } from '../chain/logs.ts'
import type { RpcError } from '../rpc/errors/errors.ts'
import { encodeQuantity } from '../wire/hex.ts'
import type { LogProvider } from './fault.ts'

type TooWide = Extract<LogAnswer, { kind: 'rangeTooLarge' }>
type TooMany = Extract<LogAnswer, { kind: 'tooManyResults' }>

export interface LogRefusal {
  readonly error: RpcError
  readonly status: number
}

interface ProviderRefusal {
  readonly limit: number
  readonly status: number
  readonly tooWide: (excess: TooWide) => RpcError
  /** Returns the error for too many logs. The default is the error of reth, which many providers run. */
  readonly tooMany?: (excess: TooMany) => RpcError
}

const PROVIDER_REFUSALS: Readonly<Record<LogProvider, ProviderRefusal>> = {
  // cartesi/rollups-node#655, boundless-xyz/boundless#838 (status); go-ethereum#25343
  alchemy: {
    ...refusal(500, 400, -32600, ({ limit, from, to }) => {
      return `You can make eth_getLogs requests with up to a ${limit} block range. Based on your parameters, this block range should work: ${hexRange(from, to)}`
    }),
    tooMany: ({ limit, from, to }) => ({
      code: -32602,
      message: `Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on the response size, or you can request any block range with a cap of ${thousands(limit)} logs in the response. Based on your parameters and the response size limit, this block range should work: ${hexRange(from, to)}`,
    }),
  },
  // ponder-sh/ponder packages/utils/src/getLogsRetryHelper.ts, which assumes a constant limit
  ankr: refusal(3_000, 200, -32600, () => 'block range is too wide'),
  // mainnet.base.org: ponder-sh/ponder packages/utils/src/_test/base.test.ts; ethereum-optimism/infra proxyd/backend.go
  base: refusal(10_000, 503, -32011, () => 'no backend is currently healthy to serve traffic'),
  // ponder-sh/ponder packages/utils/src/_test/chainstack.test.ts
  chainstack: refusal(100, 200, -32602, () => {
    return 'Block range limit exceeded. See more details at https://docs.chainstack.com/docs/limits#evm-range-limits'
  }),
  // ponder-sh/ponder packages/utils/src/_test/coinbase.test.ts
  coinbase: refusal(1_000, 200, -32005, ({ limit }) => `please limit the query to at most ${limit} blocks`),
  // foundry-rs/foundry#12687
  drpc: refusal(10_000, 400, 35, ({ limit }) => `ranges over ${limit} blocks are not supported on freetier`),
  // INFURA/infura#237; ethers-io/ethers.js#4703
  infura: {
    ...refusal(
      10_000,
      200,
      -32602,
      ({ limit, from, last }) => `range ${last - from} exceeds limit of ${limit}`,
    ),
    tooMany: ({ limit, from, to }) => ({
      code: -32005,
      message: `query returned more than ${limit} results. Try with this block range ${hexRange(from, to)}.`,
      data: { from: encodeQuantity(from), limit, to: encodeQuantity(to) },
    }),
  },
  // Public nodes of OP chains: ethereum-optimism/infra proxyd/integration_tests/block_range_limit_test.go
  proxyd: refusal(10_000, 400, -32602, ({ limit }) => `block range greater than ${limit} max`),
  // ponder-sh/ponder packages/utils/src/_test/publicnode.test.ts
  publicnode: refusal(50_000, 200, -32701, ({ limit }) => `exceed maximum block range: ${limit}`),
  // OffchainLabs/arbitrum-sdk#609
  quicknode: refusal(10_000, 413, -32614, ({ limit }) => {
    return `eth_getLogs is limited to a ${limit.toLocaleString('en')} range`
  }),
  // foundry-rs/foundry#12687, paradigmxyz/reth#23810
  reth: refusal(100_000, 200, -32602, ({ limit }) => `query exceeds max block range ${limit}`),
}

function refusal(
  limit: number,
  status: number,
  code: number,
  message: (excess: TooWide) => string,
): ProviderRefusal {
  return { limit, status, tooWide: (excess) => ({ code, message: message(excess) }) }
}

export function usualLimit(provider: LogProvider): number {
  return PROVIDER_REFUSALS[provider].limit
}

export function logRefusal(provider: LogProvider, excess: TooWide | TooMany): LogRefusal {
  const { status, tooWide, tooMany = tooManyForReth } = PROVIDER_REFUSALS[provider]
  return { error: excess.kind === 'rangeTooLarge' ? tooWide(excess) : tooMany(excess), status }
}

function tooManyForReth({ limit, from, to }: TooMany): RpcError {
  return {
    code: -32602,
    message: `query exceeds max results ${limit}, retry with the range ${from}-${to}`,
  }
}

function hexRange(from: bigint, to: bigint): string {
  return `[${encodeQuantity(from)}, ${encodeQuantity(to)}]`
}

function thousands(count: number): string {
  return count > 0 && count % 1_000 === 0 ? `${count / 1_000}K` : String(count)
}
