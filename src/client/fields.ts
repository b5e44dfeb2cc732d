/** The fields that the client's functions accept. Unknown fields are refused: ignoring them could change a call. */
import type { Address, Hex } from '../bytes/hex.ts'
import { isRecord, type KnownNames, requireKnown } from '../model/api/arguments.ts'
import { encodeQuantity } from '../wire/hex.ts'
import { shown } from '../wire/parser.ts'
import { checkArgument, unexpected } from './argument.ts'

const SENDING = ['from', 'value', 'gas', 'until']
const CALLING = ['abi', 'address', 'functionName', 'args']

/** Fields of artifacts and `deploy`'s result are ignored, so that `{ ...Token, ...deployed, functionName }` works. */
const OF_CONTRACTS: KnownNames = new Set(
  [
    'hash receipt bytecode deployedBytecode contractName sourceName inputSourceName linkReferences',
    'deployedLinkReferences immutableReferences buildInfoId _format methodIdentifiers metadata',
    'rawMetadata devdoc userdoc evm ast id',
  ].flatMap((names) => names.split(' ')),
)

const FIELDS = {
  deploy: new Set([...SENDING, 'args', 'libraries']),
  read: new Set([...CALLING, 'from', 'at']),
  write: new Set([...CALLING, ...SENDING]),
  send: new Set([...SENDING, 'to', 'data']),
  debug: new Set([...CALLING, 'from', 'value', 'gas', 'at', 'to', 'data']),
  deal: new Set(['wei', 'token', 'amount']),
} satisfies Readonly<Record<string, KnownNames>>

/** Throws a `TypeError` if `given` is not an object, or has a field that the function `what` does not accept. */
export function requireOwnFields(what: keyof typeof FIELDS, given: unknown): void {
  if (!isRecord(given)) {
    const isList = Array.isArray(given)
    const got = isList ? `[${given.map(shown).join(', ')}]` : shown(given)
    const hint =
      isList && what === 'deploy' ? `; the arguments of the constructor are its args: { args: ${got} }` : ''
    throw new TypeError(`${what}: expected an object such as ${EXAMPLES[what]}, got ${got}${hint}`)
  }
  const ignored = FIELDS[what].has('abi') ? OF_CONTRACTS : undefined
  requireKnown(what, given, FIELDS[what], { ignored, instead: what === 'deal' ? OF_DEAL : OF_OTHERS })
}

const EXAMPLES = {
  deploy: '{ args: [5n] }',
  read: "{ abi, address, functionName: 'balanceOf', args: [owner] }",
  write: "{ abi, address, functionName: 'transfer', args: [to, 5n] }",
  send: '{ to, value: 5n }',
  debug: "{ abi, address, functionName: 'transfer', args: [to, 5n] }",
  deal: '{ wei: 5n }',
} as const

const FILLED_IN = 'it is filled in; to set it, use devnet.request with eth_sendTransaction'
const FUNCTION = 'the function is functionName'
const BLOCK = 'the block is at'

const OF_OTHERS: ReadonlyMap<string, string> = new Map([
  ['account', 'the sender is from: an address'],
  ['gasLimit', 'the gas limit is gas'],
  ['input', 'the calldata is data'],
  ['amount', 'the amount in wei is value'],
  ['wei', 'the amount in wei is value'],
  ['name', FUNCTION],
  ['method', FUNCTION],
  ['params', 'args are the arguments of the function'],
  ['contract', 'the contract is address and abi'],
  ['block', BLOCK],
  ['blockNumber', BLOCK],
  ['blockHash', BLOCK],
  ['blockTag', BLOCK],
  ['nonce', FILLED_IN],
  ['gasPrice', FILLED_IN],
  ['maxFeePerGas', FILLED_IN],
  ['maxPriorityFeePerGas', FILLED_IN],
  ['accessList', FILLED_IN],
  ['authorizationList', FILLED_IN],
  ['blobs', FILLED_IN],
])

const OF_DEAL: ReadonlyMap<string, string> = new Map([['value', 'the amount in wei is wei']])

export function addressOf(value: unknown, path: string): Address {
  const { address } = (typeof value === 'object' && value) as { address?: unknown }
  if (address !== undefined) throw unexpected(path, 'an address', value, 'give its .address')
  checkArgument({ type: 'address' }, value, path)
  return (value as Address).toLowerCase() as Address
}

export function quantityOf(value: unknown, path: string): Hex {
  checkArgument({ type: 'uint256' }, value, path)
  return encodeQuantity(value as bigint)
}

export function weiOf(value: unknown): bigint | undefined {
  return value === undefined || BigInt(value as bigint) === 0n ? undefined : BigInt(value as bigint)
}
