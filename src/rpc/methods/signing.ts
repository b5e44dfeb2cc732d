/** Signatures of the unlocked accounts, which nodes used to make and tests still ask for. */
import { concatBytes } from '@noble/hashes/utils.js'
import { type Address, type Hex, toHex, toWord } from '../../model/bytes/hex.ts'
import { keccak256 } from '../../model/crypto/keccak.ts'
import { signHash } from '../../model/crypto/secp256k1.ts'
import { hashTypedData, type TypedData, UnfitValue } from '../../model/transaction/typedData.ts'
import { parseAddress, parseBytes } from '../../wire/hex.ts'
import { anything, InvalidValue, type Parser } from '../../wire/parser.ts'
import { parseTypedData } from '../../wire/typedData.ts'
import type { RpcContext } from '../context.ts'
import { method, params } from '../method.ts'
import { Problem } from '../problem.ts'

/** A message that somebody is to sign: bytes, or text that is not hex. */
const parseMessage: Parser<Uint8Array> = (value, path) => {
  if (typeof value === 'string' && !value.startsWith('0x')) return new TextEncoder().encode(value)
  return parseBytes(value, path)
}

export const eth_sign = method(params(parseAddress, parseMessage), (context, signer, message) =>
  signature(context, signer, hashMessage(message)),
)

/** The same with its parameters the other way round; a password, which some clients send, is not looked at. */
export const personal_sign = method(
  params(parseMessage, parseAddress, anything),
  (context, message, signer, _password) => signature(context, signer, hashMessage(message)),
)

export const eth_signTypedData_v4 = method(
  params(parseAddress, (value, path) => hashed(parseTypedData(value, path), path)),
  (context, signer, hash) => signature(context, signer, hash),
)

/** ganache's name for it. */
export const eth_signTypedData = eth_signTypedData_v4

/** The version before knew no arrays; what it knew is signed the same. */
export const eth_signTypedData_v3 = eth_signTypedData_v4

/** EIP-191, version 0x45. */
function hashMessage(message: Uint8Array): Uint8Array {
  const prefix = new TextEncoder().encode(`\x19Ethereum Signed Message:\n${message.length}`)
  return keccak256(concatBytes(prefix, message))
}

function hashed(data: TypedData, path: string): Uint8Array {
  try {
    return hashTypedData(data)
  } catch (error) {
    if (!(error instanceof UnfitValue)) throw error
    throw new InvalidValue(`${path}.${error.path}`, error.expected, error.value)
  }
}

/** 65 bytes: r, s, and 27 or 28. */
function signature({ keys }: RpcContext, signer: Address, hash: Uint8Array): Hex {
  const key = keys.get(signer)
  if (key === undefined) throw new Problem({ kind: 'unknownAccount', address: signer })
  const { r, s, yParity } = signHash(hash, key)
  return toHex(concatBytes(toWord(r), toWord(s), Uint8Array.of(27 + yParity)))
}
