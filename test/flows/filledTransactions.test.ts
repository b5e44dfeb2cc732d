/** eth_fillTransaction: what would be sent, for somebody to sign. */
import { keccak256, parseTransaction, type TransactionSerialized } from 'viem'
import { describe, expect, it } from 'vitest'
import { ask, clientOf, STRANGER, started } from '../support/clients/clients.ts'

interface Filled {
  readonly raw: TransactionSerialized<'eip1559'>
  readonly tx: Record<string, unknown>
}

const ALICE = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const BOB = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

describe('a transaction that is filled in', () => {
  it('is what anvil 1.7.1 makes of the same', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const fees = { maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x3b9aca00' }
    const { raw, tx } = await ask<Filled>(devnet, 'eth_fillTransaction', {
      from: ALICE,
      to: BOB,
      value: '0x1',
      ...fees,
    })
    expect(raw).toBe(
      '0x02ec827a6980843b9aca0084773594008252089470997970c51812dc3a010c7d01b50e0d17dc79c80180c0808080',
    )
    expect(tx).toEqual({
      type: '0x2',
      chainId: '0x7a69',
      nonce: '0x0',
      gas: '0x5208',
      ...fees,
      to: BOB,
      value: '0x1',
      accessList: [],
      input: '0x',
      r: '0x0',
      s: '0x0',
      yParity: '0x0',
      v: '0x0',
      hash: '0x3f46ad03cfab248db16743991593c62780dcbe590b18672dd1a6e220a14abdfd',
      blockHash: null,
      blockNumber: null,
      blockTimestamp: null,
      transactionIndex: null,
      from: ALICE,
      gasPrice: '0x77359400',
    })

    const gasPrice = '0x77359400'
    const legacy = await ask<Filled>(devnet, 'eth_fillTransaction', {
      from: ALICE,
      to: BOB,
      value: '0x1',
      gasPrice,
    })
    expect(legacy.raw).toBe('0xe58084773594008252089470997970c51812dc3a010c7d01b50e0d17dc79c8018082f4f58080')
    expect(legacy.tx).toMatchObject({ type: '0x0', gasPrice, v: '0xf4f5', chainId: '0x7a69' })
  })

  it('is what would have been sent, and is not sent', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await ask(devnet, 'eth_sendTransaction', { from: ALICE, to: BOB })
    const wish = { from: ALICE, data: '0x600560005560016000f3' }
    const { raw, tx } = await ask<Filled>(devnet, 'eth_fillTransaction', wish)
    expect(keccak256(raw)).toBe(tx.hash)
    expect(parseTransaction(raw)).toMatchObject({ nonce: 1, chainId: 31_337, data: wish.data })
    expect(await ask(devnet, 'txpool_status')).toMatchObject({ pending: '0x1' })
    const hash = await ask(devnet, 'eth_sendTransaction', wish)
    const sent = await ask<Record<string, unknown>>(devnet, 'eth_getTransactionByHash', hash)
    const { r, s, v, yParity, hash: _, ...fields } = sent
    expect(tx).toMatchObject(fields)
  })

  it('is that of anybody, known here or not', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const { tx } = await ask<Filled>(devnet, 'eth_fillTransaction', {
      from: STRANGER,
      to: BOB,
      nonce: '0x5',
      gas: '0x5208',
    })
    expect(tx).toMatchObject({ from: STRANGER, nonce: '0x5' })
  })

  it('says what keeps it from being estimated', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await expect(
      ask(devnet, 'eth_fillTransaction', { from: STRANGER, to: BOB, value: '0x1' }),
    ).rejects.toMatchObject({ message: expect.stringContaining('insufficient funds') })
  })

  it('is taken by viem', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const { transaction } = await clientOf(devnet).fillTransaction({ to: BOB, value: 1n })
    expect(transaction).toMatchObject({ from: ALICE, to: BOB, value: 1n, gas: 21_000n, type: 'eip1559' })
  })
})
