/** Signed transactions of which a test says only what matters to it. */
import { privateKeyToAccount } from 'viem/accounts'
import { type Address, fromHex, ZERO_ADDRESS } from '../../../src/bytes/hex.ts'
import { signTransaction } from '../../../src/model/transaction/signedTransaction.ts'
import type {
  Authorization,
  Transaction,
  UnsignedTransaction,
} from '../../../src/model/transaction/transaction.ts'

/** Who signs: a development account, or anyone with a key. */
export interface Signer {
  readonly address: Address
  readonly privateKey: `0x${string}`
}

const GWEI = 10n ** 9n

/** What a transaction is unless a test says otherwise: a transfer of nothing, at a fee that lasts. */
export const TRANSFER: UnsignedTransaction = {
  type: 2,
  chainId: 31_337n,
  nonce: 0n,
  gasLimit: 21_000n,
  to: ZERO_ADDRESS,
  value: 0n,
  data: new Uint8Array(),
  maxFeePerGas: 100n * GWEI,
  maxPriorityFeePerGas: GWEI,
  accessList: [],
  authorizationList: [],
}

/** `TRANSFER` with `fields`, signed. Types 0 and 1 offer their `maxFeePerGas` as the price. */
export function sign(signer: Signer, fields: Partial<UnsignedTransaction> = {}): Transaction {
  const unsigned = { ...TRANSFER, ...fields }
  if (unsigned.type < 2) Object.assign(unsigned, { maxPriorityFeePerGas: unsigned.maxFeePerGas })
  return signTransaction(unsigned, fromHex(signer.privateKey), signer.address)
}

/** The signer's wish to run the code of `address` (EIP-7702), signed by viem. */
export async function authorize(
  { privateKey }: Signer,
  wish: { address: Address; nonce: bigint; chainId?: bigint },
): Promise<Authorization> {
  const { address, nonce, chainId = 31_337n } = wish
  const signed = await privateKeyToAccount(privateKey).signAuthorization({
    address,
    // A number cannot hold the last nonces; viem takes bigints as well.
    nonce: nonce as unknown as number,
    chainId: Number(chainId),
  })
  return {
    chainId,
    address,
    nonce,
    r: BigInt(signed.r),
    s: BigInt(signed.s),
    yParity: signed.yParity === 1 ? 1 : 0,
  }
}

/** An account from a private key of its own. */
export function signerOf(privateKey: `0x${string}`): Signer {
  return { privateKey, address: privateKeyToAccount(privateKey).address.toLowerCase() as Address }
}
