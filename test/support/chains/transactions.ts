/** Random transactions as viem signs them, and the nouns that they should decode to. */
import type { TransactionSerializable } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type {
  AccessList,
  Authorization,
  TransactionType,
  UnsignedTransaction,
} from '../../../src/model/transaction/transaction.ts'
import type { Random } from '../random/random.ts'

export interface SignedCase {
  readonly key: `0x${string}`
  /** Lower case. */
  readonly from: `0x${string}`
  readonly unsigned: UnsignedTransaction
  /** viem's signed bytes. */
  readonly raw: `0x${string}`
}

/** Every kind of transaction that preseal knows. */
export const KINDS = [
  ['legacy without replay protection', 0, undefined],
  ['legacy with replay protection (EIP-155)', 0, 1n],
  ['legacy of a chain with a large id', 0, 2n ** 52n],
  ['EIP-2930', 1, 31_337n],
  ['EIP-1559', 2, 31_337n],
  ['EIP-4844, as it stands in a block', 3, 31_337n],
  ['EIP-7702', 4, 31_337n],
] as const satisfies readonly (readonly [string, TransactionType, bigint | undefined])[]

/** The kinds that clients send: blobs would have to come with a transaction of type 3, and have nowhere to go. */
export const SENT_KINDS = KINDS.filter(([, type]) => type !== 3)

/** A random transaction of a kind, signed by viem. */
export async function randomSigned(
  random: Random,
  type: TransactionType,
  chainId: bigint | undefined,
): Promise<SignedCase> {
  const key = random.hex(32)
  const account = privateKeyToAccount(key)
  const unsigned = await randomUnsigned(random, account, type, chainId)
  const raw = await account.signTransaction(toViem(unsigned))
  return { key, from: account.address.toLowerCase() as `0x${string}`, unsigned, raw }
}

async function randomUnsigned(
  random: Random,
  account: PrivateKeyAccount,
  type: TransactionType,
  chainId: bigint | undefined,
): Promise<UnsignedTransaction> {
  const maxFeePerGas = random.bigint(80)
  const withTip = type >= 2
  return {
    type,
    chainId,
    nonce: random.bigint(52),
    gasLimit: random.bigint(63),
    to: type < 3 && random.chance(0.3) ? undefined : random.hex(20),
    value: random.bigint(256),
    data: random.bytes(random.pick([0, 1, 4, 55, 56, 300])),
    maxFeePerGas,
    maxPriorityFeePerGas: withTip ? random.bigint(80) % (maxFeePerGas + 1n) : maxFeePerGas,
    accessList: type === 0 ? [] : randomAccessList(random),
    authorizationList:
      type === 4
        ? await Promise.all(random.list(random.between(1, 3), () => randomAuthorization(random, account)))
        : [],
    ...(type === 3 ? randomBlobs(random) : {}),
  }
}

/** EIP-4844: a versioned hash begins with 1. */
function randomBlobs(random: Random): Pick<UnsignedTransaction, 'maxFeePerBlobGas' | 'blobVersionedHashes'> {
  return {
    maxFeePerBlobGas: random.bigint(80),
    blobVersionedHashes: random.list(random.between(1, 6), () => `0x01${random.hex(31).slice(2)}` as const),
  }
}

function randomAccessList(random: Random): AccessList {
  return random.list(random.below(3), () => ({
    address: random.hex(20),
    storageKeys: random.list(random.below(3), () => random.hex(32)),
  }))
}

async function randomAuthorization(random: Random, account: PrivateKeyAccount): Promise<Authorization> {
  const wish = { chainId: random.below(2) * 31_337, address: random.hex(20), nonce: random.below(300) }
  const { r, s, yParity } = await account.signAuthorization(wish)
  return {
    chainId: BigInt(wish.chainId),
    address: wish.address,
    nonce: BigInt(wish.nonce),
    r: BigInt(r),
    s: BigInt(s),
    yParity: yParity === 1 ? 1 : 0,
  }
}

function toViem(tx: UnsignedTransaction): TransactionSerializable {
  const common = {
    nonce: Number(tx.nonce),
    gas: tx.gasLimit,
    to: tx.to ?? null,
    value: tx.value,
    data: `0x${Buffer.from(tx.data).toString('hex')}`,
  } as const
  const chainId = Number(tx.chainId)
  const accessList = tx.accessList
  const fees = { maxFeePerGas: tx.maxFeePerGas, maxPriorityFeePerGas: tx.maxPriorityFeePerGas }
  switch (tx.type) {
    case 0:
      return {
        ...common,
        type: 'legacy',
        gasPrice: tx.maxFeePerGas,
        ...(tx.chainId === undefined ? {} : { chainId }),
      }
    case 1:
      return { ...common, type: 'eip2930', chainId, accessList, gasPrice: tx.maxFeePerGas }
    case 2:
      return { ...common, type: 'eip1559', chainId, accessList, ...fees }
    case 3:
      return {
        ...common,
        type: 'eip4844',
        chainId,
        accessList,
        ...fees,
        maxFeePerBlobGas: tx.maxFeePerBlobGas,
        blobVersionedHashes: [...tx.blobVersionedHashes!],
      }
    case 4:
      return {
        ...common,
        type: 'eip7702',
        chainId,
        accessList,
        ...fees,
        authorizationList: tx.authorizationList.map(toViemAuthorization),
      }
  }
}

function toViemAuthorization({ chainId, address, nonce, r, s, yParity }: Authorization) {
  return {
    chainId: Number(chainId),
    address,
    nonce: Number(nonce),
    r: `0x${r.toString(16).padStart(64, '0')}`,
    s: `0x${s.toString(16).padStart(64, '0')}`,
    yParity,
  } as const
}
