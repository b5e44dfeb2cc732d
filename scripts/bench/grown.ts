/** Devnets with many accounts, or with many blocks. */
import { Token } from '../../fixtures/contracts/Token.ts'
import type { Address, Hex } from '../../src/bytes/hex.ts'
import { beginningWith } from '../../src/chain/chain.ts'
import { History } from '../../src/chain/history.ts'
import { createDevnet, type Devnet } from '../../src/index.ts'
import { hashHeader } from '../../src/model/block/header.ts'
import { addressOf, dataOf, deploy, endow, send } from './scenario.ts'

/**
 * A devnet with `count` funded accounts (`addressOf`) beside its own, as if they were in the genesis: `createDevnet` makes only accounts
 * whose keys it has.
 */
export async function withAccounts(count: number): Promise<Devnet> {
  const devnet = await createDevnet({ rhythm: 'manual' })
  const snapshot = devnet.snapshot()
  const { mark } = snapshot
  const { block, state: before } = mark.chain.history.latest
  const state = before.with(
    Array.from({ length: count }, (_, i) => ({ address: addressOf(i), balance: BigInt(i + 1) })),
  )
  const header = { ...block.header, stateRoot: state.root() }
  const history = History.of({ state, block: { ...block, header, hash: hashHeader(header) } })
  await devnet.restore({
    ...snapshot,
    mark: { ...mark, chain: beginningWith(history) },
  })
  return devnet
}

/** A chain with a token, and values to ask about. */
export interface LongChain {
  readonly devnet: Devnet
  readonly token: Address
  /** Numbers of the first and the last block with a transfer. */
  readonly first: number
  readonly last: number
  /** Hashes of some of the transfers, spread over the chain. */
  readonly transactions: readonly Hex[]
}

/** Recipients, in turn: the same number at any length, so that the state does not grow with the chain. */
export const HOLDERS = 100

const SAMPLES = 1_000

/** A chain of `count` blocks, each with a transfer of a token and its log. */
export async function withBlocks(count: number): Promise<LongChain> {
  const devnet = await createDevnet({ rhythm: 'manual', logRangeLimit: 0 })
  const token = await deploy(devnet, Token, ['Gold', 'GOLD'])
  await endow(devnet, token)
  const first = 1 + Number(await devnet.request({ method: 'eth_blockNumber' }))
  const transactions: Hex[] = []
  for (let i = 0; i < count; i++) {
    const { address } = devnet.accounts[i % devnet.accounts.length]!
    const data = dataOf(Token, 'transfer', [addressOf(i % HOLDERS), 1n])
    const hash = await send(devnet, { from: address, to: token, data, gas: 80_000 })
    if (i % Math.ceil(count / SAMPLES) === 0) transactions.push(hash as Hex)
    await devnet.mine()
  }
  return { devnet, token, first, last: first + count - 1, transactions }
}
