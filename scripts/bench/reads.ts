/**
 * A read at `pending` beside the same read at `latest`, with 1 and with 1,000 transactions pre-confirmed.
 *
 * State is read from one devnet, in turn at `pending` and at `latest`; the values exist in both, and the pre-confirmed
 * transactions have changed them. Logs are read from the pre-confirmed block, and from a fork that has sealed that block:
 * so both have the same logs.
 */
import { Token } from '../../fixtures/contracts/Token.ts'
import { keccakHash } from '../../src/crypto/keccak.ts'
import { createDevnet, type Devnet } from '../../src/index.ts'
import type { Effort } from './measure.ts'
import { type Row, raced, type Thoroughness } from './row.ts'
import { addressOf, dataOf, deploy, endow, quantity, send, topicOf } from './scenario.ts'

const TRANSFER = keccakHash(new TextEncoder().encode('Transfer(address,address,uint256)'))
const HOLDERS = 1_000

export default async function* reads(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const effort: Effort = thoroughness === 'full' ? { rounds: 21, roundMs: 20 } : { rounds: 5, roundMs: 4 }
  for (const count of [1, 1_000]) {
    const { token, devnet, sealed } = await preconfirmed(count)
    for (const [method, paramsAt] of questions(devnet, token, count)) {
      // Made beforehand: only the answer is measured.
      const asked = { pending: made(paramsAt, 'pending'), latest: made(paramsAt, 'latest') }
      const there = method === 'eth_getLogs' ? sealed : devnet
      yield await raced(
        `${method} at pending, ${count.toLocaleString('en')} pre-confirmed`,
        (i) => devnet.request({ method, params: asked.pending[i % asked.pending.length] }),
        there === devnet ? 'at latest' : 'at latest of a fork that sealed them',
        (i) => there.request({ method, params: asked.latest[i % asked.latest.length] }),
        effort,
        { ratioAtMost: 1.2 },
      )
    }
  }
}

/** The parameters of the `i`th of a hundred different requests. */
type ParamsAt = (i: number, tag: 'pending' | 'latest') => unknown[]

function questions(
  { accounts }: Devnet,
  token: `0x${string}`,
  count: number,
): [method: string, paramsAt: ParamsAt][] {
  const sender = (i: number) => accounts[i % accounts.length]!.address
  const holder = (i: number) => addressOf(i % HOLDERS)
  const transfersTo = (i: number) => ({ address: token, topics: [TRANSFER, null, topicOf(holder(i))] })
  const balanceOf = (i: number) => ({ to: token, data: dataOf(Token, 'balanceOf', [holder(i)]) })
  const transfer = (i: number) => ({ to: token, data: dataOf(Token, 'transfer', [holder(i), 1n]) })
  return [
    ['eth_getLogs', (i, tag) => [{ fromBlock: tag, toBlock: tag, ...transfersTo(i % count) }]],
    ['eth_call', (i, tag) => [balanceOf(i), tag]],
    ['eth_estimateGas', (i, tag) => [{ from: sender(i), ...transfer(i) }, tag]],
    ['eth_getTransactionCount', (i, tag) => [sender(i), tag]],
    ['eth_getCode', (_, tag) => [token, tag]],
    ['eth_getBalance', (i, tag) => [sender(i), tag]],
  ]
}

function made(paramsAt: ParamsAt, tag: 'pending' | 'latest'): unknown[][] {
  return Array.from({ length: 100 }, (_, i) => paramsAt(i * 7, tag))
}

/** A devnet with `count` token transfers pre-confirmed, and a fork of it that has sealed them. */
async function preconfirmed(count: number) {
  const devnet = await createDevnet({ rhythm: 'manual', gasLimit: 200_000_000n })
  const token = await deploy(devnet, Token, ['Gold', 'GOLD'])
  const [owner] = devnet.accounts
  for (let i = 0; i < HOLDERS; i++) {
    const data = dataOf(Token, 'mint', [addressOf(i), 1_000_000n])
    await send(devnet, { from: owner!.address, to: token, data, gas: 100_000 })
  }
  // So that no account has the nonce 0 at latest, which is cheaper to encode than others.
  const approval = { to: token, data: dataOf(Token, 'approve', [token, 1n]), gas: 100_000 }
  for (const { address } of devnet.accounts) await send(devnet, { ...approval, from: address })
  await endow(devnet, token)
  for (let i = 0; i < count; i++) {
    const { address } = devnet.accounts[i % devnet.accounts.length]!
    const data = dataOf(Token, 'transfer', [addressOf(i % HOLDERS), 1n])
    await send(devnet, { from: address, to: token, data, gas: 100_000 })
  }
  await devnet.tick()
  const sealed = devnet.fork()
  await sealed.seal()
  for (const [asked, tag] of [
    [devnet, 'pending'],
    [sealed, 'latest'],
  ] as const) {
    const logs = await asked.request({ method: 'eth_getLogs', params: [{ fromBlock: tag, toBlock: tag }] })
    if ((logs as unknown[]).length !== count) throw new Error(`expected ${quantity(count)} logs at ${tag}`)
  }
  return { devnet, sealed, token }
}
