/**
 * Accounts with passwords, as in ganache and older versions of geth. Passwords give no security: they are only
 * compared.
 */
import { type Address, fromHex, type Hex } from '../../bytes/hex.ts'
import { addressOfKey, isPrivateKey } from '../../crypto/secp256k1.ts'
import { impersonate } from '../../model/transaction/signedTransaction.ts'
import type { RpcContext } from '../../rpc/context.ts'
import { Problem } from '../../rpc/errors/problem.ts'
import { longMethod, method, params } from '../../rpc/method.ts'
import type { WalletAccount } from '../../rpc/wallet.ts'
import { impersonating, notImpersonating } from '../../sequencer/cheats.ts'
import { encodeBytes, parseAddress } from '../../wire/hex.ts'
import { anything, InvalidValue, type Parser, text } from '../../wire/parser.ts'
import { filled, type Sign, send, senderOf, signsWith } from '../eth/send.ts'
import { parseTransactionRequest } from '../eth/transactionRequest.ts'

const parseKey: Parser<{ key: Uint8Array; address: Address }> = (value, path) => {
  const expected = 'a private key (32 bytes in hex, with or without 0x)'
  if (typeof value !== 'string' || !/^(0x)?[0-9a-fA-F]{64}$/.test(value)) {
    throw new InvalidValue(path, expected, value)
  }
  const hex = `0x${value.slice(-64)}` as Hex
  if (!isPrivateKey(BigInt(hex))) throw new InvalidValue(path, expected, value)
  return { key: fromHex(hex), address: addressOfKey(hex) }
}

export const personal_listAccounts = method(params(), ({ wallet }) => wallet.addresses)

/** Creates an account with a new key, the same in every devnet, locked and without a balance. */
export const personal_newAccount = method(params(text), ({ wallet }, password) => wallet.create(password))

export const personal_importRawKey = method(
  params(parseKey, text),
  ({ wallet }, { key, address }, password) => {
    wallet.add(address, { key, password })
    return address
  },
)

/** Unlocks the account until it is locked again: the duration is ignored. */
export const personal_unlockAccount = method(
  params(parseAddress, text, anything),
  async (context, address, password, _seconds) => {
    const { key } = opened(context, address, password)
    const { steering } = context.sequencer
    if (key === undefined) await steering.cheat((cheats) => impersonating(cheats, address))
    else context.wallet.unlock(address, key)
    return true
  },
)

/** Returns whether the account exists. */
export const personal_lockAccount = method(params(parseAddress), async (context, address) => {
  if (context.wallet.get(address) === undefined) return false
  await lock(context, address)
  return true
})

/** Sends from an account, locked or not. */
export const personal_sendTransaction = longMethod(
  params(parseTransactionRequest, text),
  (context, request, password) => {
    const from = senderOf(context, request)
    return send(context, request, from, signs(opened(context, from, password)))
  },
)

export const personal_signTransaction = longMethod(
  params(parseTransactionRequest, text),
  async (context, request, password) => {
    const from = senderOf(context, request)
    const sign = signs(opened(context, from, password))
    return encodeBytes(sign(await filled(context, request, from), from).raw)
  },
)

/** Adds an account without a known key. Once unlocked, it can send all the same. */
export const evm_addAccount = method(params(parseAddress, text), ({ wallet }, address, password) =>
  wallet.add(address, { key: undefined, password }),
)

export const evm_removeAccount = method(params(parseAddress, text), async (context, address, password) => {
  if (context.wallet.get(address) === undefined) return false
  opened(context, address, password)
  await lock(context, address)
  context.wallet.remove(address)
  return true
})

/** Returns the account. Throws a `Problem` for an unknown account or a wrong password. */
function opened({ wallet }: RpcContext, address: Address, password: string): WalletAccount {
  const account = wallet.get(address)
  if (account === undefined) throw new Problem({ kind: 'unknownAccount', address })
  const isRight = account.password === undefined || account.password === password
  if (!isRight) throw new Problem({ kind: 'wrongPassword', address })
  return account
}

async function lock({ wallet, sequencer }: RpcContext, address: Address): Promise<void> {
  wallet.lock(address)
  await sequencer.steering.cheat((cheats) => notImpersonating(cheats, address))
}

function signs({ key }: WalletAccount): Sign {
  return key === undefined ? impersonate : signsWith(key)
}
