/** The wallet methods that apps call. The unlocked accounts sign without confirmation by a user. */
import { concatBytes } from '@noble/hashes/utils.js'
import { type Address, type Hex, toHex, toWord } from '../../bytes/hex.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import { signHash } from '../../crypto/secp256k1.ts'
import { hashingTypedData, InvalidTypedData, type TypedData } from '../../model/transaction/typedData.ts'
import type { SendContext } from '../../rpc/context.ts'
import { Problem } from '../../rpc/errors/problem.ts'
import { params, read, send } from '../../rpc/method.ts'
import type { ReadContext } from '../../rpc/readContext.ts'
import { encodeQuantity, parseAddress, parseBytes, parseQuantity } from '../../wire/hex.ts'
import { anything, arrayOf, InvalidValue, optional, type Parser, recordOf } from '../../wire/parser.ts'
import { parseTypedData } from '../../wire/typedData.ts'

/** Parses a message to sign: bytes as hex, or any other text as UTF-8. */
const parseMessage: Parser<Uint8Array> = (value, path) => {
  if (typeof value === 'string' && !value.startsWith('0x')) return new TextEncoder().encode(value)
  return parseBytes(value, path)
}

export const eth_sign = send(params(parseAddress, parseMessage), (context, signer, message) =>
  signature(context, signer, hashMessage(message)),
)

/** Takes the parameters of `eth_sign` in reverse order. Some clients add a password, which is ignored. */
export const personal_sign = send(
  params(parseMessage, parseAddress, anything),
  (context, message, signer, _password) => signature(context, signer, hashMessage(message)),
)

export const eth_signTypedData_v4 = send.long(
  params(parseAddress, parseTypedData),
  async (context, signer, data) => signature(context, signer, await hashed(context, data)),
)

export const eth_signTypedData = eth_signTypedData_v4

/** Typed data of version 3 is signed as version 4, because version 4 only adds arrays. */
export const eth_signTypedData_v3 = eth_signTypedData_v4

/** Returns the hash that EIP-191 defines for personal messages (version 0x45). */
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

/** The gas that `work` counts for one hashed value: hashing takes as long as code that uses this gas. */
const VALUE_GAS = 50

/** Returns the signature: 65 bytes r, s and v, where v is 27 or 28. */
function signature({ keys }: SendContext, signer: Address, hash: Uint8Array): Hex {
  const key = keys.get(signer)
  if (key === undefined) throw new Problem({ kind: 'unknownAccount', address: signer })
  const { r, s, yParity } = signHash(hash, key)
  return toHex(concatBytes(toWord(r), toWord(s), Uint8Array.of(27 + yParity)))
}

const parseChain: Parser<bigint> = (value, path) =>
  parseQuantity(recordOf(value, path, 'an object {chainId}').chainId, `${path}.chainId`)

const parsePermissions: Parser<unknown> = (value, path) =>
  recordOf(value, path, 'permissions, such as {eth_accounts: {}}')

export const wallet_switchEthereumChain = read(params(parseChain), requireOwn)

/** Accepts the chain of the devnet only (EIP-3085). Ignores names and URLs. */
export const wallet_addEthereumChain = read(params(parseChain), requireOwn)

/** Returns the permission to read all accounts (EIP-2255), which every caller has. */
export const wallet_getPermissions = send(params(), permissions)

export const wallet_requestPermissions = send(params(parsePermissions), (context, _wanted) =>
  permissions(context),
)

/** Reports that atomic batches are not supported (EIP-5792), so that clients send calls one by one. */
export const wallet_getCapabilities = read(
  params(optional(parseAddress), optional(arrayOf(parseQuantity))),
  ({ chainId }, _account, chains = [chainId]) =>
    chains.includes(chainId) ? { [encodeQuantity(chainId)]: { atomic: { status: 'unsupported' } } } : {},
)

function requireOwn({ chainId }: ReadContext, asked: bigint): null {
  if (asked !== chainId) throw new Problem({ kind: 'unknownChain', asked, chainId })
  return null
}

function permissions({ accounts }: SendContext): unknown[] {
  return [
    {
      invoker: 'preseal',
      parentCapability: 'eth_accounts',
      caveats: [{ type: 'restrictReturnedAccounts', value: accounts }],
    },
  ]
}
