import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { textIn } from '../../src/page/decode/decode.ts'
import { decimal } from '../../src/page/format.ts'
import { feesIn } from '../../src/page/views/block/block.ts'
import { etherTransfers, tokenTransfers } from '../../src/page/views/transaction/callTree.ts'
import { authorityIn, recoveryOf } from '../../src/page/views/transaction/transaction.ts'
import type { RpcBlock, RpcLog, RpcReceipt } from '../../src/wire/encode.ts'
import type { RpcCallFrame } from '../../src/wire/encodeTrace.ts'
import { ask, started } from '../support/clients/clients.ts'

const [A, B, C] = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(40)}` as const) as [Hex, Hex, Hex]
type Hex = `0x${string}`

const word = (address: Hex): Hex => `0x${address.slice(2).padStart(64, '0')}`

function call(type: string, from: Hex, to: Hex, more: Partial<RpcCallFrame> = {}): RpcCallFrame {
  return { type, from, to, gas: '0x0', gasUsed: '0x0', input: '0x', ...more }
}

test('ether moves in calls and creations within a transaction, but not in those that failed or delegate', () => {
  const value = '0x5'
  const failed = call('CALL', B, C, { error: 'execution reverted', calls: [call('CALL', C, A, { value })] })
  const calls = [
    call('CALL', B, C, { value }),
    call('CALL', B, C, { value: '0x0' }),
    call('DELEGATECALL', B, C, { value }),
    failed,
    call('CREATE2', B, A, { value: '0x7' }),
  ]
  expect(etherTransfers(call('CALL', A, B, { value: '0x9', calls }))).toEqual([
    { from: B, to: C, amount: 5n },
    { from: B, to: A, amount: 7n },
  ])
})

test('tokens move by events called Transfer: amounts, and ids where these are indexed', () => {
  const event = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
  const log = (topics: readonly Hex[], data: Hex) => ({ address: C, topics, data }) as unknown as RpcLog
  const logs = [
    log([event, word(A), word(B)], word('0x64')),
    log([event, word(A), word(B), word('0x7')], '0x'),
    log([event, word(A), word(B)], '0x'),
    log([event, word(A), word(B), word('0x7')], word('0x64')),
    log([word('0x1')], '0x'),
  ]
  expect(tokenTransfers(logs)).toEqual([
    { token: C, from: A, to: B, kind: 'amount', amount: 100n },
    { token: C, from: A, to: B, kind: 'id', id: 7n },
  ])
  expect(decimal(1_250_500_000n, 6)).toBe('1\u2009250.5')
})

test('bytes are text where all of them are, and no control characters are among them', () => {
  const hex = (text: string): Hex => `0x${Buffer.from(text).toString('hex')}`
  expect(textIn(hex('gm, Ωmega\n'))).toBe('gm, Ωmega\n')
  expect(textIn(hex('bell \u0007'))).toBeUndefined()
  expect(textIn('0xc328')).toBeUndefined()
  expect(textIn('0x')).toBeUndefined()
})

test('who signed an authorization is told by the precompile', async () => {
  const devnet = await started({ rhythm: 'manual' })
  const signer = privateKeyToAccount(`0x${'17'.repeat(32)}`)
  const signed = await signer.signAuthorization({ contractAddress: A, chainId: 31337, nonce: 3 })
  const call = recoveryOf({
    chainId: '0x7a69',
    address: A,
    nonce: '0x3',
    yParity: `0x${signed.yParity!.toString(16)}`,
    r: signed.r,
    s: signed.s,
  })
  expect(authorityIn(await ask(devnet, 'eth_call', call))).toBe(signer.address.toLowerCase())
  expect(authorityIn('0x')).toBeUndefined()
})

test('the fees of a block are what is burnt and what its recipient gets', () => {
  const receipt = (gasUsed: Hex, effectiveGasPrice: Hex) => ({ gasUsed, effectiveGasPrice }) as RpcReceipt
  const block = { baseFeePerGas: '0xa' } as unknown as RpcBlock
  expect(feesIn(block, [receipt('0x64', '0xc'), receipt('0x1', '0xa'), receipt('0x9', '0x0')])).toEqual({
    burnt: 1_010n,
    tips: 200n,
  })
  expect(feesIn(block, [undefined])).toBeUndefined()
  expect(feesIn({} as unknown as RpcBlock, [])).toBeUndefined()
})
