/** Signatures by the unlocked accounts, a former task of nodes that tests still use. */
import { concatBytes } from '@noble/hashes/utils.js'
import { type Address, type Hex, toHex, toWord } from '../../bytes/hex.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import { signHash } from '../../crypto/secp256k1.ts'
import { hashingTypedData, InvalidTypedData, type TypedData } from '../../model/transaction/typedData.ts'
import type { SendContext } from '../../rpc/context.ts'
import { Problem } from '../../rpc/errors/problem.ts'
import { params, send } from '../../rpc/method.ts'
import { parseAddress, parseBytes } from '../../wire/hex.ts'
import { anything, InvalidValue, type Parser } from '../../wire/parser.ts'
import { parseTypedData } from '../../wire/typedData.ts'

/** Parses a message to sign: bytes, or text that is not hex. */
const parseMessage: Parser<Uint8Array> = (value, path) => {
  if (typeof value === 'string' && !value.startsWith('0x')) return new TextEncoder().encode(value)
  return parseBytes(value, path)
}

export const eth_sign = send(params(parseAddress, parseMessage), (context, signer, message) =>
  signature(context, signer, hashMessage(message)),
)

/** Like `eth_sign` with its parameters in the other order; a password, which some clients send, is ignored. */
export const personal_sign = send(
  params(parseMessage, parseAddress, anything),
  (context, message, signer, _password) => signature(context, signer, hashMessage(message)),
)

export const eth_signTypedData_v4 = send.long(
  params(parseAddress, parseTypedData),
  async (context, signer, data) => signature(context, signer, await hashed(context, data)),
)

/** ganache's name of the method. */
export const eth_signTypedData = eth_signTypedData_v4

/** The previous version had no arrays; all else is signed the same way. */
export const eth_signTypedData_v3 = eth_signTypedData_v4

/** Returns the hash of a message by EIP-191, version 0x45. */
function hashMessage(message: Uint8Array): Uint8Array {
  const prefix = new TextEncoder().encode(`\x19Ethereum Signed Message:\n${message.length}`)
  return keccak256(concatBytes(prefix, message))
}

async function hashed({ work }: SendContext, data: TypedData): Promise<Uint8Array> {
  const steps = hashingTypedData(data)
  try {
    for (;;) {
      const { done, value } = steps.next()
      if (done === true) return value
      const pause = work.pauseAfter(VALUE_GAS)
      if (pause !== undefined) await pause
    }
  } catch (error) {
    if (!(error instanceof InvalidTypedData)) throw error
    const detail = new InvalidValue(`params[1].${error.path}`, error.expected, error.value).message
    throw new Problem({ kind: 'invalidParams', argument: 1, detail })
  }
}

/** The gas of instructions that take as long as hashing a value. */
const VALUE_GAS = 50

/** Returns 65 bytes: r, s, and 27 or 28. */
function signature({ keys }: SendContext, signer: Address, hash: Uint8Array): Hex {
  const key = keys.get(signer)
  if (key === undefined) throw new Problem({ kind: 'unknownAccount', address: signer })
  const { r, s, yParity } = signHash(hash, key)
  return toHex(concatBytes(toWord(r), toWord(s), Uint8Array.of(27 + yParity)))
}
