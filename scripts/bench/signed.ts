/** Transactions as their signed bytes, which is what wallets send. */
import { fromHex, type Hex, toHex } from '../../src/bytes/hex.ts'
import { signTransaction } from '../../src/model/transaction/signedTransaction.ts'
import type { Chain, Sent } from './scenario.ts'

/**
 * `count` transactions, one of each account by turns, that the chain will take in this order. The chain's process must
 * have a devnet already: the cryptography is loaded with it.
 */
export async function signed(
  chain: Chain,
  count: number,
  sent: (i: number) => Omit<Sent, 'from'>,
): Promise<Hex[]> {
  const senders = await Promise.all(
    chain.accounts.map(async ({ address, privateKey }) => {
      const nonce = await chain.request({ method: 'eth_getTransactionCount', params: [address, 'latest'] })
      return { address, key: fromHex(privateKey), nonce: BigInt(nonce as Hex) }
    }),
  )
  return Array.from({ length: count }, (_, i) => {
    const sender = senders[i % senders.length]!
    const { to, value = 0n, data = '0x', gas } = sent(i)
    const transaction = {
      type: 2,
      chainId: 31_337n,
      nonce: sender.nonce++,
      gasLimit: BigInt(gas),
      to,
      value,
      data: fromHex(data),
      maxFeePerGas: 10_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
      accessList: [],
      authorizationList: [],
    } as const
    return toHex(signTransaction(transaction, sender.key, sender.address).raw)
  })
}
